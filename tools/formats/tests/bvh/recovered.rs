//! Every whole frame of a file that is cut, damaged or miscounted.

use crate::support::{SIX, file_of, read_bytes, recover_bytes};
use sinew::{Clip, Times};
use sinew_formats::Note;

fn motion(frames: u32, rows: &str) -> String {
    file_of(SIX, &format!("MOTION\nFrames: {frames}\nFrame Time: 0.5\n{rows}"))
}

fn row(frame: u32) -> String {
    format!("{frame} 1 2 3 4 5\n")
}

fn recovered(text: &str) -> (Clip, Vec<String>) {
    let loaded = recover_bytes(text.as_bytes()).expect("recoverable");
    loaded.clip.validate().expect("valid");
    (loaded.clip, loaded.notes.iter().map(Note::to_string).collect())
}

/// First values of the frames, which number them.
fn kept(clip: &Clip) -> Vec<f32> {
    assert!(clip.samples.iter().all(|samples| samples.len() == clip.frames()));
    clip.samples[0].clone()
}

#[test]
fn a_good_file_is_read_as_it_is() {
    let text = motion(2, &(row(0) + &row(1)));
    let (clip, notes) = recovered(&text);
    assert!(notes.is_empty() && clip.bits_equal(&read_bytes(text.as_bytes()).expect("readable").clip));
}

#[test]
fn miscounted_frames_are_all_kept() {
    let rows = row(0) + &row(1);
    for (declared, note) in [
        (3, "loss: Frames says 3; 2 whole frames are kept"),
        (1, "note: Frames says 1; 2 whole frames are kept"),
    ] {
        let (clip, notes) = recovered(&motion(declared, &rows));
        assert_eq!((kept(&clip), notes), (vec![0.0, 1.0], vec![note.to_owned()]));
        assert_eq!(clip.times, Times::Uniform { start_s: 0.0, frame_s: 0.5, frames: 2 });
    }
}

#[test]
fn a_damaged_frame_costs_itself_only_and_the_others_keep_their_times() {
    for bad in ["1 1 2 3-4 5\n", "1 1 2 3 4\n", "1 1 2 3 4 5 6\n", "1 1 2 nan 4 5\n", "1 1 2 3 4 5,5\n"] {
        let (clip, notes) = recovered(&motion(3, &(row(0) + bad + &row(2))));
        assert_eq!(kept(&clip), [0.0, 2.0], "{bad}");
        assert_eq!(clip.times, Times::Explicit(vec![0.0, 1.0]));
        assert!(notes[0].starts_with("loss: 1 damaged frame, first at line 15: frame 1: "), "{notes:?}");
        let (clip, _) = recovered(&motion(3, &(bad.to_owned() + &row(1) + &row(2))));
        assert_eq!(kept(&clip), [1.0, 2.0], "{bad}");
        assert_eq!(clip.times, Times::Explicit(vec![0.5, 1.0]));
        let (clip, _) = recovered(&motion(3, &(row(0) + &row(1) + bad)));
        assert_eq!(kept(&clip), [0.0, 1.0], "{bad}");
        assert_eq!(clip.times, Times::Uniform { start_s: 0.0, frame_s: 0.5, frames: 2 });
    }
}

#[test]
fn frames_over_lines_are_kept_up_to_the_fault() {
    let column = |frame: u32| row(frame).replace(' ', "\n");
    let (clip, notes) = recovered(&motion(3, &(column(0) + &column(1) + "x\n" + &column(2))));
    assert_eq!(kept(&clip), [0.0, 1.0]);
    assert_eq!(notes.len(), 2, "{notes:?}");
    let (clip, notes) = recovered(&motion(2, &(column(0) + "7\n8\n")));
    assert_eq!(kept(&clip), [0.0]);
    assert_eq!(notes[0], "loss: all after the last whole frame: the file ends after 2 values of a frame");
}

#[test]
fn text_after_the_motion_ends_it() {
    let second = motion(1, &row(9));
    let (clip, notes) = recovered(&(motion(2, &(row(0) + &row(1))) + &second));
    assert_eq!(kept(&clip), [0.0, 1.0]);
    assert_eq!(notes, ["loss: all after the last whole frame: line 16: \"HIERARCHY\""]);
    let mut bytes = motion(3, &(row(0) + &row(1))).into_bytes();
    bytes.extend(b"\xff\xfe\x00");
    let loaded = recover_bytes(&bytes).expect("recoverable");
    assert_eq!(kept(&loaded.clip), [0.0, 1.0]);
}

#[test]
fn a_file_that_is_cut_anywhere_keeps_exactly_its_whole_frames() {
    let head = motion(4, "").len();
    let text = motion(4, &(0..4).map(row).collect::<String>());
    for cut in head..text.len() {
        let (clip, notes) = recovered(&text[..cut]);
        // A line without its end may have lost digits; that of the last frame is known to be the last.
        let whole = text[head..cut].matches('\n').count();
        let whole = if cut == text.len() - 1 { 4 } else { whole };
        assert_eq!(kept(&clip), (0..whole).map(|frame| frame as f32).collect::<Vec<_>>(), "{cut}");
        assert_eq!(notes.is_empty(), whole == 4, "{cut}: {notes:?}");
    }
    assert!(recover_bytes(&text.as_bytes()[..head - 9]).is_err());
}
