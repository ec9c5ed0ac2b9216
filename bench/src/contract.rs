//! What a row promises about its samples and times: one contract for every codec at one bound.

use sinew::{Bounds, Clip, Role, TrackKind};
use std::fmt;

/// Human scale of the reference skeleton: `RootT` times this is metres.
const HUMAN_SCALE: f64 = 0.98659;

/// A quaternion this near to unit length is judged by its angle, any other by its components.
pub(crate) const UNIT_SLACK: f64 = 0.01;

/// What a codec promises.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Contract {
    /// Samples and times come back bit for bit.
    Lossless,
    /// Each decoded f32 and each time is within a bound.
    Bounded(Bounds),
}

impl Contract {
    /// The bounded contract with this largest error of a muscle value, other bounds at their defaults.
    pub fn bounded(muscle: f64) -> Contract {
        Contract::Bounded(Bounds::muscle(muscle))
    }

    /// Largest absolute error of each component, in track order; all zero when lossless.
    ///
    /// A rotation's four components get the error that keeps the angle: a difference of four times `e` is at most
    /// `2 e` long, and turns the rotation by at most `2 asin(2 e / |q|)`.
    pub fn tolerances(&self, clip: &Clip) -> Vec<f64> {
        let Contract::Bounded(bounds) = self else { return vec![0.0; clip.components()] };
        let axes = clip.channel_axes();
        let of_track = |track: usize| {
            let axis = axes.get(track);
            let track = &clip.tracks[track];
            match (track.role(), track.kind()) {
                _ if axis.is_some_and(|axis| axis.is_rotation()) => bounds.rotation_deg,
                _ if axis.is_some() => bounds.position_m,
                (Role::Muscle(_), _) => bounds.muscle,
                (Role::RootPosition, _) => bounds.position_m / HUMAN_SCALE,
                (_, TrackKind::Vector) => bounds.position_m,
                (_, TrackKind::Rotation) => rotation_component_tolerance(bounds.rotation_deg),
                (_, TrackKind::Scalar) => bounds.extra.unwrap_or(bounds.muscle),
            }
        };
        clip.component_tracks().map(|(track, _)| of_track(track)).collect()
    }

    /// Largest error of a time in seconds; 0 means bit for bit.
    pub fn time_tolerance_s(&self) -> f64 {
        match self {
            Contract::Lossless => 0.0,
            Contract::Bounded(bounds) => bounds.time_s,
        }
    }
}

/// Largest error of one quaternion component that keeps the rotation within `degrees`.
fn rotation_component_tolerance(degrees: f64) -> f64 {
    let half_angle = (degrees.to_radians() / 2.0).min(std::f64::consts::FRAC_PI_2);
    (1.0 - UNIT_SLACK) * half_angle.sin() / 2.0
}

/// `lossless` or `bound 0.001`, the end of every `settings` text.
impl fmt::Display for Contract {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Contract::Lossless => f.write_str("lossless"),
            Contract::Bounded(bounds) => write!(f, "bound {}", bounds.muscle),
        }
    }
}
