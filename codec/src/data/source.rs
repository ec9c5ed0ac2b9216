//! The outermost layer of a `.data` file: plain MessagePack, or one of MessagePack-CSharp's LZ4 forms around it.

use super::format_error;
use super::lz4::{EXT_BLOCK, EXT_BLOCK_ARRAY, Lz4Reader};
use super::skip::ItemHeader;
use crate::error::Result;
use std::io::{self, Cursor, ErrorKind, Read};

/// Bytes that tell the form: at most an array32 header, then an extension header.
const HEAD_BYTES: usize = 16;

/// How the bytes are packed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Form {
    /// Plain MessagePack.
    Plain,
    /// Extension 99: one LZ4 block.
    Lz4Block,
    /// Array with extension 98: a list of LZ4 blocks.
    Lz4BlockArray,
}

impl Form {
    /// The form of a file with these first bytes.
    pub(super) fn of(head: &[u8]) -> Form {
        let Some(root) = ItemHeader::parse(head) else { return Form::Plain };
        if root.extension_type(head) == Some(EXT_BLOCK) {
            return Form::Lz4Block;
        }
        let first = head.get(root.header_bytes..).unwrap_or_default();
        let first_type = ItemHeader::parse(first).and_then(|header| header.extension_type(first));
        match root.is_array() && first_type == Some(EXT_BLOCK_ARRAY) {
            true => Form::Lz4BlockArray,
            false => Form::Plain,
        }
    }
}

/// The bytes read to tell the form, then the rest.
type Input<R> = io::Chain<Cursor<Vec<u8>>, R>;

/// Reads as plain MessagePack whatever the form.
pub(super) enum Source<R> {
    Plain(Input<R>),
    Lz4(Box<Lz4Reader<Input<R>>>),
}

impl<R: Read> Source<R> {
    /// Looks at the first bytes of `input`.
    pub(super) fn open(mut input: R) -> Result<(Form, Self)> {
        let mut head = vec![0; HEAD_BYTES];
        let mut length = 0;
        while length < HEAD_BYTES {
            match input.read(&mut head[length..]) {
                Ok(0) => break,
                Ok(count) => length += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        head.truncate(length);
        if head.is_empty() {
            return Err(format_error(None, None, 0, "the file is empty"));
        }
        let form = Form::of(&head);
        let input = Cursor::new(head).chain(input);
        Ok((
            form,
            match form {
                Form::Plain => Source::Plain(input),
                Form::Lz4Block | Form::Lz4BlockArray => Source::Lz4(Box::new(Lz4Reader::open(input)?)),
            },
        ))
    }

    /// Bytes after the last LZ4 block; plain files have no such layer.
    pub(super) fn trailing(self) -> Result<u64> {
        match self {
            Source::Plain(_) => Ok(0),
            Source::Lz4(reader) => reader.trailing(),
        }
    }
}

impl<R: Read> Read for Source<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Source::Plain(input) => input.read(buffer),
            Source::Lz4(reader) => reader.read(buffer),
        }
    }
}
