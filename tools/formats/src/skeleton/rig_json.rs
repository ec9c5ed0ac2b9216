//! A rig's own JSON: joints with their bones, limits of muscles, twist shares.

use super::human_rig::RigHints;
use super::map::BoneMap;
use super::map_file::bone_named;
use crate::bvh::{axis_of_channel, channel_name};
use crate::error::{Error, Result};
use serde::Deserialize;
use sinew::humanoid::TwistShares;
use sinew::{Joint, JointAxis, Rig, muscle_index};
use std::collections::BTreeMap;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RigJson {
    joints: Vec<JointJson>,
    #[serde(default)]
    limits_deg: BTreeMap<String, [f64; 2]>,
    twist: Option<TwistJson>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct JointJson {
    name: String,
    parent: Option<String>,
    offset: [f32; 3],
    bone: Option<String>,
    channels: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TwistJson {
    upper_arm: f64,
    lower_arm: f64,
    upper_leg: f64,
    lower_leg: f64,
}

/// The channels of a joint that lists none: those that most programs write, with a position if it moves.
pub(crate) fn usual_axes(moves: bool) -> Vec<JointAxis> {
    use JointAxis::*;
    let rotation = [RotationZ, RotationX, RotationY];
    match moves {
        true => [PositionX, PositionY, PositionZ].into_iter().chain(rotation).collect(),
        false => rotation.to_vec(),
    }
}

/// Rig and hints of the JSON that [`read_rig`](super::read_rig) describes.
pub(super) fn of_value(value: serde_json::Value) -> Result<(Rig, RigHints)> {
    let fault = |what: String| Error::invalid(format!("rig: {what}"));
    let json: RigJson = serde_json::from_value(value).map_err(|error| fault(error.to_string()))?;
    let mut rig = Rig::default();
    let mut bones = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for (number, joint) in json.joints.iter().enumerate() {
        let name = super::shown(&joint.name);
        let parent = match &joint.parent {
            None => None,
            Some(parent) => Some(*numbers.get(parent.as_str()).ok_or_else(|| {
                fault(format!("joint {name}: its parent {} does not stand before it", super::shown(parent)))
            })?),
        };
        if numbers.insert(&joint.name, number).is_some() {
            return Err(fault(format!("two joints are named {name}")));
        }
        let axes = match &joint.channels {
            None => usual_axes(parent.is_none()),
            Some(channels) => {
                let axis = |channel: &String| {
                    axis_of_channel(channel).ok_or_else(|| {
                        fault(format!("joint {name}: {} is no channel", super::shown(channel)))
                    })
                };
                channels.iter().map(axis).collect::<Result<_>>()?
            }
        };
        if let Some(axis) = axes.iter().enumerate().find(|(at, axis)| axes[..*at].contains(axis)) {
            let channel = channel_name(*axis.1);
            return Err(fault(format!("joint {name}: the channel {channel} comes twice")));
        }
        if let Some(bone) = &joint.bone {
            let bone = bone_named(bone)
                .ok_or_else(|| fault(format!("joint {name}: {} is no human bone", super::shown(bone))))?;
            if bones.iter().any(|&(known, _)| known == bone) {
                return Err(fault(format!("joint {name}: {} comes twice", bone.name())));
            }
            bones.push((bone, number));
        }
        rig.joints.push(Joint { name: joint.name.clone(), parent, offset: joint.offset, axes });
    }
    let mut hints = RigHints::default();
    if !bones.is_empty() {
        let mut map = BoneMap::given();
        bones.into_iter().for_each(|(bone, joint)| map.set(bone, Some(joint)));
        hints.map = Some(map);
    }
    for (name, [min, max]) in &json.limits_deg {
        let muscle =
            muscle_index(name).ok_or_else(|| fault(format!("{} is no muscle", super::shown(name))))?;
        hints.limits_deg.push((muscle, *min, *max));
    }
    hints.twist = json.twist.map(|twist| TwistShares {
        upper_arm: twist.upper_arm,
        lower_arm: twist.lower_arm,
        upper_leg: twist.upper_leg,
        lower_leg: twist.lower_leg,
    });
    Ok((rig, hints))
}
