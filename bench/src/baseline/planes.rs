//! Byte planes: all lowest bytes, then all second bytes, and so on; planes of zeros are not stored.

use super::byte_reader::ByteReader;
use super::difference::{second_difference, undo_second_difference, unzigzag, zigzag};
use anyhow::{Result, ensure};

/// Appends the number of planes (one byte) and the planes.
pub(super) fn write_planes(values: &[u32], out: &mut Vec<u8>) {
    let all_bits = values.iter().fold(0, |bits, value| bits | value);
    let planes = (32 - all_bits.leading_zeros()).div_ceil(8);
    out.push(planes as u8);
    for plane in 0..planes {
        out.extend(values.iter().map(|value| (value >> (8 * plane)) as u8));
    }
}

/// Reads back `count` values.
pub(super) fn read_planes(reader: &mut ByteReader<'_>, count: usize) -> Result<Vec<u32>> {
    let planes = reader.u8()?;
    ensure!(planes <= 4, "{planes} byte planes");
    let mut values = Vec::new();
    for plane in 0..planes {
        let bytes = reader.take(count)?;
        values.resize(count, 0u32);
        for (value, &byte) in values.iter_mut().zip(bytes) {
            *value |= u32::from(byte) << (8 * plane);
        }
    }
    // Without planes nothing in the bytes vouches for the count; the callers know it from the clip's shape.
    values.resize(count, 0);
    Ok(values)
}

/// Appends the second differences of all arrays, each begun anew, as one set of planes.
pub(super) fn write_differences(arrays: impl Iterator<Item: Iterator<Item = i32>>, out: &mut Vec<u8>) {
    let residuals: Vec<u32> = arrays.flat_map(|array| second_difference(array).map(zigzag)).collect();
    write_planes(&residuals, out);
}

/// Reads back `arrays` arrays of `frames` integers, each turned into what it stands for.
pub(super) fn read_differences<T>(
    reader: &mut ByteReader<'_>,
    arrays: usize,
    frames: usize,
    restore: impl Fn(i32) -> T,
) -> Result<Vec<Vec<T>>> {
    let residuals = read_planes(reader, arrays * frames)?;
    let array = |index: usize| {
        let residuals = &residuals[index * frames..(index + 1) * frames];
        undo_second_difference(residuals.iter().map(|&value| unzigzag(value))).map(&restore).collect()
    };
    Ok((0..arrays).map(array).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_come_back_array_by_array() {
        let arrays = [vec![5, 6, 7, i32::MIN], vec![-3, i32::MAX, 0, 0]];
        let mut out = Vec::new();
        write_differences(arrays.iter().map(|array| array.iter().copied()), &mut out);
        let mut reader = ByteReader::new(&out);
        let negated = read_differences(&mut reader, 2, 4, |value| -i64::from(value)).expect("reads");
        assert_eq!(negated[1], [3, -i64::from(i32::MAX), 0, 0]);
        assert_eq!(negated[0], [-5, -6, -7, -i64::from(i32::MIN)]);
        reader.finish().expect("nothing is left");
    }

    #[test]
    fn zeros_cost_one_byte_and_all_widths_come_back() {
        for (values, bytes) in
            [(vec![], 1), (vec![0; 9], 1), (vec![1, 255], 3), (vec![256, 0], 5), (vec![u32::MAX], 5)]
        {
            let mut out = Vec::new();
            write_planes(&values, &mut out);
            assert_eq!(out.len(), bytes, "{values:?}");
            let mut reader = ByteReader::new(&out);
            assert_eq!(read_planes(&mut reader, values.len()).expect("reads"), values);
            reader.finish().expect("nothing is left");
        }
    }
}
