//! The unit of length of a file, told from how tall its figure is.

/// A unit that files are known to use.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unit {
    /// Name for reports.
    pub name: &'static str,
    /// Metres in one.
    pub metres: f64,
}

/// Units of known programs. The fifth is that of the CMU captures: 0.45 inch.
const UNITS: [Unit; 6] = [
    Unit { name: "metres", metres: 1.0 },
    Unit { name: "centimetres", metres: 0.01 },
    Unit { name: "inches", metres: 0.0254 },
    Unit { name: "decimetres", metres: 0.1 },
    Unit { name: "units of 1/0.45 inch", metres: 0.0254 / 0.45 },
    Unit { name: "millimetres", metres: 0.001 },
];

/// Height of the figure that units are judged by.
const USUAL_M: f64 = 1.7;
/// Heights of grown people and of the figures that stand for them.
const HEIGHTS_M: std::ops::RangeInclusive<f64> = 1.25..=2.25;

/// The unit in which a figure `height` units tall is most nearly a grown person; `None` if it is in none.
pub(super) fn unit_of(height: f64) -> Option<Unit> {
    let off = |unit: &Unit| (height * unit.metres / USUAL_M).ln().abs();
    UNITS
        .into_iter()
        .filter(|unit| HEIGHTS_M.contains(&(height * unit.metres)))
        .min_by(|a, b| off(a).total_cmp(&off(b)))
}

/// Metres per unit if the figure is of the usual height.
pub(super) fn metres_by_height(height: f64) -> f64 {
    USUAL_M / height
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_of_known_units_are_recognised() {
        for (height, name) in [
            (1.75, "metres"),
            (168.0, "centimetres"),
            (68.0, "inches"),
            (17.0, "decimetres"),
            (30.0, "units of 1/0.45 inch"),
            (1650.0, "millimetres"),
        ] {
            assert_eq!(unit_of(height).map(|unit| unit.name), Some(name), "{height}");
        }
        assert_eq!(unit_of(5.0), None);
        assert!((metres_by_height(5.0) * 5.0 - 1.7).abs() < 1e-12);
    }
}
