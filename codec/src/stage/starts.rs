//! Where the counters of the residual model start, in thousandths (FORMAT section 7.6): what they come to on motion in
//! general, so that a short clip need not learn it.

/// Bits of the unary part: a row for each half octave of the expected size (classes 8, 10 … 26, then 32, 34 … 46).
#[rustfmt::skip]
const UNARY: [[u16; 8]; 18] = [
    [400, 17, 150, 460, 540, 610, 680, 870],
    [400, 25, 150, 460, 540, 610, 680, 850],
    [400, 33, 150, 460, 540, 610, 680, 840],
    [400, 46, 170, 460, 540, 610, 680, 840],
    [400, 73, 200, 460, 540, 610, 680, 860],
    [400, 98, 260, 460, 540, 610, 680, 860],
    [400, 156, 260, 480, 540, 610, 680, 860],
    [400, 254, 320, 460, 530, 610, 680, 860],
    [672, 384, 408, 473, 550, 594, 680, 844],
    [754, 528, 511, 549, 575, 640, 689, 821],
    [532, 393, 429, 483, 600, 650, 690, 870],
    [652, 532, 515, 547, 582, 644, 685, 830],
    [481, 371, 420, 480, 560, 640, 685, 860],
    [612, 497, 501, 546, 586, 625, 680, 850],
    [444, 355, 430, 491, 590, 640, 690, 860],
    [581, 478, 507, 556, 588, 631, 695, 850],
    [408, 348, 431, 517, 590, 641, 692, 860],
    [554, 465, 502, 556, 616, 658, 696, 830],
];

/// Zero or not, for each expected size 8..=23 in quarter octaves, by how far the prediction leans from the guess.
#[rustfmt::skip]
const CALM: [[u16; 4]; 16] = [
    [9, 4, 10, 20], [55, 25, 80, 150], [72, 32, 100, 180], [93, 42, 130, 220],
    [114, 51, 160, 260], [142, 64, 200, 310], [163, 74, 240, 350], [199, 157, 300, 390],
    [236, 183, 360, 430], [277, 229, 390, 450], [315, 285, 410, 460], [371, 372, 440, 470],
    [422, 398, 486, 492], [486, 499, 510, 536], [541, 564, 575, 581], [590, 585, 618, 629],
];

/// The bit below the unary part for classes 32..=47: of a zero, of anything else.
#[rustfmt::skip]
const LOW: [[u16; 2]; 16] = [
    [370, 617], [391, 627], [412, 643], [431, 647], [362, 525], [396, 522], [415, 535], [430, 539],
    [355, 466], [381, 491], [409, 503], [422, 503], [350, 449], [373, 449], [401, 462], [438, 470],
];

/// A sign against the lean, for each octave 4..=8 of the expected size, by how far the prediction leans.
const LEAN: [[u16; 4]; 5] = [
    [500, 200, 135, 76],
    [490, 320, 240, 165],
    [490, 430, 385, 350],
    [490, 455, 450, 415],
    [490, 485, 480, 475],
];

/// A probability of 65536.
fn p1(thousandths: u16) -> u16 {
    (u32::from(thousandths) * 65536 / 1000) as u16
}

/// The start of unary bit `slot` in a class of the expected size.
pub(crate) fn unary(class: usize, slot: usize) -> u16 {
    let row = if class < 32 { class.clamp(8, 27) / 2 - 4 } else { class / 2 - 6 };
    p1(UNARY[row][slot])
}

/// The start of the bit that says whether a residual of expected size `quarters` is not zero.
pub(crate) fn calm(quarters: usize, lean: usize) -> u16 {
    p1(CALM[quarters.clamp(8, 23) - 8][lean])
}

/// The start of the bit below the unary part.
pub(crate) fn low(class: usize, is_more: usize) -> u16 {
    p1(LOW[class.clamp(32, 47) - 32][is_more])
}

/// The start of a sign in an octave of the expected size.
pub(crate) fn sign(octave: usize, lean: usize) -> u16 {
    p1(LEAN[octave.clamp(4, 8) - 4][lean])
}
