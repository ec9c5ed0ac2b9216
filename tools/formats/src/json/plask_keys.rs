//! The keys of a track of Plask's.

use super::plask_read::{Node, State};
use super::source::{NumberSeed, NumbersSeed, TextSeed, fill, narrow, pass_over};
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use sinew::TrackKind;
use std::fmt;

/// The keys of a track.
pub(super) struct KeysSeed<'s, 'a> {
    pub state: &'s mut State<'a>,
    pub node: &'s mut Node,
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
            state.motions.add(numbers.max(1))?;
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
