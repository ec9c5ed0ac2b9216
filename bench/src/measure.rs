//! Runs one codec: encode, decode, verify, then time again for the medians.

use crate::bench::BenchOptions;
use crate::codec::{Codec, Decoded};
use crate::joints::max_joint_mm;
use crate::source::Source;
use crate::verify::{Verified, verify};
use anyhow::{Context, Result, anyhow, bail};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A verified, timed run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    pub bytes: u64,
    pub verified: Verified,
    pub max_joint_mm: Option<f64>,
    pub encode: Duration,
    pub decode: Duration,
}

/// How often a timed step is repeated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Repeats {
    /// At most this many runs.
    pub most: usize,
    /// No further run starts once this much time is spent, so a slow encoder runs once.
    pub budget: Duration,
}

impl Repeats {
    pub(crate) fn of(options: &BenchOptions) -> Repeats {
        match (options.sizes_only, options.quick) {
            (true, _) => Repeats { most: 1, budget: Duration::ZERO },
            (_, true) => Repeats { most: 3, budget: Duration::from_millis(60) },
            (_, false) => Repeats { most: 15, budget: Duration::from_millis(300) },
        }
    }
}

/// Verifies first; only a codec that keeps its promise is timed further.
pub(crate) fn measure(codec: &dyn Codec, source: &Source<'_>, repeats: Repeats) -> Result<Measured> {
    let (bytes, first_encode) = timed(|| guarded(|| codec.encode(source)));
    let bytes = bytes.context("encode failed")?;
    let (decoded, first_decode) = timed(|| guarded(|| codec.decode(&bytes)));
    let decoded: Decoded = decoded.context("decode failed")?;
    let verified = verify(source.clip, &codec.contract(), &decoded).map_err(|what| anyhow!(what))?;
    let max_joint_mm = max_joint_mm(source, &codec.contract(), &decoded);
    drop(decoded);
    let encode = median(first_encode, repeats, || timed(|| codec.encode(source)).1);
    let decode = median(first_decode, repeats, || timed(|| codec.decode(&bytes)).1);
    Ok(Measured { bytes: bytes.len() as u64, verified, max_joint_mm, encode, decode })
}

/// A panic of one codec is that codec's failure; the table goes on.
fn guarded<T>(work: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        bail!("panicked: {}", text.or(panic.downcast_ref::<&str>().copied()).unwrap_or("without a text"))
    })
}

/// The result, and the time until it was there; dropping it is not counted.
fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let start = Instant::now();
    let result = std::hint::black_box(work());
    (result, start.elapsed())
}

fn median(first: Duration, repeats: Repeats, mut again: impl FnMut() -> Duration) -> Duration {
    let start = Instant::now();
    let mut runs = vec![first];
    while runs.len() < repeats.most && first + start.elapsed() < repeats.budget {
        runs.push(again());
    }
    runs.sort_unstable();
    let middle = runs.len() / 2;
    if runs.len().is_multiple_of(2) { (runs[middle - 1] + runs[middle]) / 2 } else { runs[middle] }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::Contract;
    use crate::test_clips;

    /// Gives back what it is told to, whatever it was given.
    struct Liar(fn() -> Result<Decoded>);

    impl Codec for Liar {
        fn name(&self) -> String {
            "liar".to_owned()
        }

        fn settings(&self) -> String {
            "none".to_owned()
        }

        fn contract(&self) -> Contract {
            Contract::bounded(0.001)
        }

        fn encode(&self, _: &Source<'_>) -> Result<Vec<u8>> {
            Ok(vec![0])
        }

        fn decode(&self, _: &[u8]) -> Result<Decoded> {
            self.0()
        }
    }

    #[test]
    fn a_codec_that_lies_fails_or_panics_has_no_figures() {
        let clip = test_clips::smooth(3);
        let source = Source::new(&clip).expect("valid");
        // The stand-in must be able to win, or the losses below would show nothing.
        let honest = Liar(|| Ok(test_clips::smooth(3).into()));
        assert_eq!(
            measure(&honest, &source, Repeats::of(&BenchOptions { quick: true, ..BenchOptions::default() }))
                .expect("the clip itself")
                .bytes,
            1
        );
        let cases = [
            (Liar(|| Ok(test_clips::constant(3).into())), "track "),
            (Liar(|| Ok(test_clips::smooth(2).into())), "2 times"),
            (Liar(|| bail!("out of luck")), "decode failed: out of luck"),
            (Liar(|| panic!("out of {}", "mind")), "panicked: out of mind"),
        ];
        for (lie, expected) in cases {
            let error =
                measure(&lie, &source, Repeats::of(&BenchOptions { quick: true, ..BenchOptions::default() }))
                    .expect_err("a broken promise");
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
    }

    #[test]
    fn the_median_is_the_middle_and_a_slow_step_runs_once() {
        let repeats = Repeats { most: 5, budget: Duration::from_secs(1) };
        let mut later = [900, 2, 3, 1].into_iter().map(Duration::from_micros);
        let found = median(Duration::from_micros(2), repeats, || later.next().expect("five runs at most"));
        assert_eq!(found, Duration::from_micros(2));
        let slow = Duration::from_secs(2);
        assert_eq!(median(slow, repeats, || panic!("a second run")), slow);
    }
}
