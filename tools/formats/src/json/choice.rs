//! One of several motions in a file: the one that is asked for, or the only one; and how much all of it may be.

use super::source::fault;
use crate::error::{Error, Place, Result};
use crate::load::ReadOptions;
use crate::quote::shown;
use crate::registry::Format;

/// Most names that a message lists.
const MAX_SHOWN: usize = 20;
/// Most motions of a file.
const MAX_MOTIONS: usize = 4096;

/// The motions that went by, and the one that may be meant: never two that are whole.
pub(super) struct Choice<'a, T> {
    pub options: &'a ReadOptions,
    format: Format,
    /// Samples of what is kept and what is being read.
    samples: u64,
    held_samples: u64,
    /// The limit that was exceeded.
    beyond: Option<&'static str>,
    names: Vec<String>,
    held: Option<T>,
    meant: usize,
}

impl<'a, T> Choice<'a, T> {
    pub fn new(format: Format, options: &'a ReadOptions) -> Choice<'a, T> {
        Choice {
            options,
            format,
            samples: 0,
            held_samples: 0,
            beyond: None,
            names: Vec::new(),
            held: None,
            meant: 0,
        }
    }

    /// How many motions went by.
    pub fn count(&self) -> usize {
        self.names.len()
    }

    /// How many more samples there may be.
    pub fn room(&self) -> u64 {
        self.options.limits.max_samples.saturating_sub(self.samples)
    }

    /// Counts samples.
    pub fn add<E: serde::de::Error>(&mut self, count: usize) -> std::result::Result<(), E> {
        self.samples += count as u64;
        if self.samples > self.options.limits.max_samples {
            return Err(self.limit("number of samples"));
        }
        Ok(())
    }

    /// The error for more than a limit allows.
    pub fn limit<E: serde::de::Error>(&mut self, what: &'static str) -> E {
        self.beyond = Some(what);
        E::custom("beyond the limit")
    }

    /// Takes a whole motion, to be kept if it may be the one that is meant.
    pub fn take<E: serde::de::Error>(&mut self, name: String, motion: T) -> std::result::Result<(), E> {
        if self.names.len() >= MAX_MOTIONS {
            return Err(self.limit("number of motions"));
        }
        let is_meant = self.options.asset.as_ref().is_none_or(|wanted| *wanted == name);
        self.names.push(name);
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

    /// An error of the parser in `context`, or that of the limit that made it.
    pub fn fault(&self, error: &serde_json::Error, context: &str) -> Error {
        match self.beyond {
            Some(what) => sinew::Error::LimitExceeded { what }.into(),
            None => fault(self.format, error, context),
        }
    }

    /// The motion that was meant. `what` motions are called, `none` is said where there is none.
    ///
    /// # Errors
    /// [`Error::Format`] that lists what there is.
    pub fn finish(&mut self, what: &str, none: &str) -> Result<T> {
        self.held.take().ok_or_else(|| {
            let text = self.refusal(what, none);
            Error::format(self.format, Place::File, text)
        })
    }

    fn refusal(&self, what: &str, none: &str) -> String {
        let names: Vec<String> = self.names.iter().take(MAX_SHOWN).map(|name| shown(name)).collect();
        let more = match self.names.len().saturating_sub(MAX_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let list = if names.is_empty() { "none".to_owned() } else { format!("{}{more}", names.join(", ")) };
        let count = self.names.len();
        match &self.options.asset {
            _ if count == 0 => none.to_owned(),
            None => format!("{count} {what}s, of which `sinew convert --asset NAME` reads one: {list}"),
            Some(wanted) if self.meant > 1 => format!("{} {what}s are called {}", self.meant, shown(wanted)),
            Some(wanted) => format!("no {what} is called {}; there are {list}", shown(wanted)),
        }
    }
}
