//! `m_AnimationClipSettings`: start, end, looping and how the root is taken out of the motion.

use super::number;

/// A setting: a number, or a flag that the file writes as 0 or 1.
pub(super) trait Setting: Sized {
    fn parse(text: &str) -> Result<Self, String>;
    fn push(&self, out: &mut Vec<u8>);
}

impl Setting for f32 {
    fn parse(text: &str) -> Result<f32, String> {
        number::finite(text)
    }

    fn push(&self, out: &mut Vec<u8>) {
        number::push(out, *self);
    }
}

impl Setting for bool {
    fn parse(text: &str) -> Result<bool, String> {
        Ok(number::integer(text)? != 0)
    }

    fn push(&self, out: &mut Vec<u8>) {
        out.push(if *self { b'1' } else { b'0' });
    }
}

macro_rules! settings {
    ($($(#[$doc:meta])* $name:ident: $kind:ty = $key:literal, $default:literal;)*) => {
        /// Start, end, looping and root handling of a clip, in the order of the file.
        #[derive(Debug, Clone, Copy, PartialEq)]
        pub struct ClipSettings {
            $($(#[$doc])* pub $name: $kind,)*
        }

        impl Default for ClipSettings {
            fn default() -> Self {
                ClipSettings { $($name: $default,)* }
            }
        }

        impl ClipSettings {
            /// Takes a field of the file; `false` if there is no setting of this name.
            pub(super) fn set(&mut self, key: &str, text: &str) -> Result<bool, String> {
                match key {
                    $($key => self.$name = Setting::parse(text)?,)*
                    _ => return Ok(false),
                }
                Ok(true)
            }

            /// Calls `each` with every name and its text, in order.
            pub(super) fn for_each(&self, mut each: impl FnMut(&str, &[u8])) {
                let mut text = Vec::new();
                $(
                    text.clear();
                    self.$name.push(&mut text);
                    each($key, &text);
                )*
            }
        }
    };
}

settings! {
    /// Time in seconds of the pose that an additive clip starts from.
    additive_pose_time_s: f32 = "m_AdditiveReferencePoseTime", 0.0;
    /// First instant in seconds.
    start_s: f32 = "m_StartTime", 0.0;
    /// Last instant in seconds; Unity takes the clip's length from it.
    stop_s: f32 = "m_StopTime", 0.0;
    /// Turn of the whole motion in degrees.
    orientation_offset_y: f32 = "m_OrientationOffsetY", 0.0;
    /// Height offset.
    level: f32 = "m_Level", 0.0;
    /// Where in its cycle a looping clip begins.
    cycle_offset: f32 = "m_CycleOffset", 0.0;
    /// Whether the additive pose counts.
    has_additive_pose: bool = "m_HasAdditiveReferencePose", false;
    /// Whether the clip repeats.
    loop_time: bool = "m_LoopTime", false;
    /// Whether the end is blended into the start.
    loop_blend: bool = "m_LoopBlend", false;
    /// Whether turning stays in the pose instead of moving the object.
    bake_orientation: bool = "m_LoopBlendOrientation", false;
    /// Whether height stays in the pose.
    bake_position_y: bool = "m_LoopBlendPositionY", false;
    /// Whether travel stays in the pose.
    bake_position_xz: bool = "m_LoopBlendPositionXZ", false;
    /// Whether the orientation counts as authored.
    keep_orientation: bool = "m_KeepOriginalOrientation", false;
    /// Whether the height counts as authored.
    keep_position_y: bool = "m_KeepOriginalPositionY", true;
    /// Whether the place counts as authored.
    keep_position_xz: bool = "m_KeepOriginalPositionXZ", false;
    /// Whether height is measured from the feet.
    height_from_feet: bool = "m_HeightFromFeet", false;
    /// Whether left and right are swapped.
    mirror: bool = "m_Mirror", false;
}

impl ClipSettings {
    /// Settings of a recorded motion: it stays where it was recorded, whatever the scene does with root motion.
    pub fn recorded(start_s: f32, stop_s: f32) -> ClipSettings {
        ClipSettings {
            start_s,
            stop_s,
            bake_orientation: true,
            bake_position_y: true,
            bake_position_xz: true,
            keep_orientation: true,
            keep_position_xz: true,
            ..ClipSettings::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let settings = ClipSettings {
            loop_time: true,
            mirror: true,
            cycle_offset: -0.25,
            ..ClipSettings::recorded(0.5, 2.5)
        };
        let mut back = ClipSettings::default();
        let mut names = Vec::new();
        settings.for_each(|key, text| {
            let text = std::str::from_utf8(text).expect("ASCII");
            assert_eq!(back.set(key, text), Ok(true));
            names.push(key.to_owned());
        });
        assert_eq!(back, settings);
        assert_eq!((names.len(), names[2].as_str()), (17, "m_StopTime"));
        assert_eq!(back.set("m_Other", "1"), Ok(false));
        assert!(back.set("m_StopTime", "x").is_err() && back.set("m_StopTime", "Infinity").is_err());
    }
}
