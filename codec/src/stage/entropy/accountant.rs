//! A decoder that keeps accounts: what each bit of a stream was for, and what it took.
//!
//! Models name what the bits that follow are for by [`BinaryCoder::label`], and once, by [`BinaryCoder::live`], which arrays
//! their numbers mean. The coders that code ignore both; this one adds -log2(p) of every bit to the [`Ledger`].

use super::coder::{BinaryCoder, BinaryDecoder};
use std::collections::BTreeMap;

/// What bits are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    /// Which arrays are live, and how they are coded.
    Masks,
    /// Marks and references of rotation tracks.
    Rotations,
    /// Values of dead arrays.
    Constants,
    /// Marks and bits of samples that no index serves.
    Escapes,
    /// Values of the first frame.
    FirstFrame,
    /// Residuals of one level of frames.
    Residuals(u8),
    /// Widths of the residuals that are played in place.
    Widths,
    /// The bit fields that hold them.
    Fields,
    /// Which recent value an exact sample repeats, if any.
    Repeats,
    /// Bit lengths of exact residuals.
    Lengths,
    /// Their bits below the leading one.
    Mantissas,
    /// Their signs.
    Signs,
}

impl Stage {
    /// Name as shown by `sinew info`.
    pub(crate) fn name(self) -> String {
        match self {
            Stage::Masks => "masks".to_owned(),
            Stage::Rotations => "rotation marks".to_owned(),
            Stage::Constants => "constants".to_owned(),
            Stage::Escapes => "escapes".to_owned(),
            Stage::FirstFrame => "first frame".to_owned(),
            Stage::Residuals(level) => format!("residuals, level {level}"),
            Stage::Widths => "residual widths".to_owned(),
            Stage::Fields => "bit fields".to_owned(),
            Stage::Repeats => "repeats".to_owned(),
            Stage::Lengths => "residual lengths".to_owned(),
            Stage::Mantissas => "residual bits".to_owned(),
            Stage::Signs => "residual signs".to_owned(),
        }
    }
}

/// Bits by array (`None` for what all share) and stage.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    bits: BTreeMap<(Option<usize>, Stage), f64>,
}

impl Ledger {
    pub(crate) fn add(&mut self, array: Option<usize>, stage: Stage, bits: f64) {
        *self.bits.entry((array, stage)).or_default() += bits;
    }

    /// Shares `bytes` out by bits, so that the shares add up to them. The bits of arrays go under the names of their parts.
    pub(crate) fn shares(
        &self,
        bytes: u64,
        part_of: impl Fn(Option<usize>) -> usize,
    ) -> Vec<(usize, Stage, u64)> {
        let mut parts: BTreeMap<(usize, Stage), f64> = BTreeMap::new();
        for (&(array, stage), &bits) in &self.bits {
            *parts.entry((part_of(array), stage)).or_default() += bits;
        }
        let total: f64 = parts.values().sum();
        // What is rounded away of one share goes to the next.
        let (mut running, mut given) = (0.0, 0);
        let last = parts.len().saturating_sub(1);
        let share = |(number, ((part, stage), bits)): (usize, ((usize, Stage), f64))| {
            running += bits;
            let until = if number == last { bytes } else { (running / total * bytes as f64).round() as u64 };
            let share = until - given;
            given = until;
            (part, stage, share)
        };
        parts.into_iter().enumerate().map(share).collect()
    }
}

/// -log2 of every probability of 65536.
fn costs() -> Box<[f32]> {
    let cost = |p1: u32| {
        if p1 == 0 {
            return f32::INFINITY;
        }
        let whole = p1.ilog2();
        // The logarithm of 1..2 as a series in (m - 1) / (m + 1), which is at most a third.
        let mantissa = f64::from(p1) / f64::from(1u32 << whole);
        let ratio = (mantissa - 1.0) / (mantissa + 1.0);
        let (mut power, mut sum) = (ratio, 0.0);
        for odd in (1..24).step_by(2) {
            sum += power / f64::from(odd);
            power *= ratio * ratio;
        }
        (16.0 - f64::from(whole) - 2.0 * sum * std::f64::consts::LOG2_E) as f32
    };
    (0..=1 << 16).map(cost).collect()
}

/// The decoder of one stream.
pub(crate) struct Accountant<'a> {
    decoder: BinaryDecoder<'a>,
    ledger: &'a mut Ledger,
    costs: &'a [f32],
    /// The clip's number of each of the stream's arrays.
    arrays: &'a [usize],
    /// The stream's number of each live array.
    live: Option<Vec<usize>>,
    label: (Option<usize>, Stage),
    bits: f64,
}

/// What every [`Accountant`] of a file needs.
#[derive(Debug)]
pub(crate) struct Accounts {
    pub(crate) ledger: Ledger,
    costs: Box<[f32]>,
}

impl Accounts {
    pub(crate) fn new() -> Accounts {
        Accounts { ledger: Ledger::default(), costs: costs() }
    }

    /// The decoder of a stream whose arrays are those of the clip.
    pub(crate) fn open<'a>(&'a mut self, stream: &'a [u8], arrays: &'a [usize]) -> Accountant<'a> {
        Accountant {
            decoder: BinaryDecoder::new(stream),
            ledger: &mut self.ledger,
            costs: &self.costs,
            arrays,
            live: None,
            label: (None, Stage::Masks),
            bits: 0.0,
        }
    }
}

impl Accountant<'_> {
    fn post(&mut self) {
        let (array, stage) = self.label;
        self.ledger.add(array, stage, self.bits);
        self.bits = 0.0;
    }
}

impl Drop for Accountant<'_> {
    fn drop(&mut self) {
        self.post();
    }
}

impl BinaryCoder for Accountant<'_> {
    fn code(&mut self, bit: bool, p1: u32) -> bool {
        let bit = self.decoder.code(bit, p1);
        let p = if bit { p1 } else { (1 << 16) - p1 };
        self.bits += f64::from(self.costs[p as usize]);
        bit
    }

    fn label(&mut self, stage: Stage, array: Option<usize>) {
        self.post();
        let array = array.map(|array| self.live.as_ref().map_or(array, |live| live[array]));
        self.label = (array.map(|array| self.arrays[array]), stage);
    }

    fn live(&mut self, numbers: &[usize]) {
        self.live = Some(numbers.to_vec());
    }
}

#[cfg(test)]
mod tests {
    use super::super::coder::BinaryEncoder;
    use super::*;

    #[test]
    fn costs_are_logarithms() {
        let costs = costs();
        for power in 0..=16 {
            assert_eq!(costs[1 << power], 16.0 - power as f32);
        }
        // log2(3) and log2(65535 / 65536).
        assert!((costs[3] - (16.0 - 1.584_962_5)).abs() < 1e-6);
        assert!((costs[65_535] - 2.201_36e-5).abs() < 1e-7);
        assert!(costs.windows(2).all(|pair| pair[0] > pair[1]));
    }

    #[test]
    fn bits_go_to_their_labels_and_shares_add_up() {
        let mut encoder = BinaryEncoder::new();
        encoder.code_raw(0x1234, 16);
        encoder.code_raw(5, 4);
        encoder.code_raw(77, 8);
        let stream = encoder.finish();
        let mut accounts = Accounts::new();
        {
            let mut coder = accounts.open(&stream, &[30, 31, 32]);
            coder.label(Stage::Constants, Some(1));
            assert_eq!(coder.code_raw(0, 16), 0x1234);
            coder.live(&[0, 2]);
            coder.label(Stage::Residuals(0), Some(1));
            assert_eq!(coder.code_raw(0, 4), 5);
            coder.label(Stage::Masks, None);
            assert_eq!(coder.code_raw(0, 8), 77);
        }
        let shares = |bytes| accounts.ledger.shares(bytes, |array| array.unwrap_or(0));
        let apart = [(0, Stage::Masks, 8), (31, Stage::Constants, 16), (32, Stage::Residuals(0), 4)];
        assert_eq!(shares(28), apart);
        for bytes in 0..20 {
            assert_eq!(shares(bytes).iter().map(|(_, _, share)| share).sum::<u64>(), bytes);
        }
        let joint = accounts.ledger.shares(28, |_| 7);
        assert_eq!(joint, apart.map(|(_, stage, bytes)| (7, stage, bytes)));
        assert!(Ledger::default().shares(0, |_| 0).is_empty());
    }
}
