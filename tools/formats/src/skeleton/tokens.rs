//! What a joint's name says: the side it names, the part in one word, and its numbers.

/// A side of the body as a name tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Left,
    Right,
}

impl Side {
    pub const BOTH: [Side; 2] = [Side::Left, Side::Right];

    /// How the names of human bones begin.
    pub fn prefix(self) -> &'static str {
        match self {
            Side::Left => "Left",
            Side::Right => "Right",
        }
    }
}

/// A name taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Words {
    pub side: Option<Side>,
    /// The words that are left, in lower case and joined: `upleg`, `toebase`, `handindex`.
    pub part: String,
    /// The numbers, digit for digit: `01`.
    pub numbers: Vec<String>,
    /// Whether the name begins with an underscore, as helper joints do.
    pub is_helper: bool,
}

/// Words that rigs put into every name.
const FILLERS: [&str; 15] = [
    "j",
    "c",
    "b",
    "m",
    "adj",
    "bip",
    "def",
    "org",
    "jnt",
    "joint",
    "bone",
    "skel",
    "skeleton",
    "ctrl",
    "mixamorig",
];

/// Takes a joint's name apart. A namespace (up to the last `:` or `|`) is left out.
pub(super) fn words(name: &str) -> Words {
    let own = name.rsplit([':', '|']).next().unwrap_or(name);
    let mut found =
        Words { side: None, part: String::new(), numbers: Vec::new(), is_helper: own.starts_with('_') };
    for word in split(own) {
        let word = word.to_lowercase();
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            found.numbers.push(word);
            continue;
        }
        match word.as_str() {
            "left" | "l" if found.side.is_none() => found.side = Some(Side::Left),
            "right" | "r" if found.side.is_none() => found.side = Some(Side::Right),
            filler if FILLERS.contains(&filler) => {}
            word => found.part.push_str(word),
        }
    }
    // All in lower case, without a mark between the side and the part.
    for side in Side::BOTH {
        let prefix = side.prefix().to_lowercase();
        if let (None, Some(rest)) = (found.side, found.part.strip_prefix(&prefix)) {
            let rest = rest.to_owned();
            (found.side, found.part) = (Some(side), rest);
        }
    }
    found
}

/// Splits at anything but letters and digits, between letters and digits, and where capitals begin a word.
fn split(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut open = false;
    for (index, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            open = false;
            continue;
        }
        let before = index.checked_sub(1).map(|before| letters[before]);
        let after = letters.get(index + 1);
        let begins = before.is_some_and(|before| {
            let next_kind = before.is_ascii_digit() != letter.is_ascii_digit();
            let next_word = letter.is_uppercase()
                && (before.is_lowercase() || after.is_some_and(|after| after.is_lowercase()));
            next_kind || next_word
        });
        match words.last_mut() {
            Some(word) if open && !begins => word.push(letter),
            _ => words.push(letter.to_string()),
        }
        open = true;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_many_rigs_are_taken_apart() {
        for (name, side, part, numbers) in [
            ("mixamorig:LeftUpLeg", Some(Side::Left), "upleg", &[][..]),
            ("LThumb", Some(Side::Left), "thumb", &[]),
            ("RHipJoint", Some(Side::Right), "hip", &[]),
            ("J_Bip_L_UpperArm", Some(Side::Left), "upperarm", &[]),
            ("Bip01 R Finger02", Some(Side::Right), "finger", &["01", "02"]),
            ("upperarm01.L", Some(Side::Left), "upperarm", &["01"]),
            ("finger2-3.R", Some(Side::Right), "finger", &["2", "3"]),
            ("lShldr", Some(Side::Left), "shldr", &[]),
            ("LeftHandIndex1", Some(Side::Left), "handindex", &["1"]),
            ("leftarm", Some(Side::Left), "arm", &[]),
            ("Spine1", None, "spine", &["1"]),
            ("LeftFinger1Metacarpal", Some(Side::Left), "fingermetacarpal", &["1"]),
            ("RightToeBase", Some(Side::Right), "toebase", &[]),
            ("joint_Root", None, "root", &[]),
            ("頭", None, "頭", &[]),
            ("", None, "", &[]),
        ] {
            let words = words(name);
            assert_eq!((words.side, words.part.as_str()), (side, part), "{name}");
            assert_eq!(words.numbers, numbers, "{name}");
        }
        assert!(words("__Thumb1_L").is_helper);
    }
}
