//! The skeleton: joints with their braces, offsets and channels.
//!
//! Names go to the end of the line or to a brace. The open joints are a list, so that depth costs no stack.

use super::channels::channel;
use super::text_lines::TextLines;
use super::{END_SITE, beyond, decimal, fault, shown};
use crate::error::{Error, Place, Result};
use crate::registry::Format;
use sinew::{DecodeLimits, Joint, Rig};

/// A skeleton as read, and whether MOTION follows it.
pub(super) struct Hierarchy {
    pub rig: Rig,
    pub has_motion: bool,
}

/// Reads from the start of the file to MOTION, or to the end of a file without it.
///
/// # Errors
/// What is wrong, with its line; a limit for more joints, channels or text of names than `limits` allow.
pub(super) fn read_hierarchy(lines: &mut TextLines<'_>, limits: &DecodeLimits) -> Result<Hierarchy> {
    require_hierarchy(lines)?;
    let mut builder = Builder::new(limits);
    while let Some(line) = lines.next()? {
        let mut rest = line.text;
        loop {
            let at = rest.find(['{', '}']).unwrap_or(rest.len());
            let statement = rest[..at].trim_ascii();
            if statement.eq_ignore_ascii_case("MOTION") && at == rest.len() {
                builder.require_closed(line.number, "MOTION stands")?;
                return Ok(Hierarchy { rig: builder.rig, has_motion: true });
            }
            if !statement.is_empty() {
                builder.statement(line.number, statement)?;
            }
            match rest.as_bytes().get(at) {
                None => break,
                Some(b'{') => builder.open_brace(line.number)?,
                Some(_) => builder.close_brace(line.number)?,
            }
            rest = &rest[at + 1..];
        }
    }
    builder.require_closed(lines.number(), "the file ends")?;
    Ok(Hierarchy { rig: builder.rig, has_motion: false })
}

fn require_hierarchy(lines: &mut TextLines<'_>) -> Result<()> {
    let found = match lines.next()? {
        Some(line) if line.text.trim_ascii().eq_ignore_ascii_case("HIERARCHY") => return Ok(()),
        Some(line) => {
            format!("not a BVH: expected HIERARCHY at line {}, found {}", line.number, shown(line.text))
        }
        None => "not a BVH: expected HIERARCHY at line 1, found no text".into(),
    };
    Err(Error::format(Format::Bvh, Place::File, found))
}

/// A joint whose block is open.
struct Open {
    joint: usize,
    is_end_site: bool,
    has_offset: bool,
    has_channels: bool,
    has_children: bool,
}

struct Builder<'a> {
    limits: &'a DecodeLimits,
    rig: Rig,
    open: Vec<Open>,
    /// Whether a joint was named and its block must open next.
    awaits_brace: bool,
    channels: usize,
    /// Bytes that the names of joints and tracks take.
    name_bytes: u64,
}

impl<'a> Builder<'a> {
    fn new(limits: &'a DecodeLimits) -> Builder<'a> {
        let rig = Rig::default();
        Builder { limits, rig, open: Vec::new(), awaits_brace: false, channels: 0, name_bytes: 0 }
    }

    fn statement(&mut self, line: u64, text: &str) -> Result<()> {
        if self.awaits_brace {
            return Err(fault(line, format!("{} where {{ of {} must open", shown(text), self.innermost())));
        }
        let (word, rest) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((text, ""));
        let rest = rest.trim_ascii();
        match word.to_ascii_uppercase().as_str() {
            "ROOT" => self.root(line, rest),
            "JOINT" => self.child(line, rest, false),
            "END" if rest.eq_ignore_ascii_case("Site") => self.child(line, END_SITE, true),
            "END" => Err(fault(line, format!("{} where End Site is meant", shown(text)))),
            "OFFSET" => self.offset(line, rest),
            "CHANNELS" => self.channels(line, rest),
            "HIERARCHY" => Err(fault(line, "a second HIERARCHY")),
            "MOTION" => Err(fault(line, format!("{} where MOTION is meant", shown(text)))),
            _ => Err(fault(line, format!("{} is no word of a hierarchy", shown(word)))),
        }
    }

    fn root(&mut self, line: u64, name: &str) -> Result<()> {
        if !self.open.is_empty() {
            return Err(fault(line, format!("ROOT {} within {}", shown(name), self.innermost())));
        }
        self.add(line, name, None, false)
    }

    fn child(&mut self, line: u64, name: &str, is_end_site: bool) -> Result<()> {
        let Some(parent) = self.open.last_mut() else {
            return Err(fault(line, format!("{} outside of any joint", shown(name))));
        };
        if parent.is_end_site {
            return Err(fault(line, format!("{} within an End Site", shown(name))));
        }
        parent.has_children = true;
        let parent = parent.joint;
        self.add(line, name, Some(parent), is_end_site)
    }

    fn add(&mut self, line: u64, name: &str, parent: Option<usize>, is_end_site: bool) -> Result<()> {
        if name.is_empty() {
            return Err(fault(line, "a joint without a name"));
        }
        if self.rig.joints.len() as u64 >= u64::from(self.limits.max_components) {
            return Err(beyond("joints"));
        }
        self.count_name(name.len(), 1)?;
        let joint = self.rig.joints.len();
        self.rig.joints.push(Joint { name: name.to_owned(), parent, offset: [0.0; 3], axes: Vec::new() });
        self.open.push(Open {
            joint,
            is_end_site,
            has_offset: false,
            has_channels: false,
            has_children: false,
        });
        self.awaits_brace = true;
        Ok(())
    }

    /// A long name may be given to many tracks, which would make a small file take much memory.
    fn count_name(&mut self, bytes: usize, times: usize) -> Result<()> {
        self.name_bytes = self.name_bytes.saturating_add((bytes as u64).saturating_mul(times as u64));
        if self.name_bytes > u64::from(self.limits.max_meta_bytes) {
            return Err(beyond("names of joints"));
        }
        Ok(())
    }

    fn offset(&mut self, line: u64, rest: &str) -> Result<()> {
        let name = self.innermost();
        let Some(open) = self.open.last_mut() else {
            return Err(fault(line, "OFFSET outside of any joint"));
        };
        if std::mem::replace(&mut open.has_offset, true) {
            return Err(fault(line, format!("a second OFFSET of {name}")));
        }
        let mut words = rest.split_ascii_whitespace();
        for x in &mut self.rig.joints[open.joint].offset {
            let word = words.next().ok_or_else(|| fault(line, "OFFSET needs three numbers"))?;
            *x = decimal::parse(word).map_err(|what| fault(line, format!("OFFSET: {what}")))?;
        }
        match words.next() {
            None => Ok(()),
            Some(word) => Err(fault(line, format!("{} after the three numbers of OFFSET", shown(word)))),
        }
    }

    fn channels(&mut self, line: u64, rest: &str) -> Result<()> {
        let name = self.innermost();
        let Some(open) = self.open.last_mut() else {
            return Err(fault(line, "CHANNELS outside of any joint"));
        };
        if std::mem::replace(&mut open.has_channels, true) {
            return Err(fault(line, format!("second CHANNELS of {name}")));
        }
        // Values stand in the order of the CHANNELS lines, tracks in that of the joints.
        if open.has_children {
            return Err(fault(line, format!("CHANNELS of {name} after its children")));
        }
        let (joint, is_end_site) = (open.joint, open.is_end_site);
        let mut words = rest.split_ascii_whitespace();
        let word = words.next().unwrap_or_default();
        let count: u64 = word.parse().map_err(|_| {
            fault(line, format!("CHANNELS needs the number of channels, not {}", shown(word)))
        })?;
        if is_end_site && count > 0 {
            return Err(fault(line, "an End Site has no channels"));
        }
        let mut axes = Vec::new();
        for word in words {
            let axis = channel(word).ok_or_else(|| fault(line, format!("{} is no channel", shown(word))))?;
            axes.push(axis);
            if self.channels + axes.len() > self.limits.max_components as usize {
                return Err(beyond("channels"));
            }
        }
        if axes.len() as u64 != count {
            return Err(fault(line, format!("CHANNELS says {count}, but names {}", axes.len())));
        }
        self.channels += axes.len();
        self.count_name(self.rig.joints[joint].name.len(), axes.len())?;
        self.rig.joints[joint].axes = axes;
        Ok(())
    }

    fn open_brace(&mut self, line: u64) -> Result<()> {
        if !std::mem::take(&mut self.awaits_brace) {
            return Err(fault(line, "a stray {"));
        }
        Ok(())
    }

    fn close_brace(&mut self, line: u64) -> Result<()> {
        if self.awaits_brace {
            return Err(fault(line, format!("}} where {{ of {} must open", self.innermost())));
        }
        let name = self.innermost();
        match self.open.pop() {
            None => Err(fault(line, "a stray }")),
            Some(open) if !open.has_offset => Err(fault(line, format!("no OFFSET in {name}"))),
            Some(_) => Ok(()),
        }
    }

    fn require_closed(&self, line: u64, what: &str) -> Result<()> {
        if !self.open.is_empty() {
            return Err(fault(line, format!("{what} within {}", self.innermost())));
        }
        if self.rig.joints.is_empty() {
            return Err(fault(line, format!("{what} before any ROOT")));
        }
        Ok(())
    }

    /// The joint whose block is open, for messages.
    fn innermost(&self) -> String {
        self.open.last().map_or_else(String::new, |open| shown(&self.rig.joints[open.joint].name))
    }
}
