//! Curves made of +, -, *, / only: the generator calls no libm, whose last bit differs between platforms.

use std::f64::consts::FRAC_PI_2;

/// Fraction in [0, 1) of a phase in cycles.
pub(crate) fn fraction(phase: f64) -> f64 {
    phase - phase.floor()
}

/// A sine of a phase in cycles: the odd polynomial of degree 9 on a quarter, off by less than 0.00001.
pub(crate) fn wave(phase: f64) -> f64 {
    let quarter = 4.0 * fraction(phase);
    let x = match quarter {
        q if q < 1.0 => q,
        q if q < 3.0 => 2.0 - q,
        q => q - 4.0,
    };
    let square = x * x;
    x * (FRAC_PI_2
        - square * (0.645_964_1 - square * (0.079_692_6 - square * (0.004_681_8 - square * 0.000_160_4))))
}

/// Minimum-jerk step from 0 to 1: velocity and acceleration are 0 at both ends.
pub(crate) fn min_jerk(u: f64) -> f64 {
    let u = u.clamp(0.0, 1.0);
    u * u * u * (10.0 + u * (6.0 * u - 15.0))
}

/// A bump of height 1 on (-1, 1) with smooth ends.
pub(crate) fn bump(u: f64) -> f64 {
    let rest = 1.0 - u * u;
    if rest <= 0.0 { 0.0 } else { rest * rest * rest }
}

/// A bump that comes back every cycle, around `center` and `half_width` (both in cycles) to either side.
pub(crate) fn pulse(phase: f64, center: f64, half_width: f64) -> f64 {
    let distance = fraction(phase - center + 0.5) - 0.5;
    bump(distance / half_width)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wave_is_a_sine() {
        for i in -500..500 {
            let phase = f64::from(i) * 0.007;
            let sine = (phase * std::f64::consts::TAU).sin();
            assert!((wave(phase) - sine).abs() < 1e-5, "{phase}: {} {sine}", wave(phase));
        }
    }

    #[test]
    fn steps_and_bumps_have_their_ends() {
        assert_eq!((min_jerk(-1.0), min_jerk(0.5), min_jerk(2.0)), (0.0, 0.5, 1.0));
        assert_eq!((bump(-1.0), bump(0.0), bump(1.5)), (0.0, 1.0, 0.0));
        assert_eq!((pulse(3.98, 0.98, 0.1), pulse(7.3, 0.98, 0.1)), (1.0, 0.0));
    }
}
