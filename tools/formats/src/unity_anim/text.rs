//! Text scalars both ways: plain where safe, quoted where not.

use super::number::shown;

/// Reads a scalar: plain, in single quotes or in double quotes.
pub(super) fn read(text: &str) -> Result<String, String> {
    let unended = || format!("{} has no closing quote", shown(text));
    match text.as_bytes().first() {
        Some(b'\'') => {
            let inner =
                text.strip_suffix('\'').and_then(|text| text.strip_prefix('\'')).ok_or_else(unended)?;
            Ok(inner.replace("''", "'"))
        }
        Some(b'"') => {
            let inner = text.strip_suffix('"').and_then(|text| text.strip_prefix('"')).ok_or_else(unended)?;
            unescape(inner).ok_or_else(|| format!("{} holds an escape that YAML does not know", shown(text)))
        }
        _ => Ok(text.to_owned()),
    }
}

fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(character) = rest.next() {
        if character != '\\' {
            out.push(character);
            continue;
        }
        out.push(match rest.next()? {
            '0' => '\0',
            'a' => '\x07',
            'b' => '\x08',
            't' => '\t',
            'n' => '\n',
            'v' => '\x0b',
            'f' => '\x0c',
            'r' => '\r',
            'e' => '\x1b',
            'N' => '\u{85}',
            '_' => '\u{a0}',
            'L' => '\u{2028}',
            'P' => '\u{2029}',
            'x' => char::from_u32(hex(&mut rest, 2)?)?,
            'U' => char::from_u32(hex(&mut rest, 8)?)?,
            'u' => match hex(&mut rest, 4)? {
                // Unity's strings are UTF-16: what lies beyond comes as two halves.
                high @ 0xd800..=0xdbff => {
                    let low = (rest.next()? == '\\' && rest.next()? == 'u').then(|| hex(&mut rest, 4))??;
                    char::decode_utf16([high as u16, low as u16]).next()?.ok()?
                }
                code => char::from_u32(code)?,
            },
            same @ (' ' | '"' | '/' | '\\') => same,
            _ => return None,
        });
    }
    Some(out)
}

fn hex(rest: &mut std::str::Chars<'_>, digits: usize) -> Option<u32> {
    (0..digits).try_fold(0u32, |value, _| Some(value << 4 | rest.next()?.to_digit(16)?))
}

/// Whether the text can stand where a reference to another object is needed: `{...}`.
pub(super) fn is_reference(text: &str) -> bool {
    text.starts_with('{') && text.ends_with('}') && !text.contains(char::is_control)
}

/// Appends a scalar that reads back as `text`, the way Unity writes it.
pub(super) fn push(out: &mut Vec<u8>, text: &str) {
    if text.chars().any(|character| !(' '..='~').contains(&character)) {
        out.push(b'"');
        for unit in text.encode_utf16() {
            match u8::try_from(unit) {
                Ok(byte @ (b'"' | b'\\')) => out.extend_from_slice(&[b'\\', byte]),
                Ok(byte @ b' '..=b'~') => out.push(byte),
                _ => out.extend_from_slice(format!("\\u{unit:04X}").as_bytes()),
            }
        }
        out.push(b'"');
    } else if is_plain(text) {
        out.extend_from_slice(text.as_bytes());
    } else {
        out.push(b'\'');
        out.extend_from_slice(text.replace('\'', "''").as_bytes());
        out.push(b'\'');
    }
}

/// Whether printable ASCII needs no quotes: nothing in it is YAML's.
fn is_plain(text: &str) -> bool {
    let starts = text.starts_with(|first: char| "-?:,[]{}#&*!|>'\"%@` ".contains(first));
    !starts && !text.ends_with([' ', ':']) && !text.contains(": ") && !text.contains(" #")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: &str) -> String {
        let mut out = Vec::new();
        push(&mut out, value);
        String::from_utf8(out).expect("ASCII")
    }

    #[test]
    fn text_reads_back() {
        for value in [
            "",
            "RootT.x",
            "a: b",
            "[a]",
            "it's",
            "'",
            "\"",
            "-",
            "a #b",
            " a ",
            "a:",
            "ω",
            "a\nb\\\"",
            "\u{1F600}é",
        ] {
            assert_eq!(read(&text(value)).as_deref(), Ok(value), "{}", text(value));
        }
    }

    #[test]
    fn quotes_are_as_unity_sets_them() {
        assert_eq!(text("LeftHand.Thumb.1 Stretched"), "LeftHand.Thumb.1 Stretched");
        assert_eq!(text("blendShape.\u{3c9}"), r#""blendShape.\u03C9""#);
        assert_eq!(text("[a]"), "'[a]'");
    }

    #[test]
    fn foreign_escapes_are_read_and_bad_ones_named() {
        assert_eq!(read(r#""\x41\t\U0001F600\/""#).as_deref(), Ok("A\t\u{1F600}/"));
        for bad in [r#""\q""#, r#""\u12""#, r#""\uD83D""#, r#""\uD83Dx""#, "\"", "'a", r#""\uDE00""#] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
