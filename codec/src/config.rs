//! What a caller asks of the encoder, and what a decoder is allowed to spend.

use crate::error::{Error, Result};

/// How near the decoded samples must be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fidelity {
    /// Every sample and time comes back bit for bit.
    Lossless,
    /// Every decoded f32 is within a largest absolute error; the encoder checks each one.
    Bounded(Bounds),
    /// Every joint of the posed clip is within a largest displacement; no single muscle or angle has a bound. The encoder
    /// checks the pose of every frame and half way to the next.
    World(WorldBounds),
}

impl Fidelity {
    pub(crate) fn validate(&self) -> Result<()> {
        match self {
            Fidelity::Lossless => Ok(()),
            Fidelity::Bounded(bounds) => bounds.validate(),
            Fidelity::World(bounds) => bounds.validate(),
        }
    }

    /// Largest error of a frame time in seconds; 0 keeps times exactly.
    pub fn time_bound_s(&self) -> f64 {
        match self {
            Fidelity::Lossless => 0.0,
            Fidelity::Bounded(bounds) => bounds.time_s,
            Fidelity::World(bounds) => bounds.time_s,
        }
    }
}

/// Largest absolute errors of [`Fidelity::Bounded`], by kind of track. All must be finite; all but `time_s` positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// Muscles, in muscle units. Default 0.001.
    pub muscle: f64,
    /// Frame times in seconds; 0 keeps them exactly. Equal, forward and backward steps stay so. Default 0.0005.
    pub time_s: f64,
    /// Positions in metres (`RootT` counts after multiplying by the human scale 0.98659), and position channels of a
    /// skeleton in the unit of its rig. Default 0.0005.
    pub position_m: f64,
    /// Rotations, and a skeleton's angles one by one, in degrees. Default 0.05.
    pub rotation_deg: f64,
    /// Other scalars in their own unit; `None` means the muscle bound.
    pub extra: Option<f64>,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { muscle: 0.001, time_s: 0.0005, position_m: 0.0005, rotation_deg: 0.05, extra: None }
    }
}

impl Bounds {
    /// The defaults with another muscle bound.
    pub fn muscle(bound: f64) -> Bounds {
        Bounds { muscle: bound, ..Bounds::default() }
    }

    fn validate(&self) -> Result<()> {
        let positive = [
            ("the muscle error", self.muscle),
            ("the position error", self.position_m),
            ("the rotation error", self.rotation_deg),
            ("the error of other scalars", self.extra.unwrap_or(self.muscle)),
        ];
        for (name, value) in positive {
            if !value.is_finite() || value <= 0.0 {
                return Err(Error::invalid(format!("{name} must be a positive number, not {value}")));
            }
        }
        if !self.time_s.is_finite() || self.time_s < 0.0 {
            return Err(Error::invalid(format!("the time error must be 0 or positive, not {}", self.time_s)));
        }
        Ok(())
    }
}

/// Largest errors of [`Fidelity::World`]. All must be finite; all but `time_s` positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WorldBounds {
    /// Farthest that a joint, or one of the three points 3 cm off each, may be displaced, in millimetres on
    /// [`Avatar::reference`](crate::humanoid::Avatar::reference), at every frame and half way to the next, as
    /// [`displacement`](crate::humanoid::displacement) measures it. 1e-6 to 1e6; default 1.
    pub mm: f64,
    /// Frame times in seconds, as in [`Bounds`]. Default 0.0005.
    pub time_s: f64,
    /// Positions that pose nothing, such as tracked devices, in metres. Default 0.0005.
    pub position_m: f64,
    /// Rotations that pose nothing, in degrees. Default 0.05.
    pub rotation_deg: f64,
    /// Scalars that pose nothing, in their own unit. Default 0.001.
    pub extra: f64,
}

impl Default for WorldBounds {
    fn default() -> Self {
        WorldBounds { mm: 1.0, time_s: 0.0005, position_m: 0.0005, rotation_deg: 0.05, extra: 0.001 }
    }
}

impl WorldBounds {
    /// The defaults with another displacement in millimetres.
    pub fn mm(mm: f64) -> WorldBounds {
        WorldBounds { mm, ..WorldBounds::default() }
    }

    /// The bounds of what poses nothing.
    pub(crate) fn others(&self) -> Bounds {
        let WorldBounds { time_s, position_m, rotation_deg, extra, .. } = *self;
        Bounds { muscle: extra, time_s, position_m, rotation_deg, extra: Some(extra) }
    }

    fn validate(&self) -> Result<()> {
        if !(1e-6..=1e6).contains(&self.mm) {
            return Err(Error::invalid(format!(
                "the displacement must be 0.000001 to 1,000,000 millimetres, not {}",
                self.mm
            )));
        }
        self.others().validate()
    }
}

/// How much work the encoder and decoder may do.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Effort {
    /// Blocks that a runtime plays in place, with a [`Player`](crate::Player): any pose in well under a microsecond, at up to a
    /// quarter more bytes. Lossless files are coded as at [`Effort::Balanced`].
    Fast,
    /// Independent blocks, small files, a cold seek under 5 ms.
    #[default]
    Balanced,
    /// The smallest files: all tracks are coded from one another. Decodes at 100 times real time or faster.
    Max,
}

/// Whether the file stores the names of the built-in humanoid tracks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Naming {
    /// Humanoid tracks are known by the built-in table: names cost nothing.
    #[default]
    Nameless,
    /// AnimationClip property names are stored in track order, so that any reader can convert without the table.
    Named,
}

/// Largest number of frames a block may hold.
pub const MAX_BLOCK_FRAMES: u32 = 4096;

/// What the caller asks of [`encode`](crate::encode).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EncodeConfig {
    /// How near the decoded samples must be. Default: bounded, 0.001 muscle units.
    pub fidelity: Fidelity,
    /// How much work to do. Default: balanced.
    pub effort: Effort,
    /// Whether names of humanoid tracks are stored. Default: nameless.
    pub naming: Naming,
    /// Frames a block, 1..=[`MAX_BLOCK_FRAMES`]. A seek decodes one block, and a longer one is smaller a frame; `None`,
    /// the default, takes the longest that keeps a seek into a dense humanoid clip near 5 ms: 512 frames bounded, 256
    /// lossless. At effort [`Effort::Fast`] a bounded clip takes 1024, for a [`Player`](crate::Player) needs no block decoded;
    /// at [`Effort::Max`] it takes [`MAX_BLOCK_FRAMES`], over a minute at 60 Hz, and a lossless one 1024: size is all that
    /// counts there, and a seek may take a quarter of a second.
    pub block_frames: Option<u32>,
}

impl Default for EncodeConfig {
    fn default() -> Self {
        EncodeConfig {
            fidelity: Fidelity::Bounded(Bounds::default()),
            effort: Effort::default(),
            naming: Naming::default(),
            block_frames: None,
        }
    }
}

impl EncodeConfig {
    /// Every bit comes back.
    pub fn lossless() -> EncodeConfig {
        EncodeConfig { fidelity: Fidelity::Lossless, ..EncodeConfig::default() }
    }

    /// Largest absolute error of a muscle value; other bounds at their defaults.
    pub fn bounded(muscle: f64) -> EncodeConfig {
        EncodeConfig { fidelity: Fidelity::Bounded(Bounds::muscle(muscle)), ..EncodeConfig::default() }
    }

    /// Farthest that a joint may be displaced, in millimetres; other bounds at their defaults.
    pub fn world(mm: f64) -> EncodeConfig {
        EncodeConfig { fidelity: Fidelity::World(WorldBounds::mm(mm)), ..EncodeConfig::default() }
    }

    /// The same with another effort.
    pub fn with_effort(self, effort: Effort) -> EncodeConfig {
        EncodeConfig { effort, ..self }
    }

    /// The same with another naming.
    pub fn with_naming(self, naming: Naming) -> EncodeConfig {
        EncodeConfig { naming, ..self }
    }

    /// The same with another block length.
    pub fn with_block_frames(self, block_frames: u32) -> EncodeConfig {
        EncodeConfig { block_frames: Some(block_frames), ..self }
    }

    /// Frames a block that the encoder uses.
    pub fn frames_per_block(&self) -> usize {
        let default = match (self.effort, self.fidelity) {
            (Effort::Max, Fidelity::Lossless) => 1024,
            (_, Fidelity::Lossless) => 256,
            (Effort::Max, _) => MAX_BLOCK_FRAMES,
            (Effort::Fast, _) => 1024,
            (Effort::Balanced, _) => 512,
        };
        self.block_frames.unwrap_or(default) as usize
    }

    pub(crate) fn validate(&self) -> Result<()> {
        if let Some(frames) = self.block_frames
            && !(1..=MAX_BLOCK_FRAMES).contains(&frames)
        {
            return Err(Error::invalid(format!(
                "a block holds 1 to {MAX_BLOCK_FRAMES} frames, not {frames}"
            )));
        }
        self.fidelity.validate()
    }
}

/// What a decoder may spend on a file it does not trust.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecodeLimits {
    /// Largest number of samples (components × frames) of the decoded clip. Default 2^28, one GiB of f32: 13 hours of 95 tracks at 60 Hz.
    pub max_samples: u64,
    /// Largest number of track components. Default 65,536.
    pub max_components: u32,
    /// Largest number of bytes of decompressed metadata. Default 16 MiB.
    pub max_meta_bytes: u32,
}

impl DecodeLimits {
    /// Refuses more samples than the limit: `frames` of so many arrays. A frame without arrays counts as one sample.
    pub(crate) fn check_samples(&self, frames: u64, arrays: usize) -> Result<()> {
        if frames.saturating_mul(arrays.max(1) as u64) > self.max_samples {
            return Err(Error::LimitExceeded { what: "samples" });
        }
        Ok(())
    }
}

impl Default for DecodeLimits {
    fn default() -> Self {
        DecodeLimits { max_samples: 1 << 28, max_components: 1 << 16, max_meta_bytes: 16 << 20 }
    }
}
