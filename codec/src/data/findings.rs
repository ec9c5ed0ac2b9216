//! What a `.data` file says beyond its clip, and the lines that tell it.

use super::resync::Resync;
use super::row::Traits;
use super::source::Form;
use crate::clip::ZERO_GUID;

/// Frames that have something in common: how many, and the first.
#[derive(Debug, Default, Clone, Copy, PartialEq)]
pub(super) struct Seen {
    count: u64,
    first: u64,
    last: u64,
}

impl Seen {
    /// Adds a frame, in order; the same one again does not count.
    pub(super) fn add(&mut self, frame: u64) {
        if self.count > 0 && self.last == frame {
            return;
        }
        if self.count == 0 {
            self.first = frame;
        }
        self.last = frame;
        self.count += 1;
    }

    /// `1 frame (frame 4)` or `3 frames (from frame 4 on)`; `None` if there is no such frame.
    fn told(&self) -> Option<String> {
        match self.count {
            0 => None,
            1 => Some(format!("1 frame (frame {})", self.first)),
            count => Some(format!("{count} frames (from frame {} on)", self.first)),
        }
    }
}

/// Collected while a file is read.
#[derive(Debug)]
pub(super) struct Findings {
    pub(super) form: Form,
    /// The root header is the shortest form.
    pub(super) short_header: bool,
    /// First frame that the recorder would write in other bytes.
    pub(super) foreign_frame: Option<u64>,
    /// The first frame's names are not those the recorder would write.
    pub(super) names_differ: bool,
    pub(super) without_guid: Seen,
    pub(super) other_guid: Seen,
    /// Bytes after the last frame.
    pub(super) trailing: u64,
    /// What recovery had to give up.
    pub(super) lost: Option<String>,
    /// What recovery passed over to go on behind it.
    pub(super) resync: Resync,
}

impl Findings {
    pub(super) fn new(form: Form, short_header: bool) -> Self {
        Findings {
            form,
            short_header,
            foreign_frame: None,
            names_differ: false,
            without_guid: Seen::default(),
            other_guid: Seen::default(),
            trailing: 0,
            lost: None,
            resync: Resync::default(),
        }
    }

    /// Whether the file is byte for byte what is written for its clip.
    pub(super) fn is_exact(&self) -> bool {
        self.form == Form::Plain
            && self.short_header
            && self.foreign_frame.is_none()
            && self.trailing == 0
            && self.lost.is_none()
    }

    /// One line for each thing of the file that is not in the clip.
    pub(super) fn losses(&self, traits: &Traits) -> Vec<String> {
        let mut lines: Vec<String> = self.lost.iter().cloned().collect();
        let Resync { passed_bytes, places, .. } = self.resync;
        if places > 0 {
            let times = if places == 1 { "once".to_owned() } else { format!("{places} times") };
            lines.push(format!("{passed_bytes} bytes passed over, {times}, to whole frames behind damage"));
        }
        if let Some(frames) = self.other_guid.told() {
            lines.push(format!("{frames} with another GUID; the first is kept"));
        }
        if let Some((change, frame, entry)) = traits.rounding {
            let count = traits.rounded;
            lines.push(format!(
                "values rounded to float32: {count}, by {change:e} at most (frame {frame}, entry {entry})"
            ));
        }
        if let Some(frames) = traits.cut_nans.told() {
            lines.push(format!("NaN values cut to the bits of a float32: {frames}"));
        }
        if let Some(frames) = traits.rounded_times.told() {
            lines.push(format!("integer times rounded to float64: {frames}"));
        }
        if let (Some(keys), Some(name)) = (traits.unknown_keys.told(), &traits.unknown_key) {
            lines.push(format!("map keys unknown to .data dropped: {keys}, first {name:?}"));
        }
        lines
    }

    /// One line for each remark: the clip is whole, but its file differs from what is written for it.
    pub(super) fn notes(&self, traits: &Traits, guid: Option<&str>) -> Vec<String> {
        let mut lines = Vec::new();
        match self.trailing {
            0 => {}
            1 => lines.push("1 trailing byte after the last frame is ignored".into()),
            count => lines.push(format!("{count} trailing bytes after the last frame are ignored")),
        }
        if let Some(frames) = self.without_guid.told() {
            let given = guid.unwrap_or(ZERO_GUID);
            lines.push(format!("{frames} without a GUID; written .data gives {given}"));
        }
        match self.form {
            Form::Plain => {}
            Form::Lz4Block => lines.push("packed as LZ4 (extension 99); written .data is not packed".into()),
            Form::Lz4BlockArray => {
                lines.push("packed as LZ4 blocks (extension 98); written .data is not packed".into());
            }
        }
        let place = match self.foreign_frame {
            Some(frame) => Some(format!("frame {frame}")),
            None => (!self.short_header).then(|| "the root header".into()),
        };
        if let Some(place) = place {
            let how = self.reasons(traits);
            lines.push(format!("not in the recorder's own form from {place} on ({how}); written .data is"));
        }
        lines
    }

    /// Why the bytes are not the recorder's.
    fn reasons(&self, traits: &Traits) -> String {
        let guids_differ = self.without_guid.count + self.other_guid.count > 0;
        let reasons = [
            (guids_differ, "missing or changing GUIDs"),
            (traits.maps, "maps with keys"),
            (traits.numbers, "integers or float64 numbers"),
            (self.names_differ, "another order or spelling of names"),
        ];
        let found: Vec<&str> =
            reasons.iter().filter(|(applies, _)| *applies).map(|(_, reason)| *reason).collect();
        match found.is_empty() {
            true => "wide headers, nil texts or changing names".into(),
            false => found.join(", "),
        }
    }
}
