//! `.unitypackage`: packages as Unity and others lay them out, written ones, and ones that mean harm.

mod hostile;
mod support;

use sinew::data::DataMode;
use sinew::{Track, TrackKind};
use sinew_formats::unity_anim::{AnimOptions, META_NAME, Tangents};
use sinew_formats::{Format, NoteKind, ReadOptions, WriteOptions, read_from, sniff, write};
use std::io::Read;
use support::{anim_named, guid, humanoid, package, packed, read, read_asset, refused};

#[test]
fn a_written_package_reads_back_and_is_the_same_every_time() {
    let mut clip = humanoid(40);
    clip.meta.insert(META_NAME.into(), "Wave".into());
    let (bytes, notes) = packed(&clip, WriteOptions::default());
    assert!(notes.is_empty() && bytes == packed(&clip, WriteOptions::default()).0);
    assert_eq!(sniff(&bytes, None), Ok(Format::UnityPackage));
    let loaded = read(&bytes).expect("readable");
    assert_eq!((loaded.format, loaded.clip.bits_equal(&clip)), (Format::UnityPackage, true));
    assert_eq!(loaded.clip.meta, clip.meta);
    assert_eq!(loaded.notes[0].text, "the clip is \"Assets/Wave.anim\" of the package");
    // Another clip has another GUID.
    let mut other = clip.clone();
    other.samples[0][0] += 0.5;
    let folder = |bytes: &[u8]| files(bytes)[0].0.clone();
    assert_ne!(folder(&bytes), folder(&packed(&other, WriteOptions::default()).0));
}

/// Name and content of every file in a package.
fn files(bytes: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut archive = tar::Archive::new(flate2::read::GzDecoder::new(bytes));
    let entries = archive.entries().expect("an archive").map(|entry| {
        let mut entry = entry.expect("an entry");
        assert_eq!(
            (entry.header().mtime().expect("a time"), entry.header().mode().expect("a mode")),
            (0, 0o644)
        );
        let name = entry.path().expect("a path").to_string_lossy().into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("content");
        (name, content)
    });
    entries.collect()
}

#[test]
fn a_written_package_is_what_unity_imports() {
    let mut clip = humanoid(3);
    clip.meta.insert(META_NAME.into(), "a/b".into());
    let anim = AnimOptions { tangents: Tangents::ClampedAuto, reduce: None };
    let options = WriteOptions { anim, ..WriteOptions::default() };
    let (bytes, notes) = packed(&clip, options.clone());
    assert_eq!((notes.len(), notes[0].kind), (1, NoteKind::Info));
    let files = files(&bytes);
    let guid = files[0].0.split('/').next().expect("a folder");
    assert!(guid.len() == 32 && guid.bytes().all(|byte| b"0123456789abcdef".contains(&byte)));
    let names: Vec<&str> = files.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["asset", "asset.meta", "pathname"].map(|name| format!("{guid}/{name}")));
    let text = |index: usize| std::str::from_utf8(&files[index].1).expect("text");
    let mut alone = Vec::new();
    write(&clip, Format::Anim, &options, &mut alone, &mut |_| {}).expect("writable");
    assert!(files[0].1 == alone && text(0).contains("m_Name: a/b\n") && text(0).contains("tangentMode: 136"));
    assert_eq!(
        text(1),
        format!(
            "fileFormatVersion: 2\nguid: {guid}\nNativeFormatImporter:\n  externalObjects: {{}}\n  mainObjectFileID: \
             7400000\n  userData: \n  assetBundleName: \n  assetBundleVariant: \n"
        )
    );
    assert_eq!(text(2), "Assets/a_b.anim");
}

#[test]
fn what_an_anim_cannot_hold_no_package_can() {
    let mut clip = humanoid(2);
    clip.samples[5][1] = f32::NAN;
    let mut bytes = Vec::new();
    assert!(write(&clip, Format::UnityPackage, &WriteOptions::default(), &mut bytes, &mut |_| {}).is_err());
    assert!(bytes.is_empty());
    clip.samples[5][1] = 0.0;
    clip.tracks.push(Track::new("value-95", TrackKind::Scalar));
    clip.samples.push(vec![0.0; 2]);
    assert!(packed(&clip, WriteOptions::default()).1.iter().any(|note| note.is_loss()));
}

#[test]
fn the_one_clip_is_found_among_other_assets_in_any_order() {
    let clip = anim_named("Wave");
    let prefab = b"%YAML 1.1\n%TAG !u! tag:unity3d.com,2011:\n--- !u!1 &1\nGameObject:\n  m_Name: a\n";
    let (a, b, c) = (guid(1), guid(2), guid(3));
    let files: [(&str, &str, &[u8]); 7] = [
        (&a, "asset", prefab),
        (&a, "pathname", b"Assets/a.prefab"),
        (&b, "asset", &clip),
        (&b, "asset.meta", b"fileFormatVersion: 2\n"),
        // Some packers add a line.
        (&b, "pathname", b"Assets/Wave.anim\n00"),
        (&c, "asset", b"\x89PNG\r\n"),
        (&c, "pathname", b"Assets/a.png"),
    ];
    for turn in 0..files.len() {
        let mut turned = files;
        turned.rotate_left(turn);
        let bytes = package(&turned);
        let loaded = read(&bytes).expect("readable");
        assert_eq!(loaded.clip.meta[META_NAME], "Wave");
        assert!(loaded.notes[0].text.contains("Assets/Wave.anim"), "{:?}", loaded.notes);
        assert_eq!(read_asset(&bytes, "Wave").expect("readable").clip, loaded.clip);
        // Through a pipe that gives a byte at a time.
        let mut slow = std::io::BufReader::with_capacity(1, bytes.as_slice());
        let options = ReadOptions::default();
        let again = read_from(&mut slow, Some(Format::UnityPackage), None, &options, &mut |_| {});
        assert_eq!(again.expect("readable").clip, loaded.clip);
    }
}

#[test]
fn one_of_several_is_chosen_by_name_or_path() {
    let (run, wave, other) = (anim_named("Run"), anim_named("Wave"), anim_named("Odd"));
    let (a, b, c) = (guid(1), guid(2), guid(3));
    let files: [(&str, &str, &[u8]); 6] = [
        (&a, "asset", &run),
        (&a, "pathname", b"Assets/One/Run.anim"),
        (&b, "pathname", b"Assets/Wave.anim"),
        (&b, "asset", &wave),
        (&c, "asset", &other),
        (&c, "pathname", b"Assets/Two/Run.anim"),
    ];
    let bytes = package(&files);
    refused(
        &bytes,
        None,
        "3 clips, of which `sinew convert --asset NAME` reads one: \"Assets/One/Run.anim\", \"Assets/Wave.anim\"",
    );
    refused(&bytes, Some("Run"), "2 clips are called \"Run\"");
    refused(
        &bytes,
        Some("Jump"),
        "no clip of the package is called \"Jump\"; there are \"Assets/One/Run.anim\"",
    );
    for (asset, name) in [
        ("Wave", "Wave"),
        ("Wave.anim", "Wave"),
        ("Assets/Wave.anim", "Wave"),
        ("Assets/One/Run.anim", "Run"),
        ("Assets/Two/Run.anim", "Odd"),
    ] {
        assert_eq!(read_asset(&bytes, asset).expect("readable").clip.meta[META_NAME], name, "{asset}");
    }
}

#[test]
fn where_paths_come_last_a_clip_is_found_by_its_own_name() {
    let (run, wave) = (anim_named("Run"), anim_named("Wave"));
    let (a, b) = (guid(1), guid(2));
    let files: [(&str, &str, &[u8]); 4] = [
        (&a, "asset", &run),
        (&b, "asset", &wave),
        (&a, "pathname", b"Assets/Run.anim"),
        (&b, "pathname", b"Assets/Wave.anim"),
    ];
    for name in ["Run", "Wave"] {
        assert_eq!(read_asset(&package(&files), name).expect("readable").clip.meta[META_NAME], name);
    }
    // And where its path is another, it has gone by.
    let mut renamed = files;
    renamed[2].2 = b"Assets/Walk.anim";
    refused(&package(&renamed), Some("Walk"), "only after other clips have gone by");
    // Without any path its own name is all there is.
    let loaded = read(&package(&files[..1])).expect("readable");
    assert_eq!(loaded.notes[0].text, "the clip is \"Run\" of the package");
    assert_eq!(read_asset(&package(&files[..2]), "Wave").expect("readable").clip.meta[META_NAME], "Wave");
}

#[test]
fn a_package_converts_like_the_clip_in_it() {
    let clip = humanoid(5);
    let (bytes, _) = packed(&clip, WriteOptions::default());
    let loaded = read(&bytes).expect("readable");
    let data = |clip| {
        let mut bytes = Vec::new();
        sinew::data::write(clip, DataMode::Named, &mut bytes).expect("writable");
        bytes
    };
    assert_eq!(data(&loaded.clip), data(&clip));
    let options = ReadOptions { hz: Some(30.0), ..ReadOptions::default() };
    let sampled = read_from(&mut bytes.as_slice(), None, None, &options, &mut |_| {}).expect("readable");
    assert!(sampled.rate_was_given);
}
