//! The code of residual classes (FORMAT section 7.13): in unary, with counters chosen by the classes before and beside and
//! by how much the keys bend.

use super::entropy::{BinaryCoder, MixedBits};
use super::residual_class::{MIDDLE_CLASSES, PAIR_CLASSES};

/// Unary bits with counters of their own; later ones share the last.
const SLOTS: usize = 12;
/// Classes that a context tells apart; larger ones count as the last.
const NEAR: usize = 12;
/// Sizes of a bend that a context tells apart.
const BENDS: usize = 20;
/// Arrays of a group that a context tells apart.
const ARRAYS: usize = 32;
const LIMIT: u8 = 250;

/// Which residuals a class is of.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    Middle,
    Pair,
}

/// What is known of a class before it: how far a motion bends, in half octaves of a step.
#[inline]
pub(crate) fn bend_class(bend: f32, step: f32) -> usize {
    let size = (bend / step).abs() + 0.125;
    // Also for infinities and NaN, whose bits are large.
    ((size.to_bits() >> 22) as usize).saturating_sub(BEND_BASE).min(BENDS - 1)
}

/// The half octave of 0.125.
const BEND_BASE: usize = (0.125f32.to_bits() >> 22) as usize;

/// The classes of one group over one block.
pub(crate) struct ClassModel {
    bits: MixedBits<4>,
    /// The last two classes of each array and part, newest first.
    before: Vec<[[u8; 2]; 2]>,
}

impl ClassModel {
    pub(crate) fn new(arrays: usize) -> ClassModel {
        let sizes = [
            2 * NEAR * NEAR * SLOTS,
            2 * NEAR * NEAR * SLOTS,
            2 * BENDS * NEAR * SLOTS,
            2 * ARRAYS * 4 * SLOTS,
        ];
        ClassModel { bits: MixedBits::new(sizes, 2 * SLOTS, LIMIT), before: vec![[[0; 2]; 2]; arrays] }
    }

    /// Codes the class of one array's part in the next segment; arrays come in order, the middle before the pair.
    /// `beside` is the same part's class of the array before, 0 for the first.
    #[inline]
    pub(crate) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        array: usize,
        part: Part,
        bend: usize,
        class: u8,
    ) -> u8 {
        let near = |class: u8| usize::from(class).min(NEAR - 1);
        let number = part as usize;
        let [last, older] = self.before[array][number];
        let other = self.before[array][1 - number][0];
        let beside = if array == 0 { 0 } else { self.before[array - 1][number][0] };
        let contexts = [
            (number * NEAR + near(last)) * NEAR + near(older),
            (number * NEAR + near(beside)) * NEAR + near(last),
            (number * BENDS + bend) * NEAR + near(other),
            (number * ARRAYS + array % ARRAYS) * 4 + near(last).min(3),
        ];
        let places = self.bits.places(contexts.map(|context| context * SLOTS));
        let most = if part == Part::Middle { MIDDLE_CLASSES } else { PAIR_CLASSES } - 1;
        let mut result = 0u8;
        while result < most {
            let slot = usize::from(result).min(SLOTS - 1);
            if !self.bits.code(coder, &places, slot, number * SLOTS + slot, result < class) {
                break;
            }
            result += 1;
        }
        self.before[array][number] = [result, last];
        result
    }
}
