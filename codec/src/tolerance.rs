//! From the caller's bounds to the largest error of each sample array. No stage below knows the humanoid.

use crate::config::{Bounds, Fidelity};
use crate::track::{Role, Track, TrackKind};

/// Metres per unit of `RootT` on the reference skeleton (its human scale).
pub(crate) const HUMAN_SCALE: f64 = 0.98659;

/// Largest absolute error of each sample array, in track order; `None` for lossless.
pub(crate) fn component_bounds(tracks: &[Track], fidelity: &Fidelity) -> Option<Vec<f64>> {
    let Fidelity::Bounded(bounds) = fidelity else {
        return None;
    };
    Some(
        tracks
            .iter()
            .flat_map(|track| std::iter::repeat_n(track_bound(track, bounds), track.components()))
            .collect(),
    )
}

/// Largest absolute error of each component of a track.
fn track_bound(track: &Track, bounds: &Bounds) -> f64 {
    match (track.role(), track.kind()) {
        (Role::Muscle(_), _) => bounds.muscle,
        (Role::RootPosition, _) => bounds.position_m / HUMAN_SCALE,
        (_, TrackKind::Vector) => bounds.position_m,
        // A unit quaternion that moves by d turns by at most 2 asin(d/2) × 2, about 2 d radians for small d; four
        // components that move by c each give d <= 2 c. The last per cent covers the curvature up to 20 degrees.
        (_, TrackKind::Rotation) => {
            bounds.rotation_deg.min(20.0) * (std::f64::consts::PI / 180.0) / 4.0 * 0.99
        }
        (_, TrackKind::Scalar) => bounds.extra.unwrap_or(bounds.muscle),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_of_track_has_its_bound() {
        let tracks = [
            Track::muscles().remove(3),
            Track::root_position(),
            Track::root_rotation(),
            Track::new("smile", TrackKind::Scalar),
        ];
        let bounds = component_bounds(&tracks, &Fidelity::Bounded(Bounds::default())).expect("bounded");
        assert_eq!(bounds.len(), 1 + 3 + 4 + 1);
        assert_eq!((bounds[0], bounds[8]), (0.001, 0.001));
        assert!(bounds[1] * HUMAN_SCALE <= 0.0005);
        assert!(bounds[4] < 0.05f64.to_radians() / 4.0);
        assert_eq!(component_bounds(&tracks, &Fidelity::Lossless), None);
    }
}
