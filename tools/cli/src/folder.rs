//! What a folder holds: the files of known formats below it, in one order on every system.

use crate::text::{count, counted};
use sinew_formats::Format;
use std::collections::BTreeSet;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// The files of a folder that are clips by their extension.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    /// Paths below the folder, sorted, each with the format of its extension.
    pub files: Vec<(PathBuf, Format)>,
    pub skipped: Skipped,
    /// What the system would not show, by its path below the folder.
    pub failures: Vec<(PathBuf, io::Error)>,
}

/// Counts of what is no input.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Skipped {
    /// Files of no known format, or of another one than asked for.
    pub others: u64,
    /// Files and folders whose name begins with a dot.
    pub hidden: u64,
    /// Links to folders: they may lead round in a ring, or out of the folder.
    pub links: u64,
    /// Files that are their own output.
    pub own: u64,
}

impl Skipped {
    /// All of them.
    pub fn total(self) -> u64 {
        self.others + self.hidden + self.links + self.own
    }

    /// One line of what is skipped and why; nothing if nothing is.
    pub fn line(self, only: Option<Format>, to: Format) -> Option<String> {
        let others = only.map_or("of no known format".to_owned(), |format| format!("not {format}"));
        let parts: Vec<String> = [
            (self.others, format!("{} {others}", count(self.others))),
            (self.own, format!("{} already {to}", count(self.own))),
            (self.hidden, format!("{} hidden", count(self.hidden))),
            (self.links, counted(self.links, "linked folder")),
        ]
        .into_iter()
        .filter_map(|(number, part)| (number > 0).then_some(part))
        .collect();
        (!parts.is_empty()).then(|| format!("skipped {}", parts.join(", ")))
    }
}

/// Lists a folder to its depths. `only` takes files of one format; `leave_out` is a folder below it that is not looked
/// into. The second file that a format keeps beside its main one belongs to that one and is none of its own.
///
/// # Errors
/// If the folder itself cannot be read; for what lies below it see [`Listing::failures`].
pub(crate) fn list(root: &Path, only: Option<Format>, leave_out: Option<&Path>) -> io::Result<Listing> {
    let mut listing = Listing::default();
    let mut folders = vec![PathBuf::new()];
    while let Some(folder) = folders.pop() {
        let entries = match fs::read_dir(root.join(&folder)) {
            Ok(entries) => entries,
            Err(error) if folder.as_os_str().is_empty() => return Err(error),
            Err(error) => {
                listing.failures.push((folder, error));
                continue;
            }
        };
        for entry in entries {
            match entry.and_then(|entry| Ok((folder.join(entry.file_name()), kind_of(&entry)?))) {
                Ok((path, Kind::Folder)) if leave_out == Some(&path) => {}
                Ok((path, Kind::Folder)) => folders.push(path),
                Ok((path, Kind::File)) => listing.take(path, only),
                Ok((_, Kind::Hidden)) => listing.skipped.hidden += 1,
                Ok((_, Kind::LinkToFolder)) => listing.skipped.links += 1,
                Ok((_, Kind::Special)) => listing.skipped.others += 1,
                Err(error) => listing.failures.push((folder.clone(), error)),
            }
        }
    }
    listing.files.sort_by(|a, b| a.0.cmp(&b.0));
    listing.failures.sort_by(|a, b| a.0.cmp(&b.0));
    listing.drop_second_files();
    Ok(listing)
}

enum Kind {
    File,
    Folder,
    Hidden,
    LinkToFolder,
    /// A pipe or a device, which may never end.
    Special,
}

fn kind_of(entry: &DirEntry) -> io::Result<Kind> {
    if entry.file_name().as_encoded_bytes().starts_with(b".") {
        return Ok(Kind::Hidden);
    }
    let found = entry.file_type()?;
    if !found.is_symlink() {
        return Ok(match (found.is_dir(), found.is_file()) {
            (true, _) => Kind::Folder,
            (_, true) => Kind::File,
            _ => Kind::Special,
        });
    }
    Ok(match fs::metadata(entry.path()) {
        Ok(target) if target.is_dir() => Kind::LinkToFolder,
        Ok(target) if !target.is_file() => Kind::Special,
        // A link to nothing is an input that cannot be opened.
        _ => Kind::File,
    })
}

impl Listing {
    fn take(&mut self, path: PathBuf, only: Option<Format>) {
        match Format::from_extension(&path) {
            Some(format) if only.is_none_or(|only| only == format) => self.files.push((path, format)),
            _ => self.skipped.others += 1,
        }
    }

    fn drop_second_files(&mut self) {
        let second: BTreeSet<PathBuf> =
            self.files.iter().filter_map(|(path, format)| format.companion_path(path)).collect();
        self.files.retain(|(path, _)| !second.contains(path));
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// A folder with these empty files.
    pub(crate) fn folder(names: &[&str]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().expect("a folder");
        for name in names {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().expect("a parent")).expect("created");
            fs::write(path, "").expect("written");
        }
        folder
    }

    fn names(listing: &Listing) -> Vec<String> {
        listing.files.iter().map(|(path, _)| path.to_string_lossy().replace('\\', "/")).collect()
    }

    #[test]
    fn files_come_sorted_and_the_rest_is_counted() {
        let folder =
            folder(&["b.data", "a/z.csv", "a/b/c.CSV", "a.csv", "read.me", ".hidden.csv", ".git/x.csv"]);
        let listing = list(folder.path(), None, None).expect("a folder");
        assert_eq!(names(&listing), ["a/b/c.CSV", "a/z.csv", "a.csv", "b.data"]);
        assert_eq!(listing.skipped, Skipped { others: 1, hidden: 2, ..Skipped::default() });
        let only = list(folder.path(), Some(Format::Data), None).expect("a folder");
        assert_eq!((names(&only), only.skipped.others), (vec!["b.data".to_owned()], 4));
        let outside = list(folder.path(), None, Some(Path::new("a"))).expect("a folder");
        assert_eq!(names(&outside), ["a.csv", "b.data"]);
        assert!(list(&folder.path().join("none"), None, None).is_err());
    }

    #[test]
    fn a_second_file_is_no_clip_of_its_own() {
        let folder = folder(&["a.npy", "a.times.npy", "alone.times.npy"]);
        let listing = list(folder.path(), None, None).expect("a folder");
        assert_eq!(
            (names(&listing), listing.skipped.total()),
            (vec!["a.npy".into(), "alone.times.npy".into()], 0)
        );
    }

    #[test]
    fn what_is_skipped_is_told_in_one_line() {
        let skipped = Skipped { others: 3, hidden: 1, links: 2, own: 1 };
        let line = skipped.line(None, Format::Csv);
        let text = "skipped 3 of no known format, 1 already .csv, 1 hidden, 2 linked folders";
        assert_eq!(line.as_deref(), Some(text));
        assert_eq!(Skipped::default().line(None, Format::Csv), None);
        let others = Skipped { others: 1, ..Skipped::default() };
        assert_eq!(others.line(Some(Format::Npy), Format::Csv).as_deref(), Some("skipped 1 not .npy"));
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_to_files_only() {
        use std::os::unix::fs::symlink;
        let folder = folder(&["a/x.csv"]);
        for (target, link) in [("..", "a/up"), ("a", "b"), ("x.csv", "a/y.csv"), ("none", "a/z.csv")] {
            symlink(target, folder.path().join(link)).expect("linked");
        }
        let made = std::process::Command::new("mkfifo").arg(folder.path().join("pipe.csv")).status();
        assert!(made.expect("mkfifo runs").success());
        let listing = list(folder.path(), None, None).expect("a folder");
        assert_eq!(names(&listing), ["a/x.csv", "a/y.csv", "a/z.csv"]);
        assert_eq!(listing.skipped, Skipped { links: 2, others: 1, ..Skipped::default() });
    }
}
