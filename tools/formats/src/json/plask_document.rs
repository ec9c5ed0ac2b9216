//! Plask's answer: the keyed motion of one person exactly as its JSON has it.

use super::keyed::KeyedTrack;

/// One motion of an answer of Plask, with what the answer says besides.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PlaskDocument {
    /// The answer's `id`, if it has one.
    pub id: Option<String>,
    /// Seconds that the server worked, if told.
    pub working_time_s: Option<f64>,
    /// The motion's `motionNumber`, if told: a number as text.
    pub motion: Option<String>,
    /// Frames a second of the video, if told.
    pub fps: Option<f64>,
    /// Name for clips that are made of it.
    pub name: Option<String>,
    /// The tracks in the file's order.
    pub tracks: Vec<KeyedTrack>,
}
