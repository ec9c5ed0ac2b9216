//! What the performer does when: scenes in a fixed order with drawn lengths, repeated for as long as needed.

use super::rng::Rng;

/// One thing to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    /// Stand idle.
    Stand,
    /// Walk on the spot or a treadmill.
    Walk,
    /// Stand and reach for things, mostly with the right arm.
    Reach,
    /// Stand and wave the right hand.
    Wave,
    /// Dance to a beat.
    Dance,
    /// Sit with still legs and talk with the hands.
    Sit,
}

/// An action and when.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scene {
    pub(crate) action: Action,
    pub(crate) start_s: f64,
    pub(crate) end_s: f64,
}

/// Actions with their usual length in seconds: about a minute together, so that the default clip has them all.
const ROUND: [(Action, f64); 7] = [
    (Action::Stand, 4.0),
    (Action::Walk, 10.0),
    (Action::Reach, 9.0),
    (Action::Wave, 6.5),
    (Action::Dance, 10.5),
    (Action::Sit, 12.0),
    (Action::Walk, 8.0),
];

/// The scenes of a clip, without gap, in order; the last one reaches beyond `seconds`.
pub(crate) fn scenes(seed: u64, seconds: f64) -> Vec<Scene> {
    let mut rng = Rng::new(seed, 0x01);
    let mut scenes = Vec::new();
    let mut start_s = 0.0;
    while start_s <= seconds {
        for (action, usual_s) in ROUND {
            let end_s = start_s + usual_s * rng.between(0.9, 1.1);
            scenes.push(Scene { action, start_s, end_s });
            start_s = end_s;
        }
    }
    scenes
}
