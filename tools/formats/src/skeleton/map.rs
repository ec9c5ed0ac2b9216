//! Which joint is which human bone.

use super::channels::Kinematics;
use super::names::{Limbs, Names, finger_bones};
use super::shape;
use super::tokens::Side;
use super::tree::Tree;
use crate::error::Result;
use sinew::Rig;
use sinew::humanoid::{BONE_COUNT, Bone, Vec3};

/// How a map came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MapSource {
    /// By the joints' names.
    Names,
    /// By the shape of the skeleton, because the names did not tell.
    Shape,
    /// By what a file says: a map given by the caller, or a rig file's own.
    Given,
}

/// A joint number for each human bone that has one. No joint is two bones.
#[derive(Debug, Clone, PartialEq)]
pub struct BoneMap {
    joints: [Option<usize>; BONE_COUNT],
    source: MapSource,
}

impl BoneMap {
    /// A map without bones, to be filled by [`BoneMap::set`].
    pub fn given() -> BoneMap {
        BoneMap { joints: [None; BONE_COUNT], source: MapSource::Given }
    }

    /// The map of a rig by its names and, where these do not make a humanoid, by its shape. It may lack bones that a
    /// humanoid needs: [`BoneMap::missing`] tells.
    ///
    /// # Errors
    /// [`Error::Codec`](crate::Error::Codec) for a rig that is not valid.
    pub fn of_rig(rig: &Rig) -> Result<BoneMap> {
        let kinematics = Kinematics::of(rig)?;
        let places: Vec<Vec3> = kinematics.at_rest().iter().map(|joint| joint.position).collect();
        Ok(BoneMap::detect(&kinematics.tree, &places))
    }

    /// Says that the map was given.
    pub(super) fn set_given(&mut self) {
        self.source = MapSource::Given;
    }

    /// The joint of a bone.
    pub fn joint(&self, bone: Bone) -> Option<usize> {
        self.joints[bone as usize]
    }

    /// The bone of a joint.
    pub fn bone_of(&self, joint: usize) -> Option<Bone> {
        self.bones().find(|&(_, at)| at == joint).map(|(bone, _)| bone)
    }

    /// The joint of the next bone along a limb or the spine: where the bone points, whatever joints lie between.
    pub(super) fn next_along(&self, bone: Bone) -> Option<usize> {
        use Bone::*;
        let chain: &[Bone] = match bone {
            Spine => &[Chest, UpperChest, Neck, Head],
            Chest => &[UpperChest, Neck, Head],
            UpperChest => &[Neck, Head],
            Neck => &[Head],
            LeftShoulder => &[LeftUpperArm],
            LeftUpperArm => &[LeftLowerArm],
            LeftLowerArm => &[LeftHand],
            LeftUpperLeg => &[LeftLowerLeg],
            LeftLowerLeg => &[LeftFoot],
            RightShoulder => &[RightUpperArm],
            RightUpperArm => &[RightLowerArm],
            RightLowerArm => &[RightHand],
            RightUpperLeg => &[RightLowerLeg],
            RightLowerLeg => &[RightFoot],
            _ => return None,
        };
        chain.iter().find_map(|&bone| self.joint(bone))
    }

    /// All bones with their joints.
    pub fn bones(&self) -> impl Iterator<Item = (Bone, usize)> + '_ {
        Bone::ALL.into_iter().filter_map(|bone| Some((bone, self.joint(bone)?)))
    }

    /// How the map came about.
    pub fn source(&self) -> MapSource {
        self.source
    }

    /// Makes `joint` the bone, or takes its joint from it. A joint that was another bone is that one no more.
    pub fn set(&mut self, bone: Bone, joint: Option<usize>) {
        if joint.is_some() {
            self.joints.iter_mut().filter(|at| **at == joint).for_each(|at| *at = None);
        }
        self.joints[bone as usize] = joint;
    }

    /// Names of the bones that a humanoid needs and this map lacks.
    pub fn missing(&self) -> Vec<&'static str> {
        let lacks = |bone: &Bone| bone.info().required && self.joint(*bone).is_none();
        Bone::ALL.into_iter().filter(lacks).map(Bone::name).collect()
    }

    /// The map of a skeleton by its names and, where these do not make a humanoid, by its shape; `places` are the
    /// joints' rest positions. The better of the two if neither is complete.
    fn detect(tree: &Tree, places: &[Vec3]) -> BoneMap {
        if let Some(map) = BoneMap::spelt_out(tree) {
            return map;
        }
        let by_names = BoneMap::of_limbs(tree, &Names::of(tree).limbs(), MapSource::Names);
        if by_names.missing().is_empty() {
            return by_names;
        }
        let by_shape =
            shape::limbs(tree, places).map(|limbs| BoneMap::of_limbs(tree, &limbs, MapSource::Shape));
        by_shape.filter(|map| map.missing().is_empty()).unwrap_or(by_names)
    }

    /// The map of a skeleton whose joints are named as the bones are, all that a humanoid needs: nothing is to be guessed.
    fn spelt_out(tree: &Tree) -> Option<BoneMap> {
        let mut map = BoneMap { joints: [None; BONE_COUNT], source: MapSource::Names };
        for (joint, name) in tree.names.iter().enumerate() {
            let Some(bone) = Bone::from_name(name) else { continue };
            if map.joint(bone).is_some() {
                return None;
            }
            map.set(bone, Some(joint));
        }
        map.missing().is_empty().then_some(map)
    }

    /// Fills up hips, spine and neck between the limbs.
    fn of_limbs(tree: &Tree, limbs: &Limbs, source: MapSource) -> BoneMap {
        let mut map = BoneMap { joints: [None; BONE_COUNT], source };
        // 1. What names or shape tell.
        for (side, of_side) in Side::BOTH.into_iter().zip(&limbs.sides) {
            for (part, joint) in of_side.parts() {
                let bone = Bone::from_name(&format!("{}{part}", side.prefix()));
                map.set(bone.expect("every part is a bone of either side"), joint);
            }
            for (bone, joint) in finger_bones(side).into_iter().zip(of_side.fingers) {
                map.set(bone, joint);
            }
            map.complete_ends(tree, side);
        }
        map.set(Bone::Jaw, limbs.jaw);
        // 2. Hips and chest: where legs and arms part.
        let [left, right] = &limbs.sides;
        let legs = [left.upper_leg, right.upper_leg];
        let arms = [left.upper_arm, right.upper_arm];
        let common = |joints: &[Option<usize>]| {
            let joints: Option<Vec<usize>> = joints.iter().copied().collect();
            joints.and_then(|joints| tree.common(&joints))
        };
        let head = limbs.head.or_else(|| head_above(tree, common(&arms)?, &limbs.sides));
        let (Some(hips), Some(chest)) =
            (common(&[legs[0], legs[1], arms[0], arms[1], head]), common(&[arms[0], arms[1], head]))
        else {
            return map;
        };
        map.set(Bone::Hips, Some(hips));
        map.set(Bone::Head, head);
        // 3. Between them the spine: all of up to three joints, else the first, the middle and the last.
        let spine = tree.path(hips, chest);
        let spine = match spine.as_slice() {
            _ if hips == chest => Vec::new(),
            [] | [_] | [_, _] | [_, _, _] => spine,
            [first, .., last] => vec![*first, spine[(spine.len() - 1) / 2], *last],
        };
        for (bone, joint) in [Bone::Spine, Bone::Chest, Bone::UpperChest].into_iter().zip(spine) {
            map.set(bone, Some(joint));
        }
        // 4. The first joint on the way to the head is the neck; further ones turn with it.
        if let Some(head) = head {
            let neck = tree.path(chest, head).first().copied().filter(|&neck| neck != head);
            map.set(Bone::Neck, neck);
        }
        map
    }

    /// Hands and feet that only mark the end of a forearm or lower leg.
    fn complete_ends(&mut self, tree: &Tree, side: Side) {
        for (above, end) in [("LowerArm", "Hand"), ("LowerLeg", "Foot")] {
            let bone = |part| Bone::from_name(&format!("{}{part}", side.prefix())).expect("a limb bone");
            if let (Some(above), None) = (self.joint(bone(above)), self.joint(bone(end))) {
                self.set(bone(end), tree.children[above].first().copied());
            }
        }
    }
}

/// The end of a neck without a named head: the last joint of the chest's child that leads to no arm.
fn head_above(tree: &Tree, chest: usize, sides: &[super::names::LimbsOfSide; 2]) -> Option<usize> {
    let leads_to_arm = |joint: usize| {
        let mut arms = sides.iter().filter_map(|side| side.upper_arm);
        arms.any(|arm| arm == joint || tree.is_below(arm, joint))
    };
    let neck = tree.children[chest].iter().copied().find(|&joint| !leads_to_arm(joint))?;
    let mut chain = vec![neck];
    while let Some(&next) = chain.last().and_then(|&last| tree.children[last].first()) {
        chain.push(next);
    }
    // The last joint that is more than a mark; a neck that is one joint ends in a head that is a mark.
    let head = chain.iter().rposition(|&joint| !tree.is_end(joint)).filter(|&at| at > 0);
    head.map(|at| chain[at]).or(chain.last().copied()).filter(|&head| head != neck || chain.len() == 1)
}
