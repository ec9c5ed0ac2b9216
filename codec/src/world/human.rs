//! The humanoid as a body: muscles and root on an avatar.

use super::body::{Body, Plan, Posed};
use crate::clip::Clip;
use crate::error::{Error, Result};
use crate::humanoid::{Avatar, Bone, HumanFrame, HumanTracks, LinearAvatar, Twist, usable_frame};
use crate::track::Role;
use std::ops::Range;

/// A clip with muscle tracks on an avatar.
pub(super) struct HumanBody<'a> {
    linear: LinearAvatar<'a>,
    tracks: HumanTracks<'a>,
    rest: HumanFrame,
    /// Bones depth first.
    order: Vec<Bone>,
    plan: Plan,
    /// Where the twists of [`Plan::moved`] come from, array by array.
    sources: Vec<Source>,
}

/// Which twist of a linearised pose it is.
#[derive(Clone, Copy)]
enum Source {
    Muscle { muscle: usize, part: usize },
    Root(usize),
}

impl<'a> HumanBody<'a> {
    /// # Errors
    /// [`Error::InvalidInput`] if the clip has no muscle track.
    pub(super) fn new(clip: &'a Clip, avatar: &'a Avatar) -> Result<HumanBody<'a>> {
        let linear = LinearAvatar::new(avatar);
        let mut order = Vec::new();
        push_all(&linear, Bone::Hips, &mut order);
        let mut body = HumanBody {
            tracks: HumanTracks::of(clip)?,
            rest: HumanFrame::at_rest(avatar),
            plan: Plan { bones: order.len(), moved: Vec::new(), own: Vec::new() },
            sources: Vec::new(),
            linear,
            order,
        };
        for track in &clip.tracks {
            match track.role() {
                Role::Muscle(muscle) => body.add_muscle(usize::from(muscle)),
                Role::RootPosition => (0..3).for_each(|component| body.add_root(component)),
                Role::RootRotation => (3..7).for_each(|component| body.add_root(component)),
                Role::Other => (0..track.components()).for_each(|_| body.add(Vec::new())),
            }
        }
        Ok(body)
    }

    /// The bone with all that hangs on it.
    fn range(&self, bone: Bone) -> Range<usize> {
        let hangs = |at: &Bone| self.linear.hangs_on(*at, bone);
        let start = self.order.iter().position(hangs).unwrap_or_default();
        start..start + self.order.iter().filter(|at| hangs(at)).count()
    }

    /// An array that moves these ranges, what it turns itself first.
    fn add(&mut self, ranges: Vec<Range<usize>>) {
        self.plan.own.push(ranges.first().cloned().unwrap_or_default());
        self.plan.moved.push(ranges);
    }

    fn add_muscle(&mut self, muscle: usize) {
        let (own, next) = self.linear.turned(muscle);
        let mut ranges = Vec::new();
        // The hands' fingers have no mass: nothing is held back for them.
        let moves_body = self.linear.moves_body(muscle);
        for (part, bone) in
            [own, next, own.filter(|_| moves_body).map(|_| Bone::Hips)].into_iter().enumerate()
        {
            if let Some(bone) = bone {
                ranges.push(self.range(bone));
                self.sources.push(Source::Muscle { muscle, part });
            }
        }
        self.add(ranges);
    }

    fn add_root(&mut self, component: usize) {
        self.sources.push(Source::Root(component));
        self.add(vec![self.range(Bone::Hips)]);
    }
}

fn push_all(linear: &LinearAvatar<'_>, bone: Bone, order: &mut Vec<Bone>) {
    order.push(bone);
    for &child in linear.avatar().bones() {
        if linear.avatar().bone(child).is_some_and(|row| row.parent == Some(bone)) {
            push_all(linear, child, order);
        }
    }
}

impl Body for HumanBody<'_> {
    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn pose(&self, frame: usize) -> Result<Posed> {
        let values = usable_frame(&self.tracks, frame, &self.rest);
        let found =
            self.linear.at(&values).map_err(|error| Error::invalid(format!("frame {frame}: {error}")))?;
        let bones = self.order.iter().map(|&bone| (found.pose.position(bone), found.pose.rotation(bone)));
        let twist = |source: &Source| -> Twist {
            match *source {
                Source::Muscle { muscle, part } => found.muscles[muscle][part],
                Source::Root(component) => found.root[component],
            }
        };
        Ok(Posed { bones: bones.collect(), twists: self.sources.iter().map(twist).collect() })
    }
}
