//! Builds curves from the fields that the reader meets, and checks each key and curve when it is complete.

use super::document::{Binding, CLASS_TRANSFORM, Curve, Key};
use super::lines::Line;
use super::nesting::{Field, Level, Nesting};
use super::packed::{PackedCurve, Property};
use super::{fault, number, text};
use crate::error::{Error, Result};
use sinew::DecodeLimits;
use std::rc::Rc;

/// Depth of the levels within a list of curves, counted from the document's.
const CURVE_ITEM: usize = 2;
const CURVE_FIELD: usize = 3;
const SHAPE_FIELD: usize = 4;
const KEY_ITEM: usize = 5;
const KEY_FIELD: usize = 6;

/// What a field has wrong; its name and line are added by the caller.
type FieldResult = std::result::Result<(), String>;

/// What the curves of a file may take together.
pub(super) struct Budget {
    curves: u64,
    samples: u64,
}

impl Budget {
    pub fn new(limits: &DecodeLimits) -> Budget {
        Budget { curves: u64::from(limits.max_components), samples: limits.max_samples }
    }

    fn take_curve(&mut self) -> Result<()> {
        self.curves = self.curves.checked_sub(1).ok_or(limit("number of curves"))?;
        Ok(())
    }

    fn take_key(&mut self, components: u64) -> Result<()> {
        self.samples = self.samples.checked_sub(components).ok_or(limit("number of keys"))?;
        Ok(())
    }
}

fn limit(what: &'static str) -> Error {
    sinew::Error::LimitExceeded { what }.into()
}

/// What becomes of the complete curves of a list.
pub(super) enum Kept<const N: usize> {
    /// They stay as they are.
    Whole(Vec<Curve<N>>),
    /// They are packed at once, so that one curve at a time has all its keys in memory.
    Packed { curves: Vec<PackedCurve>, property: Property, times_s: Rc<[f32]> },
    /// They are checked and dropped.
    Dropped,
}

impl<const N: usize> Kept<N> {
    /// Curves that are packed as they come.
    pub fn packed(property: Property) -> Kept<N> {
        Kept::Packed { curves: Vec::new(), property, times_s: Rc::from([]) }
    }

    /// Takes a complete curve and gives back the memory of its keys, where nothing else uses it.
    fn take(&mut self, curve: Curve<N>) -> Vec<Key<N>> {
        match self {
            Kept::Whole(curves) => {
                curves.push(curve);
                return Vec::new();
            }
            Kept::Packed { curves, property, times_s } => {
                curves.push(PackedCurve::pack(&curve, *property, times_s));
            }
            Kept::Dropped => {}
        }
        curve.keys
    }

    /// The curves as they are; none if they were packed.
    pub fn whole(self) -> Vec<Curve<N>> {
        match self {
            Kept::Whole(curves) => curves,
            Kept::Packed { .. } | Kept::Dropped => Vec::new(),
        }
    }

    /// The packed curves.
    pub fn into_packed(self) -> Vec<PackedCurve> {
        match self {
            Kept::Packed { curves, .. } => curves,
            Kept::Whole(_) | Kept::Dropped => Vec::new(),
        }
    }
}

/// A list of curves being read.
pub(super) struct CurveList<const N: usize> {
    /// The complete curves.
    pub kept: Kept<N>,
    /// Whether the curves name the property that they move.
    named: bool,
    /// The curve that is not complete yet.
    curve: Option<Curve<N>>,
    /// Memory for the next curve's keys.
    spare_keys: Vec<Key<N>>,
    /// First line of the curve and of the key that are not complete yet.
    curve_line: Option<u64>,
    key_line: Option<u64>,
    has_time: bool,
    has_value: bool,
}

/// What the reader does with a list, whatever its number of components.
pub(super) trait CurveEvents {
    /// Takes a line within the list.
    fn line(&mut self, line: &Line<'_>, place: &Nesting, budget: &mut Budget) -> Result<()>;
    /// The list is complete.
    fn finish(&mut self) -> Result<()>;
}

impl<const N: usize> CurveList<N> {
    pub fn new(kept: Kept<N>, named: bool) -> CurveList<N> {
        CurveList {
            kept,
            named,
            curve: None,
            spare_keys: Vec::new(),
            curve_line: None,
            key_line: None,
            has_time: false,
            has_value: false,
        }
    }

    fn start_curve(&mut self, line: u64, budget: &mut Budget) -> Result<()> {
        self.finish()?;
        budget.take_curve()?;
        let class_id = if self.named { 0 } else { CLASS_TRANSFORM };
        let mut keys = std::mem::take(&mut self.spare_keys);
        keys.clear();
        self.curve = Some(Curve { keys, ..Curve::new(Binding { class_id, ..Binding::default() }) });
        self.curve_line = Some(line);
        Ok(())
    }

    fn start_key(&mut self, line: u64, budget: &mut Budget) -> Result<()> {
        self.finish_key()?;
        budget.take_key(N as u64)?;
        if let Some(curve) = &mut self.curve {
            curve.keys.push(Key::level(0.0, [0.0; N]));
            self.key_line = Some(line);
            (self.has_time, self.has_value) = (false, false);
        }
        Ok(())
    }

    fn finish_key(&mut self) -> Result<()> {
        let Some(line) = self.key_line.take() else { return Ok(()) };
        if !self.has_time || !self.has_value {
            let what = if self.has_time { "value" } else { "time" };
            return Err(fault(line, format!("a key without {what}")));
        }
        let keys = self.curve.as_ref().map_or(&[][..], |curve| &curve.keys);
        if let [.., before, last] = keys
            && last.time_s < before.time_s
        {
            let what = format!("a key at {} s after one at {} s", last.time_s, before.time_s);
            return Err(fault(line, what));
        }
        Ok(())
    }

    fn curve_field(&mut self, line: &Line<'_>, field: Field) -> FieldResult {
        let Some(curve) = &mut self.curve else { return Ok(()) };
        match field {
            // What a transform's curve moves, its list says.
            Field::Attribute | Field::ClassId | Field::Script if !self.named => {}
            Field::Attribute => curve.binding.attribute = text::read(line.value)?,
            Field::Path => curve.binding.path = text::read(line.value)?,
            Field::ClassId => curve.binding.class_id = number::integer(line.value)?,
            Field::Curve if !line.value.is_empty() => {
                return Err(format!("{} where a curve's fields are needed", number::shown(line.value)));
            }
            Field::Script if line.value == "{fileID: 0}" => {}
            Field::Script if !text::is_reference(line.value) => {
                return Err(format!("{} is no reference to a script", number::shown(line.value)));
            }
            Field::Script => curve.binding.script = Some(line.value.to_owned()),
            // The newer editor's marks and the layout's version change nothing of a curve.
            _ => {}
        }
        Ok(())
    }

    fn shape_field(&mut self, line: &Line<'_>, field: Field) -> FieldResult {
        let Some(curve) = &mut self.curve else { return Ok(()) };
        match field {
            Field::PreInfinity => curve.pre_infinity = number::integer(line.value)?,
            Field::PostInfinity => curve.post_infinity = number::integer(line.value)?,
            Field::RotationOrder => curve.rotation_order = number::integer(line.value)?,
            Field::Keys if !matches!(line.value, "" | "[]") => {
                return Err(format!("{} where keys are listed", number::shown(line.value)));
            }
            _ => {}
        }
        Ok(())
    }

    fn key_field(&mut self, line: &Line<'_>, field: Field) -> FieldResult {
        let Some(key) = self.curve.as_mut().and_then(|curve| curve.keys.last_mut()) else { return Ok(()) };
        let text = line.value;
        match field {
            Field::Time => {
                key.time_s = number::finite(text)?;
                self.has_time = true;
            }
            Field::Value => {
                key.value = number::components(text, number::finite)?;
                self.has_value = true;
            }
            Field::InSlope => key.in_slope = number::components(text, number::slope)?,
            Field::OutSlope => key.out_slope = number::components(text, number::slope)?,
            Field::TangentMode => key.tangent_mode = number::integer(text)?,
            Field::WeightedMode => {
                key.weighted_mode = u8::try_from(number::integer(text)?)
                    .ok()
                    .filter(|&mode| mode <= 3)
                    .ok_or_else(|| format!("{} is no weighted mode", number::shown(text)))?;
            }
            Field::InWeight => key.in_weight = number::components(text, number::finite)?,
            Field::OutWeight => key.out_weight = number::components(text, number::finite)?,
            _ => {}
        }
        Ok(())
    }
}

impl<const N: usize> CurveEvents for CurveList<N> {
    fn line(&mut self, line: &Line<'_>, place: &Nesting, budget: &mut Budget) -> Result<()> {
        let depth = place.depth();
        let named = |what: String| {
            let field = if line.key.is_empty() { "list item" } else { line.key };
            fault(line.number, format!("{field}: {what}"))
        };
        if line.key.is_empty() && !(line.value.is_empty() && line.dash.is_some()) {
            return Err(fault(
                line.number,
                format!("{} where `field: value` is needed", number::shown(line.value)),
            ));
        }
        let item = if line.key.is_empty() { depth - 1 } else { depth.saturating_sub(2) };
        if line.dash.is_some() && item == CURVE_ITEM {
            self.start_curve(line.number, budget)?;
        } else if self.curve_line.is_none() && depth > CURVE_ITEM {
            return Err(fault(line.number, format!("{} outside of any curve", number::shown(line.key))));
        }
        if place.level(CURVE_ITEM) != Some(Level::Item) {
            return Err(fault(line.number, format!("{} beside the curves", number::shown(line.key))));
        }
        let in_keys = place.field(CURVE_FIELD) == Some(Field::Curve)
            && place.field(SHAPE_FIELD) == Some(Field::Keys)
            && depth > KEY_ITEM;
        if in_keys && place.level(KEY_ITEM) != Some(Level::Item) {
            return Err(fault(line.number, format!("{} beside the keys", number::shown(line.key))));
        }
        if line.dash.is_some() && item == KEY_ITEM && in_keys {
            self.start_key(line.number, budget)?;
        }
        match depth.checked_sub(1) {
            Some(CURVE_FIELD) => {
                self.finish_key()?;
                place.field(CURVE_FIELD).map_or(Ok(()), |field| self.curve_field(line, field)).map_err(named)
            }
            Some(SHAPE_FIELD) if place.field(CURVE_FIELD) == Some(Field::Curve) => {
                self.finish_key()?;
                place.field(SHAPE_FIELD).map_or(Ok(()), |field| self.shape_field(line, field)).map_err(named)
            }
            Some(KEY_FIELD) if in_keys && self.key_line.is_some() => {
                place.field(KEY_FIELD).map_or(Ok(()), |field| self.key_field(line, field)).map_err(named)
            }
            _ => Ok(()),
        }
    }

    fn finish(&mut self) -> Result<()> {
        self.finish_key()?;
        let Some(line) = self.curve_line.take() else { return Ok(()) };
        let Some(curve) = self.curve.take() else { return Ok(()) };
        if self.named && curve.binding.attribute.is_empty() {
            return Err(fault(line, "a curve without an attribute: it moves nothing"));
        }
        self.spare_keys = self.kept.take(curve);
        Ok(())
    }
}
