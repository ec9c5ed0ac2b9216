//! The document: the keyed curves of one animation exactly as the file holds them, and what they move.

use super::accessor::{Accessors, Shape, count_of};
use super::container::Container;
use super::fault;
use super::human_bones::HumanBones;
use super::nodes::Nodes;
use crate::error::Result;
use serde_json::Value;
use sinew::DecodeLimits;
use std::rc::Rc;

/// Names of the expressions that VRM defines and an animation may hold.
pub(crate) const PRESETS: [&str; 14] = [
    "happy",
    "angry",
    "sad",
    "relaxed",
    "surprised",
    "neutral",
    "aa",
    "ih",
    "ou",
    "ee",
    "oh",
    "blink",
    "blinkLeft",
    "blinkRight",
];
/// How tracks of expressions begin.
pub(crate) const EXPRESSION: &str = "Expression.";
/// Name of the track of the gaze.
pub(crate) const LOOK_AT: &str = "LookAt";

/// What of a node a curve moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CurvePath {
    /// Its place: three numbers, metres before scales.
    Translation,
    /// Its rotation: a quaternion x, y, z, w.
    Rotation,
    /// Its scale: three factors.
    Scale,
}

/// What is between keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Interpolation {
    /// The key before.
    Step,
    /// The straight line, or the shorter arc.
    Linear,
    /// A cubic with a tangent on either side of each key.
    CubicSpline,
}

/// A keyed curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve {
    /// Number of the node that it moves.
    pub node: usize,
    /// What of the node.
    pub path: CurvePath,
    /// What is between keys.
    pub interpolation: Interpolation,
    /// Times of the keys in seconds, increasing, at least one.
    pub times_s: Rc<[f32]>,
    /// Values, key after key; of a cubic spline in-tangent, value and out-tangent of each.
    pub values: Rc<[f32]>,
}

/// One animation.
#[derive(Debug, Clone, PartialEq)]
pub struct GltfAnimation {
    /// Its name, if it has one.
    pub name: Option<String>,
    /// Its curves in the file's order.
    pub curves: Vec<Curve>,
}

/// A file: nodes, what they are, and one animation.
#[derive(Debug, Clone, PartialEq)]
pub struct GltfDocument {
    pub(crate) nodes: Nodes,
    pub(crate) human: HumanBones,
    /// Tracks of expressions with the nodes whose x is their weight.
    pub(crate) expressions: Vec<(String, usize)>,
    /// The node that turns as the gaze does.
    pub(crate) look_at: Option<usize>,
    /// Whether the gaze's place is given relative to the head.
    pub(crate) has_look_at_offset: bool,
    /// The animation that was asked for, or the first.
    pub animation: GltfAnimation,
    /// Number of animations in the file.
    pub animations: usize,
    /// Number of curves of morph weights and other things that are no part of a node's place.
    pub other_curves: usize,
}

impl GltfDocument {
    /// Reads a binary glTF, or one whose buffers are in its JSON; of several animations the one named `asset`, else the
    /// first.
    ///
    /// # Errors
    /// [`Error::Format`](crate::Error::Format) that names what is at fault, with the byte where there is one;
    /// [`Error::Unsupported`](crate::Error::Unsupported) for buffers in other files;
    /// [`Error::Codec`](crate::Error::Codec) beyond the limits.
    pub fn read(bytes: &[u8], asset: Option<&str>, limits: &DecodeLimits) -> Result<GltfDocument> {
        let container = Container::open(bytes)?;
        let value = container.value()?;
        if value.get("asset").is_none() {
            return Err(fault("the JSON has no asset: it is no glTF"));
        }
        let nodes = Nodes::of(&value)?;
        let human = HumanBones::of(&value, nodes.list.len())?;
        let (expressions, look_at) =
            (expressions_of(&value, nodes.list.len())?, look_at_of(&value, nodes.list.len())?);
        let has_look_at_offset =
            value.pointer("/extensions/VRMC_vrm_animation/lookAt/offsetFromHeadBone").is_some();
        let animations = value.get("animations").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
        let name_of = |animation: &Value| animation.get("name").and_then(Value::as_str).map(str::to_owned);
        let number = match asset {
            None => 0,
            Some(asset) => animations
                .iter()
                .position(|found| name_of(found).as_deref() == Some(asset))
                .ok_or_else(|| {
                    fault(format!(
                        "no animation is named {}; there are {}",
                        super::shown(asset),
                        animations.len()
                    ))
                })?,
        };
        let animation = animations.get(number).ok_or_else(|| fault("it has no animation: nothing moves"))?;
        let mut accessors = Accessors::new(&value, &container, limits);
        let (curves, other_curves) = curves_of(animation, number, nodes.list.len(), &mut accessors)?;
        let animation = GltfAnimation { name: name_of(animation), curves };
        Ok(GltfDocument {
            nodes,
            human,
            expressions,
            look_at,
            has_look_at_offset,
            animation,
            animations: animations.len(),
            other_curves,
        })
    }
}

/// The curves, and how many others there are.
fn curves_of(
    animation: &Value,
    number: usize,
    nodes: usize,
    accessors: &mut Accessors<'_>,
) -> Result<(Vec<Curve>, usize)> {
    let list = |key: &str| animation.get(key).and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    let (channels, samplers) = (list("channels"), list("samplers"));
    let mut curves: Vec<Curve> = Vec::new();
    let mut others = 0;
    let mut taken = std::collections::HashSet::new();
    for (channel_number, channel) in channels.iter().enumerate() {
        let what = |text: String| fault(format!("animation {number}, channel {channel_number}: {text}"));
        let target = channel.get("target").unwrap_or(&Value::Null);
        let path = match target.get("path").and_then(Value::as_str) {
            Some("translation") => CurvePath::Translation,
            Some("rotation") => CurvePath::Rotation,
            Some("scale") => CurvePath::Scale,
            Some(_) => {
                others += 1;
                continue;
            }
            None => return Err(what("its target has no path".into())),
        };
        let Some(node) = target.get("node") else {
            others += 1;
            continue;
        };
        let node = node.as_u64().and_then(|node| usize::try_from(node).ok()).filter(|&node| node < nodes);
        let node = node.ok_or_else(|| what("its node is none".into()))?;
        if !taken.insert((node, path as u8)) {
            return Err(what(format!("node {node} has another curve of the same path")));
        }
        let sampler = count_of(channel, "sampler").and_then(|sampler| samplers.get(sampler));
        let sampler = sampler.ok_or_else(|| what("its sampler is none".into()))?;
        let interpolation = match sampler.get("interpolation").map(Value::as_str) {
            None | Some(Some("LINEAR")) => Interpolation::Linear,
            Some(Some("STEP")) => Interpolation::Step,
            Some(Some("CUBICSPLINE")) => Interpolation::CubicSpline,
            _ => return Err(what("its interpolation is none that glTF knows".into())),
        };
        let accessor =
            |key: &str| count_of(sampler, key).ok_or_else(|| what(format!("its {key} is no accessor")));
        let (input, output) = (accessor("input")?, accessor("output")?);
        let times_s = accessors.values(input, Shape::Scalar, None)?;
        if times_s.is_empty() {
            return Err(what(format!("accessor {input} holds no key")));
        }
        if let Some(key) = times_s.windows(2).position(|pair| pair[0] >= pair[1]) {
            let (from, to) = (times_s[key], times_s[key + 1]);
            return Err(what(format!(
                "accessor {input}: key {} is at {to} s, after one at {from} s",
                key + 1
            )));
        }
        let per_key = if interpolation == Interpolation::CubicSpline { 3 } else { 1 };
        let shape = if path == CurvePath::Rotation { Shape::Rotation } else { Shape::Vector };
        let values = accessors.values(output, shape, Some(times_s.len() * per_key))?;
        curves.push(Curve { node, path, interpolation, times_s, values });
    }
    Ok((curves, others))
}

fn node_of(of: &Value, name: &str, nodes: usize) -> Result<usize> {
    count_of(of, "node").filter(|&node| node < nodes).ok_or_else(|| fault(format!("{name}: no such node")))
}

fn expressions_of(value: &Value, nodes: usize) -> Result<Vec<(String, usize)>> {
    let mut found = Vec::new();
    for (kind, prefix) in [("preset", ""), ("custom", "custom.")] {
        let list = value.pointer(&format!("/extensions/VRMC_vrm_animation/expressions/{kind}"));
        for (name, entry) in list.and_then(Value::as_object).into_iter().flatten() {
            let name = format!("{EXPRESSION}{prefix}{name}");
            let node = node_of(entry, &name, nodes)?;
            found.push((name, node));
        }
    }
    Ok(found)
}

fn look_at_of(value: &Value, nodes: usize) -> Result<Option<usize>> {
    let look_at = value.pointer("/extensions/VRMC_vrm_animation/lookAt");
    look_at.map(|look_at| node_of(look_at, LOOK_AT, nodes)).transpose()
}
