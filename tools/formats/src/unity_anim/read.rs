//! Reads a text `.anim` into a document, line by line.

use super::document::{AnimDocument, LeftOut};
use super::lines::{Line, Lines};
use super::nesting::{Field, Level, Nesting};
use super::packed::Property;
use super::read_curve::{Budget, CurveEvents, CurveList, Kept};
use super::to_clip::{PackedDocument, has_humanoid};
use super::{fault, number, text};
use crate::error::Result;
use crate::quote;
use sinew::DecodeLimits;
use std::io::BufRead;

/// Longest name of an unknown field that is kept.
const MAX_NAME_BYTES: usize = 80;

struct Reader {
    document: AnimDocument,
    lists: Lists,
    budget: Budget,
    /// The top-level field whose lines follow.
    section: Option<Field>,
    has_sample_rate: bool,
}

struct Lists {
    rotation: CurveList<4>,
    euler: CurveList<3>,
    position: CurveList<3>,
    scale: CurveList<3>,
    float: CurveList<1>,
    editor: CurveList<1>,
}

impl Lists {
    /// Lists that keep their curves as the file has them.
    fn whole() -> Lists {
        Lists {
            rotation: CurveList::new(Kept::Whole(Vec::new()), false),
            euler: CurveList::new(Kept::Whole(Vec::new()), false),
            position: CurveList::new(Kept::Whole(Vec::new()), false),
            scale: CurveList::new(Kept::Whole(Vec::new()), false),
            float: CurveList::new(Kept::Whole(Vec::new()), true),
            editor: CurveList::new(Kept::Whole(Vec::new()), true),
        }
    }

    /// Lists that keep what evaluation needs.
    fn packed() -> Lists {
        Lists {
            rotation: CurveList::new(Kept::packed(Property::Rotation), false),
            euler: CurveList::new(Kept::packed(Property::Euler), false),
            position: CurveList::new(Kept::packed(Property::Position), false),
            scale: CurveList::new(Kept::packed(Property::Scale), false),
            float: CurveList::new(Kept::packed(Property::Float), true),
            editor: CurveList::new(Kept::packed(Property::Float), true),
        }
    }

    /// The editor's curves are a copy, of use only where the curves proper have no humanoid.
    fn drop_needless_copy(&mut self) {
        if let Kept::Packed { curves, .. } = &self.float.kept
            && has_humanoid(curves)
        {
            self.editor.kept = Kept::Dropped;
        }
    }

    /// The list that a top-level field holds.
    fn of(&mut self, section: Field) -> Option<&mut dyn CurveEvents> {
        Some(match section {
            Field::RotationCurves => &mut self.rotation,
            Field::EulerCurves => &mut self.euler,
            Field::PositionCurves => &mut self.position,
            Field::ScaleCurves => &mut self.scale,
            Field::FloatCurves => &mut self.float,
            Field::EditorCurves => &mut self.editor,
            _ => return None,
        })
    }
}

impl AnimDocument {
    /// Reads the first animation clip of a text `.anim`, of any version since Unity 4.
    ///
    /// # Errors
    /// [`Error::Format`](crate::Error::Format) with the line for anything but a complete clip as text;
    /// [`Error::Codec`](crate::Error::Codec) with a limit if there are more curves than
    /// [`DecodeLimits::max_components`] or more numbers in keys than [`DecodeLimits::max_samples`].
    pub fn read(source: &mut dyn BufRead, limits: &DecodeLimits) -> Result<AnimDocument> {
        Ok(Reader::new(Lists::whole(), limits).read(source)?.into_document())
    }
}

impl PackedDocument {
    /// Reads what a clip needs of a text `.anim`, with the errors of [`AnimDocument::read`].
    pub fn read(source: &mut dyn BufRead, limits: &DecodeLimits) -> Result<PackedDocument> {
        Ok(Reader::new(Lists::packed(), limits).read(source)?.into_packed())
    }
}

impl Reader {
    fn read(mut self, source: &mut dyn BufRead) -> Result<Reader> {
        require_text(source)?;
        let mut lines = Lines::new(source)?;
        let mut place = Nesting::default();
        let (mut clips, mut other_root, mut last_line) = (0u64, None, 1);
        while let Some(line) = lines.next()? {
            last_line = line.number;
            if line.column == 0 && line.key.is_empty() {
                // A directive, or the start or end of a document.
                if !["---", "%", "..."].iter().any(|start| line.value.starts_with(start)) {
                    return Err(fault(
                        line.number,
                        format!("{} outside of any field", number::shown(line.value)),
                    ));
                }
                place.clear();
                continue;
            }
            place.enter(&line);
            if place.root_column() != Some(0) {
                return Err(fault(line.number, "an indented line outside of any document"));
            }
            if place.depth() == 1 {
                match place.field(0) {
                    Some(Field::AnimationClip) => clips += 1,
                    _ if other_root.is_none() => other_root = Some(number::shown(line.key)),
                    _ => {}
                }
            } else if place.field(0) == Some(Field::AnimationClip) && clips == 1 {
                self.line(&line, &place)?;
            }
            if clips == 2 {
                // One clip a file is read; the second is told of.
                let field = "AnimationClip".to_owned();
                self.document.left_out.insert(0, LeftOut { line: last_line, field, items: 0, known: true });
                self.document.left_out.truncate(AnimDocument::MAX_LEFT_OUT);
                break;
            }
        }
        if clips == 0 {
            let found = other_root.map_or(String::new(), |name| format!(" but {name}"));
            return Err(fault(last_line, format!("the file holds no AnimationClip{found}")));
        }
        self.finish(last_line)
    }
}

/// Refuses what is not text before it is taken for lines.
fn require_text(source: &mut dyn BufRead) -> Result<()> {
    let head = source.fill_buf()?;
    if head.is_empty() {
        return Err(fault(1, "the file is empty"));
    }
    let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head);
    let starts: [&[u8]; 4] = [b"%YAML", b"---", b"#", b"AnimationClip:"];
    // A pipe may give fewer bytes at first than the longest start has.
    if starts.iter().any(|start| head.starts_with(start) || start.starts_with(head)) {
        return Ok(());
    }
    Err(fault(
        1,
        "no %YAML text: a binary asset is not read (in Unity: Project Settings, Editor, Asset Serialization, Force Text)",
    ))
}

impl Reader {
    fn new(lists: Lists, limits: &DecodeLimits) -> Reader {
        Reader {
            document: AnimDocument::default(),
            lists,
            budget: Budget::new(limits),
            section: None,
            has_sample_rate: false,
        }
    }

    fn line(&mut self, line: &Line<'_>, place: &Nesting) -> Result<()> {
        let Some(field) = place.field(1) else { return Ok(()) };
        if place.depth() == 2 && line.dash.is_none() {
            return self.top_field(line, field);
        }
        if field == Field::Settings {
            if place.depth() == 3 && line.dash.is_none() {
                return self.setting(line, place.field(2));
            }
            return Ok(());
        }
        match self.lists.of(field) {
            Some(list) => list.line(line, place, &mut self.budget),
            None => {
                self.count_item(line, place);
                Ok(())
            }
        }
    }

    fn top_field(&mut self, line: &Line<'_>, field: Field) -> Result<()> {
        self.end_section()?;
        self.section = Some(field);
        if field == Field::EditorCurves {
            self.lists.drop_needless_copy();
        }
        let named = |what: String| fault(line.number, format!("{}: {what}", quote::named(line.key)));
        match field {
            Field::Name => self.document.name = text::read(line.value).map_err(named)?,
            Field::Legacy => self.document.legacy |= number::integer(line.value).map_err(named)? == 1,
            // Before there was m_Legacy: 1 legacy, 2 generic, 3 humanoid.
            Field::AnimationType => self.document.legacy |= number::integer(line.value).map_err(named)? == 1,
            Field::WrapMode => self.document.wrap_mode = number::integer(line.value).map_err(named)?,
            Field::SampleRate => {
                self.document.sample_rate_hz = number::finite(line.value).map_err(named)?;
                // Cut within the digits, the number would be another one.
                self.has_sample_rate = !line.unended;
            }
            Field::MuscleClip
            | Field::CompressedRotationCurves
            | Field::PPtrCurves
            | Field::Events
            | Field::Unknown
                if !matches!(line.value, "[]" | "{}") =>
            {
                self.leave_out(line, field != Field::Unknown);
            }
            _ if self.lists.of(field).is_some() && !matches!(line.value, "" | "[]") => {
                return Err(named(format!("{} where curves are listed", number::shown(line.value))));
            }
            _ => {}
        }
        Ok(())
    }

    fn setting(&mut self, line: &Line<'_>, field: Option<Field>) -> Result<()> {
        let known = self
            .document
            .settings
            .set(line.key, line.value)
            .map_err(|what| fault(line.number, format!("{}: {what}", quote::named(line.key))))?;
        if !known && !matches!(field, Some(Field::SerializedVersion | Field::AdditiveClip)) {
            self.leave_out(line, false);
        }
        Ok(())
    }

    fn leave_out(&mut self, line: &Line<'_>, known: bool) {
        let left_out = &mut self.document.left_out;
        if left_out.len() < AnimDocument::MAX_LEFT_OUT {
            let end = line.key.char_indices().map(|(at, _)| at).find(|&at| at >= MAX_NAME_BYTES);
            let field = line.key[..end.unwrap_or(line.key.len())].to_owned();
            left_out.push(LeftOut { line: line.number, field, items: 0, known });
        }
    }

    /// Counts the items of a list that is left out.
    fn count_item(&mut self, line: &Line<'_>, place: &Nesting) {
        let item = if line.key.is_empty() { place.depth() - 1 } else { place.depth().saturating_sub(2) };
        let counts =
            matches!(self.section, Some(Field::PPtrCurves | Field::Events | Field::CompressedRotationCurves));
        if counts
            && line.dash.is_some()
            && item == 2
            && place.level(2) == Some(Level::Item)
            && let Some(last) = self.document.left_out.last_mut()
        {
            last.items += 1;
        }
    }

    fn end_section(&mut self) -> Result<()> {
        let section = self.section.take();
        section.and_then(|field| self.lists.of(field)).map_or(Ok(()), |list| list.finish())
    }

    fn finish(mut self, last_line: u64) -> Result<Reader> {
        self.end_section()?;
        if !self.has_sample_rate {
            return Err(fault(last_line, "the file ends without m_SampleRate: it is cut or no whole clip"));
        }
        Ok(self)
    }

    fn into_document(self) -> AnimDocument {
        AnimDocument {
            rotation_curves: self.lists.rotation.kept.whole(),
            euler_curves: self.lists.euler.kept.whole(),
            position_curves: self.lists.position.kept.whole(),
            scale_curves: self.lists.scale.kept.whole(),
            float_curves: self.lists.float.kept.whole(),
            editor_curves: self.lists.editor.kept.whole(),
            ..self.document
        }
    }

    fn into_packed(self) -> PackedDocument {
        let mut curves = self.lists.rotation.kept.into_packed();
        curves.extend(self.lists.euler.kept.into_packed());
        curves.extend(self.lists.position.kept.into_packed());
        curves.extend(self.lists.scale.kept.into_packed());
        curves.extend(self.lists.float.kept.into_packed());
        PackedDocument { head: self.document, curves, editor_curves: self.lists.editor.kept.into_packed() }
    }
}
