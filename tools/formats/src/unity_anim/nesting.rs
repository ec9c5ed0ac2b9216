//! Where a line stands: the fields and list items around it, told by columns alone, in a stack of fixed depth.

use super::lines::Line;

macro_rules! fields {
    ($($field:ident = $name:literal,)*) => {
        /// The fields that the reader knows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum Field {
            $($field,)*
            /// Any other.
            Unknown,
        }

        impl Field {
            fn of_name(name: &str) -> Field {
                match name {
                    $($name => Field::$field,)*
                    _ => Field::Unknown,
                }
            }
        }
    };
}

fields! {
    // Those of a key first: nearly all lines are theirs.
    Time = "time",
    Value = "value",
    InSlope = "inSlope",
    OutSlope = "outSlope",
    TangentMode = "tangentMode",
    WeightedMode = "weightedMode",
    InWeight = "inWeight",
    OutWeight = "outWeight",
    SerializedVersion = "serializedVersion",
    Curve = "curve",
    Keys = "m_Curve",
    PreInfinity = "m_PreInfinity",
    PostInfinity = "m_PostInfinity",
    RotationOrder = "m_RotationOrder",
    Attribute = "attribute",
    Path = "path",
    ClassId = "classID",
    Script = "script",
    Flags = "flags",
    AnimationClip = "AnimationClip",
    Name = "m_Name",
    Legacy = "m_Legacy",
    AnimationType = "m_AnimationType",
    RotationCurves = "m_RotationCurves",
    CompressedRotationCurves = "m_CompressedRotationCurves",
    EulerCurves = "m_EulerCurves",
    PositionCurves = "m_PositionCurves",
    ScaleCurves = "m_ScaleCurves",
    FloatCurves = "m_FloatCurves",
    PPtrCurves = "m_PPtrCurves",
    EditorCurves = "m_EditorCurves",
    EulerEditorCurves = "m_EulerEditorCurves",
    SampleRate = "m_SampleRate",
    WrapMode = "m_WrapMode",
    Settings = "m_AnimationClipSettings",
    AdditiveClip = "m_AdditiveReferencePoseClip",
    BindingConstant = "m_ClipBindingConstant",
    MuscleClip = "m_MuscleClip",
    MuscleClipSize = "m_MuscleClipSize",
    Events = "m_Events",
    Bounds = "m_Bounds",
    ObjectHideFlags = "m_ObjectHideFlags",
    CorrespondingSource = "m_CorrespondingSourceObject",
    PrefabInstance = "m_PrefabInstance",
    PrefabAsset = "m_PrefabAsset",
    PrefabParent = "m_PrefabParentObject",
    PrefabInternal = "m_PrefabInternal",
    ExtensionPtr = "m_ExtensionPtr",
    Compressed = "m_Compressed",
    UseHighQualityCurve = "m_UseHighQualityCurve",
    HasGenericRoot = "m_HasGenericRootTransform",
    HasMotionFloats = "m_HasMotionFloatCurves",
    GenerateMotionCurves = "m_GenerateMotionCurves",
}

/// A level of the stack.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    /// A field of a map.
    Field(Field),
    /// An item of a list.
    Item,
}

/// Deepest level that anything known stands on, and one more so that deeper lines match nothing known.
const MAX_LEVELS: usize = 8;

/// The stack of the levels around the current line, outermost first.
#[derive(Default)]
pub(super) struct Nesting {
    levels: Vec<(usize, Level)>,
    /// Whether the current line stands deeper than the stack is high.
    too_deep: bool,
}

impl Nesting {
    /// Forgets everything: a new document begins.
    pub fn clear(&mut self) {
        self.levels.clear();
    }

    /// Moves to a line. A list's dashes may stand in the column of the key that has the list, as Unity writes them.
    pub fn enter(&mut self, line: &Line<'_>) {
        self.too_deep = false;
        if let Some(dash) = line.dash {
            while let Some(&(column, level)) = self.levels.last() {
                if column < dash || (column == dash && level != Level::Item) {
                    break;
                }
                self.levels.pop();
            }
            self.push(dash, Level::Item);
        } else {
            self.leave(line.column);
        }
        if !line.key.is_empty() {
            self.push(line.column, Level::Field(Field::of_name(line.key)));
        }
    }

    fn leave(&mut self, column: usize) {
        while self.levels.last().is_some_and(|&(open, _)| open >= column) {
            self.levels.pop();
        }
    }

    fn push(&mut self, column: usize, level: Level) {
        if self.levels.len() < MAX_LEVELS {
            self.levels.push((column, level));
        } else {
            self.too_deep = true;
        }
    }

    /// Column of the outermost level.
    pub fn root_column(&self) -> Option<usize> {
        self.levels.first().map(|&(column, _)| column)
    }

    /// Number of levels around and including the line; beyond the stack's height it does not count on.
    pub fn depth(&self) -> usize {
        self.levels.len() + usize::from(self.too_deep)
    }

    /// The level at `depth` from 0.
    pub fn level(&self, depth: usize) -> Option<Level> {
        self.levels.get(depth).map(|&(_, level)| level)
    }

    /// The field at `depth` from 0; `None` for a list item.
    pub fn field(&self, depth: usize) -> Option<Field> {
        match self.level(depth) {
            Some(Level::Field(field)) => Some(field),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line<'a>(dash: Option<usize>, column: usize, key: &'a str) -> Line<'a> {
        Line { number: 1, dash, column, key, value: "", unended: false }
    }

    #[test]
    fn dashes_in_the_column_of_their_key_are_inside_it() {
        let mut nesting = Nesting::default();
        let fields = [Level::Field(Field::AnimationClip), Level::Field(Field::FloatCurves), Level::Item];
        nesting.enter(&line(None, 0, "AnimationClip"));
        nesting.enter(&line(None, 2, "m_FloatCurves"));
        for _ in 0..2 {
            nesting.enter(&line(Some(2), 4, "curve"));
            assert_eq!((0..3).filter_map(|depth| nesting.level(depth)).collect::<Vec<_>>(), fields);
            assert_eq!((nesting.depth(), nesting.field(3)), (4, Some(Field::Curve)));
            nesting.enter(&line(None, 6, "m_Curve"));
            nesting.enter(&line(Some(6), 8, "time"));
            nesting.enter(&line(None, 8, "value"));
            assert_eq!((nesting.depth(), nesting.field(6)), (7, Some(Field::Value)));
        }
        nesting.enter(&line(None, 4, "path"));
        assert_eq!((nesting.depth(), nesting.field(3)), (4, Some(Field::Path)));
        nesting.enter(&line(None, 2, "m_SampleRate"));
        assert_eq!((nesting.depth(), nesting.field(1)), (2, Some(Field::SampleRate)));
    }

    #[test]
    fn indented_lists_are_the_same() {
        let mut nesting = Nesting::default();
        nesting.enter(&line(None, 0, "AnimationClip"));
        nesting.enter(&line(None, 4, "m_FloatCurves"));
        nesting.enter(&line(Some(8), 10, "curve"));
        nesting.enter(&line(Some(8), 10, "path"));
        assert_eq!(
            (nesting.depth(), nesting.level(2), nesting.field(3)),
            (4, Some(Level::Item), Some(Field::Path))
        );
    }

    #[test]
    fn depth_is_bounded_and_known_again_afterwards() {
        let mut nesting = Nesting::default();
        for column in 0..100_000 {
            nesting.enter(&line(None, column, "time"));
            assert!(nesting.levels.len() <= MAX_LEVELS);
        }
        assert_eq!(nesting.depth(), MAX_LEVELS + 1);
        nesting.enter(&line(None, 1, "m_Name"));
        assert_eq!((nesting.depth(), nesting.field(1)), (2, Some(Field::Name)));
    }
}
