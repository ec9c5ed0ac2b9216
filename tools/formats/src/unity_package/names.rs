//! Names in a package: which one a caller means, and which one a file may have.

/// Longest name of a file in bytes, its extension not counted; systems take 255.
const MAX_FILE_NAME_BYTES: usize = 200;

/// Whether `wanted` means the asset at `path`: the whole path, or its last part with or without the extension.
pub(super) fn is_meant(wanted: &str, path: &str) -> bool {
    let file = file_name(path);
    wanted == path || wanted == file || file.rsplit_once('.').is_some_and(|(stem, _)| wanted == stem)
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// What kind of asset a path names: its extension, with the dot.
pub(super) fn extension(path: &str) -> String {
    const LONGEST: usize = 16;
    match file_name(path).rsplit_once('.') {
        Some((_, extension)) if !extension.is_empty() && extension.len() <= LONGEST => {
            format!(".{}", extension.to_lowercase())
        }
        _ => "no extension".to_owned(),
    }
}

/// The name under which a clip of this name may be a file on any system.
pub(super) fn safe_file_name(name: &str) -> String {
    let is_safe = |character: char| !character.is_control() && !"/\\:*?\"<>|".contains(character);
    let mut safe: String =
        name.chars().map(|character| if is_safe(character) { character } else { '_' }).collect();
    let end = (0..=MAX_FILE_NAME_BYTES.min(safe.len())).rev().find(|&end| safe.is_char_boundary(end));
    safe.truncate(end.unwrap_or(0));
    // Names of dots are folders, and some systems take dots and spaces off a name's end.
    let kept = safe.trim_end_matches(['.', ' ']).len();
    safe.replace_range(kept.., &"_".repeat(safe.len() - kept));
    if safe.is_empty() { "_".to_owned() } else { safe }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn assets_are_known_by_path_file_or_stem() {
        let path = "Assets/Clips/Wave.v2.anim";
        for wanted in [path, "Wave.v2.anim", "Wave.v2"] {
            assert!(is_meant(wanted, path), "{wanted}");
        }
        for wanted in ["", "Wave", "wave.v2", "Clips/Wave.v2.anim", "anim"] {
            assert!(!is_meant(wanted, path), "{wanted}");
        }
        assert_eq!((extension(path).as_str(), extension("Assets/Clips").as_str()), (".anim", "no extension"));
    }

    #[test]
    fn any_name_becomes_a_file_name() {
        for (name, safe) in [
            ("Wave", "Wave"),
            ("a b.c", "a b.c"),
            ("../../etc/passwd", ".._.._etc_passwd"),
            ("..", "__"),
            ("", "_"),
            ("C:\\x\n", "C__x_"),
            ("\u{3c9} ", "\u{3c9}_"),
        ] {
            assert_eq!(safe_file_name(name), safe);
        }
        let long = "\u{3c9}".repeat(500);
        assert_eq!(safe_file_name(&long).len(), MAX_FILE_NAME_BYTES);
        assert_eq!(safe_file_name(&format!("a{long}")).len(), MAX_FILE_NAME_BYTES - 1);
    }
}
