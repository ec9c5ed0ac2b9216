//! Curves without what evaluation does not need: half to an eighth of the memory of their keys.
//!
//! A recording has as many curves as it has components, and keys of all at the same instants; their slopes are those of
//! straight lines, or the same on both sides. So curves share their times, and slopes are kept where they do not follow
//! from the values. Nothing that changes a curve's value at any instant is left out.

use super::attributes::COMPONENT_SUFFIXES;
use super::document::{Binding, Curve, DEFAULT_WEIGHT, WEIGHTED_IN, WEIGHTED_OUT};
use super::evaluate::{Segment, Spot, locate};
use super::tangents::line;
use std::rc::Rc;

/// What a list of curves moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Property {
    /// A transform's rotation as a quaternion.
    Rotation,
    /// A transform's rotation in degrees around x, y, z.
    Euler,
    /// A transform's position.
    Position,
    /// A transform's scale.
    Scale,
    /// A single number that the binding names.
    Float,
}

/// A curve of any number of components.
#[derive(Debug, Clone)]
pub(super) struct PackedCurve {
    pub binding: Binding,
    pub property: Property,
    pub rotation_order: i32,
    /// What the curve does before the first and after the last key.
    infinity: (i32, i32),
    /// Times of the keys in seconds.
    pub times_s: Rc<[f32]>,
    components: Vec<Component>,
}

#[derive(Debug, Clone)]
struct Component {
    values: Vec<f32>,
    slopes: Slopes,
    /// Of each key, the effective weight before and after it; `None` if nobody weighted any.
    weights: Option<Vec<[f32; 2]>>,
}

#[derive(Debug, Clone)]
enum Slopes {
    /// Every segment is the straight line.
    Lines,
    /// Each key has one slope.
    Smooth(Vec<f32>),
    /// Each key has one slope before and one after it.
    Broken(Vec<[f32; 2]>),
}

impl PackedCurve {
    /// Packs a curve. `times_s` are those of the curve before, shared where they are the same.
    pub fn pack<const N: usize>(
        curve: &Curve<N>,
        property: Property,
        times_s: &mut Rc<[f32]>,
    ) -> PackedCurve {
        let same = curve.keys.len() == times_s.len()
            && curve
                .keys
                .iter()
                .zip(times_s.iter())
                .all(|(key, time_s)| key.time_s.to_bits() == time_s.to_bits());
        if !same {
            *times_s = curve.keys.iter().map(|key| key.time_s).collect();
        }
        PackedCurve {
            binding: curve.binding.clone(),
            property,
            rotation_order: curve.rotation_order,
            infinity: (curve.pre_infinity, curve.post_infinity),
            times_s: Rc::clone(times_s),
            components: (0..N).map(|component| Component::pack(curve, component)).collect(),
        }
    }

    /// Number of keys.
    pub fn len(&self) -> usize {
        self.times_s.len()
    }

    /// Whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.times_s.is_empty()
    }

    /// Number of components.
    pub fn components(&self) -> usize {
        self.components.len()
    }

    /// What a component is called in a message.
    pub fn component_name(&self, component: usize) -> String {
        let Binding { path, attribute, .. } = &self.binding;
        if self.property == Property::Float {
            return attribute.clone();
        }
        let tracks = self.property.tracks(path);
        match tracks.as_slice() {
            [whole] => format!("{}{}", whole.name(), COMPONENT_SUFFIXES[component]),
            each => each[component].name().to_owned(),
        }
    }

    /// Values of a component at the keys.
    pub fn values(&self, component: usize) -> &[f32] {
        &self.components[component].values
    }

    /// Takes the values of a component at the keys.
    pub fn take_values(&mut self, component: usize) -> Vec<f32> {
        std::mem::take(&mut self.components[component].values)
    }

    /// Gives up the memory of a component that is not needed any more.
    pub fn release(&mut self, component: usize) {
        let none = Component { values: Vec::new(), slopes: Slopes::Lines, weights: None };
        self.components[component] = none;
        if self.components.iter().all(|component| component.values.is_empty()) {
            self.times_s = Rc::from([]);
        }
    }

    /// A component's value at an instant, as [`Curve::evaluate`] gives it.
    pub fn evaluate(&self, component: usize, time_s: f64) -> f64 {
        match locate(&self.times_s, |&time_s| time_s, self.infinity, time_s) {
            None => 0.0,
            Some(Spot::Key(index)) => f64::from(self.components[component].values[index]),
            Some(Spot::Segment(index, time_s)) => self.segment(component, index).value(time_s),
        }
    }

    /// A component between the key at `index` and the next.
    pub fn segment(&self, component: usize, index: usize) -> Segment {
        let Component { values, slopes, weights } = &self.components[component];
        let times_s = [self.times_s[index], self.times_s[index + 1]];
        let values = [values[index], values[index + 1]];
        let slopes = match slopes {
            Slopes::Lines => [line(times_s[0], values[0], times_s[1], values[1]); 2],
            Slopes::Smooth(slopes) => [slopes[index], slopes[index + 1]],
            Slopes::Broken(slopes) => [slopes[index][1], slopes[index + 1][0]],
        };
        let weights = match weights {
            None => [DEFAULT_WEIGHT; 2],
            Some(weights) => [weights[index][1], weights[index + 1][0]],
        };
        Segment { times_s, values, slopes, weights }
    }
}

impl Component {
    fn pack<const N: usize>(curve: &Curve<N>, component: usize) -> Component {
        let keys = &curve.keys;
        let straight = keys.windows(2).all(|pair| {
            let segment = Segment::of_keys(&pair[0], &pair[1], component);
            let [start_s, end_s] = segment.times_s;
            let secant = line(start_s, segment.values[0], end_s, segment.values[1]).to_bits();
            segment.slopes.iter().all(|slope| slope.to_bits() == secant)
        });
        let slopes = if straight {
            Slopes::Lines
        } else {
            // Before the first and after the last key a slope plays no part.
            let smooth = keys.iter().enumerate().all(|(index, key)| {
                let inner = index > 0 && index + 1 < keys.len();
                !inner || key.in_slope[component].to_bits() == key.out_slope[component].to_bits()
            });
            match smooth {
                true => Slopes::Smooth(
                    keys.iter()
                        .enumerate()
                        .map(
                            |(index, key)| {
                                if index == 0 { key.out_slope[component] } else { key.in_slope[component] }
                            },
                        )
                        .collect(),
                ),
                false => Slopes::Broken(
                    keys.iter().map(|key| [key.in_slope[component], key.out_slope[component]]).collect(),
                ),
            }
        };
        let weights = keys.iter().any(|key| key.weighted_mode != 0).then(|| {
            keys.iter()
                .map(|key| {
                    let weight = |bit: u8, weight: f32| match key.weighted_mode & bit {
                        0 => DEFAULT_WEIGHT,
                        _ => weight,
                    };
                    [
                        weight(WEIGHTED_IN, key.in_weight[component]),
                        weight(WEIGHTED_OUT, key.out_weight[component]),
                    ]
                })
                .collect()
        });
        Component { values: keys.iter().map(|key| key.value[component]).collect(), slopes, weights }
    }
}

#[cfg(test)]
mod tests {
    use super::super::document::Key;
    use super::super::tangents::{Tangents, set_tangents};
    use super::*;

    fn pack<const N: usize>(curve: &Curve<N>, times_s: &mut Rc<[f32]>) -> PackedCurve {
        PackedCurve::pack(curve, Property::Float, times_s)
    }

    #[track_caller]
    fn plays_the_same<const N: usize>(curve: &Curve<N>) -> PackedCurve {
        let packed = pack(curve, &mut Rc::from([]));
        for step in -20..120 {
            let time_s = f64::from(step) * 0.037;
            let values = curve.evaluate(time_s);
            for (component, value) in values.iter().enumerate() {
                assert_eq!(packed.evaluate(component, time_s).to_bits(), value.to_bits(), "{time_s}");
            }
        }
        packed
    }

    #[test]
    fn every_kind_of_slope_and_weight_plays_as_before() {
        let mut curve: Curve<3> = Curve::new(Binding::default());
        curve.keys =
            (0..9).map(|i| Key::level(0.4 * i as f32, [(i * i) as f32, (i % 3) as f32, -0.5])).collect();
        (curve.pre_infinity, curve.post_infinity) = (0, 1);
        set_tangents(&mut curve.keys, Tangents::Linear);
        assert!(matches!(plays_the_same(&curve).components[0].slopes, Slopes::Lines));
        set_tangents(&mut curve.keys, Tangents::ClampedAuto);
        // Where one slope differs between the sides of its key only, a smooth component stays smooth.
        curve.keys[4].in_slope[1] += 1.0;
        (curve.keys[0].in_slope[0], curve.keys[8].out_slope[0]) = (9.0, f32::INFINITY);
        let packed = plays_the_same(&curve);
        assert!(matches!(packed.components[0].slopes, Slopes::Smooth(_)));
        assert!(matches!(packed.components[1].slopes, Slopes::Broken(_)));
        curve.keys[2].out_slope[0] = f32::INFINITY;
        (curve.keys[5].weighted_mode, curve.keys[5].in_weight) = (WEIGHTED_IN, [0.9, 0.1, 0.5]);
        (curve.keys[6].weighted_mode, curve.keys[6].out_weight) = (WEIGHTED_OUT, [7.0, 0.0, 0.5]);
        plays_the_same(&curve);
        curve.keys.truncate(1);
        plays_the_same(&curve);
        curve.keys.clear();
        plays_the_same(&curve);
    }

    #[test]
    fn equal_times_are_kept_once() {
        let mut curve: Curve<1> = Curve::new(Binding::default());
        curve.keys = vec![Key::level(0.0, [1.0]), Key::level(-0.0, [2.0])];
        let mut times_s: Rc<[f32]> = Rc::from([]);
        let (first, second) = (pack(&curve, &mut times_s), pack(&curve, &mut times_s));
        assert!(Rc::ptr_eq(&first.times_s, &second.times_s));
        curve.keys[1].time_s = 0.0;
        assert!(!Rc::ptr_eq(&first.times_s, &pack(&curve, &mut times_s).times_s));
    }
}
