//! The model of bounded residuals: an adaptive Golomb code whose bits are mixed from several contexts
//! (FORMAT section 7.6).
//!
//! What sizes a residual is the track's own recent residuals, and how much the tracks before it in the same frame
//! surprised their own expectation: a hand that starts to move moves every finger at once.

use super::entropy::{BinaryCoder, Counter, IntegerModel, MixedBits};

/// Residual magnitudes above this count as this in the running scales.
const MAX_SCALED: u64 = 1 << 24;
/// Bits of the unary part that have their own slots; later ones share the last.
const UNARY_SLOTS: usize = 12;
/// Unary length from which the rest is coded as one integer.
const UNARY_LIMIT: u64 = 20;
/// Contexts of the unary part.
const CONTEXTS: usize = 5;
/// Scale classes, see [`ScaleClass`].
const CLASSES: usize = 48;
/// Levels of how the frame's earlier tracks surprised.
const SURPRISES: usize = 7;
/// Tracks that have contexts of their own; further ones share them.
const OWN_TRACKS: usize = 32;

/// What the model remembers of one track.
#[derive(Clone, Copy)]
struct Scale {
    /// Means of |residual| in 1/64: over about 3 and about 12 frames.
    fast: u32,
    slow: u32,
    /// The last two residuals.
    last: i64,
    before: i64,
    seen: u8,
}

/// Quarter octaves of a mean in 1/64: 4 log2, linear between powers of two.
#[inline]
fn quarter_octaves(mean: u32) -> u32 {
    let value = mean | 1;
    let whole = 31 - value.leading_zeros();
    let fraction = if whole >= 2 { (value >> (whole - 2)) & 3 } else { (value << (2 - whole)) & 3 };
    whole * 4 + fraction
}

/// Golomb parameter of a scale in quarter octaves: none below a mean of 2, then the mean's bits less one.
#[inline]
fn golomb_bits(quarters: u32) -> u32 {
    (quarters / 4).saturating_sub(6 + 1)
}

/// Class 0..48 of a scale: its own below a mean of 4, the fraction of its octave and up to four octaves above.
#[inline]
fn scale_class(quarters: u32) -> usize {
    let bits = golomb_bits(quarters);
    if bits == 0 { quarters as usize } else { 32 + ((bits.min(4) - 1) * 4 + quarters % 4) as usize }
}

/// Level 0..7 of a magnitude against the scale: below an eighth, a quarter ... above four times.
#[inline]
fn relative_level(magnitude: u64, mean: u32) -> usize {
    let scaled = (magnitude.min(MAX_SCALED) << 6) as u32;
    let half = mean.max(8) / 4;
    if scaled < half { 0 } else { (quarter_octaves(scaled / half.max(1)) / 4 + 1).min(6) as usize }
}

/// The adaptive model of one group's residuals.
pub(crate) struct ResidualModel {
    scales: Vec<Scale>,
    unary: MixedBits<CONTEXTS>,
    low: MixedBits<2>,
    sign: MixedBits<3>,
    rest: IntegerModel,
    /// Surprise of the frame so far, in quarter octaves, decaying from track to track.
    surprise: i32,
    last_sign: usize,
}

impl ResidualModel {
    pub(crate) fn new(tracks: usize) -> Self {
        let unary = |context: usize, slot: usize| {
            // A geometric magnitude of the class's mean continues with odds mean : 1.
            let class = match context {
                0 => slot / UNARY_SLOTS,
                1 => slot / UNARY_SLOTS / SURPRISES * 2,
                _ => return Counter::new(1 << 15, 0),
            };
            let quarters = if class < 32 { class as u32 } else { 32 + class as u32 % 4 };
            let mean = if quarters < 8 { 2 } else { (4 + quarters % 4) << (quarters / 4 - 2) };
            let mean = if class < 32 { mean } else { mean / 2 };
            let p1 = (65536 * u64::from(mean) / u64::from(mean + 64)).clamp(64, 65472);
            Counter::new(p1 as u16, 2)
        };
        let even = |_: usize, _: usize| Counter::new(1 << 15, 0);
        ResidualModel {
            scales: vec![Scale { fast: 96, slow: 96, last: 0, before: 0, seen: 0 }; tracks],
            unary: MixedBits::new(
                [
                    CLASSES * UNARY_SLOTS,
                    CLASSES / 2 * SURPRISES * UNARY_SLOTS,
                    7 * 7 * 12 * UNARY_SLOTS,
                    OWN_TRACKS * 12 * UNARY_SLOTS,
                    CLASSES / 2 * 24 * UNARY_SLOTS,
                ],
                UNARY_SLOTS * 2,
                250,
                unary,
            ),
            low: MixedBits::new([CLASSES * 2, UNARY_SLOTS * 4], 1, 250, even),
            sign: MixedBits::new([9 * 3, 3 * OWN_TRACKS, 9 * 7], 1, 250, even),
            rest: IntegerModel::new(),
            surprise: 0,
            last_sign: 0,
        }
    }

    /// Must be called before the first track of each frame.
    pub(crate) fn start_frame(&mut self) {
        self.surprise /= 2;
        self.last_sign = 0;
    }

    /// Codes the residual of `track` in the current frame.
    #[inline]
    pub(crate) fn code<C: BinaryCoder>(&mut self, coder: &mut C, track: usize, residual: i64) -> i64 {
        let scale = self.scales[track];
        let mean = (scale.fast + scale.slow) / 2;
        let quarters = quarter_octaves(mean);
        let bits = golomb_bits(quarters);
        let class = scale_class(quarters);
        let surprise = ((self.surprise + 14) / 4).clamp(0, SURPRISES as i32 - 1) as usize;
        let own = track % OWN_TRACKS;
        let octave = (class / 4).min(11);
        let levels = relative_level(scale.last.unsigned_abs(), mean) * 7
            + relative_level(scale.before.unsigned_abs(), mean);
        let fast_class = (scale_class(quarter_octaves(scale.fast)) / 2).min(23);
        let slow_class = (scale_class(quarter_octaves(scale.slow)) / 2).min(23);
        let bases = [
            class,
            class / 2 * SURPRISES + surprise,
            levels * 12 + octave,
            own * 12 + octave,
            fast_class * 24 + slow_class,
        ]
        .map(|base| base * UNARY_SLOTS);

        // 1. The part above the Golomb bits, in unary.
        let magnitude = residual.unsigned_abs();
        let wanted = magnitude >> bits;
        let mut high = 0u64;
        loop {
            let slot = (high as usize).min(UNARY_SLOTS - 1);
            let slots = bases.map(|base| base + slot);
            let set = slot * 2 + usize::from(bits > 0);
            if !self.unary.code(coder, &slots, set, high < wanted) {
                break;
            }
            high += 1;
            if high == UNARY_LIMIT {
                high += self.rest.code(coder, wanted.wrapping_sub(UNARY_LIMIT)).min(MAX_SCALED * 64);
                break;
            }
        }
        // 2. The bits below: the first adaptive, the others even.
        let mut value = high;
        if bits > 0 {
            let slots = [
                class * 2 + usize::from(high == 0),
                (high as usize).min(UNARY_SLOTS - 1) * 4 + bits.min(3) as usize,
            ];
            let bit = self.low.code(coder, &slots, 0, magnitude >> (bits - 1) & 1 == 1);
            value = value << 1 | u64::from(bit);
            value = value << (bits - 1) | coder.code_raw(magnitude & ((1 << (bits - 1)) - 1), bits - 1);
        }
        // 3. The sign.
        let mut result = value as i64;
        let mut sign = 0;
        if value != 0 {
            let trend = |r: i64| if r == 0 { 0 } else { 1 + usize::from(r < 0) };
            let (t1, t2) = (trend(scale.last), trend(scale.before));
            let level = relative_level(scale.last.unsigned_abs(), mean);
            let slots = [
                (t1 * 3 + t2) * 3 + self.last_sign,
                t1 * OWN_TRACKS + own,
                (t1 * 3 + self.last_sign) * 7 + level,
            ];
            let negative = self.sign.code(coder, &slots, 0, residual < 0);
            sign = 1 + usize::from(negative);
            if negative {
                result = -result;
            }
        }
        self.last_sign = sign;
        self.learn(track, value, quarters, result);
        result
    }

    fn learn(&mut self, track: usize, magnitude: u64, expected_quarters: u32, residual: i64) {
        let scaled = (magnitude.min(MAX_SCALED) << 6) as i64;
        let got = quarter_octaves((scaled as u32).max(16)) as i32;
        let surprise = (got - (expected_quarters as i32).max(16)).clamp(-12, 12);
        self.surprise = (self.surprise * 3 + surprise) / 4;
        let scale = &mut self.scales[track];
        // One outlier may raise a mean fourfold, not for ever; a motion that really grew does so in a few frames.
        let scaled = scaled.min((i64::from(scale.fast) + i64::from(scale.slow)) * 8 + 1024);
        let towards = |mean: u32, shift: i64| (i64::from(mean) + (scaled - i64::from(mean)) / shift) as u32;
        // The first residuals count fully, so that the start value is soon forgotten.
        let seen = i64::from(scale.seen);
        scale.fast = towards(scale.fast, (seen + 2).min(4));
        scale.slow = towards(scale.slow, (seen + 2).min(16));
        scale.seen = scale.seen.saturating_add(1);
        scale.before = scale.last;
        scale.last = residual;
    }
}
