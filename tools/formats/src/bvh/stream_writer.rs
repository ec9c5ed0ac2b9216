//! Rig and frames to text, frame by frame: what is written is never held.

use super::channels::{channel_name, track_names};
use super::{END_SITE, decimal, shown};
use crate::error::{Error, Place, Result};
use crate::registry::Format;
use sinew::{Joint, Rig};
use std::io::Write;

/// The text goes out in pieces of about this size.
const CHUNK_BYTES: usize = 64 << 10;
/// Deeper joints are indented no further, or a long chain would be written as blanks for the most part.
const MAX_INDENT: usize = 64;

/// Writes a file part after part: the hierarchy, the motion's header, every frame, the end.
pub(crate) struct BvhWriter<'a> {
    sink: &'a mut dyn Write,
    rig: &'a Rig,
    buffer: Vec<u8>,
    /// For each value of a line, its number in the rig's order.
    order: Vec<usize>,
    frames: u64,
}

impl<'a> BvhWriter<'a> {
    /// Writes the hierarchy. Joints go depth first, whatever their order in the rig.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a rig that is not valid, and for a joint whose name no reader would find again;
    /// [`Error::Io`].
    pub fn start(rig: &'a Rig, sink: &'a mut dyn Write) -> Result<BvhWriter<'a>> {
        rig.validate()?;
        rig.joints.iter().enumerate().try_for_each(|(number, joint)| require_name(number, joint))?;
        let mut writer = BvhWriter { sink, rig, buffer: Vec::new(), order: Vec::new(), frames: 0 };
        writer.buffer.extend_from_slice(b"HIERARCHY\n");
        writer.write_joints()?;
        Ok(writer)
    }

    /// Whether the rig's joints were not depth first, so that a reader finds them in another order.
    pub fn is_reordered(&self) -> bool {
        !self.order.is_sorted()
    }

    /// Writes what stands before the frames. `frame_s` is in seconds, positive and finite.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for another frame time, [`Error::Io`].
    pub fn motion(&mut self, frames: u64, frame_s: f64) -> Result<()> {
        if !(frame_s > 0.0 && frame_s.is_finite()) {
            return Err(Error::invalid(format!("a frame time of {frame_s} s")));
        }
        write!(self.buffer, "MOTION\nFrames: {frames}\nFrame Time: ").expect("a Vec takes any bytes");
        decimal::push(&mut self.buffer, frame_s);
        self.buffer.push(b'\n');
        self.drain_full()
    }

    /// Writes one frame: one value for each channel, joint by joint in the rig's order.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for another number of values; [`Error::Format`] that names the frame and the channel of a
    /// value that is not finite; [`Error::Io`].
    pub fn frame(&mut self, values: &[f32]) -> Result<()> {
        if values.len() != self.order.len() {
            let (found, channels) = (values.len(), self.order.len());
            return Err(Error::invalid(format!("a frame of {found} values for {channels} channels")));
        }
        for (place, &index) in self.order.iter().enumerate() {
            let value = values[index];
            if !value.is_finite() {
                return Err(self.not_finite(index, value));
            }
            if place > 0 {
                self.buffer.push(b' ');
            }
            decimal::push(&mut self.buffer, value);
        }
        self.buffer.push(b'\n');
        self.frames += 1;
        self.drain_full()
    }

    #[cold]
    fn not_finite(&self, index: usize, value: f32) -> Error {
        let name = shown(&track_names(self.rig)[index]);
        let place = Place::Frame { frame: self.frames, component: Some(index as u64) };
        Error::format(Format::Bvh, place, format!("{name} is {value}: a BVH holds finite numbers only"))
    }

    /// Writes what is left.
    ///
    /// # Errors
    /// [`Error::Io`].
    pub fn finish(self) -> Result<()> {
        self.sink.write_all(&self.buffer)?;
        self.sink.flush()?;
        Ok(())
    }

    fn drain_full(&mut self) -> Result<()> {
        if self.buffer.len() >= CHUNK_BYTES {
            self.sink.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// All joints, children after their parent. The joints still to write are a list, so that depth costs no stack.
    fn write_joints(&mut self) -> Result<()> {
        let joints = &self.rig.joints;
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); joints.len()];
        let mut first_channel = Vec::with_capacity(joints.len());
        let mut channels = 0;
        for (number, joint) in joints.iter().enumerate() {
            first_channel.push(channels);
            channels += joint.axes.len();
            if let Some(parent) = joint.parent {
                children[parent].push(number);
            }
        }
        for root in (0..joints.len()).filter(|&number| joints[number].parent.is_none()) {
            let mut steps = vec![Step::Open(root, 0)];
            while let Some(step) = steps.pop() {
                match step {
                    Step::Close(depth) => self.line(depth, "}"),
                    Step::Open(number, depth) => {
                        self.open_joint(number, depth, children[number].is_empty());
                        let first = first_channel[number];
                        self.order.extend(first..first + joints[number].axes.len());
                        steps.push(Step::Close(depth));
                        steps
                            .extend(children[number].iter().rev().map(|&child| Step::Open(child, depth + 1)));
                    }
                }
                self.drain_full()?;
            }
        }
        Ok(())
    }

    fn open_joint(&mut self, number: usize, depth: usize, is_leaf: bool) {
        let joint = &self.rig.joints[number];
        let is_end_site =
            is_leaf && joint.axes.is_empty() && joint.parent.is_some() && joint.name == END_SITE;
        match (is_end_site, joint.parent) {
            (true, _) => self.line(depth, END_SITE),
            (false, None) => self.line(depth, &format!("ROOT {}", joint.name)),
            (false, Some(_)) => self.line(depth, &format!("JOINT {}", joint.name)),
        }
        self.line(depth, "{");
        self.indent(depth + 1);
        self.buffer.extend_from_slice(b"OFFSET");
        for x in joint.offset {
            self.buffer.push(b' ');
            decimal::push(&mut self.buffer, x);
        }
        self.buffer.push(b'\n');
        if !is_end_site {
            let names: String = joint.axes.iter().flat_map(|&axis| [" ", channel_name(axis)]).collect();
            self.line(depth + 1, &format!("CHANNELS {}{names}", joint.axes.len()));
        }
    }

    fn indent(&mut self, depth: usize) {
        self.buffer.resize(self.buffer.len() + depth.min(MAX_INDENT), b'\t');
    }

    fn line(&mut self, depth: usize, text: &str) {
        self.indent(depth);
        self.buffer.extend_from_slice(text.as_bytes());
        self.buffer.push(b'\n');
    }
}

enum Step {
    /// A joint and its depth.
    Open(usize, usize),
    /// The depth of the brace.
    Close(usize),
}

fn require_name(number: usize, joint: &Joint) -> Result<()> {
    let name = joint.name.as_str();
    let why = if name.trim_ascii().is_empty() {
        "is blank"
    } else if name.trim_ascii() != name {
        "begins or ends with a blank"
    } else if name.contains(['\n', '\r']) {
        "has a line end"
    } else if name.contains(['{', '}']) {
        "has a brace"
    } else {
        return Ok(());
    };
    let name = shown(name);
    Err(Error::invalid(format!("joint {number}: the name {name} {why}, which a BVH cannot hold")))
}
