//! A value that goes from goal to goal by minimum-jerk moves, as arms and heads do.
//!
//! Moves that overlap are added up, which is how people join a new reach to one under way.

use super::shape::{bump, min_jerk};
use std::collections::VecDeque;

#[derive(Debug, Clone)]
struct Move {
    start_s: f64,
    duration_s: f64,
    change: f64,
}

/// A value over time. Moves are planned in order of their start and read in order of time.
#[derive(Debug, Clone)]
pub(crate) struct Glide {
    settled: f64,
    goal: f64,
    overshoot: f64,
    moves: VecDeque<Move>,
}

/// A move has died down after this many of its durations: the overshoot outlasts the move itself.
const SETTLED_AFTER: f64 = 1.6;

impl Glide {
    /// Starts at rest; each move overshoots its goal by `overshoot` of its length (0 for none).
    pub(crate) fn new(start: f64, overshoot: f64) -> Glide {
        Glide { settled: start, goal: start, overshoot, moves: VecDeque::new() }
    }

    /// Plans a move to `goal`.
    pub(crate) fn plan(&mut self, start_s: f64, duration_s: f64, goal: f64) {
        debug_assert!(
            self.moves.back().is_none_or(|last| last.start_s <= start_s),
            "moves are planned in order"
        );
        self.moves.push_back(Move { start_s, duration_s, change: goal - self.goal });
        self.goal = goal;
    }

    /// The value at `time_s`, which must not go back between calls.
    pub(crate) fn at(&mut self, time_s: f64) -> f64 {
        while let Some(first) = self.moves.front() {
            if time_s < first.start_s + SETTLED_AFTER * first.duration_s {
                break;
            }
            self.settled += first.change;
            self.moves.pop_front();
        }
        let started = self.moves.iter().take_while(|m| m.start_s < time_s);
        self.settled
            + started.map(|m| m.change * self.progress((time_s - m.start_s) / m.duration_s)).sum::<f64>()
    }

    fn progress(&self, u: f64) -> f64 {
        min_jerk(u) + self.overshoot * bump((u - 1.1) / 0.5)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_moves_end_at_the_last_goal() {
        let mut glide = Glide::new(0.5, 0.05);
        glide.plan(1.0, 1.0, 2.0);
        glide.plan(1.5, 0.5, -1.0);
        assert_eq!(glide.at(0.9), 0.5);
        assert!(glide.at(1.4) > 0.6);
        assert!((glide.at(5.0) + 1.0).abs() < 1e-12);
        assert!(glide.moves.is_empty());
    }

    #[test]
    fn a_move_overshoots_and_comes_back() {
        let mut glide = Glide::new(0.0, 0.05);
        glide.plan(0.0, 1.0, 1.0);
        let peak = (0..160).map(|i| glide.at(f64::from(i) * 0.01)).fold(0.0, f64::max);
        assert!((1.02..1.06).contains(&peak), "{peak}");
        assert_eq!(glide.at(2.0), 1.0);
    }
}
