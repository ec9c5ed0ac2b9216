//! Packages that are damaged or mean harm.

use crate::support::{anim_named, archive, guid, gzip, package, read, refused};
use flate2::Compression;
use flate2::write::GzEncoder;
use sinew::DecodeLimits;
use sinew_formats::{Error, Format, ReadOptions, read_from, sniff};
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

#[test]
fn packages_without_a_clip_say_what_they_hold() {
    refused(&package(&[]), None, "no text animation clip but nothing");
    let (a, b) = (guid(1), guid(2));
    let files: [(&str, &str, &[u8]); 3] =
        [(&a, "asset", b"\x89PNG"), (&a, "pathname", b"Assets/a.PNG"), (&b, "pathname", b"Assets/Folder")];
    refused(&package(&files), None, "no text animation clip but 1 of \".png\", 1 of \"no extension\"");
    refused(&package(&files), Some("x"), "no clip of the package is called \"x\"; there are none");
    // A binary clip is named for what it is by its kind.
    let binary: [(&str, &str, &[u8]); 2] =
        [(&a, "asset", b"\0\0\0\0\0\0\x16"), (&a, "pathname", b"Assets/Wave.anim")];
    refused(&package(&binary), None, "1 of \".anim\"");
}

#[test]
fn other_gzip_files_are_no_packages() {
    assert!(sniff(&gzip(b"time,Jaw Close\n0,1\n"), None).is_err());
    assert_eq!(sniff(&gzip(b"x"), Some(Path::new("a.data"))), Ok(Format::Data));
    assert_eq!(sniff(&gzip(b"x"), Some(Path::new("a.unitypackage"))), Ok(Format::UnityPackage));
    refused(&gzip(b"time,Jaw Close\n0,1\n"), None, ".unitypackage: byte");
    refused(b"PK\x03\x04 and so on, as another archive does", None, "gzip stream is damaged");
    refused(b"", None, "cut within its gzip stream");
}

#[test]
fn names_that_lead_elsewhere_are_only_shown() {
    let clip = anim_named("Wave");
    let a = guid(1);
    let loaded = read(&package(&[(&a, "asset", &clip), (&a, "pathname", b"../../../etc/passwd\x1b[31m")]))
        .expect("readable");
    assert_eq!(loaded.notes[0].text, "the clip is \"../../../etc/passwd\\u{1b}[31m\" of the package");
}

#[test]
fn links_folders_and_extensions_are_passed_over() {
    let clip = anim_named("Wave");
    let a = guid(1);
    let mut builder = tar::Builder::new(Vec::new());
    for (kind, name) in [
        (tar::EntryType::Directory, "asset"),
        (tar::EntryType::Symlink, "asset"),
        (tar::EntryType::Link, "pathname"),
        (tar::EntryType::Fifo, "asset"),
        (tar::EntryType::XHeader, "asset"),
        (tar::EntryType::GNULongName, "asset"),
        (tar::EntryType::GNUSparse, "asset"),
    ] {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_path(format!("{a}/{name}")).expect("short");
        header.set_size(0);
        header.set_cksum();
        builder.append(&header, &b""[..]).expect("a Vec takes any bytes");
    }
    let mut bytes = builder.into_inner().expect("a Vec takes any bytes");
    bytes.truncate(bytes.len() - 1024);
    bytes.extend(archive(&[(&a, "asset", &clip)]));
    assert!(read(&gzip(&bytes)).is_ok());
}

#[test]
fn cuts_and_changed_bytes_are_errors_or_the_same_clip() {
    let clip = anim_named("Wave");
    let a = guid(1);
    let bytes = package(&[(&a, "asset", &clip), (&a, "pathname", b"Assets/Wave.anim")]);
    let whole = read(&bytes).expect("readable").clip;
    for length in (0..bytes.len()).step_by(31) {
        let error = read(&bytes[..length]).map(|_| ()).expect_err("cut").to_string();
        assert!(error.starts_with(".unitypackage: byte "), "{length}: {error}");
    }
    for at in (10..bytes.len()).step_by(37) {
        let mut changed = bytes.clone();
        changed[at] ^= 0x20;
        if let Ok(loaded) = read(&changed) {
            assert_eq!(loaded.clip, whole, "{at}");
        }
    }
    // The archive itself, of sound gzip: sizes and sums are wrong, or another clip comes out.
    let archive = archive(&[(&a, "asset", &clip), (&a, "pathname", b"Assets/Wave.anim")]);
    for at in (0..512).step_by(7) {
        let mut changed = archive.clone();
        changed[at] ^= 0x11;
        let _ = read(&gzip(&changed));
    }
    for length in (1..archive.len() - 1024).step_by(1009) {
        let cut = read(&gzip(&archive[..length]));
        assert!(length > archive.len() - 2048 || cut.is_err(), "{length}");
    }
}

#[test]
fn faults_within_a_clip_name_the_asset_and_line() {
    let clip = String::from_utf8(anim_named("Wave")).expect("text").replacen("value: ", "value: x", 1);
    let a = guid(1);
    let bytes = package(&[(&a, "asset", clip.as_bytes()), (&a, "pathname", b"Assets/Wave.anim")]);
    refused(&bytes, None, ".unitypackage: \"Assets/Wave.anim\": line ");
}

#[test]
fn bombs_stop_early() {
    // A clip whose text never ends, a thousand times the length of its package.
    let a = guid(1);
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let mut header = tar::Header::new_ustar();
    header.set_path(format!("{a}/asset")).expect("short");
    header.set_size(1 << 32);
    header.set_cksum();
    encoder.write_all(header.as_bytes()).expect("a Vec takes any bytes");
    let mut comments = vec![b' '; 1 << 20];
    comments.chunks_mut(1024).for_each(|line| (line[0], line[1023]) = (b'#', b'\n'));
    encoder
        .write_all(b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\nAnimationClip:\n")
        .expect("a Vec takes any bytes");
    for _ in 0..700 {
        encoder.write_all(&comments).expect("a Vec takes any bytes");
    }
    let bytes = encoder.finish().expect("a Vec takes any bytes");
    assert!(bytes.len() < 3 << 20);
    let start = Instant::now();
    refused(&bytes, None, "bytes that a package unpacks to");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn limits_hold_within_packages_and_names_are_bounded() {
    let clip = anim_named("Wave");
    let a = guid(1);
    let bytes = package(&[(&a, "asset", &clip)]);
    let limits = DecodeLimits { max_samples: 94, ..DecodeLimits::default() };
    let options = ReadOptions { limits, ..ReadOptions::default() };
    let error = read_from(&mut bytes.as_slice(), None, None, &options, &mut |_| {}).expect_err("refused");
    assert!(matches!(error, Error::Codec(sinew::Error::LimitExceeded { .. })), "{error}");
    // Paths without assets, 4 KiB each.
    let long = "x".repeat(5000);
    let guids: Vec<String> = (0..5000).map(guid).collect();
    let files: Vec<(&str, &str, &[u8])> =
        guids.iter().map(|guid| (guid.as_str(), "pathname", long.as_bytes())).collect();
    refused(&package(&files), None, "names in a package");
}
