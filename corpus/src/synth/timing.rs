//! Frame times of a display-locked recorder: nominal steps, stamp jitter, now and then a long frame.

use super::rng::Rng;

/// When a frame was sensed and the time written for it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Instant {
    /// Seconds at which the body had the recorded pose.
    pub(crate) sensed_s: f64,
    /// The recorder's time in seconds: an f32 value.
    pub(crate) stamped_s: f64,
}

/// A recorder's clock starts when its scene has loaded, not at 0.
const START_S: f64 = 0.024;

/// `frames` instants at a nominal `hz`. `irregular` adds jitter and long frames; stamps strictly increase.
pub(crate) fn instants(seed: u64, hz: f64, frames: usize, irregular: bool) -> Vec<Instant> {
    let mut rng = Rng::new(seed, 0x02);
    let step_s = 1.0 / hz;
    let mut refresh = 0u64;
    let mut last = f32::NEG_INFINITY;
    (0..frames)
        .map(|_| {
            let sensed_s = START_S + refresh as f64 * step_s;
            let late_s = if irregular { stamp_error(&mut rng) * step_s } else { 0.0 };
            // Within a long clip, neighbouring stamps can fall on the same f32.
            let stamp = ((sensed_s + late_s) as f32).max(last.next_up());
            last = stamp;
            refresh += if irregular { refreshes(&mut rng) } else { 1 };
            Instant { sensed_s, stamped_s: f64::from(stamp) }
        })
        .collect()
}

/// How late the stamp is, as a part of the nominal step. The bound of 0.4 keeps neighbours apart.
fn stamp_error(rng: &mut Rng) -> f64 {
    let usual = 0.012 * rng.bell();
    let busy = if rng.chance(0.03) { rng.between(0.05, 0.3) } else { 0.0 };
    usual + busy
}

/// Display refreshes until the next frame: 1, but for a missed one or, rarely, a hitch.
fn refreshes(rng: &mut Rng) -> u64 {
    match rng.unit() {
        u if u < 0.0006 => 3 + rng.pick(4) as u64,
        u if u < 0.007 => 2,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_increase_and_are_f32_values() {
        for hz in [24.0, 60.0, 90.0] {
            let instants = instants(5, hz, 20_000, true);
            assert!(instants.windows(2).all(|pair| pair[0].stamped_s < pair[1].stamped_s));
            assert!(
                instants.iter().all(|i| f64::from(i.stamped_s as f32).to_bits() == i.stamped_s.to_bits())
            );
            assert!(instants.iter().all(|i| (i.stamped_s - i.sensed_s).abs() < 0.4 / hz));
        }
    }

    #[test]
    fn regular_times_have_one_step() {
        let instants = instants(5, 50.0, 100, false);
        assert!(instants.windows(2).all(|pair| (pair[1].stamped_s - pair[0].stamped_s - 0.02).abs() < 1e-6));
    }
}
