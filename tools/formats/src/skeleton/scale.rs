//! Another unit of length for a skeleton.

use sinew::Clip;

/// Multiplies the offsets of a skeleton clip's joints and its position channels by the same factor.
pub(crate) fn scale(clip: &mut Clip, factor: f64) {
    let scaled = |value: &mut f32| *value = (f64::from(*value) * factor) as f32;
    let axes = clip.channel_axes();
    for (samples, _) in clip.samples.iter_mut().zip(&axes).filter(|(_, axis)| !axis.is_rotation()) {
        samples.iter_mut().for_each(scaled);
    }
    for joint in clip.rig.iter_mut().flat_map(|rig| &mut rig.joints) {
        joint.offset.iter_mut().for_each(scaled);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::skeleton::reference_rig;
    use sinew::{Times, Track, TrackKind};

    #[test]
    fn lengths_are_scaled_and_angles_are_not() {
        let rig = reference_rig();
        let tracks = (0..rig.channels()).map(|channel| Track::new(&format!("c{channel}"), TrackKind::Scalar));
        let mut clip = Clip::empty(tracks.collect());
        clip.times = Times::Uniform { start_s: 0.0, frame_s: 0.1, frames: 1 };
        clip.samples.iter_mut().for_each(|samples| samples.push(95.0));
        clip.rig = Some(rig);
        scale(&mut clip, 0.01);
        // The hips' positions come first, then all angles.
        assert_eq!(clip.samples[..3], [[0.95], [0.95], [0.95]]);
        assert!(clip.samples[3..].iter().all(|samples| samples == &[95.0]));
        assert_eq!(clip.rig.expect("a rig").joints[0].offset, [0.0, 0.95, 0.0]);
    }
}
