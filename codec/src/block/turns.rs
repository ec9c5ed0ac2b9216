//! What is stored of a rotation track beside its three numbers a frame (FORMAT section 5.5): the reference, and marks where the
//! stored sign changes, where the numbers are finer, and where the bits of the quaternion stand instead.

use crate::stage::entropy::{BinaryCoder, Counter, IntegerModel};
use crate::stage::turn::{MAX_REFERENCE, Reference};

const LIMIT: u8 = 60;

/// What a mark says of a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Event {
    /// The stored sign changes against the numbers' from this frame on.
    pub(super) sign: bool,
    pub(super) detail: Option<Detail>,
}

/// How the quaternion of a marked frame differs from what its numbers say.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Detail {
    /// Each number is half its bound higher, or lower.
    Finer([bool; 3]),
    /// The bits of all four components.
    Exact([f32; 4]),
}

/// What is known of a rotation track beside its numbers.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Turn {
    pub(super) reference: Reference,
    /// The stored sign of the first frame's quaternion against the numbers'.
    pub(super) negative: bool,
    /// The marked frames in order.
    pub(super) events: Vec<(usize, Event)>,
}

/// Adaptive models of what stands before the group.
pub(super) struct TurnModel {
    plain: Counter,
    reference: IntegerModel,
    has_events: Counter,
    event: [Counter; 2],
    sign: Counter,
    detail: Counter,
    exact: Counter,
}

impl TurnModel {
    pub(super) fn new() -> TurnModel {
        let even = Counter::new(1 << 15, 0);
        let rare = Counter::new(2048, 4);
        TurnModel {
            plain: rare,
            reference: IntegerModel::new(),
            has_events: even,
            event: [rare; 2],
            sign: rare,
            detail: even,
            exact: rare,
        }
    }

    /// Codes one track, `None` for one whose components are coded as they are.
    pub(super) fn code<C: BinaryCoder>(
        &mut self,
        coder: &mut C,
        frames: usize,
        turn: Option<&Turn>,
    ) -> Option<Turn> {
        if self.plain.code(coder, turn.is_none(), LIMIT) {
            return None;
        }
        // 1. The reference and the first sign.
        let mut reference = turn.map_or([0; 3], |turn| turn.reference.0);
        for part in &mut reference {
            *part = self.reference.code_signed(coder, *part).clamp(-MAX_REFERENCE, MAX_REFERENCE);
        }
        let negative = coder.code_raw(u64::from(turn.is_some_and(|turn| turn.negative)), 1) == 1;
        // 2. Which frames are marked.
        let events = turn.map_or(&[][..], |turn| &turn.events);
        let mut marks = Vec::new();
        if self.has_events.code(coder, !events.is_empty(), LIMIT) {
            let mut wanted = events.iter().map(|(frame, _)| *frame).peekable();
            let mut before = false;
            for frame in 0..frames {
                let bit = wanted.next_if_eq(&frame).is_some();
                before = self.event[usize::from(before)].code(coder, bit, LIMIT);
                if before {
                    marks.push(frame);
                }
            }
        }
        // 3. What happens there.
        let mut wanted = events.iter().map(|(_, event)| *event);
        let decoded =
            marks.into_iter().map(|frame| (frame, self.code_event(coder, wanted.next().unwrap_or_default())));
        let decoded = decoded.collect();
        Some(Turn { reference: Reference(reference), negative, events: decoded })
    }

    fn code_event<C: BinaryCoder>(&mut self, coder: &mut C, event: Event) -> Event {
        let sign = self.sign.code(coder, event.sign, LIMIT);
        // A mark that changes no sign is there for its detail.
        if sign && !self.detail.code(coder, event.detail.is_some(), LIMIT) {
            return Event { sign, detail: None };
        }
        let detail = if self.exact.code(coder, matches!(event.detail, Some(Detail::Exact(_))), LIMIT) {
            let mut q = if let Some(Detail::Exact(q)) = event.detail { q } else { [0.0; 4] };
            for part in &mut q {
                *part = f32::from_bits(coder.code_raw(u64::from(part.to_bits()), 32) as u32);
            }
            Detail::Exact(q)
        } else {
            let mut halves = if let Some(Detail::Finer(halves)) = event.detail { halves } else { [false; 3] };
            for half in &mut halves {
                *half = coder.code_raw(u64::from(*half), 1) == 1;
            }
            Detail::Finer(halves)
        };
        Event { sign, detail: Some(detail) }
    }
}

impl Turn {
    /// The track's quaternions from its decoded numbers, whose bound is `error`. `visit` sees each frame, its event, its
    /// quaternion, and what that would be with finer numbers.
    pub(super) fn rebuild(
        &self,
        [x, y, z]: [&[f32]; 3],
        error: f64,
        visit: &mut impl FnMut(usize, Event, [f32; 4], &dyn Fn([bool; 3]) -> [f32; 4]),
    ) {
        let rebuild = self.reference.rebuild();
        let half = error * 0.5;
        let mut events = self.events.iter().peekable();
        let mut negative = self.negative;
        for (frame, ((&x, &y), &z)) in x.iter().zip(y).zip(z).enumerate() {
            let event =
                events.next_if(|(marked, _)| *marked == frame).map_or(Event::default(), |(_, event)| *event);
            negative ^= event.sign;
            let vector = [x, y, z].map(f64::from);
            let signed = |q: [f32; 4]| if negative { q.map(|part| -part) } else { q };
            let finer = |halves: [bool; 3]| {
                let moved = [0, 1, 2].map(|i| if halves[i] { vector[i] + half } else { vector[i] - half });
                signed(rebuild(moved))
            };
            let q = match event.detail {
                None => signed(rebuild(vector)),
                Some(Detail::Finer(halves)) => finer(halves),
                Some(Detail::Exact(q)) => q,
            };
            visit(frame, event, q, &finer);
        }
    }
}
