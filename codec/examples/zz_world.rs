//! Tuning.
fn main() {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("file");
        let clip = if path.ends_with(".data") {
            sinew::data::read(&bytes[..]).expect("data").clip
        } else {
            sinew::decode(&bytes).expect("sinew")
        };
        let mm = std::env::var("MM").ok().and_then(|s| s.parse().ok()).unwrap_or(1.0);
        let t = std::time::Instant::now();
        let file = sinew::encode(&clip, &sinew::EncodeConfig::world(mm)).expect("encodes");
        print!("{} ", file.len());
        eprintln!("{:.2} s", t.elapsed().as_secs_f64());
    }
    println!();
}
