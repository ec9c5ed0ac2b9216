//! Plask's JSON to its document, value by value as the text comes.
//!
//! `{"result": [{"motionNumber": 0, "trackData": [{"boneName", "fps", "property", "transformKeys": [{"frame", "time",
//! "value": []}]}]}], "id": "", "workingtime": 0}`. Lists may be called `data`, keys `times` and `values` as well, a
//! track may have one list of each, a value may be a bare number, and the outer levels may be left out.

use super::bones::plask_bone;
use super::choice::Choice;
use super::keyed::{Interpolation, KeyedTrack, Moves, kind_of_width};
use super::plask_document::PlaskDocument;
use super::plask_keys::KeysSeed;
use super::source::{Lines, NumberSeed, NumbersSeed, TextSeed, fill, narrow, pass_over, push_within};
use crate::error;
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

impl PlaskDocument {
    /// Reads the motion that [`ReadOptions::asset`] names by its number, or the only one.
    ///
    /// # Errors
    /// [`Error::Format`](crate::Error::Format) for text that is no such JSON, with its line, motion, track and key, and where a choice of
    /// motions is needed; [`Error::Codec`](crate::Error::Codec) beyond
    /// [`ReadOptions::limits`]; [`Error::Io`](crate::Error::Io).
    pub fn read(
        reader: &mut dyn BufRead,
        options: &ReadOptions,
    ) -> error::Result<(PlaskDocument, Vec<Note>)> {
        let line = Cell::new(1);
        let mut deserializer = serde_json::Deserializer::from_reader(Lines::new(reader, &line));
        let mut state = State::new(options);
        let read = NodeSeed { state: &mut state, level: 0 }.deserialize(&mut deserializer);
        let finished = read.and_then(|top| deserializer.end().map(|()| top));
        match finished.and_then(|top| state.take_rest(top)) {
            Ok(top) => state.finish(top),
            Err(error) => Err(state.motions.fault(&error, &state.spot())),
        }
    }
}

/// What has been read, and where reading is.
pub(super) struct State<'a> {
    pub motions: Choice<'a, PlaskDocument>,
    fields_left_out: u64,
    /// For messages: the track of its list, what is known of it, the key of the track.
    track: Option<usize>,
    bone: Option<String>,
    property: Option<String>,
    pub key: Option<usize>,
}

impl<'a> State<'a> {
    fn new(options: &'a ReadOptions) -> State<'a> {
        let motions = Choice::new(Format::Plask, options);
        State { motions, fields_left_out: 0, track: None, bone: None, property: None, key: None }
    }

    /// Where reading is, for a message.
    fn spot(&self) -> String {
        let Some(track) = self.track else { return String::new() };
        let motion = match self.motions.count() {
            0 => String::new(),
            number => format!("motion {number}, "),
        };
        let parts: Vec<String> =
            [&self.bone, &self.property].into_iter().flatten().map(|part| named(part)).collect();
        let name = if parts.is_empty() { String::new() } else { format!(" ({})", parts.join(".")) };
        let key = self.key.map_or(String::new(), |key| format!(", key {key}"));
        format!("{motion}track {track}{name}{key}: ")
    }

    /// Takes a whole motion.
    fn take_motion<E: serde::de::Error>(&mut self, motion: PlaskDocument) -> Result<(), E> {
        let number = motion.motion.clone().unwrap_or_else(|| self.motions.count().to_string());
        self.motions.take(number, motion)
    }

    /// Takes what stands in the file without being within a motion.
    fn take_rest(&mut self, mut top: Node) -> serde_json::Result<Node> {
        if top.is_track() {
            return Err(serde::de::Error::custom(
                "the file is a single track; expected `result` with `trackData`",
            ));
        }
        if top.has_children && (!top.tracks.is_empty() || self.motions.count() == 0) {
            let (motion, tracks) = (top.motion.take(), std::mem::take(&mut top.tracks));
            self.take_motion(PlaskDocument { motion, tracks, fps: top.fps, ..PlaskDocument::default() })?;
        }
        Ok(top)
    }

    fn finish(mut self, top: Node) -> error::Result<(PlaskDocument, Vec<Note>)> {
        let none = match top.has_children {
            true => "there is no motion",
            false => {
                "no Plask JSON: there is no `result` or `data`, and no `trackData` (--from three or --from muscles reads \
                 other JSON)"
            }
        };
        let mut document = self.motions.finish("motion", none)?;
        document.id = top.id;
        document.working_time_s = top.working_time_s;
        let mut notes = Vec::new();
        if self.motions.count() > 1 {
            let number = self.motions.options.asset.as_deref().unwrap_or_default();
            notes.push(Note::info(format!("the motion is {} of {}", shown(number), self.motions.count())));
        }
        if self.fields_left_out > 0 {
            notes.push(Note::info(format!(
                "{} fields of no known name are passed over",
                self.fields_left_out
            )));
        }
        Ok((document, notes))
    }
}

/// An object of any level: the answer, a motion, or a track.
#[derive(Default)]
pub(super) struct Node {
    has_children: bool,
    tracks: Vec<KeyedTrack>,
    motion: Option<String>,
    id: Option<String>,
    working_time_s: Option<f64>,
    bone: Option<String>,
    property: Option<String>,
    fps: Option<f64>,
    keys: Option<()>,
    pub times_s: Vec<f64>,
    pub values: Vec<f32>,
    /// Numbers in each value, where the file says.
    pub width: Option<usize>,
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
        // Of other nodes nobody knows what a property is.
        let expected = match property.as_str() {
            _ if plask_bone(&node).is_none() => None,
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
            ("position", TrackKind::Vector) => Moves::Position,
            ("rotationQuaternion" | "quaternion", TrackKind::Rotation) => Moves::Rotation,
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
                    let room = state.motions.room();
                    let take = &mut |time_s: f64| push_within(&mut node.times_s, room, time_s);
                    let count = items.next_value_seed(NumbersSeed { take, nested: false });
                    if count.is_err() && node.times_s.len() as u64 >= room {
                        return Err(state.motions.limit("number of samples"));
                    }
                    count?;
                }
                "values" | "value" => {
                    fill(&mut values, &key, ())?;
                    let room = state.motions.room();
                    let take = &mut |value: f64| push_within(&mut node.values, room, narrow(value)?);
                    let count = items.next_value_seed(NumbersSeed { take, nested: true });
                    if count.is_err() && node.values.len() as u64 >= room {
                        return Err(state.motions.limit("number of samples"));
                    }
                    state.motions.add(count?)?;
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
                if names.len() >= state.motions.options.limits.max_components as usize {
                    return Err(state.motions.limit("number of tracks"));
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
