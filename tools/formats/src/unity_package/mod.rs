//! `.unitypackage`: Unity's packages of assets, a tar archive within gzip.
//!
//! Each asset has a folder named by its GUID, with the files `asset`, `asset.meta` and `pathname`, which tells where in
//! a project it goes. Text animation clips are read as `.anim` files are; other assets are passed over. Nothing is
//! unpacked to disk, so that no name in a package can lead anywhere.
//!
//! A package is read once from start to end, because it may come through a pipe. At most one clip is held at a time,
//! and names of 16 MiB altogether; see `read` for what follows from that.
//!
//! | module | idea |
//! |---|---|
//! | `unpacked` | the archive's bytes, with a bound on what they grow to |
//! | `read` | which of the assets is the clip |
//! | `names` | names in a package: which one is meant, and which a file may have |
//! | `write` | one clip as a package, the same bytes every time |

mod names;
mod read;
mod unpacked;
mod write;

use crate::registry::Entry;
use flate2::read::GzDecoder;
use std::io::Read;

pub(crate) const ENTRY: Entry = Entry {
    name: "unitypackage",
    extensions: &["unitypackage"],
    sniff,
    read: read::read,
    recover: None,
    write: write::write,
    holds_skeletons: false,
    own_rig: None,
    companion: None,
};

/// Bytes of a tar archive's unit: headers are one, and files are padded to whole ones.
const TAR_UNIT: usize = 512;
/// Hexadecimal digits of a GUID.
const GUID_DIGITS: usize = 32;

/// Gzip whose content starts as a tar archive with a folder or file of a GUID. Other gzip files are none of ours.
fn sniff(head: &[u8]) -> bool {
    let mut header = [0; TAR_UNIT];
    if !head.starts_with(b"\x1f\x8b\x08") || GzDecoder::new(head).read_exact(&mut header).is_err() {
        return false;
    }
    let header = tar::Header::from_byte_slice(&header);
    // The sum of all bytes, those of the sum itself as spaces.
    let bytes = header.as_bytes();
    let sum: u32 =
        bytes[..148].iter().chain(&[b' '; 8]).chain(&bytes[156..]).map(|&byte| u32::from(byte)).sum();
    let name = header.path_bytes();
    let name = name.strip_prefix(b"./").unwrap_or(&name);
    let guid = name.split(|&byte| byte == b'/').next().unwrap_or_default();
    header.cksum().is_ok_and(|stored| stored == sum)
        && guid.len() == GUID_DIGITS
        && guid.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    fn gzip(content: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(content).expect("a Vec takes any bytes");
        encoder.finish().expect("a Vec takes any bytes")
    }

    fn tar_of(name: &str) -> Vec<u8> {
        let mut archive = tar::Builder::new(Vec::new());
        let mut header = tar::Header::new_ustar();
        header.set_size(1);
        archive.append_data(&mut header, name, &b"x"[..]).expect("a Vec takes any bytes");
        archive.into_inner().expect("a Vec takes any bytes")
    }

    #[test]
    fn only_archives_of_guids_are_packages() {
        let guid = "0123456789abcdef0123456789ABCDEF";
        for name in [format!("{guid}/asset"), format!("./{guid}/pathname"), guid.to_owned()] {
            assert!(sniff(&gzip(&tar_of(&name))), "{name}");
        }
        let good = tar_of(&format!("{guid}/asset"));
        let mut changed = good.clone();
        changed[3] ^= 1;
        for content in
            [tar_of("readme"), tar_of("0123/asset"), changed, vec![0x91, 0x93, 0xa0], vec![0; 4096]]
        {
            assert!(!sniff(&gzip(&content)));
        }
        assert!(!sniff(&good) && !sniff(b"") && !sniff(&gzip(&good)[..20]));
    }
}
