//! Joints to human bones by shape: two legs and a spine part at the hips, two arms and a neck at the chest.

use super::names::{Limbs, LimbsOfSide};
use super::tree::Tree;
use sinew::humanoid::Vec3;

/// Joints nearer than this part of the skeleton's size are at one place.
const COINCIDENT: f64 = 1e-4;
/// A branch that reaches less far than this part of the skeleton's size is no limb.
const LIMB: f64 = 0.1;

/// Legs whose directions are farther from the spine's line than about 65 degrees are those of an animal.
const SPREAD_COS: f64 = 0.42;

/// The limbs of a skeleton whose joints rest at `places`, in the file's own right-handed axes. `None` where it has not
/// the shape of a human.
pub(super) fn limbs(tree: &Tree, places: &[Vec3]) -> Option<Limbs> {
    let skeleton = Shape::of(tree, places)?;
    // 1. The hips: the first joint with three limbs, one of which parts into limbs again.
    let hips = (0..tree.len()).find(|&joint| skeleton.limbs_at(joint).len() >= 3)?;
    let branches = skeleton.limbs_at(hips);
    let (spine, chest) =
        branches.iter().find_map(|&branch| Some((branch, skeleton.parting_below(branch)?)))?;
    let legs = skeleton.farthest_two(branches.into_iter().filter(|&branch| branch != spine))?;
    // 2. The chest: two arms, and the branch between them that goes on upwards.
    let up = (places[chest] - places[hips]).normalized()?;
    let mut branches = skeleton.limbs_at(chest);
    branches.extend(skeleton.short_branches_at(chest));
    let upward = |&branch: &usize| {
        let end = places[skeleton.end_of(branch)] - places[chest];
        end.normalized().map_or(-1.0, |direction| direction.dot(up))
    };
    let neck = branches.iter().copied().max_by(|a, b| upward(a).total_cmp(&upward(b)))?;
    let arms = skeleton.farthest_two(branches.into_iter().filter(|&branch| branch != neck))?;
    // 3. Chains.
    let legs = legs.map(|leg| skeleton.chain(leg));
    let arms = arms.map(|arm| skeleton.chain(arm));
    let head_chain = skeleton.chain(neck);
    let head = *head_chain.get(1).or(head_chain.first())?;
    let stands = |leg: &Vec<usize>| {
        let foot = places[*leg.get(2)?] - places[*leg.first()?];
        Some(foot.normalized()?.dot(up).abs() > SPREAD_COS)
    };
    if !legs.iter().all(|leg| stands(leg) == Some(true)) {
        return None;
    }
    // 4. Sides: left is where up x forward points.
    let forward = skeleton.forward(&legs, up)?;
    let left = up.cross(forward);
    let mut found = Limbs { head: Some(head), ..Limbs::default() };
    for chain in &legs {
        let [upper, lower, foot] = *chain.first_chunk()?;
        let side = &mut found.sides[side_of(places[lower] - places[hips], left)];
        *side = LimbsOfSide {
            upper_leg: Some(upper),
            lower_leg: Some(lower),
            foot: Some(foot),
            toes: chain.get(3).copied().filter(|&toes| !tree.is_end(toes)),
            ..LimbsOfSide::default()
        };
    }
    for chain in &arms {
        // Three joints to the hand are an arm; a fourth before them is the shoulder.
        let joints: Vec<usize> = chain.iter().copied().filter(|&joint| !tree.is_end(joint)).collect();
        let joints = if joints.len() < 3 { chain.clone() } else { joints };
        let hand = joints.iter().position(|&joint| tree.children[joint].len() > 1);
        let length = hand.map_or(joints.len().min(4), |hand| hand + 1);
        let (shoulder, arm) = match joints.get(..length)? {
            [shoulder, a, b, c] => (Some(*shoulder), [*a, *b, *c]),
            [a, b, c] => (None, [*a, *b, *c]),
            _ => return None,
        };
        let side = &mut found.sides[side_of(places[arm[1]] - places[chest], left)];
        (side.shoulder, side.upper_arm) = (shoulder, Some(arm[0]));
        (side.lower_arm, side.hand) = (Some(arm[1]), Some(arm[2]));
    }
    let complete = |side: &LimbsOfSide| side.upper_leg.is_some() && side.upper_arm.is_some();
    found.sides.iter().all(complete).then_some(found)
}

/// 0 for left, 1 for right.
fn side_of(offset: Vec3, left: Vec3) -> usize {
    usize::from(offset.dot(left) < 0.0)
}

struct Shape<'a> {
    tree: &'a Tree,
    places: &'a [Vec3],
    size: f64,
    /// How far the farthest joint below each joint is from it along the bones.
    reach: Vec<f64>,
}

impl<'a> Shape<'a> {
    fn of(tree: &'a Tree, places: &'a [Vec3]) -> Option<Shape<'a>> {
        let mut reach = vec![0.0f64; tree.len()];
        for joint in (0..tree.len()).rev() {
            if let Some(parent) = tree.parents[joint] {
                let length = (places[joint] - places[parent]).length();
                reach[parent] = reach[parent].max(reach[joint] + length);
            }
        }
        let size = reach.first().copied().filter(|size| size.is_finite() && *size > 0.0)?;
        Some(Shape { tree, places, size, reach })
    }

    /// How far a branch reaches from its parent.
    fn branch_reach(&self, branch: usize) -> f64 {
        let parent = self.tree.parents[branch];
        let length = parent.map_or(0.0, |parent| (self.places[branch] - self.places[parent]).length());
        self.reach[branch] + length
    }

    fn limbs_at(&self, joint: usize) -> Vec<usize> {
        let is_limb = |branch: &usize| self.branch_reach(*branch) > LIMB * self.size;
        self.tree.children[joint].iter().copied().filter(is_limb).collect()
    }

    /// Branches too short for a limb, a head perhaps.
    fn short_branches_at(&self, joint: usize) -> Vec<usize> {
        let is_short = |branch: &usize| {
            let reach = self.branch_reach(*branch);
            reach > 0.0 && reach <= LIMB * self.size
        };
        self.tree.children[joint].iter().copied().filter(is_short).collect()
    }

    /// The first joint at or below `branch`, along the farthest way, with two limbs and one more branch.
    fn parting_below(&self, branch: usize) -> Option<usize> {
        let parts = |&joint: &usize| {
            self.limbs_at(joint).len() >= 2
                && self.limbs_at(joint).len() + self.short_branches_at(joint).len() >= 3
        };
        self.farthest_way(branch).into_iter().find(parts)
    }

    /// From `joint` down, always along the branch that reaches farthest.
    fn farthest_way(&self, joint: usize) -> Vec<usize> {
        let next = |&joint: &usize| {
            let branches = self.tree.children[joint].iter().copied();
            branches.max_by(|&a, &b| self.branch_reach(a).total_cmp(&self.branch_reach(b)))
        };
        std::iter::successors(Some(joint), next).collect()
    }

    /// The same without joints that lie on the one before.
    fn chain(&self, joint: usize) -> Vec<usize> {
        let apart = |&joint: &usize| {
            let parent = self.tree.parents[joint].expect("a branch has a parent");
            (self.places[joint] - self.places[parent]).length() > COINCIDENT * self.size
        };
        let way = self.farthest_way(joint);
        let mut chain: Vec<usize> = Vec::new();
        for joint in way {
            if apart(&joint) {
                chain.push(joint);
            } else if let Some(last) = chain.last_mut() {
                // Of two at one place the lower one turns the limb.
                *last = joint;
            }
        }
        chain
    }

    fn end_of(&self, branch: usize) -> usize {
        *self.farthest_way(branch).last().expect("a way holds its start")
    }

    fn farthest_two(&self, branches: impl Iterator<Item = usize>) -> Option<[usize; 2]> {
        let mut branches: Vec<usize> = branches.collect();
        branches.sort_by(|&a, &b| self.branch_reach(b).total_cmp(&self.branch_reach(a)));
        branches.first_chunk().copied()
    }

    /// Where the feet point, square to `up`; +z of a file whose feet point nowhere.
    fn forward(&self, legs: &[Vec<usize>; 2], up: Vec3) -> Option<Vec3> {
        let mut sum = Vec3::ZERO;
        for leg in legs {
            let (foot, end) = (*leg.get(2)?, *leg.last()?);
            sum = sum + (self.places[end] - self.places[foot]);
        }
        let square = |v: Vec3| v - up * v.dot(up);
        let level = square(sum);
        if level.length() > 0.02 * self.size {
            return level.normalized();
        }
        let usual =
            if up.z.abs() > up.y.abs() { Vec3::new(0.0, -1.0, 0.0) } else { Vec3::new(0.0, 0.0, 1.0) };
        square(usual).normalized()
    }
}
