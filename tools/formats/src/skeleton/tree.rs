//! The hierarchy of a rig: names, depths, children, and who stands above whom.

use sinew::Rig;

/// Parents, depths and children of joints, by joint number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tree {
    pub names: Vec<String>,
    pub parents: Vec<Option<usize>>,
    pub children: Vec<Vec<usize>>,
    depths: Vec<usize>,
    ends: Vec<bool>,
    /// Of each joint, its place depth first and that after all that is below it.
    spans: Vec<(usize, usize)>,
}

impl Tree {
    /// The hierarchy of a valid rig, in which parents stand before children.
    pub fn of(rig: &Rig) -> Tree {
        let parents: Vec<Option<usize>> = rig.joints.iter().map(|joint| joint.parent).collect();
        let mut children = vec![Vec::new(); parents.len()];
        let mut depths: Vec<usize> = Vec::with_capacity(parents.len());
        for (joint, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                children[parent].push(joint);
            }
            depths.push(parent.map_or(0, |parent| depths[parent] + 1));
        }
        let is_end = |joint: usize| rig.joints[joint].axes.is_empty() && children[joint].is_empty();
        let ends = (0..parents.len()).map(is_end).collect();
        let names = rig.joints.iter().map(|joint| joint.name.clone()).collect();
        let spans = spans(&parents);
        Tree { names, parents, children, depths, ends, spans }
    }

    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Number of ancestors.
    pub fn depth(&self, joint: usize) -> usize {
        self.depths[joint]
    }

    /// Whether the joint only marks where its parent's bone ends.
    pub fn is_end(&self, joint: usize) -> bool {
        self.ends[joint]
    }

    /// The joint, its parent, and so on up to its root.
    pub fn upwards(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        std::iter::successors(Some(joint), |&joint| self.parents[joint])
    }

    /// Whether `above` is an ancestor of `joint`.
    pub fn is_below(&self, joint: usize, above: usize) -> bool {
        let (first, after) = self.spans[above];
        joint != above && (first..after).contains(&self.spans[joint].0)
    }

    /// The nearest joint at or above all of these; `None` if they are of different roots, or none.
    pub fn common(&self, joints: &[usize]) -> Option<usize> {
        let (&first, rest) = joints.split_first()?;
        self.upwards(first).find(|&at| rest.iter().all(|&joint| joint == at || self.is_below(joint, at)))
    }

    /// The joints from below `above` down to `joint`, itself included.
    pub fn path(&self, above: usize, joint: usize) -> Vec<usize> {
        let mut path: Vec<usize> = self.upwards(joint).take_while(|&at| at != above).collect();
        path.reverse();
        path
    }
}

/// Places depth first, without recursion: parents stand before children, so that sizes add up from the end and places
/// from the start.
fn spans(parents: &[Option<usize>]) -> Vec<(usize, usize)> {
    let mut sizes = vec![1; parents.len()];
    for joint in (0..parents.len()).rev() {
        if let Some(parent) = parents[joint] {
            sizes[parent] += sizes[joint];
        }
    }
    let mut next_root = 0;
    let mut next_below = vec![0; parents.len()];
    let mut spans = Vec::with_capacity(parents.len());
    for (joint, parent) in parents.iter().enumerate() {
        let next = parent.map_or(&mut next_root, |parent| &mut next_below[parent]);
        let first = *next;
        *next += sizes[joint];
        next_below[joint] = first + 1;
        spans.push((first, first + sizes[joint]));
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew::Joint;

    #[test]
    fn who_is_below_whom_whatever_the_order() {
        // 0 and 3 are roots; children of different parents stand mixed.
        let parents = [None, Some(0), Some(0), None, Some(1), Some(2), Some(3), Some(4)];
        let joint = |parent| Joint { name: String::new(), parent, offset: [0.0; 3], axes: Vec::new() };
        let tree = Tree::of(&Rig { joints: parents.into_iter().map(joint).collect() });
        for joint in 0..8 {
            for above in 0..8 {
                let expected = joint != above && tree.upwards(joint).any(|at| at == above);
                assert_eq!(tree.is_below(joint, above), expected, "{joint} below {above}");
            }
        }
        assert_eq!(
            (tree.common(&[7, 5]), tree.common(&[4, 7]), tree.common(&[1, 6])),
            (Some(0), Some(4), None)
        );
        assert_eq!(tree.path(0, 7), [1, 4, 7]);
    }
}
