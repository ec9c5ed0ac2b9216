//! Text of a file in messages: quoted, and never long, however long the file makes it.

/// Characters that are quoted at most.
const LONGEST: usize = 60;

/// Text of a file for a message: quoted, without its tail if long.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => format!("{text:?}"),
        Some((end, _)) => format!("{:?}...", &text[..end]),
    }
}

/// The same without quotes, for text that stands as a name: of a field, a column, an identifier.
pub(crate) fn named(text: &str) -> String {
    clipped(text, LONGEST)
}

/// At most so many characters of a text.
pub(crate) fn clipped(text: &str, longest: usize) -> String {
    match text.char_indices().nth(longest) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}...", &text[..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_beginning_of_long_text_is_shown() {
        assert_eq!((shown("a\n"), named("a b")), ("\"a\\n\"".into(), "a b".into()));
        let longest = "é".repeat(LONGEST);
        assert_eq!((shown(&longest), named(&longest)), (format!("{longest:?}"), longest.clone()));
        let long = longest.clone() + "é";
        assert_eq!((shown(&long), named(&long)), (format!("{longest:?}..."), format!("{longest}...")));
    }
}
