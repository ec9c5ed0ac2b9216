//! Key reduction: leaves out keys while the curve through the others stays within a tolerance.
//!
//! A curve starts as its first and last key. Where it is too far from the curve of all keys, at a key's time or half
//! way between two, the key there comes back, at least an eighth of the stretch away from either end: so each key is
//! looked at O(log n) times. Errors are those of the very slopes that are written; what float32 cannot tell apart is
//! none.

use super::document::Key;
use super::evaluate::Segment;
use super::tangents::{Tangents, set_tangent};
use std::collections::VecDeque;

/// Half the step between float32 numbers, as part of the number.
const HALF_STEP: f64 = 1.0 / (1 << 24) as f64;

/// The largest error of a reduced curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Worst {
    /// In the component's own unit.
    pub error: f64,
    pub component: usize,
    pub time_s: f64,
    /// Number of the key there, of all keys.
    key: usize,
}

/// Leaves out keys of a curve with complete tangents, whose times increase. The first and the last one stay.
///
/// No component is further than `tolerance`, in its own unit, from the curve of all keys, at any key's time and half
/// way between any two neighbours. Gives the largest error there is, `None` if no key was left out.
pub(super) fn reduce<const N: usize>(
    keys: &mut Vec<Key<N>>,
    tangents: Tangents,
    tolerance: f64,
) -> Option<Worst> {
    if keys.len() < 3 {
        return None;
    }
    let mut work = Reduction::start(keys, tangents);
    while let Some(from) = work.unchecked.pop_front() {
        work.is_unchecked[from] = false;
        let to = work.next[from];
        match work.worst(from, to) {
            Some(worst) if worst.error > tolerance => {
                let margin = (to - from) / 8;
                let key = worst.key.clamp(from + margin.max(1), to - margin.max(1));
                work.bring_back(key, from, to);
            }
            _ => {}
        }
    }
    // Measured once more, over what is written.
    let mut worst: Option<Worst> = None;
    let (mut kept, mut from) = (vec![work.keys[0]], 0);
    while from + 1 < work.keys.len() {
        let to = work.next[from];
        if let Some(here) = work.worst(from, to)
            && worst.is_none_or(|worst| here.error > worst.error)
        {
            worst = Some(here);
        }
        kept.push(work.keys[to]);
        from = to;
    }
    *keys = kept;
    worst
}

struct Reduction<'a, const N: usize> {
    /// The curve of all keys.
    all: &'a [Key<N>],
    /// The same keys; those that are kept have the slopes between their kept neighbours.
    keys: Vec<Key<N>>,
    tangents: Tangents,
    /// The kept key before and after each kept one.
    before: Vec<usize>,
    next: Vec<usize>,
    /// First keys of segments that have changed since they were looked at.
    unchecked: VecDeque<usize>,
    is_unchecked: Vec<bool>,
}

impl<'a, const N: usize> Reduction<'a, N> {
    fn start(all: &'a [Key<N>], tangents: Tangents) -> Reduction<'a, N> {
        let last = all.len() - 1;
        let mut work = Reduction {
            all,
            keys: all.to_vec(),
            tangents,
            before: vec![0; all.len()],
            next: vec![last; all.len()],
            unchecked: VecDeque::from([0]),
            is_unchecked: vec![false; all.len()],
        };
        work.next[last] = all.len();
        work.set_slopes(0);
        work.set_slopes(last);
        work
    }

    /// Sets the slopes of a kept key; says whether they changed.
    fn set_slopes(&mut self, key: usize) -> bool {
        let slopes = (self.keys[key].in_slope, self.keys[key].out_slope);
        let before = (key > 0).then(|| self.before[key]);
        set_tangent(&mut self.keys, key, before, self.next[key], self.tangents);
        slopes != (self.keys[key].in_slope, self.keys[key].out_slope)
    }

    /// Keeps a key between two kept ones.
    fn bring_back(&mut self, key: usize, from: usize, to: usize) {
        (self.next[from], self.before[key], self.next[key], self.before[to]) = (key, from, to, key);
        self.set_slopes(key);
        let (first, last) = (self.set_slopes(from), self.set_slopes(to));
        self.look_at(from);
        self.look_at(key);
        // A smooth key's slope counts on its other side too.
        if self.tangents == Tangents::ClampedAuto {
            if first && from > 0 {
                self.look_at(self.before[from]);
            }
            if last && to + 1 < self.keys.len() {
                self.look_at(to);
            }
        }
    }

    fn look_at(&mut self, from: usize) {
        if !std::mem::replace(&mut self.is_unchecked[from], true) {
            self.unchecked.push_back(from);
        }
    }

    /// The largest error between two kept keys; `None` if no key is left out between them.
    fn worst(&self, from: usize, to: usize) -> Option<Worst> {
        let mut worst: Option<Worst> = None;
        if to - from < 2 {
            return None;
        }
        for component in 0..N {
            let segment = Segment::of_keys(&self.keys[from], &self.keys[to], component);
            let mut look = |key: usize, time_s: f64, value: f64| {
                let error = (segment.value(time_s) - value).abs();
                // What is no number is no match.
                let error = match error.is_nan() {
                    true => f64::INFINITY,
                    false if error <= HALF_STEP * value.abs() => 0.0,
                    false => error,
                };
                if worst.is_none_or(|worst| error > worst.error) {
                    worst = Some(Worst { error, component, time_s, key });
                }
            };
            for key in from..to {
                let (this, next) = (&self.all[key], &self.all[key + 1]);
                if key > from {
                    look(key, f64::from(this.time_s), f64::from(this.value[component]));
                }
                let half_s = 0.5 * (f64::from(this.time_s) + f64::from(next.time_s));
                look(key, half_s, Segment::of_keys(this, next, component).value(half_s));
            }
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::{Binding, Curve};
    use super::super::tangents::set_tangents;
    use super::*;

    fn wave(frames: usize) -> Curve<2> {
        let mut curve = Curve::new(Binding::default());
        curve.keys = (0..frames)
            .map(|frame| {
                let time_s = frame as f32 / 60.0;
                Key::level(time_s, [(2.0 * time_s).sin(), if frame % 200 < 100 { 0.0 } else { 1.0 }])
            })
            .collect();
        curve
    }

    #[test]
    fn reduced_curves_stay_within_the_tolerance_and_keep_their_ends() {
        for tangents in [Tangents::Linear, Tangents::ClampedAuto] {
            for tolerance in [1e-4, 0.01, 0.3] {
                let mut all = wave(1000);
                set_tangents(&mut all.keys, tangents);
                let mut reduced = all.clone();
                let worst = reduce(&mut reduced.keys, tangents, tolerance).expect("keys are left out");
                assert!(worst.error <= tolerance, "{worst:?}");
                assert_eq!(
                    [reduced.keys[0].value, reduced.keys[reduced.keys.len() - 1].value],
                    [all.keys[0].value, all.keys[999].value]
                );
                let mut largest = 0.0f64;
                for half_frame in 0..1999usize {
                    let times_s =
                        [half_frame / 2, half_frame.div_ceil(2)].map(|key: usize| all.keys[key].time_s);
                    let time_s = 0.5 * (f64::from(times_s[0]) + f64::from(times_s[1]));
                    let (before, after) = (all.evaluate(time_s), reduced.evaluate(time_s));
                    largest = before.iter().zip(after).map(|(a, b)| (a - b).abs()).fold(largest, f64::max);
                }
                assert_eq!(largest, worst.error, "{tangents:?} {tolerance}");
                // What is written are the slopes of the keys that are left.
                let mut again = reduced.clone();
                set_tangents(&mut again.keys, tangents);
                assert_eq!(again, reduced);
            }
        }
    }

    #[test]
    fn smooth_curves_need_few_keys() {
        let count = |tangents: Tangents, tolerance: f64| {
            let mut curve = wave(1000);
            set_tangents(&mut curve.keys, tangents);
            reduce(&mut curve.keys, tangents, tolerance);
            curve.keys.len()
        };
        let (lines, smooth) = (count(Tangents::Linear, 0.01), count(Tangents::ClampedAuto, 0.01));
        assert!(lines < 150 && smooth < 125, "{lines} {smooth}");
        assert!(count(Tangents::Linear, 1e-7) > 900);
    }

    #[test]
    fn constant_and_straight_curves_keep_two_keys() {
        for tangents in [Tangents::Linear, Tangents::ClampedAuto] {
            let mut keys: Vec<Key<1>> = (0..500).map(|i| Key::level(i as f32, [0.25])).collect();
            set_tangents(&mut keys, tangents);
            assert_eq!(reduce(&mut keys, tangents, 0.0).map(|worst| worst.error), Some(0.0));
            assert_eq!(keys.len(), 2);
            assert_eq!(reduce(&mut keys, tangents, 0.0), None);
        }
        let mut keys: Vec<Key<1>> = (0..500).map(|i| Key::level(i as f32, [0.5 * i as f32])).collect();
        set_tangents(&mut keys, Tangents::Linear);
        reduce(&mut keys, Tangents::Linear, 0.0);
        assert_eq!(keys.len(), 2);
    }

    #[test]
    fn slopes_beyond_float32_lose_nothing() {
        let mut keys: Vec<Key<1>> = (0..50)
            .map(|i| Key::level(1e-3 * i as f32, [if i % 2 == 0 { f32::MIN } else { f32::MAX }]))
            .collect();
        set_tangents(&mut keys, Tangents::Linear);
        assert_eq!(reduce(&mut keys, Tangents::Linear, 0.0), None);
        assert_eq!(keys.len(), 50);
    }
}
