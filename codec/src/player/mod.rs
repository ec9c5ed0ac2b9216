//! Playing a file: the pose at any time, without allocation.

mod blend;
mod clock;
mod keyed;
mod motion;

use crate::config::DecodeLimits;
use crate::error::{Error, Result};
use crate::track::{Mask, Track};
use keyed::ROWS;
use motion::Motion;
use std::sync::Arc;

/// Plays a file that lies in memory: poses at any time, in any order, with no allocation after opening.
///
/// A file of effort [`Fast`](crate::Effort::Fast) under an error bound is played from its keys and residuals: opening reads
/// those once, and a pose is made of the nearest ones. That costs a few hundred nanoseconds for a humanoid after a jump, and
/// less than a tenth of a microsecond on average in sequence. The clip takes a third to three fifths of its samples' size;
/// [`Player::memory_bytes`] tells. Files of other efforts and lossless files are decoded at opening and played from their
/// samples. The file's bytes are not needed after opening.
///
/// Clones share the clip, each with a place of its own: one for each figure that moves.
///
/// ```
/// use sinew::{Clip, Effort, EncodeConfig, Player, Times, encode};
/// # let frames: Vec<[f32; 95]> = (0..10).map(|i| [i as f32 * 0.25; 95]).collect();
/// # let clip = Clip::from_muscle_frames(&frames, Times::Uniform { start_s: 0.0, frame_s: 0.5, frames: 10 })?;
/// let file = encode(&clip, &EncodeConfig::bounded(0.001).with_effort(Effort::Fast))?;
/// let mut player = Player::open(&file)?;
/// let mut pose = [0.0; 95];
/// player.sample(0.75, &mut pose)?;
/// assert!((pose[0] - 0.375).abs() < 0.002);
/// # Ok::<(), sinew::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Player {
    motion: Arc<Motion>,
    /// The frames of the segment that was played last, and its block and number. Empty for a clip that is decoded whole.
    rows: [Vec<f32>; ROWS],
    loaded: Option<(usize, usize)>,
    /// Frame that was played last.
    frame: usize,
}

impl Player {
    /// Opens a complete file: checks all of it and reads what play needs.
    ///
    /// # Errors
    /// As [`decode`](crate::decode).
    pub fn open(file: &[u8]) -> Result<Player> {
        Player::open_with(file, &DecodeLimits::default(), Mask::ALL)
    }

    /// [`Player::open`] under limits, for the tracks that `mask` chooses only: the streams of other body parts are not decoded,
    /// and poses have no values for them.
    ///
    /// # Errors
    /// As [`Player::open`].
    pub fn open_with(file: &[u8], limits: &DecodeLimits, mask: Mask) -> Result<Player> {
        let motion = Motion::open(file, limits, mask)?;
        let rows = std::array::from_fn(|_| vec![0.0; motion.width()]);
        Ok(Player { motion: Arc::new(motion), rows, loaded: None, frame: 0 })
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.motion.clock.times().len()
    }

    /// The tracks, in pose order.
    pub fn tracks(&self) -> &[Track] {
        &self.motion.tracks
    }

    /// Number of values of a pose: one for each component of each track.
    pub fn components(&self) -> usize {
        self.motion.components
    }

    /// Time of a frame in seconds, `None` past the end.
    pub fn time(&self, frame: usize) -> Option<f64> {
        self.motion.clock.times().get(frame)
    }

    /// Bytes that the clip takes, without this player's own rows (six poses).
    pub fn memory_bytes(&self) -> usize {
        self.motion.bytes()
    }

    /// Writes the pose at `time_s` seconds, one f32 a component in track order: at a frame's time that frame as
    /// [`decode`](crate::decode) gives it, between two frames the linear interpolation, for rotations the shorter way and
    /// normalised. Times before the first or past the last frame give that one. Where times step back, the frames are the
    /// last one before which no time is beyond `time_s`, and the one after it.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a clip without frames, a time that is NaN, or a pose of another length than
    /// [`Player::components`].
    #[inline]
    pub fn sample(&mut self, time_s: f64, pose: &mut [f32]) -> Result<()> {
        let moment = self.moment(time_s, pose.len(), self.components())?;
        let Player { motion, rows, loaded, .. } = self;
        let (a, b) = motion.rows(moment.frame, rows, loaded);
        if moment.fraction == 0.0 {
            pose.copy_from_slice(&a[..pose.len()]);
            return Ok(());
        }
        blend::blend(a, b, moment.fraction, pose);
        for &place in &motion.rotations {
            motion::blend_rotation_at(place, a, b, moment.fraction, pose);
        }
        Ok(())
    }

    /// [`Player::sample`] for the tracks that `mask` chooses; the other values of `pose` stay as they are.
    ///
    /// # Errors
    /// As [`Player::sample`].
    pub fn sample_parts(&mut self, time_s: f64, mask: Mask, pose: &mut [f32]) -> Result<()> {
        let moment = self.moment(time_s, pose.len(), self.components())?;
        let Player { motion, rows, loaded, .. } = self;
        let (a, b) = motion.rows(moment.frame, rows, loaded);
        for run in motion.runs.iter().filter(|run| mask.contains(&motion.tracks[run.track])) {
            let pose = &mut pose[run.components.clone()];
            let (a, b) = (&a[run.components.clone()], &b[run.components.clone()]);
            if moment.fraction == 0.0 {
                pose.copy_from_slice(a);
                continue;
            }
            blend::blend(a, b, moment.fraction, pose);
            for &place in motion.rotations.iter().filter(|place| run.components.contains(place)) {
                motion::blend_rotation_at(place - run.components.start, a, b, moment.fraction, pose);
            }
        }
        Ok(())
    }

    /// Writes frame `number` as [`decode`](crate::decode) gives it and returns its time in seconds.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a frame past the end or a pose of another length.
    pub fn frame(&mut self, number: usize, pose: &mut [f32]) -> Result<f64> {
        check_length(pose.len(), self.components())?;
        let Some(time_s) = self.time(number) else {
            return Err(Error::invalid(format!(
                "there is no frame {number}: the clip has {}",
                self.frames()
            )));
        };
        let (row, _) = self.motion.rows(number, &mut self.rows, &mut self.loaded);
        pose.copy_from_slice(&row[..pose.len()]);
        Ok(time_s)
    }

    /// Writes the components of one track (by number) at `time_s` seconds as [`Player::sample`] gives them, without those of
    /// other tracks.
    ///
    /// # Errors
    /// [`Error::InvalidInput`] for a track past the end, and as [`Player::sample`].
    pub fn sample_track(&mut self, track: usize, time_s: f64, values: &mut [f32]) -> Result<()> {
        let Some(&start) = self.motion.starts.get(track) else {
            return Err(Error::invalid(format!(
                "there is no track {track}: the clip has {}",
                self.tracks().len()
            )));
        };
        let moment = self.moment(time_s, values.len(), self.motion.tracks[track].components())?;
        let motion = &self.motion;
        // At most four components, as those of a rotation.
        let (mut a, mut b) = ([0.0; 4], [0.0; 4]);
        for place in 0..values.len() {
            a[place] = motion.value(moment.frame, start + place);
            if moment.fraction != 0.0 {
                b[place] = motion.value(moment.frame + 1, start + place);
            }
        }
        if moment.fraction == 0.0 {
            values.copy_from_slice(&a[..values.len()]);
        } else if values.len() == 4 {
            values.copy_from_slice(&blend::blend_rotation(&a, &b, moment.fraction));
        } else {
            blend::blend(&a, &b, moment.fraction, values);
        }
        Ok(())
    }

    /// Checks what a caller asks and finds the frames around a time.
    #[inline]
    fn moment(&mut self, time_s: f64, length: usize, wanted: usize) -> Result<clock::Moment> {
        check_length(length, wanted)?;
        if time_s.is_nan() || self.frames() == 0 {
            return Err(Error::invalid("a clip without frames, or no number for a time: there is no pose"));
        }
        let moment = self.motion.clock.locate(time_s, self.frame);
        self.frame = moment.frame;
        Ok(moment)
    }
}

fn check_length(length: usize, wanted: usize) -> Result<()> {
    if length == wanted {
        return Ok(());
    }
    Err(Error::invalid(format!("{wanted} values are needed, not {length}")))
}
