//! Which arrays an array is coded from at the effort `max` (FORMAT section 7.16): on the humanoid its mirror image, its
//! twin on the finger before and its neighbours; elsewhere the arrays before it.

use crate::muscles::MUSCLE_COUNT;
use crate::stage::joint::OTHERS;

/// The muscle on the other side of the body, if it has a lower number.
fn mirror(muscle: usize) -> Option<usize> {
    match muscle {
        17 | 18 => Some(muscle - 2),
        29..=36 => Some(muscle - 8),
        46..=54 => Some(muscle - 9),
        75..=94 => Some(muscle - 20),
        _ => None,
    }
}

/// The same muscle of the finger before.
fn finger_before(muscle: usize) -> Option<usize> {
    (muscle >= 55 && (muscle - 55) % 20 >= 4).then(|| muscle - 4)
}

/// The numbers of the arrays that each array looks at, the most telling first, all of them lower than its own; `muscles`
/// holds the number of each array's muscle.
pub(super) fn others(muscles: &[Option<usize>]) -> Vec<Vec<usize>> {
    let mut array_of = [None; MUSCLE_COUNT];
    let mut lists = Vec::with_capacity(muscles.len());
    for (array, &muscle) in muscles.iter().enumerate() {
        let mut list: Vec<usize> = Vec::with_capacity(OTHERS);
        if let Some(muscle) = muscle {
            let mirror = mirror(muscle);
            let related = [
                mirror,
                finger_before(muscle),
                muscle.checked_sub(1),
                muscle.checked_sub(2),
                muscle.checked_sub(3),
                mirror.map(|mirror| mirror + 1),
                mirror.map(|mirror| mirror - 1),
            ];
            for other in related.into_iter().flatten().filter_map(|related| array_of[related]) {
                if !list.contains(&other) {
                    list.push(other);
                }
            }
            array_of[muscle] = Some(array);
        }
        for before in (0..array).rev() {
            if list.len() == OTHERS {
                break;
            }
            if !list.contains(&before) {
                list.push(before);
            }
        }
        lists.push(list);
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_array_looks_at_arrays_before_it_only_once() {
        let muscles: Vec<Option<usize>> = [None, None].into_iter().chain((0..95).map(Some)).collect();
        for (array, list) in others(&muscles).iter().enumerate() {
            assert_eq!(list.len(), array.min(OTHERS));
            assert!(list.iter().all(|&other| other < array));
            assert!((1..list.len()).all(|i| !list[..i].contains(&list[i])));
        }
    }

    #[test]
    fn mirror_and_twin_come_first() {
        let muscles: Vec<Option<usize>> = (0..95).map(Some).collect();
        let lists = others(&muscles);
        assert_eq!(lists[29], [21, 28, 27, 26, 22, 20, 25, 24]);
        assert_eq!(lists[94], [74, 90, 93, 92, 91, 75, 73, 89]);
        assert_eq!(lists[0], []);
        assert_eq!(others(&[Some(30), None, Some(38)])[2], [1, 0]);
    }
}
