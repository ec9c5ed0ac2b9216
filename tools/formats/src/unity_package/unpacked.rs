//! The bytes of the archive within the gzip stream, with a bound on how many there may be.

use crate::error::{Error, Place};
use crate::registry::Format;
use flate2::bufread::MultiGzDecoder;
use std::cell::{Cell, RefCell};
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// Bytes that any package may unpack to.
const FREE_BYTES: u64 = 256 << 20;
/// How many times its own length a package may unpack to beyond that; text of curves is some twenty times.
const MOST_FOLD: u64 = 100;

/// What is known of a package while it is read; shared with the reader of its bytes.
#[derive(Default)]
pub(super) struct Progressed {
    /// Bytes of the package read.
    packed: Cell<u64>,
    /// Bytes unpacked from them.
    unpacked: Cell<u64>,
    fault: RefCell<Option<Fault>>,
}

/// Why no more bytes come.
#[derive(Clone)]
enum Fault {
    /// The system refused.
    Source(io::ErrorKind),
    /// The gzip stream is cut or damaged.
    Gzip(String),
    /// There are more bytes than are unpacked of any package.
    TooMany,
}

impl Progressed {
    fn fail(&self, fault: Fault) {
        self.fault.borrow_mut().get_or_insert(fault);
    }

    /// What is to be said of an error that reading came to; `text` if the bytes themselves were good.
    pub fn explain(&self, text: impl FnOnce() -> String) -> Error {
        let at = Place::Byte(self.packed.get());
        match self.fault.borrow().clone() {
            Some(Fault::Source(kind)) => Error::Io(kind),
            Some(Fault::TooMany) => {
                sinew::Error::LimitExceeded { what: "bytes that a package unpacks to" }.into()
            }
            Some(Fault::Gzip(text)) => Error::format(Format::UnityPackage, at, text),
            None => Error::format(Format::UnityPackage, at, text()),
        }
    }

    /// Whether reading failed for a reason that lies outside of what was read.
    pub fn has_failed(&self) -> bool {
        self.fault.borrow().is_some()
    }
}

/// Reads the archive's bytes. Several gzip streams one after another are one.
pub(super) struct Unpacked<'a> {
    decoder: MultiGzDecoder<Packed<'a>>,
    progressed: Rc<Progressed>,
}

impl<'a> Unpacked<'a> {
    pub fn new(source: &'a mut dyn BufRead) -> (Unpacked<'a>, Rc<Progressed>) {
        let progressed = Rc::<Progressed>::default();
        let packed = Packed { source, progressed: Rc::clone(&progressed) };
        let decoder = MultiGzDecoder::new(packed);
        (Unpacked { decoder, progressed: Rc::clone(&progressed) }, progressed)
    }
}

impl Read for Unpacked<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.decoder.read(buffer).inspect_err(|error| {
            self.progressed.fail(Fault::Gzip(match error.kind() {
                io::ErrorKind::UnexpectedEof => "the file is cut within its gzip stream".to_owned(),
                _ => format!("the gzip stream is damaged: {error}"),
            }));
        })?;
        let unpacked = self.progressed.unpacked.get() + length as u64;
        self.progressed.unpacked.set(unpacked);
        if unpacked > FREE_BYTES + MOST_FOLD.saturating_mul(self.progressed.packed.get()) {
            self.progressed.fail(Fault::TooMany);
            return Err(io::Error::other("too many bytes"));
        }
        Ok(length)
    }
}

/// The package's own bytes, counted.
struct Packed<'a> {
    source: &'a mut dyn BufRead,
    progressed: Rc<Progressed>,
}

impl Read for Packed<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.fill_buf()?.read(buffer)?;
        self.consume(length);
        Ok(length)
    }
}

impl BufRead for Packed<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.source.fill_buf().inspect_err(|error| {
            if error.kind() != io::ErrorKind::Interrupted {
                self.progressed.fail(Fault::Source(error.kind()));
            }
        })
    }

    fn consume(&mut self, length: usize) {
        self.progressed.packed.set(self.progressed.packed.get() + length as u64);
        self.source.consume(length);
    }
}
