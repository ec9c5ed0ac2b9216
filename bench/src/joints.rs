//! How far a decoded clip's joints are from the clip's.

use crate::codec::Decoded;
use crate::contract::Contract;
use crate::source::Source;
use sinew::Clip;
use sinew::humanoid::displacement;

/// Largest displacement of a joint in millimetres, at stored times and half way between them. `decoded` must have been
/// verified; `None` for clips that cannot be posed.
pub(crate) fn max_joint_mm(source: &Source<'_>, contract: &Contract, decoded: &Decoded) -> Option<f64> {
    let clip = source.clip;
    let measured = |samples: &[Vec<f32>]| {
        let candidate = Clip { samples: samples.to_vec(), ..clip.clone() };
        Some(displacement(clip, &candidate, source.avatar).ok()?.max_joint_mm?.value)
    };
    match (contract, decoded) {
        // Verified bit for bit, whatever form the samples came back in.
        (Contract::Lossless, _) => measured(&clip.samples),
        (_, Decoded::Samples { samples, .. }) => measured(samples),
        (_, Decoded::DataClip(decoded)) => measured(&decoded.samples),
        (_, Decoded::DataFile(bytes)) => measured(&sinew::data::read(bytes.as_slice()).ok()?.clip.samples),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_clips;

    #[test]
    fn an_error_moves_joints_and_none_moves_none() {
        let clip = test_clips::smooth(20);
        let mut off = clip.clone();
        off.samples[0][7] += 0.01; // Spine Front-Back: 0.4 degrees, some 3 to 5 mm at the hands
        let contract = Contract::bounded(0.02);
        let source = Source::new(&clip).expect("a clip");
        let mm = max_joint_mm(&source, &contract, &off.into()).expect("a humanoid");
        assert!((1.0..10.0).contains(&mm), "{mm}");
        for contract in [contract, Contract::Lossless] {
            assert_eq!(max_joint_mm(&source, &contract, &clip.clone().into()), Some(0.0));
        }
        let trackless = test_clips::trackless(3);
        let source = Source::new(&trackless).expect("a clip");
        assert_eq!(max_joint_mm(&source, &contract, &trackless.clone().into()), None);
    }
}
