//! Joints to human bones by name: the spellings of common rigs, resolved along the hierarchy.

use super::tokens::{Side, Words, words};
use super::tree::Tree;
use sinew::humanoid::Bone;
use std::collections::BTreeMap;

/// Spellings of a limb part, the surest first: a later one counts only where no earlier one is there.
type Spellings = &'static [&'static [&'static str]];

const UPPER_LEG: Spellings = &[&["upleg", "upperleg", "thigh", "thighbend", "femur"], &["hip"], &["leg"]];
const LOWER_LEG: Spellings = &[&["knee", "shin", "calf", "lowerleg", "loleg", "lowleg", "tibia"], &["leg"]];
const FOOT: Spellings = &[&["ankle"], &["foot"]];
const TOES: Spellings = &[&["toe", "toes", "toebase", "ball"], &["foot"]];
const SHOULDER: Spellings =
    &[&["collar", "collarbone", "clavicle", "clav", "scapula"], &["shoulder", "shldr"]];
const UPPER_ARM: Spellings = &[&["arm", "uparm", "upperarm", "shldrbend", "humerus"], &["shoulder", "shldr"]];
const LOWER_ARM: Spellings = &[&["elbow", "forearm", "forearmbend", "lowerarm", "loarm", "lowarm", "ulna"]];
const HAND: Spellings = &[&["hand", "wrist"]];

/// Marks that a prefix of all names may hold: no program writes more.
const MOST_PREFIXES: usize = 8;

/// Names of one skeleton.
pub(super) struct Names<'a> {
    tree: &'a Tree,
    words: Vec<Words>,
}

/// Joint numbers of the limbs and the head, as far as names tell them.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Limbs {
    pub head: Option<usize>,
    pub jaw: Option<usize>,
    /// Left, right.
    pub sides: [LimbsOfSide; 2],
}

/// Joint numbers of one side.
#[derive(Debug, Default, PartialEq)]
pub(super) struct LimbsOfSide {
    pub upper_leg: Option<usize>,
    pub lower_leg: Option<usize>,
    pub foot: Option<usize>,
    pub toes: Option<usize>,
    pub shoulder: Option<usize>,
    pub upper_arm: Option<usize>,
    pub lower_arm: Option<usize>,
    pub hand: Option<usize>,
    pub eye: Option<usize>,
    /// Fifteen finger bones from the thumb on, three each.
    pub fingers: [Option<usize>; 15],
}

impl LimbsOfSide {
    /// The joints with the names of their bones, without the side.
    pub fn parts(&self) -> [(&'static str, Option<usize>); 9] {
        [
            ("UpperLeg", self.upper_leg),
            ("LowerLeg", self.lower_leg),
            ("Foot", self.foot),
            ("Toes", self.toes),
            ("Shoulder", self.shoulder),
            ("UpperArm", self.upper_arm),
            ("LowerArm", self.lower_arm),
            ("Hand", self.hand),
            ("Eye", self.eye),
        ]
    }
}

/// The finger bones of a side, in the order of [`LimbsOfSide::fingers`].
pub(super) fn finger_bones(side: Side) -> [Bone; 15] {
    let parts = ["Proximal", "Intermediate", "Distal"];
    std::array::from_fn(|index| {
        let finger = ["Thumb", "Index", "Middle", "Ring", "Little"][index / 3];
        let name = format!("{}{finger}{}", side.prefix(), parts[index % 3]);
        Bone::from_name(&name).expect("every finger has three bones")
    })
}

impl<'a> Names<'a> {
    pub fn of(tree: &'a Tree) -> Names<'a> {
        let names = without_prefixes(tree);
        Names { tree, words: names.into_iter().map(words).collect() }
    }

    /// The joints that names tell.
    pub fn limbs(&self) -> Limbs {
        let head = self.best(None, &[&["head"]], |_| true);
        let jaw = self.best(None, &[&["jaw"]], |_| true);
        Limbs { head, jaw, sides: Side::BOTH.map(|side| self.of_side(side)) }
    }

    /// Some rigs have a joint in the pelvis before each leg and call both hips: the lower one turns the leg.
    fn lowest_hip(&self, upper_leg: Option<usize>, lower_leg: Option<usize>) -> Option<usize> {
        let (upper, lower) = (upper_leg?, lower_leg?);
        let is_hip = |joint: &usize| self.words[*joint].part == "hip";
        let mut way = self.tree.upwards(lower).skip(1).take_while(|&joint| joint != upper);
        if is_hip(&upper) { way.find(is_hip).or(Some(upper)) } else { Some(upper) }
    }

    fn of_side(&self, side: Side) -> LimbsOfSide {
        let best = |spellings, fits: &dyn Fn(usize) -> bool| self.best(Some(side), spellings, fits);
        let below = |above: Option<usize>, spellings| {
            above.and_then(|above| best(spellings, &|joint| self.tree.is_below(joint, above)))
        };
        let upper_leg = best(UPPER_LEG, &|_| true);
        let lower_leg = below(upper_leg, LOWER_LEG);
        let upper_leg = self.lowest_hip(upper_leg, lower_leg);
        let foot = below(lower_leg, FOOT);
        // An arm hangs on no leg; `arm` alone also names parts of hands and tools.
        let leads_to_elbow = self.above(side, LOWER_ARM);
        let upper_arm = best(UPPER_ARM, &|joint| leads_to_elbow[joint]);
        let lower_arm = below(upper_arm, LOWER_ARM);
        let hand = below(lower_arm, HAND);
        let shoulder =
            upper_arm.and_then(|upper_arm| best(SHOULDER, &|joint| self.tree.is_below(upper_arm, joint)));
        let fingers = hand.map_or([None; 15], |hand| self.fingers(side, hand));
        LimbsOfSide {
            upper_leg,
            lower_leg,
            foot,
            toes: below(foot, TOES),
            shoulder,
            upper_arm,
            lower_arm,
            hand,
            eye: best(&[&["eye", "eyeball", "faceeye"]], &|_| true),
            fingers,
        }
    }

    /// Of each joint, whether one of these spellings is below it.
    fn above(&self, side: Side, spellings: Spellings) -> Vec<bool> {
        let mut above = vec![false; self.words.len()];
        for joint in (0..self.words.len()).rev() {
            let words = &self.words[joint];
            let part = words.part.as_str();
            let named = words.side == Some(side) && spellings.iter().any(|names| names.contains(&part));
            if let Some(parent) = self.tree.parents[joint] {
                above[parent] |= named || above[joint];
            }
        }
        above
    }

    /// The joint of the surest spelling; of several the one nearest to the root.
    fn best(&self, side: Option<Side>, spellings: &[&[&str]], fits: impl Fn(usize) -> bool) -> Option<usize> {
        let named = |joint: &usize, spelling: &[&str]| {
            let words = &self.words[*joint];
            words.side == side && spelling.contains(&words.part.as_str()) && fits(*joint)
        };
        spellings.iter().find_map(|spelling| {
            let candidates = || (0..self.words.len()).filter(|joint| named(joint, spelling));
            // Helper joints repeat the name of the one that they help.
            candidates().min_by_key(|&joint| (self.words[joint].is_helper, self.tree.depth(joint)))
        })
    }

    /// Three joints for each finger, from the hand outwards.
    fn fingers(&self, side: Side, hand: usize) -> [Option<usize>; 15] {
        let mut chains: [Vec<usize>; 5] = Default::default();
        let mut plain: Vec<(usize, usize)> = Vec::new();
        for joint in 0..self.words.len() {
            let words = &self.words[joint];
            let is_finger = words.side == Some(side)
                && self.tree.is_below(joint, hand)
                && !words.is_helper
                && !self.tree.is_end(joint);
            if !is_finger {
                continue;
            }
            let is_metacarpal = words.part.contains("metacarp") || words.part.starts_with("inhand");
            if let Some(finger) = finger_of(&words.part) {
                if finger == 0 || !is_metacarpal {
                    chains[finger].push(joint);
                }
            } else if let (true, Some(number)) = (words.part.starts_with("finger"), finger_number(words)) {
                plain.push((number, joint));
            }
        }
        // Fingers that are numbered only begin with the thumb, some rigs at 0, others at 1.
        let first = plain.iter().map(|&(number, _)| number).min().unwrap_or(0).min(1);
        for (number, joint) in plain {
            let is_metacarpal = self.words[joint].part.contains("metacarp");
            let finger = number.checked_sub(first).filter(|&finger| finger < 5);
            if let Some(finger) = finger.filter(|&finger| finger == 0 || !is_metacarpal) {
                chains[finger].push(joint);
            }
        }
        let mut fingers = [None; 15];
        for (finger, chain) in chains.iter_mut().enumerate() {
            chain.sort_by_key(|&joint| self.tree.depth(joint));
            for (slot, &joint) in fingers[3 * finger..3 * finger + 3].iter_mut().zip(chain.iter()) {
                *slot = Some(joint);
            }
        }
        fingers
    }
}

/// The joints' names without what nearly all of them begin with, up to a mark: `Character1_`, `CC_Base_`, `Bip01 `.
fn without_prefixes(tree: &Tree) -> Vec<&str> {
    let mut names: Vec<&str> = tree.names.iter().map(String::as_str).collect();
    let count = (0..tree.len()).filter(|&joint| !tree.is_end(joint)).count();
    for _ in 0..MOST_PREFIXES {
        let mut shared: BTreeMap<&str, usize> = BTreeMap::new();
        for joint in (0..tree.len()).filter(|&joint| !tree.is_end(joint)) {
            if let Some(at) = names[joint].find(['_', ' ', '-', '.']).filter(|&at| at > 0) {
                *shared.entry(&names[joint][..=at]).or_default() += 1;
            }
        }
        let Some((&prefix, _)) = shared.iter().find(|&(_, &with)| 4 * with > 3 * count) else { return names };
        names.iter_mut().for_each(|name| *name = name.strip_prefix(prefix).unwrap_or(name));
    }
    names
}

/// Number from the thumb of a finger that is named.
fn finger_of(part: &str) -> Option<usize> {
    let fingers: [&[&str]; 5] =
        [&["thumb"], &["index"], &["middle", "mid"], &["ring"], &["pinky", "pinkie", "little"]];
    fingers.iter().position(|names| names.iter().any(|name| part.contains(name)))
}

/// Which finger a number means: the first digit of the number that is a finger's, `02` being the third joint of 0.
fn finger_number(words: &Words) -> Option<usize> {
    // Biped rigs have the number of the character before: `Bip01 L Finger12`.
    let number = match words.numbers.as_slice() {
        [character, number] if character.len() == 2 && character.starts_with('0') => number,
        [number, ..] => number,
        [] => return None,
    };
    number.chars().next()?.to_digit(10).map(|digit| digit as usize)
}
