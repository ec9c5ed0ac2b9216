//! Residuals between keys as a class and a plain field (FORMAT section 7.13). The class is coded with its neighbours, read once;
//! the field is what is left to tell and has the same bits for all residuals of a class.

use super::bit_field::{FieldReader, FieldWriter};

/// Largest magnitude of a residual.
pub(crate) const MAX_RESIDUAL: i32 = (1 << 23) - 1;
/// Classes of a middle: the bit lengths of its magnitude, 0..=23.
pub(crate) const MIDDLE_CLASSES: u8 = 24;
/// Classes of a pair: the larger magnitude up to 4, then bit lengths 3..=23.
pub(crate) const PAIR_CLASSES: u8 = 26;
/// Largest magnitude of a pair that has a class of its own.
const RINGS: u8 = 4;
/// Bits of the fields of the classes 0..=4 of a pair.
const RING_BITS: [u32; RINGS as usize + 1] = [0, 3, 4, 5, 5];

/// Class of a middle.
pub(crate) fn middle_class(residual: i32) -> u8 {
    (32 - residual.unsigned_abs().leading_zeros()) as u8
}

/// Class of the two residuals beside a middle.
pub(crate) fn pair_class(pair: [i32; 2]) -> u8 {
    let largest = pair[0].unsigned_abs().max(pair[1].unsigned_abs());
    if largest <= u32::from(RINGS) { largest as u8 } else { (32 - largest.leading_zeros()) as u8 + 2 }
}

/// Writes a middle: its sign, and its magnitude without the leading one.
pub(crate) fn put_middle(fields: &mut FieldWriter, residual: i32) {
    let class = u32::from(middle_class(residual));
    if class > 0 {
        let below = residual.unsigned_abs() - (1 << (class - 1));
        fields.put(below << 1 | u32::from(residual < 0), class);
    }
}

/// Reads a middle of a class below [`MIDDLE_CLASSES`].
#[inline]
pub(crate) fn take_middle(fields: &mut FieldReader<'_>, class: u8) -> i32 {
    if class == 0 {
        return 0;
    }
    let field = fields.take(u32::from(class));
    let magnitude = ((field >> 1) + (1 << (class - 1))) as i32;
    if field & 1 == 1 { -magnitude } else { magnitude }
}

/// Place `place` of the 8 `ring` pairs whose larger magnitude is `ring`, counted once around.
fn on_ring(ring: i32, place: i32) -> [i32; 2] {
    let along = place % (2 * ring);
    match place / (2 * ring) {
        0 => [along - ring, -ring],
        1 => [ring, along - ring],
        2 => [ring - along, ring],
        _ => [-ring, ring - along],
    }
}

/// Writes a pair: its place on its ring, or each residual above the least of its width.
pub(crate) fn put_pair(fields: &mut FieldWriter, pair: [i32; 2]) {
    let class = pair_class(pair);
    if class == 0 {
        return;
    }
    if class <= RINGS {
        let ring = i32::from(class);
        let place = (0..8 * ring).find(|&place| on_ring(ring, place) == pair).expect("on its ring");
        fields.put(place as u32, RING_BITS[usize::from(class)]);
    } else {
        let width = u32::from(class) - 1;
        for residual in pair {
            fields.put((residual + (1 << (width - 1))) as u32, width);
        }
    }
}

/// Reads a pair of a class below [`PAIR_CLASSES`]; `None` for a field that no pair has.
#[inline]
pub(crate) fn take_pair(fields: &mut FieldReader<'_>, class: u8) -> Option<[i32; 2]> {
    if class == 0 {
        return Some([0; 2]);
    }
    if class <= RINGS {
        let ring = i32::from(class);
        let place = fields.take(RING_BITS[usize::from(class)]) as i32;
        return (place < 8 * ring).then(|| on_ring(ring, place));
    }
    let width = u32::from(class) - 1;
    let mut take = || fields.take(width) as i32 - (1 << (width - 1));
    Some([take(), take()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residuals_of_every_size_come_back() {
        let sizes: Vec<i32> = (-40..=40)
            .chain((5..23).flat_map(|bits| [(1 << bits) - 1, -(1 << bits), 1 << bits]))
            .chain([MAX_RESIDUAL, -MAX_RESIDUAL])
            .collect();
        let mut writer = FieldWriter::default();
        for &a in &sizes {
            put_middle(&mut writer, a);
            for &b in &sizes {
                put_pair(&mut writer, [a, b]);
            }
        }
        let bytes = writer.finish();
        let mut reader = FieldReader::new(&bytes);
        for &a in &sizes {
            assert!(middle_class(a) < MIDDLE_CLASSES);
            assert_eq!(take_middle(&mut reader, middle_class(a)), a);
            for &b in &sizes {
                assert!(pair_class([a, b]) < PAIR_CLASSES);
                assert_eq!(take_pair(&mut reader, pair_class([a, b])), Some([a, b]));
            }
        }
        assert!(reader.is_done());
    }

    #[test]
    fn a_place_beyond_the_ring_is_refused() {
        assert_eq!(take_pair(&mut FieldReader::new(&[24]), 3), None);
        assert!(take_pair(&mut FieldReader::new(&[23]), 3).is_some());
    }
}
