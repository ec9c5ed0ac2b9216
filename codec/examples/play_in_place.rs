//! Plays a `.sinew` file that was encoded with `--effort fast`, as a game would: a pose for each displayed frame, then one
//! body part and one track. `cargo run --release --example play_in_place -- TAKE.sinew`.

use sinew::{Mask, Player};
use std::error::Error;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("name a .sinew file")?;
    // What allocates is the opening; the file's bytes are not needed after it.
    let mut player = Player::open(&std::fs::read(path)?)?;
    let mut pose = vec![0.0; player.components()];
    let (Some(start_s), Some(end_s)) = (player.time(0), player.time(player.frames().saturating_sub(1)))
    else {
        return Err("the clip has no frames".into());
    };
    println!("{} frames in {} bytes of memory", player.frames(), player.memory_bytes());

    // 1. In sequence, at a display's rate.
    let clock = Instant::now();
    let mut poses = 0u32;
    let mut time_s = start_s;
    while time_s <= end_s {
        player.sample(time_s, &mut pose)?;
        time_s += 1.0 / 144.0;
        poses += 1;
    }
    println!("{poses} poses in {:?}", clock.elapsed());

    // 2. Anywhere, the upper body only: the rest of the pose stays.
    let middle_s = (start_s + end_s) * 0.5;
    player.sample_parts(middle_s, Mask::UPPER, &mut pose)?;

    // 3. A single track.
    if let Some(track) = player.tracks().first().cloned() {
        let values = &mut pose[..track.components()];
        player.sample_track(0, middle_s, values)?;
        println!("{} at {middle_s:.3} s: {values:?}", track.name());
    }
    Ok(())
}
