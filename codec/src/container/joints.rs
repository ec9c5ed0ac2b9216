//! The `JNTS` section: the rig of a skeleton clip (FORMAT section 4.4).

use super::cursor::{Cursor, put_string, put_varint};
use crate::error::Result;
use crate::rig::{Joint, JointAxis, Rig};

pub(crate) fn payload(rig: &Rig) -> Vec<u8> {
    let mut out = Vec::new();
    for joint in &rig.joints {
        put_string(&mut out, &joint.name);
        put_varint(&mut out, joint.parent.map_or(0, |parent| parent as u64 + 1));
        for x in joint.offset {
            out.extend_from_slice(&x.to_le_bytes());
        }
        put_varint(&mut out, joint.axes.len() as u64);
        out.extend(joint.axes.iter().map(|&axis| axis as u8));
    }
    out
}

pub(crate) fn from_payload(payload: &[u8], at_byte: u64) -> Result<Rig> {
    let mut cursor = Cursor::new(payload, at_byte);
    let mut rig = Rig::default();
    while cursor.remaining() > 0 {
        let name = cursor.string()?.to_owned();
        let parent = match cursor.length()? {
            0 => None,
            number if number <= rig.joints.len() => Some(number - 1),
            _ => return Err(cursor.corrupt("a joint's parent does not stand before it")),
        };
        let offset = [cursor.f32()?, cursor.f32()?, cursor.f32()?];
        if !offset.iter().all(|x| x.is_finite()) {
            return Err(cursor.corrupt("a joint's offset is not finite"));
        }
        let count = cursor.length()?;
        let mut axes = Vec::new();
        for &number in cursor.take(count)? {
            axes.push(JointAxis::from_number(number).ok_or(cursor.corrupt("a joint has a reserved axis"))?);
        }
        rig.joints.push(Joint { name, parent, offset, axes });
    }
    Ok(rig)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rigs_come_back_and_cuts_do_not() {
        let joint = |name: &str, parent, axes: &[JointAxis]| Joint {
            name: name.into(),
            parent,
            offset: [1.0, -0.0, 3.5],
            axes: axes.to_vec(),
        };
        use JointAxis::*;
        let rig = Rig {
            joints: vec![
                joint(
                    "mixamorig:Hips",
                    None,
                    &[PositionX, PositionY, PositionZ, RotationZ, RotationX, RotationY],
                ),
                joint("foot.L", Some(0), &[RotationY, RotationX, RotationZ]),
                joint("foot.L", Some(1), &[]),
            ],
        };
        let bytes = payload(&rig);
        assert_eq!(from_payload(&bytes, 0), Ok(rig));
        assert!((1..bytes.len()).filter(|&cut| from_payload(&bytes[..cut], 0).is_ok()).count() <= 2);
    }
}
