//! Writes a document, or its parts as they come: the layout of Unity 2018.3 and later, read by every later version.

use super::attributes::{hash, humanoid_number};
use super::document::{
    AnimDocument, Binding, CLASS_ANIMATOR, CLASS_SKINNED_MESH, CLASS_TRANSFORM, Curve, Key,
};
use super::packed::Property;
use super::settings::ClipSettings;
use super::{number, text};
use crate::error::{Error, Result};
use std::io::Write;

/// Bytes given to the sink at a time.
const CHUNK_BYTES: usize = 1 << 16;

/// Kind of a binding that Unity looks up in the humanoid's own list.
const KIND_HUMANOID: u32 = 8;
/// Kind of a blend shape's binding.
const KIND_BLEND_SHAPE: u32 = 20;
/// Kind of a material property's binding.
const KIND_MATERIAL: u32 = 22;
/// Kind of a binding to Euler angles.
const KIND_EULER: u32 = 4;

impl AnimDocument {
    /// Writes the document as a text `.anim`. What [`AnimDocument::left_out`] names is not in it.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a time, value or weight that is not finite, a slope that is not a number, or a
    /// script reference that is no `{...}`; [`Error::Io`].
    pub fn write(&self, sink: &mut dyn Write) -> Result<()> {
        let mut writer = AnimWriter::new(sink);
        writer.start(&self.name, self.legacy)?;
        writer.curves("m_RotationCurves", &self.rotation_curves, false)?;
        writer.text("  m_CompressedRotationCurves: []\n");
        writer.curves("m_EulerCurves", &self.euler_curves, false)?;
        writer.curves("m_PositionCurves", &self.position_curves, false)?;
        writer.curves("m_ScaleCurves", &self.scale_curves, false)?;
        writer.curves("m_FloatCurves", &self.float_curves, true)?;
        writer.middle(self.sample_rate_hz, self.wrap_mode)?;
        let count = self.rotation_curves.len()
            + self.euler_curves.len()
            + self.position_curves.len()
            + self.scale_curves.len()
            + self.float_curves.len();
        writer.list("  ", "  genericBindings", count == 0);
        for curve in &self.position_curves {
            writer.transform_binding(&curve.binding.path, Property::Position)?;
        }
        for curve in &self.rotation_curves {
            writer.transform_binding(&curve.binding.path, Property::Rotation)?;
        }
        for curve in &self.scale_curves {
            writer.transform_binding(&curve.binding.path, Property::Scale)?;
        }
        for curve in &self.euler_curves {
            writer.transform_binding(&curve.binding.path, Property::Euler)?;
        }
        for curve in &self.float_curves {
            writer.binding(&curve.binding)?;
        }
        writer.settings(&self.settings)?;
        writer.curves("m_EditorCurves", &self.editor_curves, true)?;
        let moves = |curve: &Curve<1>| curve.binding.attribute.starts_with("Motion");
        writer.end(self.float_curves.iter().any(moves))
    }
}

/// Writes a file part after part, in the order of its methods.
pub(super) struct AnimWriter<'a> {
    sink: &'a mut dyn Write,
    buffer: Vec<u8>,
}

impl<'a> AnimWriter<'a> {
    pub fn new(sink: &'a mut dyn Write) -> AnimWriter<'a> {
        AnimWriter { sink, buffer: Vec::with_capacity(CHUNK_BYTES + 1024) }
    }

    fn text(&mut self, text: &str) {
        self.buffer.extend_from_slice(text.as_bytes());
    }

    fn number(&mut self, before: &str, value: f32) {
        self.text(before);
        number::push(&mut self.buffer, value);
    }

    fn drain_full(&mut self) -> Result<()> {
        if self.buffer.len() >= CHUNK_BYTES {
            self.sink.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }

    /// Up to the first list of curves.
    pub fn start(&mut self, name: &str, legacy: bool) -> Result<()> {
        self.text(
            "%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!74 &7400000\nAnimationClip:\n  m_ObjectHideFlags: 0\n  \
             m_CorrespondingSourceObject: {fileID: 0}\n  m_PrefabInstance: {fileID: 0}\n  m_PrefabAsset: {fileID: 0}\n  \
             m_Name: ",
        );
        text::push(&mut self.buffer, name);
        self.text("\n  serializedVersion: 6\n  m_Legacy: ");
        self.text(if legacy { "1" } else { "0" });
        self.text("\n  m_Compressed: 0\n  m_UseHighQualityCurve: 1\n");
        self.drain_full()
    }

    /// The name of a list, which its items follow unless it is empty.
    pub fn list(&mut self, indent: &str, name: &str, empty: bool) {
        self.text(indent);
        self.text(name);
        self.text(if empty { ": []\n" } else { ":\n" });
    }

    fn curves<const N: usize>(&mut self, name: &str, curves: &[Curve<N>], named: bool) -> Result<()> {
        self.list("  ", name, curves.is_empty());
        curves.iter().try_for_each(|curve| self.curve(curve, named))
    }

    /// An item of a list of curves. `named`: the curve names its property.
    pub fn curve<const N: usize>(&mut self, curve: &Curve<N>, named: bool) -> Result<()> {
        self.text("  - curve:\n      serializedVersion: 2\n");
        self.list("      ", "m_Curve", curve.keys.is_empty());
        for key in &curve.keys {
            require_writable(key, &curve.binding)?;
            self.key(key);
            self.drain_full()?;
        }
        let (pre, post, order) = (curve.pre_infinity, curve.post_infinity, curve.rotation_order);
        self.text(&format!(
            "      m_PreInfinity: {pre}\n      m_PostInfinity: {post}\n      m_RotationOrder: {order}\n"
        ));
        let binding = &curve.binding;
        if named {
            self.text("    attribute: ");
            text::push(&mut self.buffer, &binding.attribute);
            self.text("\n");
        }
        self.text("    path: ");
        text::push(&mut self.buffer, &binding.path);
        if named {
            let script = script(binding)?;
            self.text(&format!("\n    classID: {}\n    script: {script}", binding.class_id));
        }
        self.text("\n");
        self.drain_full()
    }

    fn key<const N: usize>(&mut self, key: &Key<N>) {
        self.number("      - serializedVersion: 3\n        time: ", key.time_s);
        let parts = [
            ("\n        value: ", key.value),
            ("\n        inSlope: ", key.in_slope),
            ("\n        outSlope: ", key.out_slope),
        ];
        for (before, values) in parts {
            self.text(before);
            number::push_components(&mut self.buffer, values);
        }
        let (mode, weighted) = (key.tangent_mode, key.weighted_mode);
        write!(
            self.buffer,
            "\n        tangentMode: {mode}\n        weightedMode: {weighted}\n        inWeight: "
        )
        .expect("a Vec takes any bytes");
        number::push_components(&mut self.buffer, key.in_weight);
        self.text("\n        outWeight: ");
        number::push_components(&mut self.buffer, key.out_weight);
        self.text("\n");
    }

    /// From the last list of curves to the bindings.
    pub fn middle(&mut self, sample_rate_hz: f32, wrap_mode: i32) -> Result<()> {
        if !sample_rate_hz.is_finite() {
            return Err(Error::invalid(format!("a sample rate of {sample_rate_hz} frames a second")));
        }
        self.number("  m_PPtrCurves: []\n  m_SampleRate: ", sample_rate_hz);
        self.text(&format!(
            "\n  m_WrapMode: {wrap_mode}\n  m_Bounds:\n    m_Center: {{x: 0, y: 0, z: 0}}\n    m_Extent: {{x: 0, y: 0, \
             z: 0}}\n  m_ClipBindingConstant:\n"
        ));
        Ok(())
    }

    /// What a curve of a transform moves, as Unity looks it up.
    pub fn transform_binding(&mut self, path: &str, property: Property) -> Result<()> {
        let (number, kind) = match property {
            Property::Position => (1, 0),
            Property::Rotation => (2, 0),
            Property::Scale => (3, 0),
            Property::Euler | Property::Float => (4, KIND_EULER),
        };
        self.generic_binding(hash(path), number, "{fileID: 0}", CLASS_TRANSFORM, kind)
    }

    /// What a curve of single numbers moves, as Unity looks it up.
    pub fn binding(&mut self, binding: &Binding) -> Result<()> {
        let attribute = binding.attribute.as_str();
        let (number, kind) = match (binding.class_id, humanoid_number(attribute)) {
            (CLASS_ANIMATOR, Some(number)) => (number, KIND_HUMANOID),
            (CLASS_SKINNED_MESH, _) if attribute.starts_with("blendShape.") => {
                (hash(&attribute["blendShape.".len()..]), KIND_BLEND_SHAPE)
            }
            _ if attribute.starts_with("material.") => (hash(&attribute["material.".len()..]), KIND_MATERIAL),
            _ => (hash(attribute), 0),
        };
        self.generic_binding(hash(&binding.path), number, script(binding)?, binding.class_id, kind)
    }

    fn generic_binding(
        &mut self,
        path: u32,
        attribute: u32,
        script: &str,
        class: i32,
        kind: u32,
    ) -> Result<()> {
        self.text(&format!(
            "    - serializedVersion: 2\n      path: {path}\n      attribute: {attribute}\n      script: {script}\n      \
             typeID: {class}\n      customType: {kind}\n      isPPtrCurve: 0\n"
        ));
        self.drain_full()
    }

    /// From the bindings to the editor's curves.
    pub fn settings(&mut self, settings: &ClipSettings) -> Result<()> {
        let times = [settings.start_s, settings.stop_s, settings.additive_pose_time_s];
        let numbers = [settings.orientation_offset_y, settings.level, settings.cycle_offset];
        if times.iter().chain(&numbers).any(|value| !value.is_finite()) {
            return Err(Error::invalid("a clip's settings must be finite numbers"));
        }
        self.text(
            "    pptrCurveMapping: []\n  m_AnimationClipSettings:\n    serializedVersion: 2\n    \
             m_AdditiveReferencePoseClip: {fileID: 0}\n",
        );
        settings.for_each(|name, text| {
            self.buffer.extend_from_slice(b"    ");
            self.buffer.extend_from_slice(name.as_bytes());
            self.buffer.extend_from_slice(b": ");
            self.buffer.extend_from_slice(text);
            self.buffer.push(b'\n');
        });
        Ok(())
    }

    /// From the editor's curves to the end of the file.
    pub fn end(mut self, has_motion_curves: bool) -> Result<()> {
        let motion = u8::from(has_motion_curves);
        self.text(&format!(
            "  m_EulerEditorCurves: []\n  m_HasGenericRootTransform: 0\n  m_HasMotionFloatCurves: {motion}\n  m_Events: \
             []\n"
        ));
        self.sink.write_all(&self.buffer)?;
        self.sink.flush()?;
        Ok(())
    }
}

fn require_writable<const N: usize>(key: &Key<N>, binding: &Binding) -> Result<()> {
    let finite = key.value.iter().chain(&key.in_weight).chain(&key.out_weight).all(|value| value.is_finite());
    let slopes = key.in_slope.iter().chain(&key.out_slope).all(|slope| !slope.is_nan());
    if finite && slopes && key.time_s.is_finite() {
        return Ok(());
    }
    let Binding { path, attribute, .. } = binding;
    Err(Error::invalid(format!(
        "curve {path:?} {attribute:?}: a key at {} s is not of finite numbers",
        key.time_s
    )))
}

/// The script reference of a binding, as it goes into the file.
fn script(binding: &Binding) -> Result<&str> {
    let Some(script) = binding.script.as_deref() else { return Ok("{fileID: 0}") };
    match text::is_reference(script) {
        true => Ok(script),
        false => Err(Error::invalid(format!("{script:?} is no reference to a script"))),
    }
}
