//! Animation clips of three.js to keyed tracks: the JSON of `AnimationClip`, alone, in a list, or in a whole object.

use super::choice::Choice;
use super::clip_to_keyed::split_name;
use super::keyed::{Interpolation, KeyedTrack, Moves, kind_of_width};
use super::source::{Lines, NumberSeed, NumbersSeed, TextSeed, fill, pass_over, push_within};
use super::three_values::{Values, ValuesSeed};
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

/// Numbers of three.js for how a track runs between keys.
const STEP: f64 = 2300.0;
const SMOOTH: f64 = 2302.0;

/// A clip as its JSON has it.
#[derive(Debug, Default)]
pub(super) struct ThreeDocument {
    pub name: Option<String>,
    pub uuid: Option<String>,
    pub tracks: Vec<KeyedTrack>,
}

/// Reads the clip that [`ReadOptions::asset`] names, or the only one.
pub(super) fn read_document(
    reader: &mut dyn BufRead,
    options: &ReadOptions,
) -> error::Result<(ThreeDocument, Vec<Note>)> {
    let line = Cell::new(1);
    let mut deserializer = serde_json::Deserializer::from_reader(Lines::new(reader, &line));
    let clips = Choice::new(Format::Three, options);
    let mut state = State { clips, left_out: LeftOut::default(), track: None, name: None };
    let read = ClipsSeed { state: &mut state, level: 0 }.deserialize(&mut deserializer);
    match read.and_then(|()| deserializer.end()) {
        Ok(()) => state.finish(),
        Err(error) => Err(state.clips.fault(&error, &state.spot())),
    }
}

struct State<'a> {
    clips: Choice<'a, (ThreeDocument, LeftOut)>,
    left_out: LeftOut,
    /// For messages: the track of its clip, and its name.
    track: Option<usize>,
    name: Option<String>,
}

/// Tracks of a clip that no clip of ours holds.
#[derive(Default)]
struct LeftOut {
    count: u64,
    first: String,
}

impl State<'_> {
    fn spot(&self) -> String {
        let Some(track) = self.track else { return String::new() };
        let clip = match self.clips.count() {
            0 => String::new(),
            number => format!("clip {number}, "),
        };
        let name = self.name.as_ref().map_or(String::new(), |name| format!(" ({})", named(name)));
        format!("{clip}track {track}{name}: ")
    }

    fn finish(mut self) -> error::Result<(ThreeDocument, Vec<Note>)> {
        let none = "no clip of three.js: there are no `tracks` and no `animations`";
        let (document, left_out) = self.clips.finish("clip", none)?;
        let mut notes = Vec::new();
        if self.clips.count() > 1 {
            let name = shown(document.name.as_deref().unwrap_or_default());
            notes.push(Note::info(format!("the clip is {name} of {}", self.clips.count())));
        }
        if left_out.count > 0 {
            notes.push(Note::loss(format!(
                "{} tracks that are no number, vector or quaternion, {} first",
                left_out.count,
                shown(&left_out.first)
            )));
        }
        Ok((document, notes))
    }
}

/// A clip, a list of clips, or an object with such a list as `animations`.
struct ClipsSeed<'s, 'a> {
    state: &'s mut State<'a>,
    level: usize,
}

impl<'de> DeserializeSeed<'de> for ClipsSeed<'_, '_> {
    type Value = ();
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ClipsSeed<'_, '_> {
    type Value = ();
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.level == 0 {
            "an object with `tracks` or a list of such"
        } else {
            "clips as objects"
        })
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let ClipsSeed { state, level } = self;
        if level > 1 {
            return Err(A::Error::custom("a list where a clip is expected"));
        }
        while items.next_element_seed(ClipsSeed { state: &mut *state, level: 2 })?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let ClipsSeed { state, level } = self;
        let mut clip = ThreeDocument::default();
        let (mut tracks, mut animations) = (None, None);
        while let Some(key) = items.next_key_seed(TextSeed)? {
            match key.as_str() {
                "name" => fill(&mut clip.name, &key, items.next_value_seed(TextSeed)?)?,
                "uuid" => fill(&mut clip.uuid, &key, items.next_value_seed(TextSeed)?)?,
                "tracks" => {
                    fill(&mut tracks, &key, ())?;
                    clip.tracks = items.next_value_seed(TracksSeed { state: &mut *state })?;
                }
                "animations" if level == 0 => {
                    fill(&mut animations, &key, ())?;
                    items.next_value_seed(ClipsSeed { state: &mut *state, level: 1 })?;
                }
                _ => pass_over(&mut items)?,
            }
        }
        match (tracks, animations) {
            (Some(()), None) => {
                let left_out = std::mem::take(&mut state.left_out);
                state.clips.take(clip.name.clone().unwrap_or_default(), (clip, left_out))
            }
            (Some(()), Some(())) => Err(A::Error::custom("\"tracks\" beside \"animations\"")),
            (None, Some(())) => Ok(()),
            (None, None) if level == 0 => Ok(()),
            (None, None) => Err(A::Error::custom("the clip has no \"tracks\"")),
        }
    }
}

struct TracksSeed<'s, 'a> {
    state: &'s mut State<'a>,
}

impl<'de> DeserializeSeed<'de> for TracksSeed<'_, '_> {
    type Value = Vec<KeyedTrack>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Vec<KeyedTrack>, D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for TracksSeed<'_, '_> {
    type Value = Vec<KeyedTrack>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of tracks")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Vec<KeyedTrack>, A::Error> {
        let TracksSeed { state } = self;
        let mut tracks = Vec::new();
        let mut names = HashSet::new();
        for number in 0.. {
            (state.track, state.name) = (Some(number), None);
            let Some(track) = items.next_element_seed(TrackSeed { state: &mut *state })? else { break };
            if names.len() >= state.clips.options.limits.max_components as usize {
                return Err(state.clips.limit("number of tracks"));
            }
            let Some(track) = track else { continue };
            if !names.insert(track.name()) {
                return Err(A::Error::custom("the track comes a second time"));
            }
            tracks.push(track);
        }
        (state.track, state.name) = (None, None);
        Ok(tracks)
    }
}

/// A track; nothing for one of texts or flags.
struct TrackSeed<'s, 'a> {
    state: &'s mut State<'a>,
}

impl<'de> DeserializeSeed<'de> for TrackSeed<'_, '_> {
    type Value = Option<KeyedTrack>;
    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for TrackSeed<'_, '_> {
    type Value = Option<KeyedTrack>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a track {\"name\", \"type\", \"times\", \"values\"}")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<Self::Value, A::Error> {
        let TrackSeed { state } = self;
        let (mut name, mut kind, mut number) = (None, None, None);
        let (mut times_s, mut values): (Option<Vec<f64>>, Option<Values>) = (None, None);
        while let Some(key) = items.next_key_seed(TextSeed)? {
            let room = state.clips.room();
            match key.as_str() {
                "name" => {
                    let text = items.next_value_seed(TextSeed)?;
                    state.name = Some(text.clone());
                    fill(&mut name, &key, text)?;
                }
                "type" => fill(&mut kind, &key, items.next_value_seed(TextSeed)?)?,
                "interpolation" => fill(&mut number, &key, items.next_value_seed(NumberSeed)?)?,
                "times" => {
                    let mut times = Vec::new();
                    let take = &mut |time_s: f64| push_within(&mut times, room, time_s);
                    let count = items.next_value_seed(NumbersSeed { take, nested: false });
                    if count.is_err() && times.len() as u64 >= room {
                        return Err(state.clips.limit("number of samples"));
                    }
                    count?;
                    fill(&mut times_s, &key, times)?;
                }
                "values" => {
                    let found = items.next_value_seed(ValuesSeed { room })?;
                    if found.too_many {
                        return Err(state.clips.limit("number of samples"));
                    }
                    state.clips.add(found.numbers.len())?;
                    fill(&mut values, &key, found)?;
                }
                _ => pass_over(&mut items)?,
            }
        }
        let missing = |what: &str| A::Error::custom(format_args!("the track has no {what:?}"));
        let name = name.ok_or_else(|| missing("name"))?;
        let values = values.ok_or_else(|| missing("values"))?;
        let times_s = times_s.ok_or_else(|| missing("times"))?;
        let Some(kind) = kind_of(kind.as_deref(), &name, times_s.len(), &values).map_err(A::Error::custom)?
        else {
            if state.left_out.count == 0 {
                state.left_out.first = name;
            }
            state.left_out.count += 1;
            return Ok(None);
        };
        let (node, property) = split_name(&name);
        let moves = match (property, kind) {
            ("position", TrackKind::Vector) => Moves::Position,
            ("quaternion", TrackKind::Rotation) => Moves::Rotation,
            _ => Moves::Other,
        };
        let interpolation = match number {
            Some(STEP) => Interpolation::Step,
            Some(SMOOTH) => Interpolation::Smooth,
            _ => Interpolation::Linear,
        };
        let (node, property) = (node.to_owned(), property.to_owned());
        Ok(Some(KeyedTrack { node, property, moves, kind, times_s, values: values.numbers, interpolation }))
    }
}

/// The kind of track that a type and its numbers make; nothing for one that is left out.
fn kind_of(
    kind: Option<&str>,
    name: &str,
    keys: usize,
    values: &Values,
) -> Result<Option<TrackKind>, String> {
    let told = match kind.map(str::to_ascii_lowercase).as_deref() {
        Some("quaternion") => Some(4),
        Some("vector" | "vector3" | "color") => Some(3),
        Some("number" | "scalar") => Some(1),
        Some(_) => return Ok(None),
        // Without a type the numbers tell.
        None => None,
    };
    if values.others > 0 {
        return match told {
            Some(_) => Err(format!("value {} is no number", values.first_other)),
            None => Ok(None),
        };
    }
    let numbers = values.numbers.len();
    let usual = match name.rsplit('.').next() {
        Some("quaternion") => 4,
        Some("position" | "scale") => 3,
        _ => 1,
    };
    let width = match keys {
        0 => told.unwrap_or(usual),
        _ if numbers.is_multiple_of(keys) => numbers / keys,
        _ => return Err(format!("{keys} times and {numbers} numbers as values")),
    };
    if keys == 0 && numbers > 0 {
        return Err(format!("no times and {numbers} numbers as values"));
    }
    if told == Some(4) && width != 4 {
        return Err(format!("{keys} times and {numbers} numbers as values of quaternions"));
    }
    // Influences of several morph targets, vectors of two numbers: nothing that a track holds.
    Ok(kind_of_width(width).filter(|_| told.is_none_or(|told| told == width)))
}
