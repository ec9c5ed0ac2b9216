//! The model of bounded residuals: an adaptive Golomb code whose bits are mixed from several contexts
//! (FORMAT section 7.6).
//!
//! What sizes a residual is the track's own recent residuals, and how much the tracks before it in the same frame
//! surprised their own expectation: a hand that starts to move moves every finger at once.

use super::entropy::{BinaryCoder, Counter, IntegerModel, MixedBits};

/// Residual magnitudes above this count as this in the running scales.
const MAX_SCALED: u64 = 1 << 24;
/// Bits of the unary part that have their own slots; later ones share the last.
const UNARY_SLOTS: usize = 8;
/// Unary length from which the rest is coded as one integer.
const UNARY_LIMIT: u64 = 20;
/// How many bits a counter remembers.
const LIMIT: u8 = 250;
/// Contexts of the unary part.
const CONTEXTS: usize = 3;
/// Scales below this, in quarter octaves, are calm: a mean residual under 1. There one counter tells zero from the
/// rest; mixing would save half a per cent of the bytes and cost a tenth of the decoding time.
const CALM: u32 = 24;
/// Scale classes, see [`scale_class`].
const CLASSES: usize = 48;
/// Levels of how the frame's earlier tracks surprised.
const SURPRISES: usize = 7;
/// Tracks that have contexts of their own; further ones share them.
const OWN_TRACKS: usize = 32;

/// Shift of the slow mean after so many residuals.
const SLOW_SHIFTS: [u8; 15] = [1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 4];

/// What the model remembers of one track.
#[derive(Clone, Copy)]
struct Scale {
    /// Means of |residual| in 1/64: over about 3 and about 12 frames.
    fast: u32,
    slow: u32,
    /// Signs of the last two residuals: 0 zero, 1 positive, 2 negative; and their magnitudes in quarter octaves.
    signs: [u8; 2],
    sizes: [u8; 2],
    seen: u8,
}

/// Quarter octaves of a mean in 1/64: 4 log2, linear between powers of two.
#[inline]
fn quarter_octaves(mean: u32) -> u32 {
    let value = mean | 4;
    let whole = 31 - value.leading_zeros();
    whole * 4 + ((value >> (whole - 2)) & 3)
}

/// Golomb parameter of a scale in quarter octaves: none below a mean of 2, then what leaves a mean of 1 to 2 above it.
#[inline]
fn golomb_bits(quarters: u32) -> u32 {
    (quarters / 4).saturating_sub(6)
}

/// Class 0..48 of a scale: its own below a mean of 2, the fraction of its octave and up to four octaves above.
#[inline]
fn scale_class(quarters: u32) -> usize {
    let bits = golomb_bits(quarters);
    if bits == 0 { quarters as usize } else { 32 + ((bits.min(4) - 1) * 4 + quarters % 4) as usize }
}

/// Level 0..7 of a magnitude against the scale, both in quarter octaves: an octave a level, 3 around the scale itself.
#[inline]
fn relative_level(magnitude: u8, scale: u32) -> usize {
    ((i32::from(magnitude) - scale as i32 + 14) >> 2).clamp(0, 6) as usize
}

/// Start of a unary bit in a scale class: a geometric magnitude of the class's mean goes on with odds mean : 1.
fn geometric_start(class: usize) -> Counter {
    let quarters = if class < 32 { class as u32 } else { 32 + class as u32 % 4 };
    let mean = if quarters < 8 { 2 } else { (4 + quarters % 4) << (quarters / 4 - 2) };
    let mean = if class < 32 { mean } else { mean / 4 };
    let p1 = (65536 * u64::from(mean) / u64::from(mean + 64)).clamp(64, 65472);
    Counter::new(p1 as u16, 2)
}

/// The adaptive model of one group's residuals.
pub(crate) struct ResidualModel {
    scales: Vec<Scale>,
    unary: MixedBits<CONTEXTS>,
    calm: Vec<Counter>,
    low: [Counter; CLASSES * 2],
    sign: MixedBits<3>,
    rest: IntegerModel,
    /// Surprise of the frame so far, in quarter octaves, decaying from track to track.
    surprise: i32,
    last_sign: usize,
}

impl ResidualModel {
    pub(crate) fn new(tracks: usize) -> Self {
        let sizes = [
            CLASSES / 2 * SURPRISES * UNARY_SLOTS,
            7 * 7 * 12 * UNARY_SLOTS,
            tracks.min(OWN_TRACKS) * 12 * UNARY_SLOTS,
        ];
        let mut unary = MixedBits::new(sizes, UNARY_SLOTS * 2, LIMIT);
        let starts = (0..CLASSES).step_by(2).map(geometric_start);
        unary.start(0, starts.flat_map(|start| std::iter::repeat_n(start, SURPRISES * UNARY_SLOTS)));
        ResidualModel {
            scales: vec![Scale { fast: 96, slow: 96, signs: [0; 2], sizes: [0; 2], seen: 0 }; tracks],
            unary,
            calm: (0..CALM as usize * SURPRISES * 4)
                .map(|slot| geometric_start(slot / 4 / SURPRISES))
                .collect(),
            low: [Counter::EVEN; CLASSES * 2],
            sign: MixedBits::new([9 * 3, 3 * OWN_TRACKS, 9 * 7], 1, LIMIT),
            rest: IntegerModel::new(),
            surprise: 0,
            last_sign: 0,
        }
    }

    /// Must be called before the first track of each frame.
    pub(crate) fn start_frame(&mut self) {
        self.surprise >>= 1;
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
        let magnitude = residual.unsigned_abs();
        let wanted = magnitude >> bits;
        let mut high = 0u64;

        // 1. A calm track: zero or not?
        if quarters < CALM {
            let [moved, moved_before] = scale.sizes.map(|size| usize::from(size > 0));
            let slot = (quarters as usize * SURPRISES + surprise) * 4 + moved * 2 + moved_before;
            let model = &mut self.calm[slot];
            if !model.code(coder, wanted > 0, LIMIT) {
                self.last_sign = 0;
                self.learn(track, 0, quarters, 0);
                return 0;
            }
            high = 1;
        }

        let own = track % OWN_TRACKS;
        let octave = (class / 4).min(11);
        let level = relative_level(scale.sizes[0], quarters);
        let levels = level * 7 + relative_level(scale.sizes[1], quarters);
        let bases = [class / 2 * SURPRISES + surprise, levels * 12 + octave, own * 12 + octave]
            .map(|base| base * UNARY_SLOTS);
        let places = self.unary.places(bases);

        // 2. The part above the Golomb bits, in unary.
        loop {
            let slot = (high as usize).min(UNARY_SLOTS - 1);
            let set = slot * 2 + usize::from(bits > 0);
            if !self.unary.code(coder, &places, slot, set, high < wanted) {
                break;
            }
            high += 1;
            if high == UNARY_LIMIT {
                high += self.rest.code(coder, wanted.wrapping_sub(UNARY_LIMIT)).min(MAX_SCALED * 64);
                break;
            }
        }
        // 3. The bits below: the first adaptive, the others even.
        let mut value = high;
        if bits > 0 {
            let model = &mut self.low[class * 2 + usize::from(high == 0)];
            let bit = model.code(coder, magnitude >> (bits - 1) & 1 == 1, LIMIT);
            value = value << 1 | u64::from(bit);
            value = value << (bits - 1) | coder.code_raw(magnitude & ((1 << (bits - 1)) - 1), bits - 1);
        }
        // 4. The sign.
        let mut result = value as i64;
        let mut sign = 0;
        if value != 0 {
            let [t1, t2] = scale.signs.map(usize::from);
            let slots = [
                (t1 * 3 + t2) * 3 + self.last_sign,
                t1 * OWN_TRACKS + own,
                (t1 * 3 + self.last_sign) * 7 + level,
            ];
            let negative = self.sign.code(coder, &self.sign.places(slots), 0, 0, residual < 0);
            sign = 1 + usize::from(negative);
            if negative {
                result = -result;
            }
        }
        self.last_sign = sign;
        self.learn(track, value, quarters, sign);
        result
    }

    fn learn(&mut self, track: usize, magnitude: u64, expected_quarters: u32, sign: usize) {
        let scaled = (magnitude.min(MAX_SCALED) << 6) as u32;
        let size = if magnitude == 0 { 0 } else { quarter_octaves(scaled) as u8 };
        let surprise = (i32::from(size).max(16) - (expected_quarters as i32).max(16)).clamp(-12, 12);
        self.surprise = (self.surprise * 3 + surprise) >> 2;
        let scale = &mut self.scales[track];
        // One outlier may raise a mean fourfold, not for ever; a motion that really grew does so in a few frames.
        // Means stay below 2^30 and so do all steps.
        let scaled = scaled.min((scale.fast + scale.slow).min(1 << 26) * 8 + 1024) as i32;
        let towards = |mean: u32, shift: u8| (mean as i32 + ((scaled - mean as i32) >> shift)) as u32;
        // The first residuals count more, so that the start value is soon forgotten.
        let shift = SLOW_SHIFTS[usize::from(scale.seen)];
        scale.fast = towards(scale.fast, shift.min(2));
        scale.slow = towards(scale.slow, shift);
        scale.seen = (scale.seen + 1).min(SLOW_SHIFTS.len() as u8 - 1);
        scale.signs = [sign as u8, scale.signs[0]];
        scale.sizes = [size, scale.sizes[0]];
    }
}
