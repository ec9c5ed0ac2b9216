//! The numbers of one frame on their way from serde to the clip, and what they tell about the file.

use super::findings::Seen;
use super::item::Number;
use super::layout::{Layout, nameless_track};
use serde::de::Error;

/// Most characters of an unknown key that are shown: a key may be as long as a frame.
const SHOWN_KEY_CHARS: usize = 40;

/// A frame's numbers in track order, reused from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) time_s: f64,
    pub(super) values: Vec<f32>,
    /// Names of the first frame, until a layout is learned from them.
    pub(super) names: Vec<String>,
    /// Frame number plus one in which each track was last given.
    given_in: Vec<u64>,
    frame: u64,
    /// Entry being read, for errors.
    pub(super) entry: Option<usize>,
    pub(super) traits: Traits,
}

/// In what the frames seen so far differ from the recorder's own form.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Traits {
    /// Objects are maps with keys.
    pub(super) maps: bool,
    /// Numbers are integers or float64.
    pub(super) numbers: bool,
    /// Values that float32 rounds, and the largest change with its frame and entry.
    pub(super) rounded: u64,
    pub(super) rounding: Option<(f64, u64, usize)>,
    /// Frames with NaN values whose bits do not fit float32.
    pub(super) cut_nans: Seen,
    /// Frames whose time is an integer that float64 rounds.
    pub(super) rounded_times: Seen,
    /// Frames with map keys that nothing is known of, and the first such key.
    pub(super) unknown_keys: Seen,
    pub(super) unknown_key: Option<String>,
}

impl Row {
    /// Empties the row for frame number `frame`.
    pub(super) fn begin(&mut self, frame: u64, layout: Option<&Layout>) {
        self.frame = frame;
        self.entry = None;
        self.names.clear();
        self.values.clear();
        let entries = layout.map_or(0, Layout::entries);
        self.values.resize(entries, 0.0);
        self.given_in.resize(entries, 0);
    }

    /// Forgets what a frame that failed has given: the next one may get its number.
    pub(super) fn forget_given(&mut self) {
        self.given_in.fill(0);
    }

    /// First track that the frame has not given; 0 if it gave all.
    pub(super) fn first_absent(&self) -> usize {
        self.given_in.iter().position(|&given_in| given_in != self.frame + 1).unwrap_or(0)
    }

    pub(super) fn put_time<E: Error>(&mut self, time: Number) -> Result<(), E> {
        if !time.exact.is_finite() {
            return Err(E::custom(format_args!("time {} is not finite", time.exact)));
        }
        self.traits.numbers |= !time.native;
        if time.beyond_f64 {
            self.traits.rounded_times.add(self.frame);
        }
        self.time_s = time.exact;
        Ok(())
    }

    /// Notes that the value of a map key is passed over.
    #[cold]
    pub(super) fn pass_over(&mut self, key: &str) {
        self.traits.unknown_keys.add(self.frame);
        self.traits.unknown_key.get_or_insert_with(|| key.chars().take(SHOWN_KEY_CHARS).collect());
    }

    pub(super) fn put_entry<E: Error>(
        &mut self,
        layout: Option<&Layout>,
        entry: usize,
        name: &str,
        value: Number,
    ) -> Result<(), E> {
        if !value.native {
            self.check_rounding(name, value, entry)?;
        }
        let Some(layout) = layout else {
            self.names.push(name.to_owned());
            self.values.push(value.nearest);
            return Ok(());
        };
        let column = layout.column(entry, name).map_err(E::custom)?;
        let stamp = self.frame + 1;
        if self.given_in[column] == stamp {
            return Err(E::custom(format_args!("{name:?} comes a second time")));
        }
        self.given_in[column] = stamp;
        self.values[column] = value.nearest;
        Ok(())
    }

    #[cold]
    fn check_rounding<E: Error>(&mut self, name: &str, value: Number, entry: usize) -> Result<(), E> {
        self.traits.numbers = true;
        if value.exact.is_finite() && !value.nearest.is_finite() {
            let track = match name {
                "" => nameless_track(entry).name().to_owned(),
                name => name.to_owned(),
            };
            return Err(E::custom(format_args!("{:e} ({track}) does not fit float32", value.exact)));
        }
        if value.nan_is_cut {
            self.traits.cut_nans.add(self.frame);
        }
        let change = value.change;
        if change > 0.0 {
            self.traits.rounded += 1;
            if self.traits.rounding.is_none_or(|(largest, ..)| change > largest) {
                self.traits.rounding = Some((change, self.frame, entry));
            }
        }
        Ok(())
    }
}
