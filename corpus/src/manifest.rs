//! The manifest of a folder of real captures: `MANIFEST.tsv`, one line a file with its source and licence.

use sinew::{Error, Result};
use std::path::Path;

/// Name of the manifest in a corpus folder.
pub const MANIFEST_NAME: &str = "MANIFEST.tsv";

const COLUMNS: [&str; 9] =
    ["file", "repository", "path", "commit", "licence", "bytes", "frames", "fps", "note"];

/// One line of the manifest.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Path of the file, relative to the folder of the manifest.
    pub file: String,
    /// Repository that the file comes from, `owner/name`.
    pub repository: String,
    /// Path within that repository.
    pub path: String,
    /// Commit that was read.
    pub commit: String,
    /// Licence, and where it is stated.
    pub licence: String,
    /// Size in bytes.
    pub bytes: u64,
    /// Number of frames.
    pub frames: u64,
    /// Frames a second, the mean of irregular ones; `None` where the manifest says `?`.
    pub hz: Option<f64>,
    /// Anything else worth knowing.
    pub note: String,
}

/// Reads the manifest of `folder`.
///
/// # Errors
/// [`Error::Io`] if it cannot be read, [`Error::Format`] that names the line if it is not as described.
pub fn manifest(folder: &Path) -> Result<Vec<Entry>> {
    parse(&std::fs::read_to_string(folder.join(MANIFEST_NAME))?)
}

fn parse(text: &str) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    let mut at_byte = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let start = at_byte;
        at_byte += line.len() as u64;
        let fields: Vec<&str> = line.trim_end_matches(['\n', '\r']).split('\t').collect();
        let wrong = |what: String| Error::Format {
            format: MANIFEST_NAME,
            frame: None,
            entry: None,
            at_byte: start,
            what: format!("line {}: {what}", index + 1),
        };
        if index == 0 {
            if fields != COLUMNS {
                return Err(wrong(format!("the columns must be {}", COLUMNS.join(", "))));
            }
        } else if fields != [""] {
            entries.push(entry(&fields).map_err(wrong)?);
        }
    }
    match at_byte {
        0 => Err(Error::Truncated { needed_bytes: COLUMNS.join("\t").len() as u64 }),
        _ => Ok(entries),
    }
}

/// The entry that a line's fields hold, or what is wrong with them.
fn entry(fields: &[&str]) -> std::result::Result<Entry, String> {
    let [file, repository, path, commit, licence, bytes, frames, fps, note] = fields else {
        return Err(format!("{} fields instead of {}", fields.len(), COLUMNS.len()));
    };
    let relative = Path::new(file).components().all(|part| matches!(part, std::path::Component::Normal(_)));
    if file.is_empty() || !relative {
        return Err(format!("file {file:?} is not a path inside the folder"));
    }
    let number = |column, field: &str| {
        field.parse().map_err(|_| format!("{column} must be a whole number, not {field:?}"))
    };
    Ok(Entry {
        file: file.to_string(),
        repository: repository.to_string(),
        path: path.to_string(),
        commit: commit.to_string(),
        licence: licence.to_string(),
        bytes: number("bytes", bytes)?,
        frames: number("frames", frames)?,
        hz: rate(fps)?,
        note: note.to_string(),
    })
}

/// `60.0`, `35.9 (irregular)` or `?`.
fn rate(field: &str) -> std::result::Result<Option<f64>, String> {
    if field == "?" {
        return Ok(None);
    }
    let digits = field.split(' ').next().unwrap_or("");
    match digits.parse::<f64>() {
        Ok(hz) if hz.is_finite() && hz > 0.0 => Ok(Some(hz)),
        _ => Err(format!("fps must be a positive number or ?, not {field:?}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "file\trepository\tpath\tcommit\tlicence\tbytes\tframes\tfps\tnote\n";

    #[test]
    fn a_line_becomes_an_entry() {
        let text = format!(
            "{HEADER}m/a.data\to/r\tx/a.data\tabc\tMIT\t12\t3\t35.9 (irregular)\traw \"quoted\"\r\n\n"
        );
        let entries = parse(&text).unwrap();
        assert_eq!(entries.len(), 1);
        assert_eq!((entries[0].file.as_str(), entries[0].bytes, entries[0].frames), ("m/a.data", 12, 3));
        assert_eq!((entries[0].hz, entries[0].note.as_str()), (Some(35.9), "raw \"quoted\""));
        let text = format!("{HEADER}a.csv\t\t\t\t\t1\t0\t?\t");
        assert_eq!(parse(&text).unwrap()[0].hz, None);
    }

    #[test]
    fn errors_name_the_line() {
        let good = "a\tr\tp\tc\tl\t1\t2\t60\tn";
        let wrong = [
            ("a\tr\tp\tc\tl\t1\t2\t60", "8 fields"),
            ("a\tr\tp\tc\tl\t-1\t2\t60\tn", "bytes"),
            ("a\tr\tp\tc\tl\t1\t2.5\t60\tn", "frames"),
            ("a\tr\tp\tc\tl\t1\t2\tNaN\tn", "fps"),
            ("a\tr\tp\tc\tl\t1\t2\t\tn", "fps"),
            ("../a\tr\tp\tc\tl\t1\t2\t60\tn", "inside the folder"),
            ("/a\tr\tp\tc\tl\t1\t2\t60\tn", "inside the folder"),
        ];
        for (line, what) in wrong {
            let error = parse(&format!("{HEADER}{good}\n{line}\n")).unwrap_err().to_string();
            assert!(error.contains("line 3: ") && error.contains(what), "{error}");
        }
        assert!(parse("file\tbytes\n").unwrap_err().to_string().contains("line 1: "));
        assert!(matches!(parse(""), Err(Error::Truncated { .. })));
    }

    #[test]
    fn the_manifest_of_the_captures_is_read() {
        let Some(path) = crate::require(MANIFEST_NAME) else { return };
        let folder = path.parent().unwrap();
        let entries = manifest(folder).unwrap();
        assert!(!entries.is_empty());
        for entry in entries {
            let bytes = std::fs::metadata(folder.join(&entry.file)).map(|meta| meta.len());
            assert_eq!(bytes.ok(), Some(entry.bytes), "{}", entry.file);
        }
    }
}
