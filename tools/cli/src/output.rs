//! Writing outputs: complete or not at all, and never over an existing file unless asked.

use crate::interrupt;
use crate::text::{is_stream, shown_output};
use anyhow::{Context, Result, ensure};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use tempfile::{NamedTempFile, TempPath};

/// Refuses an output that exists or cannot be made, before any work is done for it.
pub(crate) fn check(path: &Path, force: bool) -> Result<()> {
    if is_in_place(path) {
        return Ok(());
    }
    let is_folder = path.is_dir() || path.as_os_str().to_string_lossy().ends_with(std::path::is_separator);
    ensure!(!is_folder, "{}: is a folder", path.display());
    match path.symlink_metadata() {
        // A dangling link included.
        Ok(_) => ensure!(force, "{}: exists; --force overwrites it", path.display()),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| path.display().to_string()),
    }
    let folder = behind_links(path).and_then(|target| fs::metadata(folder_of(&target)));
    folder.map(|_| ()).with_context(|| path.display().to_string())
}

/// Whether an output is written to as it is, with nothing beside it: a stream, a pipe or a device.
pub(crate) fn is_in_place(path: &Path) -> bool {
    is_stream(path) || is_device(path)
}

/// Whether the path is neither missing nor a file nor a folder.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Most links that are followed one after another; systems have limits of this size.
const MAX_LINKS: usize = 40;

/// The file that a path means: through links, even where the last one leads to no file yet.
fn behind_links(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::canonicalize(&path) {
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            other => return other,
        }
        if !path.is_symlink() {
            return Ok(path);
        }
        path = folder_of(&path).join(fs::read_link(&path)?);
    }
    Err(io::Error::other("too many links"))
}

/// An output being written. Dropped before [`Output::finish`], a file leaves nothing behind.
pub(crate) struct Output {
    sink: Sink,
    bytes: u64,
    name: String,
}

enum Sink {
    Stream(BufWriter<io::Stdout>),
    Device(BufWriter<File>),
    File(AtomicFile),
}

impl Output {
    /// Starts the output of this name; `-` is standard output.
    pub fn create(path: &Path, force: bool) -> Result<Output> {
        let name = shown_output(path);
        let sink = if is_stream(path) {
            Sink::Stream(BufWriter::new(io::stdout()))
        } else if is_device(path) {
            let device = OpenOptions::new().write(true).open(path);
            Sink::Device(BufWriter::new(device.with_context(|| name.clone())?))
        } else {
            Sink::File(AtomicFile::create(path, force).with_context(|| name.clone())?)
        };
        Ok(Output { sink, bytes: 0, name })
    }

    /// Whether dropping this output leaves nothing behind.
    pub fn can_be_given_up(&self) -> bool {
        matches!(self.sink, Sink::File(_))
    }

    /// Completes the output and gives its length in bytes. Only now does a file have its name.
    pub fn finish(self) -> Result<u64> {
        let finished = match self.sink {
            Sink::Stream(mut stream) => stream.flush().map_err(Into::into),
            Sink::Device(mut device) => device.flush().map_err(Into::into),
            Sink::File(file) => file.finish(),
        };
        finished.context(self.name)?;
        Ok(self.bytes)
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let length = match &mut self.sink {
            Sink::Stream(stream) => stream.write(bytes),
            Sink::Device(device) => device.write(bytes),
            Sink::File(file) => file.file.write(bytes),
        }?;
        self.bytes += length as u64;
        Ok(length)
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.sink {
            Sink::Stream(stream) => stream.flush(),
            Sink::Device(device) => device.flush(),
            Sink::File(file) => file.file.flush(),
        }
    }
}

/// A temporary file beside its final name.
struct AtomicFile {
    file: BufWriter<File>,
    temporary: Temporary,
    path: PathBuf,
    force: bool,
}

impl AtomicFile {
    fn create(path: &Path, force: bool) -> Result<AtomicFile> {
        // Through a link, the file that it points to is replaced, not the link.
        let path = behind_links(path)?;
        path.file_name().context("the output has no file name")?;
        // Beside its final name, because a rename is atomic within one file system only. Its own name is short: a
        // system that takes the final name may not take a longer one.
        let folder = folder_of(&path);
        let mut builder = tempfile::Builder::new();
        builder.prefix(".sinew-").suffix(".tmp");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As any program creates a file; the system takes the user's mask off.
            builder.permissions(fs::Permissions::from_mode(0o666));
        }
        let (file, temporary) = interrupt::create(|| builder.tempfile_in(folder), NamedTempFile::path)
            // By its kind: the message would name the temporary file, which nobody asked for.
            .map_err(|error| io::Error::from(error.kind()))?
            .into_parts();
        let temporary = Temporary(Some(temporary));
        Ok(AtomicFile { file: BufWriter::new(file), temporary, path, force })
    }

    /// Puts the complete file under its name.
    fn finish(self) -> Result<()> {
        let AtomicFile { file, temporary, path, force } = self;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        if let Ok(existing) = fs::metadata(&path) {
            file.set_permissions(existing.permissions())?;
        }
        file.sync_all()?;
        temporary.rename(&path, force)
    }
}

/// The name of a temporary file: removed on drop, and on Ctrl-C.
struct Temporary(Option<TempPath>);

impl Temporary {
    fn rename(mut self, path: &Path, force: bool) -> Result<()> {
        let temporary = self.0.take().expect("a temporary file is renamed once");
        let known = temporary.to_path_buf();
        let renamed = if force { temporary.persist(path) } else { temporary.persist_noclobber(path) };
        interrupt::forget(&known);
        match renamed {
            Ok(()) => Ok(()),
            Err(error) if error.error.kind() == ErrorKind::AlreadyExists => {
                anyhow::bail!("appeared meanwhile; --force overwrites it")
            }
            Err(error) => Err(error.error.into()),
        }
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(temporary) = self.0.take() {
            let known = temporary.to_path_buf();
            drop(temporary);
            interrupt::forget(&known);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
    }

    #[test]
    fn a_file_has_its_name_only_when_finished() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        let mut output = Output::create(&path, false).expect("created");
        output.write_all(b"1234").expect("written");
        assert!(!path.exists() && names(folder.path()).len() == 1);
        assert_eq!(output.finish().expect("finished"), 4);
        assert_eq!(names(folder.path()), ["a.bin"]);
    }

    #[test]
    fn an_unfinished_file_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut output = Output::create(&folder.path().join("a.bin"), false).expect("created");
        output.write_all(b"1234").expect("written");
        drop(output);
        assert!(names(folder.path()).is_empty());
    }

    #[test]
    fn a_file_that_appears_meanwhile_is_kept() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.bin");
        let output = Output::create(&path, false).expect("created");
        fs::write(&path, "other").expect("written");
        assert!(format!("{:#}", output.finish().expect_err("refused")).contains("--force"));
        assert_eq!(fs::read(&path).expect("read"), b"other");
        assert!(check(&path, false).is_err() && check(&path, true).is_ok());
        let mut output = Output::create(&path, true).expect("created");
        output.write_all(b"new").expect("written");
        output.finish().expect("finished");
        assert_eq!(
            (fs::read(&path).expect("read"), names(folder.path())),
            (b"new".to_vec(), vec!["a.bin".into()])
        );
    }
}
