//! Logistic domain in integers: `squash` and its inverse `stretch` from one 45-entry table (FORMAT section 7.2).

/// `round(65536 / (1 + exp(-i / 4)))` for i = 0..=44.
#[rustfmt::skip]
const SQUASH_STEPS: [i32; 45] = [
    32768, 36843, 40793, 44511, 47911, 50941, 53581, 55834, 57724, 59287, 60565, 61598, 62428, 63090, 63615,
    64030, 64357, 64614, 64816, 64974, 65097, 65194, 65269, 65328, 65374, 65410, 65438, 65459, 65476, 65489,
    65500, 65508, 65514, 65519, 65523, 65526, 65528, 65530, 65531, 65532, 65533, 65534, 65534, 65535, 65535,
];

/// Largest magnitude of a logistic value: 11 nats less one step, in 1/256 nat.
const LOGIT_LIMIT: i32 = 44 * 64 - 1;

/// Probability (of 65536, `1..=65535`) of a logistic value in 1/256 nat; linear between the table's steps.
const fn squash_of(logit: i32) -> i32 {
    let magnitude = if logit < 0 { -logit } else { logit };
    let magnitude = if magnitude > LOGIT_LIMIT { LOGIT_LIMIT } else { magnitude };
    let step = (magnitude >> 6) as usize;
    let low = SQUASH_STEPS[step];
    let p = low + (((SQUASH_STEPS[step + 1] - low) * (magnitude & 63) + 32) >> 6);
    if logit < 0 { 65536 - p } else { p }
}

/// [`squash_of`] at every value: the coder waits for this number, and one load is quicker than two and a product.
static SQUASH: [u16; (2 * LOGIT_LIMIT + 1) as usize] = {
    let mut table = [0; (2 * LOGIT_LIMIT + 1) as usize];
    let mut index = 0;
    while index < table.len() {
        table[index] = squash_of(index as i32 - LOGIT_LIMIT) as u16;
        index += 1;
    }
    table
};

/// Probability (of 65536, `1..=65535`) of a logistic value in 1/256 nat, clamped to ±2815.
#[inline]
pub(crate) fn squash(logit: i32) -> i32 {
    i32::from(SQUASH[(logit.clamp(-LOGIT_LIMIT, LOGIT_LIMIT) + LOGIT_LIMIT) as usize])
}

/// The smallest logistic value whose [`squash`] reaches `16 i + 8`, for i = 0..4096.
static STRETCH: [i16; 4096] = {
    let mut table = [0i16; 4096];
    let mut logit = -LOGIT_LIMIT;
    let mut index = 0;
    while index < 4096 {
        while logit < LOGIT_LIMIT && squash_of(logit) < (index as i32) * 16 + 8 {
            logit += 1;
        }
        table[index] = logit as i16;
        index += 1;
    }
    table
};

/// Logistic value in 1/256 nat of a 16-bit probability.
#[inline]
pub(crate) fn stretch(p1: u16) -> i16 {
    STRETCH[usize::from(p1 >> 4)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squash_rises_and_is_symmetric() {
        for logit in -3000..3000 {
            assert!(squash(logit) <= squash(logit + 1));
            assert_eq!(squash(logit) + squash(-logit), 65536);
            assert!((1..=65535).contains(&squash(logit)));
        }
    }

    #[test]
    fn stretch_undoes_squash_to_its_resolution() {
        for p1 in (8..65528).step_by(16) {
            assert!(
                (squash(i32::from(stretch(p1 as u16))) - p1).abs() <= 72,
                "{p1} {}",
                squash(i32::from(stretch(p1 as u16)))
            );
        }
    }
}
