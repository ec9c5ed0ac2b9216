//! Writes a clip as a package of one asset, the same bytes for the same clip.

use super::TAR_UNIT;
use super::names::safe_file_name;
use crate::error::{Error, Result};
use crate::note::Note;
use crate::registry::Progress;
use crate::save::WriteOptions;
use crate::unity_anim::{name_of_clip, write_text};
use flate2::{Compression, GzBuilder};
use sinew::Clip;
use std::io::{self, Write};

pub(super) fn write(
    clip: &Clip,
    options: &WriteOptions,
    sink: &mut dyn Write,
    progress: Progress<'_>,
) -> Result<Vec<Note>> {
    // 1. Once without a sink: a tar archive has a file's length before the file, and the GUID is a hash of it. To hold
    //    the text instead would take sixty times the memory of the clip.
    let mut digest = Digest::new();
    let mut notes = write_text(clip, options, &mut digest, &mut |_| {})?;
    let guid = format!("{:032x}", digest.hash);
    let name = safe_file_name(name_of_clip(clip));
    if name != name_of_clip(clip) {
        notes.push(Note::info(format!(
            "the file in the package is {name:?}, as no file can have the clip's name"
        )));
    }

    // 2. The archive. Its files have no times and no owner. A better compression takes twice the time and saves a fifth.
    let mut archive = GzBuilder::new().mtime(0).write(sink, Compression::fast());
    archive.write_all(header(&guid, "asset", digest.length)?.as_bytes())?;
    write_text(clip, options, &mut archive, progress)?;
    pad(&mut archive, digest.length)?;
    let meta = format!(
        "fileFormatVersion: 2\nguid: {guid}\nNativeFormatImporter:\n  externalObjects: {{}}\n  mainObjectFileID: \
         7400000\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
    );
    for (file, content) in [("asset.meta", meta), ("pathname", format!("Assets/{name}.anim"))] {
        archive.write_all(header(&guid, file, content.len() as u64)?.as_bytes())?;
        archive.write_all(content.as_bytes())?;
        pad(&mut archive, content.len() as u64)?;
    }
    archive.write_all(&[0; 2 * TAR_UNIT])?;
    archive.finish()?.flush()?;
    Ok(notes)
}

/// Header of a file in the folder of a GUID.
fn header(guid: &str, file: &str, length: u64) -> Result<tar::Header> {
    let mut header = tar::Header::new_ustar();
    header.set_path(format!("{guid}/{file}")).map_err(|error| Error::invalid(error.to_string()))?;
    header.set_size(length);
    header.set_mode(0o644);
    header.set_mtime(0);
    header.set_cksum();
    Ok(header)
}

/// Fills up the last unit of a file.
fn pad(archive: &mut impl Write, length: u64) -> io::Result<()> {
    let over = (length % TAR_UNIT as u64) as usize;
    archive.write_all(&[0; TAR_UNIT][..(TAR_UNIT - over) % TAR_UNIT])
}

/// Counts and hashes what is written: FNV-1a with 128 bits, public domain, Fowler, Noll and Vo.
struct Digest {
    length: u64,
    hash: u128,
}

impl Digest {
    fn new() -> Digest {
        Digest { length: 0, hash: 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d }
    }
}

impl Write for Digest {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        for &byte in bytes {
            self.hash = (self.hash ^ u128::from(byte)).wrapping_mul(PRIME);
        }
        self.length += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_published_function() {
        let hash = |text: &str| {
            let mut digest = Digest::new();
            digest.write_all(text.as_bytes()).expect("it takes any bytes");
            digest.hash
        };
        assert_eq!(hash(""), 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d);
        assert_eq!(hash("a"), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
        assert_eq!(hash("foobar"), 0x343e_1662_793c_64bf_6f0d_3597_ba44_6f18);
    }
}
