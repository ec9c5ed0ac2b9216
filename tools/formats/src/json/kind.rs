//! Which of the JSON files a text begins: the first telling name in it.

/// The kinds of JSON that are clips.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// An answer of Plask.
    Plask,
    /// An animation clip of three.js.
    Three,
    /// Frames of the recorder.
    Muscles,
}

/// Keys that only one of them has near its beginning.
const TELLING: [(&str, Kind); 9] = [
    ("trackData", Kind::Plask),
    ("boneName", Kind::Plask),
    ("transformKeys", Kind::Plask),
    ("motionNumber", Kind::Plask),
    ("tracks", Kind::Three),
    ("Transforms", Kind::Muscles),
    ("ObjectName", Kind::Muscles),
    ("GUID", Kind::Muscles),
    ("Guid", Kind::Muscles),
];

impl Kind {
    /// The kind of a text with this beginning; nothing for other text.
    pub fn of(head: &[u8]) -> Option<Kind> {
        let head = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        if !matches!(head.first(), Some(b'{' | b'[')) {
            return None;
        }
        let at = |name: &str| {
            let quoted = format!("\"{name}\"");
            head.windows(quoted.len()).position(|bytes| bytes == quoted.as_bytes())
        };
        let first =
            TELLING.iter().filter_map(|&(name, kind)| Some((at(name)?, kind))).min_by_key(|found| found.0);
        first.map(|(_, kind)| kind).or_else(|| frame_list(head).then_some(Kind::Muscles))
    }
}

/// Whether a list of frames `[GUID, time, values]` begins: two brackets and a text or null.
fn frame_list(head: &[u8]) -> bool {
    let mut rest = head.iter().filter(|byte| !byte.is_ascii_whitespace());
    rest.next() == Some(&b'[') && rest.next() == Some(&b'[') && matches!(rest.next(), Some(b'"' | b'n'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_telling_name_decides() {
        for (head, kind) in [
            ("\u{feff} {\"result\": [{\"motionNumber\": 0, \"trackData\": []}]}", Some(Kind::Plask)),
            ("[{\"boneName\": \"hips\", \"tracks\": 1}]", Some(Kind::Plask)),
            ("{\"name\":\"a\",\"duration\":1,\"tracks\":[]}", Some(Kind::Three)),
            ("[{\"GUID\":\"\",\"Time\":0,\"Transforms\":[]}]", Some(Kind::Muscles)),
            ("[ [\"g\", 0, []]]", Some(Kind::Muscles)),
            ("{\"joints\": []}", None),
            ("[[1, 2]]", None),
            ("tracks", None),
            ("", None),
        ] {
            assert_eq!(Kind::of(head.as_bytes()), kind, "{head}");
        }
    }
}
