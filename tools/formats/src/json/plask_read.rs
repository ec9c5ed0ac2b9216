//! Plask's JSON to its document, value by value as the text comes.
//!
//! `{"result": [{"motionNumber": 0, "trackData": [{"boneName", "fps", "property", "transformKeys": [{"frame", "time",
//! "value": []}]}]}], "id": "", "workingtime": 0}`. Lists may be called `data`, keys `times` and `values` as well, a
//! track may have one list of each, a value may be a bare number, and the outer levels may be left out.

use super::keyed::{Interpolation, KeyedTrack, Moves, kind_of_width};
use super::plask_document::PlaskDocument;
use super::source::{Lines, NumberSeed, NumbersSeed, TextSeed, fault, fill, pass_over, push_within, to_f32};
use crate::error::{self, Error, Place};
use crate::load::ReadOptions;
use crate::note::Note;
use crate::quote::{named, shown};
use crate::registry::Format;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use sinew::TrackKind;
use std::cell::Cell;
use std::collections::HashSet;
use std::fmt;
use std::io::BufRead;

/// Most lists of tracks or motions within one another: an answer has two.
const MAX_LEVELS: usize = 4;
/// Most motions that a message lists.
const MAX_SHOWN: usize = 20;
/// Most motions of a file.
const MAX_MOTIONS: usize = 4096;

impl PlaskDocument {
    /// Reads the motion that [`ReadOptions::asset`] names by its number, or the only one.
    ///
    /// # Errors
    /// [`Error::Format`] for text that is no such JSON, with its line, motion, track and key, and where a choice of
    /// motions is needed; [`Error::Codec`] beyond [`ReadOptions::limits`]; [`Error::Io`].
    pub fn read(
        reader: &mut dyn BufRead,
        options: &ReadOptions,
    ) -> error::Result<(PlaskDocument, Vec<Note>)> {
        let line = Cell::new(1);
        let mut deserializer = serde_json::Deserializer::from_reader(Lines::new(reader, &line));
        let mut state = State::new(options);
        let read = NodeSeed { state: &mut state, level: 0 }.deserialize(&mut deserializer);
        let read = read.and_then(|top| deserializer.end().map(|()| top));
        match read {
            Ok(top) => state.finish(top),
            Err(_) if state.beyond.is_some() => Err(beyond(state.beyond.unwrap_or_default())),
            Err(error) => Err(fault(Format::Plask, &error, &state.spot())),
        }
    }
}

fn beyond(what: &'static str) -> Error {
    sinew::Error::LimitExceeded { what }.into()
}

/// What has been read, and where reading is.
struct State<'a> {
    options: &'a ReadOptions,
    /// Samples of what is kept and what is being read.
    samples: u64,
    held_samples: u64,
    /// The limit that was exceeded.
    beyond: Option<&'static str>,
    /// Numbers of the motions that went by, and the one that may be meant.
    motions: Vec<String>,
    held: Option<PlaskDocument>,
    meant: usize,
    fields_left_out: u64,
    /// For messages: the track of its list, what is known of it, the key of the track.
    track: Option<usize>,
    bone: Option<String>,
    property: Option<String>,
    key: Option<usize>,
}

impl<'a> State<'a> {
    fn new(options: &'a ReadOptions) -> State<'a> {
        State {
            options,
            samples: 0,
            held_samples: 0,
            beyond: None,
            motions: Vec::new(),
            held: None,
            meant: 0,
            fields_left_out: 0,
            track: None,
            bone: None,
            property: None,
            key: None,
        }
    }

    /// Where reading is, for a message.
    fn spot(&self) -> String {
        let Some(track) = self.track else { return String::new() };
        let motion = match self.motions.len() {
            0 => String::new(),
            number => format!("motion {number}, "),
        };
        let parts: Vec<String> =
            [&self.bone, &self.property].into_iter().flatten().map(|part| named(part)).collect();
        let name = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(".")) };
        let key = self.key.map_or(String::new(), |key| format!(", key {key}"));
        format!("{motion}track {track}{name}{key}: ")
    }

    fn limit<E: serde::de::Error>(&mut self, what: &'static str) -> E {
        self.beyond = Some(what);
        E::custom("beyond the limit")
    }

    /// Takes a whole motion, to be kept if it may be the one that is meant.
    fn take_motion<E: serde::de::Error>(&mut self, motion: PlaskDocument) -> Result<(), E> {
        if self.motions.len() >= MAX_MOTIONS {
            return Err(self.limit("number of motions"));
        }
        let number = motion.motion.clone().unwrap_or_else(|| self.motions.len().to_string());
        let is_meant = self.options.asset.as_ref().is_none_or(|wanted| *wanted == number);
        self.motions.push(number);
        self.meant += usize::from(is_meant);
        match (is_meant, self.meant) {
            (true, 1) => (self.held, self.held_samples) = (Some(motion), self.samples),
            // Of two that are meant, neither is taken.
            (true, _) => (self.held, self.held_samples) = (None, 0),
            (false, _) => {}
        }
        self.samples = self.held_samples;
        Ok(())
    }

    fn finish(mut self, top: Node) -> error::Result<(PlaskDocument, Vec<Note>)> {
        let refuse = |what: String| Err(Error::format(Format::Plask, Place::File, what));
        if top.bone.is_some() {
            return refuse("the file is a single track; expected `result` with `trackData`".into());
        }
        if !top.has_children && self.motions.is_empty() {
            return refuse("no Plask JSON: there is no `result` or `data`, and no `trackData` (--from three or --from muscles reads other JSON)".into());
        }
        let (id, working_time_s) = (top.id.clone(), top.working_time_s);
        if !top.tracks.is_empty() || (top.has_children && self.motions.is_empty()) {
            let Node { motion, tracks, fps, .. } = top;
            let motion = PlaskDocument { motion, tracks, fps, ..PlaskDocument::default() };
            self.take_motion::<serde_json::Error>(motion)
                .map_err(|_| beyond(self.beyond.unwrap_or_default()))?;
        }
        let Some(mut document) = self.held.take() else { return refuse(self.refusal()) };
        document.id = id;
        document.working_time_s = working_time_s;
        let mut notes = Vec::new();
        if self.motions.len() > 1 {
            let number = self.options.asset.as_deref().unwrap_or_default();
            notes.push(Note::info(format!("the motion is {} of {}", shown(number), self.motions.len())));
        }
        if self.fields_left_out > 0 {
            notes.push(Note::info(format!(
                "{} fields of no known name are passed over",
                self.fields_left_out
            )));
        }
        Ok((document, notes))
    }

    /// Why no motion was chosen.
    fn refusal(&self) -> String {
        let names: Vec<String> = self.motions.iter().take(MAX_SHOWN).map(|number| shown(number)).collect();
        let more = match self.motions.len().saturating_sub(MAX_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let list = if names.is_empty() { "none".to_owned() } else { format!("{}{more}", names.join(", ")) };
        match &self.options.asset {
            None => {
                format!(
                    "{} motions, of which `sinew convert --asset NUMBER` reads one: {list}",
                    self.motions.len()
                )
            }
            Some(wanted) if self.meant > 1 => {
                format!("{} motions have the number {}", self.meant, shown(wanted))
            }
            Some(wanted) => format!("no motion has the number {}; there are {list}", shown(wanted)),
        }
    }
}

/// An object of any level: the answer, a motion, or a track.
#[derive(Default)]
struct Node {
    has_children: bool,
    tracks: Vec<KeyedTrack>,
    motion: Option<String>,
    id: Option<String>,
    working_time_s: Option<f64>,
    bone: Option<String>,
    property: Option<String>,
    fps: Option<f64>,
    keys: Option<()>,
    times_s: Vec<f64>,
    values: Vec<f32>,
    /// Numbers in each value, where the file says.
    width: Option<usize>,
}

impl Node {
    fn is_track(&self) -> bool {
        self.bone.is_some() || self.property.is_some() || self.keys.is_some()
    }

    /// The track that the object is.
    fn into_track<E: serde::de::Error>(self) -> Result<KeyedTrack, E> {
        let node = self.bone.ok_or_else(|| E::custom("the track has no \"boneName\""))?;
        let property = self.property.ok_or_else(|| E::custom("the track has no \"property\""))?;
        let (keys, numbers) = (self.times_s.len(), self.values.len());
        let expected = match property.as_str() {
            "position" | "scale" => Some(3),
            "rotationQuaternion" | "quaternion" => Some(4),
            _ => None,
        };
        let even = (keys > 0 && numbers.is_multiple_of(keys)).then(|| numbers / keys);
        let width = self.width.or(even).or(expected.filter(|_| keys + numbers == 0)).unwrap_or(1);
        if width.checked_mul(keys) != Some(numbers) {
            return Err(E::custom(format_args!("{keys} times and {numbers} numbers as values")));
        }
        if let Some(expected) = expected.filter(|&expected| expected != width) {
            return Err(E::custom(format_args!(
                "values of {width} numbers; a {} has {expected}",
                named(&property)
            )));
        }
        let kind = kind_of_width(width)
            .ok_or_else(|| E::custom(format_args!("values of {width} numbers; there may be 1, 3 or 4")))?;
        let moves = match (property.as_str(), kind) {
            ("position", _) => Moves::Position,
            ("rotationQuaternion" | "quaternion", _) => Moves::Rotation,
            _ => Moves::Other,
        };
        let interpolation = Interpolation::Linear;
        Ok(KeyedTrack {
            node,
            property,
            moves,
            kind,
            times_s: self.times_s,
            values: self.values,
            interpolation,
        })
    }
}

struct NodeSeed<'s, 'a> {
    state: &'s mut State<'a>,
    level: usize,
}

impl<'de> DeserializeSeed<'de> for NodeSeed<'_, '_> {
    type Value = Node;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NodeSeed<'_, '_> {
    type Value = Node;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.level == 0 {
            "an object with `result`"
        } else {
            "a motion or a track as an object"
        })
    }

    /// A list at the top is that of the motions or tracks itself.
    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Node, A::Error> {
        if self.level > 0 {
            return Err(A::Error::custom("a list where a motion or a track is expected"));
        }
        let mut node = Node { has_children: true, ..Node::default() };
        (node.tracks, node.fps) = ChildrenSeed { state: self.state, level: 1 }.visit_seq(items)?;
        Ok(node)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let NodeSeed { state, level } = self;
        let mut node = Node::default();
        let (mut times, mut values) = (None, None);
        while let Some(key) = items.next_key_seed(TextSeed)? {
            match key.as_str() {
                "result" | "data" | "trackData" => {
                    if level >= MAX_LEVELS {
                        return Err(A::Error::custom("lists of tracks are nested too deeply"));
                    }
                    if node.has_children {
                        return Err(A::Error::custom(format_args!(
                            "{key:?} comes beside another list of its kind"
                        )));
                    }
                    node.has_children = true;
                    let children = ChildrenSeed { state: &mut *state, level: level + 1 };
                    let (tracks, fps) = items.next_value_seed(children)?;
                    node.tracks = tracks;
                    node.fps = node.fps.or(fps);
                }
                "motionNumber" => fill(&mut node.motion, &key, items.next_value_seed(TextSeed)?)?,
                "id" => fill(&mut node.id, &key, items.next_value_seed(TextSeed)?)?,
                "workingtime" => fill(&mut node.working_time_s, &key, items.next_value_seed(NumberSeed)?)?,
                "boneName" => {
                    let name = items.next_value_seed(TextSeed)?;
                    state.bone = Some(name.clone());
                    fill(&mut node.bone, &key, name)?;
                }
                "property" => {
                    let name = items.next_value_seed(TextSeed)?;
                    state.property = Some(name.clone());
                    fill(&mut node.property, &key, name)?;
                }
                "fps" => fill(&mut node.fps, &key, items.next_value_seed(NumberSeed)?)?,
                "transformKeys" | "keys" => {
                    fill(&mut node.keys, &key, ())?;
                    items.next_value_seed(KeysSeed { state: &mut *state, node: &mut node })?;
                    state.key = None;
                }
                "times" | "time" => {
                    fill(&mut times, &key, ())?;
                    let room = state.room();
                    let take = &mut |time_s: f64| push_within(&mut node.times_s, room, time_s);
                    let count = items.next_value_seed(NumbersSeed { take, nested: false });
                    if count.is_err() && node.times_s.len() as u64 >= room {
                        return Err(state.limit("number of samples"));
                    }
                    count?;
                }
                "values" | "value" => {
                    fill(&mut values, &key, ())?;
                    let room = state.room();
                    let take = &mut |value: f64| push_within(&mut node.values, room, narrow(value)?);
                    let count = items.next_value_seed(NumbersSeed { take, nested: true });
                    if count.is_err() && node.values.len() as u64 >= room {
                        return Err(state.limit("number of samples"));
                    }
                    state.samples += count? as u64;
                }
                _ => {
                    pass_over(&mut items)?;
                    state.fields_left_out += 1;
                }
            }
        }
        if times.is_some() || values.is_some() {
            if node.keys.is_some() {
                return Err(A::Error::custom("\"times\" and \"values\" beside \"transformKeys\""));
            }
            node.keys = Some(());
        }
        Ok(node)
    }
}

impl State<'_> {
    /// How many more samples there may be.
    fn room(&self) -> u64 {
        self.options.limits.max_samples.saturating_sub(self.samples)
    }

    /// Counts samples; whether there are too many.
    fn add(&mut self, count: usize) -> bool {
        self.samples += count as u64;
        self.samples > self.options.limits.max_samples
    }
}

fn narrow(value: f64) -> Result<f32, String> {
    to_f32::<serde::de::value::Error>(value).map_err(|error| error.to_string())
}

/// The list of motions or tracks; gives the tracks and their rate, and the motions to the state.
struct ChildrenSeed<'s, 'a> {
    state: &'s mut State<'a>,
    level: usize,
}

impl<'de> DeserializeSeed<'de> for ChildrenSeed<'_, '_> {
    type Value = (Vec<KeyedTrack>, Option<f64>);
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ChildrenSeed<'_, '_> {
    type Value = (Vec<KeyedTrack>, Option<f64>);
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of motions or tracks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let ChildrenSeed { state, level } = self;
        let mut tracks: Vec<KeyedTrack> = Vec::new();
        let mut names = HashSet::new();
        let (mut motions, mut fps) = (0, None);
        for number in 0.. {
            (state.bone, state.property, state.key) = (None, None, None);
            // Within a motion it is the motion's tracks that are counted.
            state.track = Some(number);
            let Some(node) = items.next_element_seed(NodeSeed { state: &mut *state, level })? else { break };
            state.track = Some(number);
            if node.is_track() {
                if names.len() >= state.options.limits.max_components as usize {
                    return Err(state.limit("number of tracks"));
                }
                fps = fps.or(node.fps);
                let track: KeyedTrack = node.into_track()?;
                if !names.insert(track.name()) {
                    return Err(A::Error::custom("the track comes a second time"));
                }
                tracks.push(track);
            } else if node.has_children {
                motions += 1;
                let Node { motion, tracks, fps, .. } = node;
                state.take_motion(PlaskDocument { motion, tracks, fps, ..PlaskDocument::default() })?;
            } else {
                return Err(A::Error::custom(
                    "neither a motion nor a track: no \"trackData\" and no \"boneName\"",
                ));
            }
            if motions > 0 && !tracks.is_empty() {
                return Err(A::Error::custom("motions and tracks in one list"));
            }
        }
        (state.track, state.bone, state.property) = (None, None, None);
        Ok((tracks, fps))
    }
}

/// The keys of a track.
struct KeysSeed<'s, 'a> {
    state: &'s mut State<'a>,
    node: &'s mut Node,
}

impl<'de> DeserializeSeed<'de> for KeysSeed<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for KeysSeed<'_, '_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of keys")
    }

    fn visit_unit<E>(self) -> Result<(), E> {
        Ok(())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let KeysSeed { state, node } = self;
        for key in 0.. {
            state.key = Some(key);
            let before = node.values.len();
            if items.next_element_seed(KeySeed { node: &mut *node })?.is_none() {
                break;
            }
            let numbers = node.values.len() - before;
            if *node.width.get_or_insert(numbers) != numbers {
                return Err(A::Error::custom(format_args!(
                    "a value of {numbers} numbers, but {} in the keys before",
                    node.width.unwrap_or_default()
                )));
            }
            if state.add(numbers.max(1)) {
                return Err(state.limit("number of samples"));
            }
        }
        Ok(())
    }
}

struct KeySeed<'s> {
    node: &'s mut Node,
}

impl<'de> DeserializeSeed<'de> for KeySeed<'_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for KeySeed<'_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key {\"time\", \"value\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let (mut time_s, mut value) = (None, None);
        while let Some(key) = items.next_key_seed(TextSeed)? {
            match key.as_str() {
                "time" | "times" => fill(&mut time_s, &key, items.next_value_seed(NumberSeed)?)?,
                "value" | "values" => {
                    fill(&mut value, &key, ())?;
                    let before = self.node.values.len();
                    let values = &mut self.node.values;
                    let take = &mut |value: f64| {
                        if values.len() - before >= TrackKind::Rotation.components() {
                            return Err("a value of more than 4 numbers".to_owned());
                        }
                        values.push(narrow(value)?);
                        Ok(())
                    };
                    items.next_value_seed(NumbersSeed { take, nested: false })?;
                }
                _ => pass_over(&mut items)?,
            }
        }
        let time_s = time_s.ok_or_else(|| A::Error::custom("the key has no \"time\""))?;
        value.ok_or_else(|| A::Error::custom("the key has no \"value\""))?;
        self.node.times_s.push(time_s);
        Ok(())
    }
}
