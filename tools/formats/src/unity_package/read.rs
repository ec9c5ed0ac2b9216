//! Reads the one clip of a package that is asked for, in one pass.
//!
//! Which asset is meant may be known only after it has gone by: its name may follow it, and so may a second clip, with
//! which a choice is needed. So the first clip that may be meant is read and held; where it turns out not to be, it
//! makes place for the next. All real packages keep what belongs to an asset together. In one that tells all names
//! after all assets, a clip is found by the name that it has in its own text.

use super::names::{extension, is_meant};
use super::unpacked::{Progressed, Unpacked};
use crate::error::{Error, Place, Result};
use crate::load::{Loaded, ReadOptions};
use crate::note::Note;
use crate::registry::{Format, Progress, Source};
use crate::unity_anim::{self, META_NAME};
use std::collections::{BTreeMap, HashMap};
use std::io::{self, BufReader, Cursor, Read};

/// Longest name that is read; a project's paths are far shorter.
const MAX_NAME_BYTES: u64 = 4096;
/// Bytes of names that are remembered altogether.
const MAX_ALL_NAMES_BYTES: usize = 16 << 20;
/// What remembering a name takes besides its bytes.
const NAME_OVERHEAD_BYTES: usize = 128;
/// Bytes of an asset's start that tell whether it is a clip.
const HEAD_BYTES: u64 = 4096;
/// Most names and most kinds of assets in a message.
const MAX_SHOWN: usize = 20;
/// Most kinds of assets that are counted one by one.
const MAX_KINDS: usize = 64;

pub(super) fn read(source: Source<'_>, options: &ReadOptions, progress: Progress<'_>) -> Result<Loaded> {
    let (unpacked, progressed) = Unpacked::new(source.reader);
    let mut archive = tar::Archive::new(unpacked);
    let mut package = Package::new(options);
    let broken = |error: io::Error| progressed.explain(|| format!("no whole tar archive: {error}"));
    // Raw: the archive's own extensions, which may claim any length, are files like others, and none of ours.
    for entry in archive.entries().map_err(broken)?.raw(true) {
        let mut entry = entry.map_err(broken)?;
        if !entry.header().entry_type().is_file() {
            continue;
        }
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        let path = path.strip_prefix("./").unwrap_or(&path);
        match path.split_once('/') {
            Some((guid, "asset")) => package.asset(guid, &mut entry, &progressed)?,
            Some((guid, "pathname")) => {
                package.pathname(guid, read_name(&mut entry).map_err(broken)?)?;
            }
            _ => {}
        }
    }
    // To its end, where the checksum stands.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(broken)?;
    let loaded = package.choose()?;
    progress(loaded.clip.frames() as u64);
    Ok(loaded)
}

/// The path that a `pathname` file holds: its first line.
fn read_name(entry: &mut impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    entry.take(MAX_NAME_BYTES).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// A clip that went by.
struct Found {
    /// Its path in a project, as far as that is known yet.
    path: Option<String>,
    /// The name that its text has, if it was read.
    own_name: Option<String>,
}

impl Found {
    fn shown(&self) -> String {
        let name = self.path.as_ref().or(self.own_name.as_ref());
        name.map_or_else(|| "a clip without a path".to_owned(), |name| format!("{name:?}"))
    }
}

struct Package<'a> {
    options: &'a ReadOptions,
    /// Clips in order, and the number of each by its GUID.
    clips: Vec<Found>,
    numbers: HashMap<String, usize>,
    /// Paths whose assets have not come yet.
    paths: HashMap<String, String>,
    names_bytes: usize,
    /// The clip that may be the one meant, by its number, and what reading it gave.
    held: Option<(usize, Result<Loaded>)>,
    /// How many assets there are of each kind.
    kinds: BTreeMap<String, u64>,
}

impl<'a> Package<'a> {
    fn new(options: &'a ReadOptions) -> Package<'a> {
        Package {
            options,
            clips: Vec::new(),
            numbers: HashMap::new(),
            paths: HashMap::new(),
            names_bytes: 0,
            held: None,
            kinds: BTreeMap::new(),
        }
    }

    fn remember(&mut self, bytes: usize) -> Result<()> {
        self.names_bytes += bytes + NAME_OVERHEAD_BYTES;
        if self.names_bytes > MAX_ALL_NAMES_BYTES {
            return Err(sinew::Error::LimitExceeded { what: "names in a package" }.into());
        }
        Ok(())
    }

    /// Takes the content of an asset.
    fn asset(&mut self, guid: &str, content: &mut impl Read, progressed: &Progressed) -> Result<()> {
        let broken = |error: io::Error| progressed.explain(|| format!("no whole tar archive: {error}"));
        let mut head = Vec::new();
        content.take(HEAD_BYTES).read_to_end(&mut head).map_err(broken)?;
        if !is_clip(&head) {
            return Ok(());
        }
        self.remember(guid.len())?;
        let number = self.clips.len();
        self.clips.push(Found { path: self.paths.remove(guid), own_name: None });
        self.numbers.insert(guid.to_owned(), number);
        if !self.wants(number) {
            if self.options.asset.is_none() {
                // A second clip: a choice is needed, whatever they hold.
                self.held = None;
            }
            return Ok(());
        }
        // Before the next is read, so that there are never two.
        self.held = None;
        let mut whole = BufReader::with_capacity(1 << 16, Cursor::new(head).chain(content));
        let read = unity_anim::read(Source { reader: &mut whole, path: None }, self.options, &mut |_| {});
        if progressed.has_failed() {
            return Err(progressed.explain(String::new));
        }
        if let Ok(loaded) = &read {
            let own_name = loaded.clip.meta.get(META_NAME).cloned();
            self.remember(own_name.as_ref().map_or(0, String::len))?;
            self.clips[number].own_name = own_name;
        }
        self.held = Some((number, read));
        Ok(())
    }

    /// Whether the clip of this number is to be read rather than the one held.
    fn wants(&self, number: usize) -> bool {
        let Some(wanted) = &self.options.asset else { return number == 0 };
        let held = self.held.as_ref().map(|(number, _)| &self.clips[*number]);
        match &self.clips[number].path {
            // Of two that are meant, neither will be taken.
            Some(path) => is_meant(wanted, path) && held.is_none_or(|held| held.path.is_none()),
            None => held.is_none_or(|held| {
                held.path.is_none() && !held.own_name.as_ref().is_some_and(|name| is_named(wanted, name))
            }),
        }
    }

    /// Takes the path of an asset.
    fn pathname(&mut self, guid: &str, path: String) -> Result<()> {
        let kind = extension(&path);
        if self.kinds.len() < MAX_KINDS || self.kinds.contains_key(&kind) {
            *self.kinds.entry(kind).or_default() += 1;
        }
        self.remember(guid.len() + path.len())?;
        let Some(&number) = self.numbers.get(guid) else {
            self.paths.insert(guid.to_owned(), path);
            return Ok(());
        };
        let other = self.options.asset.as_ref().is_some_and(|wanted| !is_meant(wanted, &path));
        if other && self.held.as_ref().is_some_and(|(held, _)| *held == number) {
            self.held = None;
        }
        self.clips[number].path = Some(path);
        Ok(())
    }

    /// The clip that is asked for, or why there is none.
    fn choose(mut self) -> Result<Loaded> {
        let meant: Vec<usize> = match &self.options.asset {
            None => (0..self.clips.len()).collect(),
            Some(wanted) => (0..self.clips.len()).filter(|&number| self.is_meant(number, wanted)).collect(),
        };
        let refuse = |what: String| Err(Error::format(Format::UnityPackage, Place::File, what));
        match (meant.as_slice(), &self.options.asset) {
            (&[number], _) => match self.held.take() {
                Some((held, read)) if held == number => self.finish(number, read),
                _ => refuse(format!(
                    "{} is told to be there only after other clips have gone by: unpack it and read the clip itself",
                    self.clips[number].shown()
                )),
            },
            ([], None) => refuse(format!("the package holds no text animation clip but {}", self.content())),
            ([], Some(wanted)) => refuse(format!(
                "no clip of the package is called {wanted:?}; there are {}",
                self.list(&(0..self.clips.len()).collect::<Vec<_>>())
            )),
            (several, None) => refuse(format!(
                "{} clips, of which `sinew convert --asset NAME` reads one: {}",
                several.len(),
                self.list(several)
            )),
            (several, Some(wanted)) => refuse(format!(
                "{} clips are called {wanted:?}, of which a whole path means one: {}",
                several.len(),
                self.list(several)
            )),
        }
    }

    fn is_meant(&self, number: usize, wanted: &str) -> bool {
        let Found { path, own_name } = &self.clips[number];
        match (path, own_name) {
            (Some(path), _) => is_meant(wanted, path),
            (None, Some(name)) => is_named(wanted, name),
            (None, None) => false,
        }
    }

    fn finish(&self, number: usize, read: Result<Loaded>) -> Result<Loaded> {
        let name = self.clips[number].shown();
        let mut loaded = match read {
            Ok(loaded) => loaded,
            Err(Error::Format { place, what, .. }) => {
                return Err(Error::format(
                    Format::UnityPackage,
                    Place::File,
                    format!("{name}: {place}{what}"),
                ));
            }
            Err(other) => return Err(other),
        };
        loaded.format = Format::UnityPackage;
        loaded.notes.insert(0, Note::info(format!("the clip is {name} of the package")));
        Ok(loaded)
    }

    /// Names of clips for a message.
    fn list(&self, numbers: &[usize]) -> String {
        let names: Vec<String> =
            numbers.iter().take(MAX_SHOWN).map(|&number| self.clips[number].shown()).collect();
        match numbers.len().saturating_sub(MAX_SHOWN) {
            _ if names.is_empty() => "none".to_owned(),
            0 => names.join(", "),
            more => format!("{} and {more} more", names.join(", ")),
        }
    }

    /// What else is inside, for a message.
    fn content(&self) -> String {
        let kinds: Vec<String> =
            self.kinds.iter().take(MAX_SHOWN).map(|(kind, count)| format!("{count} of {kind:?}")).collect();
        if kinds.is_empty() { "nothing".to_owned() } else { kinds.join(", ") }
    }
}

/// Whether a clip that has no path is meant by its own name.
fn is_named(wanted: &str, name: &str) -> bool {
    is_meant(wanted, &format!("{name}.anim"))
}

/// Whether an asset is text that begins with an animation clip.
fn is_clip(head: &[u8]) -> bool {
    let mut lines = head.split(|&byte| byte == b'\n').take(8);
    unity_anim::sniff(head) && lines.any(|line| line.trim_ascii_end() == b"AnimationClip:")
}
