//! From the caller's bounds to the largest error of each sample array. No stage below knows the humanoid.

use crate::clip::channel_axes;
use crate::config::{Bounds, Fidelity};
use crate::container::{Levers, posing_arrays};
use crate::rig::{JointAxis, Rig};
use crate::track::{Role, Track, TrackKind};

/// Metres per unit of `RootT` on the reference skeleton (its human scale).
pub(crate) const HUMAN_SCALE: f64 = 0.98659;

/// Largest absolute error of each sample array that its step is made for, in track order; `None` for lossless. With a rig
/// whose channels the first tracks are, those have the bounds of their axes; with levers, all arrays that pose something
/// have theirs.
pub(crate) fn component_bounds(
    tracks: &[Track],
    rig: Option<&Rig>,
    fidelity: &Fidelity,
    levers: Option<&Levers>,
) -> Option<Vec<f64>> {
    let bounds = match fidelity {
        Fidelity::Lossless => return None,
        Fidelity::Bounded(bounds) => *bounds,
        Fidelity::World(bounds) => bounds.others(),
    };
    let mut all = bounds_of_kinds(tracks, rig, &bounds);
    if let Some(levers) = levers {
        for (posing, array) in posing_arrays(tracks).into_iter().enumerate() {
            all[array] = levers.bound(posing);
        }
    }
    Some(all)
}

fn bounds_of_kinds(tracks: &[Track], rig: Option<&Rig>, bounds: &Bounds) -> Vec<f64> {
    let axes = channel_axes(tracks, rig);
    let channels = axes.iter().map(|&axis| channel_bound(axis, bounds));
    let others = tracks[axes.len()..]
        .iter()
        .flat_map(|track| std::iter::repeat_n(track_bound(track, bounds), track.components()));
    channels.chain(others).collect()
}

/// Largest absolute error of a skeleton's channel: an angle in degrees, a position in the rig's length unit.
fn channel_bound(axis: JointAxis, bounds: &Bounds) -> f64 {
    if axis.is_rotation() { bounds.rotation_deg } else { bounds.position_m }
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
        let bounds =
            component_bounds(&tracks, None, &Fidelity::Bounded(Bounds::default()), None).expect("bounded");
        assert_eq!(bounds.len(), 1 + 3 + 4 + 1);
        assert_eq!((bounds[0], bounds[8]), (0.001, 0.001));
        assert!(bounds[1] * HUMAN_SCALE <= 0.0005);
        assert!(bounds[4] < 0.05f64.to_radians() / 4.0);
        assert_eq!(component_bounds(&tracks, None, &Fidelity::Lossless, None), None);
    }

    #[test]
    fn channels_of_a_rig_have_the_bounds_of_their_axes() {
        use crate::rig::Joint;
        let tracks = ["Hips.Yposition", "Hips.Zrotation", "grip"].map(|n| Track::new(n, TrackKind::Scalar));
        let axes = vec![JointAxis::PositionY, JointAxis::RotationZ];
        let joint = Joint { name: "Hips".into(), parent: None, offset: [0.0; 3], axes };
        let rig = Rig { joints: vec![joint] };
        let fidelity =
            Fidelity::Bounded(Bounds { position_m: 0.25, rotation_deg: 30.0, ..Bounds::muscle(0.5) });
        assert_eq!(component_bounds(&tracks, Some(&rig), &fidelity, None), Some(vec![0.25, 30.0, 0.5]));
        assert_eq!(component_bounds(&tracks, None, &fidelity, None), Some(vec![0.5; 3]));
        // Fewer tracks than channels: the tracks are none of them.
        assert_eq!(component_bounds(&tracks[..1], Some(&rig), &fidelity, None), Some(vec![0.5]));
    }
}
