//! One row of the table, with the fields and names that `--json` and `--csv` promise.

use serde::Serialize;

/// One codec on one clip. A figure that is not known, or whose codec failed, is `None`: null in JSON, empty in CSV.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Row {
    /// Name of the clip.
    pub clip: String,
    /// The whole chain: `data-nameless+zstd`, `d2+brotli`, `sinew-balanced`.
    pub codec: String,
    /// Level, other parameters, then `lossless` or the bound.
    pub settings: String,
    /// Size of all that a decoder needs.
    pub bytes: Option<u64>,
    /// Bytes of the uncompressed nameless `.data` file over `bytes`; above 1 is smaller.
    pub ratio_to_data_nameless: Option<f64>,
    /// Bytes of the `.anim` file over `bytes`. Not known where `.anim` cannot hold the clip.
    pub ratio_to_anim: Option<f64>,
    /// Largest absolute error: of the muscles, or of all tracks of a clip without muscles.
    pub max_abs: Option<f64>,
    /// Largest displacement of a joint on the built-in avatar, in millimetres; `None` for a clip without muscles.
    pub max_joint_mm: Option<f64>,
    /// Clip to bytes, milliseconds, median.
    pub encode_ms: Option<f64>,
    /// Bytes to clip, milliseconds, median.
    pub decode_ms: Option<f64>,
    /// `decode_ms` over the frames, in nanoseconds.
    pub decode_ns_per_pose: Option<f64>,
}

impl Row {
    /// A row without figures.
    pub(crate) fn unknown(clip: &str, codec: String, settings: String) -> Row {
        Row {
            clip: clip.to_owned(),
            codec,
            settings,
            bytes: None,
            ratio_to_data_nameless: None,
            ratio_to_anim: None,
            max_abs: None,
            max_joint_mm: None,
            encode_ms: None,
            decode_ms: None,
            decode_ns_per_pose: None,
        }
    }
}

/// `baseline / bytes`; `None` without samples or bytes, where a ratio says nothing.
pub(crate) fn ratio(baseline: Option<u64>, bytes: Option<u64>, raw_bytes: u64) -> Option<f64> {
    match (baseline, bytes) {
        (Some(baseline), Some(bytes)) if bytes > 0 && raw_bytes > 0 => Some(baseline as f64 / bytes as f64),
        _ => None,
    }
}
