//! The HEAD section: fidelity, bounds, naming and the track table (FORMAT section 4).

use super::cursor::{Cursor, put_string, put_varint};
use super::levers::Levers;
use crate::clip::{Clip, META_DATA_MODE, META_GUID, Times};
use crate::config::{Bounds, Effort, EncodeConfig, Fidelity, Naming, WorldBounds};
use crate::error::{Error, Result};
use crate::muscles::MUSCLE_COUNT;
use crate::track::{Role, Track, TrackKind};
use std::collections::BTreeMap;

const FLAG_NAMED: u8 = 1;
const FLAG_F32_TIMES: u8 = 2;
const FLAG_UNIFORM: u8 = 4;
const FLAG_CHANNEL_BOUNDS: u8 = 8;
const FLAGS_KNOWN: u8 = FLAG_NAMED | FLAG_F32_TIMES | FLAG_UNIFORM | FLAG_CHANNEL_BOUNDS;

const ROOT_HAS_POSITION: u8 = 1;
const ROOT_HAS_ROTATION: u8 = 2;

/// How a file's frame times are stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum TimeForm {
    /// Frame `i` is at `start_s + i * frame_s`; no time is stored.
    Uniform {
        /// Time of frame 0 in seconds.
        start_s: f64,
        /// Frame time in seconds, positive.
        frame_s: f64,
    },
    /// One time a frame, in seconds.
    Explicit {
        /// Every time is an f32, as in `.data`: exact times then take half the bytes.
        narrow: bool,
    },
}

impl TimeForm {
    /// The shortest form of these times.
    pub fn of(times: &Times) -> TimeForm {
        match times {
            Times::Uniform { start_s, frame_s, .. } => {
                TimeForm::Uniform { start_s: *start_s, frame_s: *frame_s }
            }
            Times::Explicit(times) => {
                TimeForm::Explicit { narrow: times.iter().all(|&time| is_narrow(time)) }
            }
        }
    }
}

/// Whether a time is an f32.
pub(crate) fn is_narrow(time_s: f64) -> bool {
    f64::from(time_s as f32).to_bits() == time_s.to_bits()
}

/// The decoded HEAD section.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Header {
    pub(crate) tracks: Vec<Track>,
    pub(crate) fidelity: Fidelity,
    pub(crate) effort: Effort,
    pub(crate) naming: Naming,
    pub(crate) times: TimeForm,
    /// Whether the first tracks are the channels of the rig, and their bounds follow from its axes; bounded files only.
    pub(crate) channel_bounds: bool,
    /// The tolerances of posing arrays; of files with a bound in millimetres only.
    pub(crate) levers: Option<Levers>,
    /// GUID and `.data` mode only; other metadata has its own section.
    pub(crate) meta: BTreeMap<String, String>,
}

impl Header {
    /// The header of a clip that is about to be encoded.
    pub(crate) fn of_clip(clip: &Clip, times: TimeForm, config: &EncodeConfig) -> Header {
        Header {
            tracks: clip.tracks.clone(),
            fidelity: config.fidelity,
            effort: config.effort,
            naming: config.naming,
            times,
            channel_bounds: matches!(config.fidelity, Fidelity::Bounded(_)) && clip.is_skeleton(),
            levers: None,
            meta: clip.meta.iter().filter(|(key, value)| in_header(key, value)).map(clone_pair).collect(),
        }
    }

    /// The same with the levers of a file that keeps a bound in millimetres.
    pub(crate) fn with_levers(self, levers: Levers) -> Header {
        Header { levers: Some(levers), ..self }
    }

    /// Number of components of all tracks.
    pub(crate) fn components(&self) -> usize {
        self.tracks.iter().map(Track::components).sum()
    }

    pub(crate) fn payload(&self) -> Vec<u8> {
        let mut out = Vec::new();
        let mut flags = 0;
        if self.naming == Naming::Named {
            flags |= FLAG_NAMED;
        }
        if self.channel_bounds {
            flags |= FLAG_CHANNEL_BOUNDS;
        }
        match self.times {
            TimeForm::Uniform { .. } => flags |= FLAG_UNIFORM,
            TimeForm::Explicit { narrow: true } => flags |= FLAG_F32_TIMES,
            TimeForm::Explicit { narrow: false } => {}
        }
        out.push(flags);
        match &self.fidelity {
            Fidelity::Lossless => out.push(0),
            Fidelity::Bounded(bounds) => {
                out.push(1);
                let extra = bounds.extra.unwrap_or(bounds.muscle);
                for bound in [bounds.muscle, bounds.time_s, bounds.position_m, bounds.rotation_deg, extra] {
                    put_bound(&mut out, bound);
                }
            }
            Fidelity::World(bounds) => {
                out.push(2);
                for bound in [bounds.mm, bounds.time_s, bounds.position_m, bounds.rotation_deg, bounds.extra]
                {
                    put_bound(&mut out, bound);
                }
            }
        }
        out.push(match self.effort {
            Effort::Fast => 0,
            Effort::Balanced => 1,
            Effort::Max => 2,
        });
        let mode = match self.meta.get(META_DATA_MODE).map(String::as_str) {
            Some("named") => 1,
            Some("nameless") => 2,
            _ => 0u8,
        };
        let guid = self.meta.get(META_GUID).and_then(|text| guid_bytes(text));
        out.push(mode | u8::from(guid.is_some()) << 4);
        out.extend_from_slice(&guid.unwrap_or_default()[..if guid.is_some() { 16 } else { 0 }]);
        if let TimeForm::Uniform { start_s, frame_s } = self.times {
            out.extend_from_slice(&start_s.to_le_bytes());
            out.extend_from_slice(&frame_s.to_le_bytes());
        }
        self.put_tracks(&mut out);
        if let Some(levers) = &self.levers {
            levers.put(&mut out, &self.tracks);
        }
        out
    }

    /// The track table. In nameless mode the leading muscles in order and the root are implied by numbers; whatever
    /// follows, and in named mode everything, is listed by kind and name.
    fn put_tracks(&self, out: &mut Vec<u8>) {
        let mut listed = self.tracks.as_slice();
        let (mut muscles, mut root) = (0, 0);
        if self.naming == Naming::Nameless {
            muscles =
                listed.iter().enumerate().take_while(|(i, track)| track.muscle_index() == Some(*i)).count();
            listed = &listed[muscles..];
            for (role, bit) in
                [(Role::RootPosition, ROOT_HAS_POSITION), (Role::RootRotation, ROOT_HAS_ROTATION)]
            {
                if listed.first().is_some_and(|track| track.role() == role) {
                    root |= bit;
                    listed = &listed[1..];
                }
            }
        }
        out.push(muscles as u8);
        out.push(root);
        put_varint(out, listed.len() as u64);
        for track in listed {
            out.push(track.kind().components() as u8);
            put_string(out, track.name());
        }
    }

    /// Reads the HEAD payload that starts at file offset `at_byte`.
    pub(crate) fn from_payload(payload: &[u8], at_byte: u64, max_components: u32) -> Result<Header> {
        let mut cursor = Cursor::new(payload, at_byte);
        let flags = cursor.u8()?;
        if flags & !FLAGS_KNOWN != 0
            || flags & (FLAG_F32_TIMES | FLAG_UNIFORM) == FLAG_F32_TIMES | FLAG_UNIFORM
        {
            return Err(cursor.corrupt("reserved header flags are set"));
        }
        let fidelity = match cursor.u8()? {
            0 => Fidelity::Lossless,
            number @ (1 | 2) => {
                let mut values = [0.0; 5];
                for value in &mut values {
                    *value = read_bound(&mut cursor)?;
                }
                let [first, time_s, position_m, rotation_deg, extra] = values;
                let fidelity = if number == 1 {
                    let extra = Some(extra);
                    Fidelity::Bounded(Bounds { muscle: first, time_s, position_m, rotation_deg, extra })
                } else {
                    Fidelity::World(WorldBounds { mm: first, time_s, position_m, rotation_deg, extra })
                };
                fidelity.validate().map_err(|_| cursor.corrupt("an error bound is not valid"))?;
                fidelity
            }
            other => return Err(unsupported("fidelity", other)),
        };
        let channel_bounds = flags & FLAG_CHANNEL_BOUNDS != 0;
        if channel_bounds && !matches!(fidelity, Fidelity::Bounded(_)) {
            return Err(cursor.corrupt("a header flag is set that only bounded files have"));
        }
        let effort = match cursor.u8()? {
            0 => Effort::Fast,
            1 => Effort::Balanced,
            2 => Effort::Max,
            other => return Err(unsupported("effort", other)),
        };
        let source = cursor.u8()?;
        let mut meta = BTreeMap::new();
        match source & 15 {
            0 => {}
            1 => drop(meta.insert(META_DATA_MODE.to_owned(), "named".to_owned())),
            2 => drop(meta.insert(META_DATA_MODE.to_owned(), "nameless".to_owned())),
            other => return Err(unsupported("source mode", other)),
        }
        match source >> 4 {
            0 => {}
            1 => drop(meta.insert(META_GUID.to_owned(), guid_text(cursor.array()?))),
            other => return Err(unsupported("GUID form", other)),
        }
        let times = if flags & FLAG_UNIFORM != 0 {
            let (start_s, frame_s) = (cursor.f64()?, cursor.f64()?);
            if !start_s.is_finite() || !frame_s.is_finite() || frame_s <= 0.0 {
                return Err(cursor.corrupt("the uniform frame time is not valid"));
            }
            TimeForm::Uniform { start_s, frame_s }
        } else {
            TimeForm::Explicit { narrow: flags & FLAG_F32_TIMES != 0 }
        };
        let tracks = read_tracks(&mut cursor, max_components)?;
        let levers = match fidelity {
            Fidelity::World(_) => Some(Levers::read(&mut cursor, &tracks)?),
            _ => None,
        };
        cursor.finish("the header is longer than its fields")?;
        let naming = if flags & FLAG_NAMED != 0 { Naming::Named } else { Naming::Nameless };
        Ok(Header { tracks, fidelity, effort, naming, times, channel_bounds, levers, meta })
    }
}

fn unsupported(what: &'static str, found: u8) -> Error {
    Error::Unsupported { what, found: found.to_string() }
}

fn read_tracks(cursor: &mut Cursor<'_>, max_components: u32) -> Result<Vec<Track>> {
    let muscles = cursor.u8()?;
    if usize::from(muscles) > MUSCLE_COUNT {
        return Err(cursor.corrupt("more muscles than the humanoid has"));
    }
    let mut tracks: Vec<Track> = (0..usize::from(muscles)).filter_map(Track::muscle).collect();
    let root = cursor.u8()?;
    if root & !(ROOT_HAS_POSITION | ROOT_HAS_ROTATION) != 0 {
        return Err(cursor.corrupt("reserved root flags are set"));
    }
    if root & ROOT_HAS_POSITION != 0 {
        tracks.push(Track::root_position());
    }
    if root & ROOT_HAS_ROTATION != 0 {
        tracks.push(Track::root_rotation());
    }
    let listed = cursor.varint()?;
    let mut components: u64 = tracks.iter().map(|track| track.components() as u64).sum();
    for _ in 0..listed {
        let kind = match cursor.u8()? {
            1 => TrackKind::Scalar,
            3 => TrackKind::Vector,
            4 => TrackKind::Rotation,
            _ => return Err(cursor.corrupt("a track has a reserved kind")),
        };
        tracks.push(Track::new(cursor.string()?, kind));
        components += kind.components() as u64;
        if components > u64::from(max_components) {
            return Err(Error::LimitExceeded { what: "track components" });
        }
    }
    let mut names: Vec<&str> = tracks.iter().map(Track::name).collect();
    names.sort_unstable();
    if names.windows(2).any(|pair| pair[0] == pair[1]) {
        return Err(cursor.corrupt("two tracks have the same name"));
    }
    Ok(tracks)
}

/// Whether a metadata pair is kept by the header itself.
pub(crate) fn in_header(key: &str, value: &str) -> bool {
    match key {
        META_GUID => guid_bytes(value).is_some(),
        META_DATA_MODE => matches!(value, "named" | "nameless"),
        _ => false,
    }
}

fn clone_pair((key, value): (&String, &String)) -> (String, String) {
    (key.clone(), value.clone())
}

/// The 16 bytes of a GUID in its canonical form (lower case, hyphens at 8, 13, 18, 23); other texts have none.
fn guid_bytes(text: &str) -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    let digits: Vec<u8> = text.bytes().filter(|&byte| byte != b'-').collect();
    if digits.len() != 32 {
        return None;
    }
    for (byte, pair) in bytes.iter_mut().zip(digits.chunks_exact(2)) {
        let digit = |c: u8| (c as char).to_digit(16).map(|d| d as u8);
        *byte = digit(pair[0])? << 4 | digit(pair[1])?;
    }
    (guid_text(bytes) == text).then_some(bytes)
}

fn guid_text(bytes: [u8; 16]) -> String {
    let mut text = String::with_capacity(36);
    for (index, byte) in bytes.iter().enumerate() {
        if matches!(index, 4 | 6 | 8 | 10) {
            text.push('-');
        }
        text.push_str(&format!("{byte:02x}"));
    }
    text
}

/// A bound as decimal `mantissa / 10^exponent` when that is exact (0.001 takes two bytes), else as f64.
pub(super) fn put_bound(out: &mut Vec<u8>, bound: f64) {
    for exponent in 0..=22u8 {
        let scale = power_of_ten(exponent);
        let mantissa = (bound * scale).round();
        if mantissa < 9_007_199_254_740_992.0 && mantissa / scale == bound {
            out.push(exponent);
            put_varint(out, mantissa as u64);
            return;
        }
    }
    out.push(0xff);
    out.extend_from_slice(&bound.to_le_bytes());
}

pub(super) fn read_bound(cursor: &mut Cursor<'_>) -> Result<f64> {
    match cursor.u8()? {
        0xff => cursor.f64(),
        exponent @ 0..=22 => Ok(cursor.varint()? as f64 / power_of_ten(exponent)),
        _ => Err(cursor.corrupt("an error bound has a reserved form")),
    }
}

/// `10^exponent`, exact up to 22.
fn power_of_ten(exponent: u8) -> f64 {
    (0..exponent).fold(1.0, |power, _| power * 10.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(tracks: Vec<Track>, naming: Naming) -> Header {
        let config = EncodeConfig::bounded(0.001).with_naming(naming);
        let mut clip = Clip::empty(tracks);
        clip.meta.insert(META_GUID.into(), "466e3a9e-1275-4554-9d4d-9c42675 23d87".replace(' ', ""));
        clip.meta.insert(META_DATA_MODE.into(), "named".into());
        Header::of_clip(&clip, TimeForm::of(&clip.times), &config)
    }

    fn read_back(header: &Header) -> Header {
        let mut read = Header::from_payload(&header.payload(), 9, 1 << 16).expect("valid");
        // The default of `extra` is resolved when it is stored.
        if let (Fidelity::Bounded(bounds), Fidelity::Bounded(asked)) = (&mut read.fidelity, &header.fidelity)
        {
            assert_eq!(bounds.extra, Some(asked.extra.unwrap_or(asked.muscle)));
            bounds.extra = asked.extra;
        }
        read
    }

    #[test]
    fn headers_come_back_and_the_humanoid_costs_no_names() {
        let mut tracks = Track::muscles();
        tracks.push(Track::root_position());
        tracks.push(Track::root_rotation());
        let nameless = header(tracks.clone(), Naming::Nameless);
        assert_eq!(read_back(&nameless), nameless);
        assert!(nameless.payload().len() < 40);
        let named = header(tracks, Naming::Named);
        assert_eq!(read_back(&named), named);
        let scattered = header(
            vec![Track::root_rotation(), Track::muscles().remove(7), Track::new("grip", TrackKind::Scalar)],
            Naming::Nameless,
        );
        assert_eq!(read_back(&scattered), scattered);
    }

    #[test]
    fn bounds_keep_their_f64() {
        for bound in [0.0, 0.001, 0.0005, 1e-7, 0.1 + 0.2, 5.0, f64::MIN_POSITIVE, 12345.678] {
            let mut out = Vec::new();
            put_bound(&mut out, bound);
            assert_eq!(read_bound(&mut Cursor::new(&out, 0)), Ok(bound));
        }
    }

    #[test]
    fn every_cut_and_reserved_value_is_an_error() {
        let payload = header(vec![Track::new("x", TrackKind::Vector)], Naming::Named).payload();
        for cut in 0..payload.len() {
            assert!(Header::from_payload(&payload[..cut], 0, 100).is_err(), "cut {cut}");
        }
        let mut longer = payload.clone();
        longer.push(0);
        assert!(Header::from_payload(&longer, 0, 100).is_err());
        let mut flagged = payload.clone();
        flagged[0] |= 0x80;
        assert!(Header::from_payload(&flagged, 0, 100).is_err());
        assert_eq!(
            Header::from_payload(&payload, 0, 2),
            Err(Error::LimitExceeded { what: "track components" })
        );
    }

    #[test]
    fn only_canonical_guids_are_packed() {
        let canonical = "466e3a9e-1275-4554-9d4d-9c42675234ff";
        assert_eq!(guid_bytes(canonical).map(guid_text).as_deref(), Some(canonical));
        for other in ["", "466E3A9E-1275-4554-9d4d-9c42675234ff", "466e3a9e12754554-9d4d-9c42675234ff--", "é"]
        {
            assert_eq!(guid_bytes(other), None, "{other}");
        }
    }
}
