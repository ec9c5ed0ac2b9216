//! Clips of fuzzer bytes: every kind of track, sample, time, metadata and rig that a valid clip may have.

use arbitrary::{Arbitrary, Result, Unstructured};
use sinew::{Clip, Joint, JointAxis, META_DATA_MODE, META_GUID, Rig, Times, Track, TrackKind};
use std::collections::BTreeSet;

/// Most frames of a clip: several blocks, and still thousands of clips a second.
const MAX_FRAMES: usize = 80;

/// A valid clip.
///
/// # Errors
/// None that matters: a fuzzer that runs out of bytes gets zeros.
pub fn any_clip(u: &mut Unstructured<'_>) -> Result<Clip> {
    let mut clip = Clip::empty(any_tracks(u)?);
    let frames = u.int_in_range(0..=MAX_FRAMES)?;
    clip.times = any_times(u, frames)?;
    let mut samples = Vec::with_capacity(clip.components());
    for track in &clip.tracks {
        let first = samples.len();
        for _ in 0..track.components() {
            samples.push(any_samples(u, frames)?);
        }
        if track.kind() == TrackKind::Rotation && u.arbitrary()? {
            normalize(&mut samples[first..]);
        }
    }
    clip.samples = samples;
    any_metadata(u, &mut clip)?;
    if u.ratio(1, 4)? {
        clip.rig = Some(any_rig(u)?);
    }
    Ok(clip)
}

fn any_tracks(u: &mut Unstructured<'_>) -> Result<Vec<Track>> {
    let mut tracks = match u.int_in_range(0..=7)? {
        0 => Track::muscles(),
        1 => Track::muscles().into_iter().take(u.int_in_range(1..=40)?).collect(),
        _ => Vec::new(),
    };
    for _ in 0..u.int_in_range(0..=10)? {
        let kind = *u.choose(&[TrackKind::Scalar, TrackKind::Vector, TrackKind::Rotation])?;
        tracks.push(match u.int_in_range(0..=4)? {
            0 => Track::root_position(),
            1 => Track::root_rotation(),
            2 => Track::new(&format!("device{}/{}", u8::arbitrary(u)? % 4, u8::arbitrary(u)?), kind),
            3 => Track::muscles().swap_remove(u.int_in_range(0..=94)?),
            _ => Track::new(u.arbitrary()?, kind),
        });
    }
    let mut names = BTreeSet::new();
    tracks.retain(|track| names.insert(track.name().to_owned()));
    Ok(tracks)
}

/// Samples of one array, in one of the ways in which arrays move.
fn any_samples(u: &mut Unstructured<'_>, frames: usize) -> Result<Vec<f32>> {
    let way = u.int_in_range(0..=6)?;
    let first = any_sample(u)?;
    let mut samples = Vec::with_capacity(frames);
    match way {
        0 => samples.resize(frames, first),
        1 => {
            let values = [first, any_sample(u)?, any_sample(u)?];
            for _ in 0..frames {
                samples.push(*u.choose(&values)?);
            }
        }
        2 => {
            for _ in 0..frames {
                samples.push(f32::from_bits(u.arbitrary()?));
            }
        }
        _ => {
            // Steps over eight octaves of sizes; now and then a sample of another kind altogether.
            let size = f32::from(u8::arbitrary(u)? % 32).exp2() * 1e-9;
            let mut value = first;
            for _ in 0..frames {
                let step = i8::arbitrary(u)?;
                if way == 6 && step == 0x55 {
                    samples.push(any_sample(u)?);
                    continue;
                }
                value += f32::from(step) * size;
                samples.push(value);
            }
        }
    }
    Ok(samples)
}

fn any_sample(u: &mut Unstructured<'_>) -> Result<f32> {
    Ok(match u.int_in_range(0..=3)? {
        0 => f32::from_bits(u.arbitrary()?),
        1 => 0.0,
        _ => f32::from(i16::arbitrary(u)?) / 16_384.0,
    })
}

/// Makes unit quaternions of four arrays, where they have a length.
fn normalize(arrays: &mut [Vec<f32>]) {
    for frame in 0..arrays[0].len() {
        let length = arrays.iter().map(|array| f64::from(array[frame]).powi(2)).sum::<f64>().sqrt();
        if length.is_normal() {
            for array in &mut *arrays {
                array[frame] = (f64::from(array[frame]) / length) as f32;
            }
        }
    }
}

fn any_times(u: &mut Unstructured<'_>, frames: usize) -> Result<Times> {
    let finite = |value: f64| if value.is_finite() { value } else { 0.0 };
    let way = u.int_in_range(0..=3)?;
    if way == 0 {
        let (start_s, frame_s): (f64, f64) = u.arbitrary()?;
        let (start_s, frame_s) = (finite(start_s), finite(frame_s).abs());
        let last_s = start_s + frames as f64 * frame_s;
        let frame_s = if frame_s > 0.0 && last_s.is_finite() { frame_s } else { 1.0 / 60.0 };
        return Ok(Times::Uniform { start_s, frame_s, frames });
    }
    let mut times = Vec::with_capacity(frames);
    let mut time = finite(f64::from(f32::from_bits(u.arbitrary()?)));
    for _ in 0..frames {
        match way {
            1 => time = finite(u.arbitrary()?),
            // An irregular clock that stands still and steps back.
            _ => time += f64::from(i8::arbitrary(u)?) * 0.0004,
        }
        time = if way == 3 { finite(f64::from(time as f32)) } else { time };
        times.push(time);
    }
    Ok(Times::Explicit(times))
}

fn any_metadata(u: &mut Unstructured<'_>, clip: &mut Clip) -> Result<()> {
    if u.arbitrary()? {
        let guid = u128::arbitrary(u)?;
        let text = format!("{guid:032x}");
        let parts = [&text[..8], &text[8..12], &text[12..16], &text[16..20], &text[20..]];
        clip.meta.insert(META_GUID.to_owned(), parts.join("-"));
        clip.meta.insert(META_DATA_MODE.to_owned(), (*u.choose(&["named", "nameless", "odd"])?).to_owned());
    }
    for _ in 0..u.int_in_range(0..=2)? {
        let repeats = u.int_in_range(1..=40)?;
        clip.meta.insert(u.arbitrary()?, <&str>::arbitrary(u)?.repeat(repeats));
    }
    Ok(())
}

fn any_rig(u: &mut Unstructured<'_>) -> Result<Rig> {
    let mut rig = Rig::default();
    for number in 0..u.int_in_range(0..=6)? {
        let parent = if number == 0 || u.ratio(1, 4)? { None } else { Some(u.int_in_range(0..=number - 1)?) };
        let offset: [f32; 3] = u.arbitrary()?;
        let axes: Vec<u8> = u.arbitrary()?;
        rig.joints.push(Joint {
            name: u.arbitrary()?,
            parent,
            offset: offset.map(|x| if x.is_finite() { x } else { 0.0 }),
            axes: axes.into_iter().filter_map(|axis| JointAxis::from_number(axis % 8)).collect(),
        });
    }
    Ok(rig)
}
