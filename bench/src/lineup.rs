//! Who takes part, in the order of the table.

use crate::baseline::{
    ByteCoder, DataChain, DataFileCodec, FloatDifference, Lz4BlockArray, Pco, Raw, SecondDifference,
    SinewCodec,
};
use crate::bench::BenchOptions;
use crate::codec::Codec;
use crate::contract::Contract;
use crate::source::Source;
use sinew::data::DataMode;
use sinew::{Effort, Naming};

/// The built-in codecs for this clip under these options: the lossless ones first, then those of each bound.
/// `.data` chains are left out where `.data` cannot hold the clip.
pub fn lineup(source: &Source<'_>, options: &BenchOptions) -> Vec<Box<dyn Codec>> {
    let mut codecs: Vec<Box<dyn Codec>> = Vec::new();
    if options.lossless {
        codecs.push(Box::new(Raw));
        for mode in [DataMode::Named, DataMode::Nameless] {
            if source.data_file(mode).is_ok() {
                codecs.push(Box::new(DataFileCodec { mode }));
                codecs.push(Box::new(Lz4BlockArray { mode }));
                for coder in byte_coders(options.quick).filter(|_| !options.sizes_only) {
                    codecs.push(Box::new(DataChain { mode, coder }));
                }
            }
        }
        for coder in strong_coders(options.quick) {
            codecs.push(Box::new(FloatDifference { coder }));
        }
        codecs.push(Box::new(Pco { contract: Contract::Lossless }));
        for naming in [Naming::Nameless, Naming::Named] {
            codecs.push(sinew(Contract::Lossless, Effort::Balanced, naming));
        }
        codecs.push(sinew(Contract::Lossless, Effort::Max, Naming::Nameless));
    }
    for &bound in &options.bounds {
        let contract = Contract::bounded(bound);
        for coder in strong_coders(options.quick) {
            codecs.push(Box::new(SecondDifference { coder, contract }));
        }
        codecs.push(Box::new(Pco { contract }));
        for effort in [Effort::Fast, Effort::Balanced, Effort::Max] {
            codecs.push(sinew(contract, effort, Naming::Nameless));
        }
    }
    codecs
}

fn sinew(contract: Contract, effort: Effort, naming: Naming) -> Box<dyn Codec> {
    Box::new(SinewCodec { contract, effort, naming })
}

/// brotli-11 takes most of a whole run; a quick one does without.
fn byte_coders(quick: bool) -> impl Iterator<Item = ByteCoder> {
    ByteCoder::ALL.into_iter().filter(move |&coder| !quick || coder != ByteCoder::Brotli)
}

/// gzip is no match for the others behind a good transform.
fn strong_coders(quick: bool) -> impl Iterator<Item = ByteCoder> {
    byte_coders(quick).filter(|&coder| coder != ByteCoder::Gzip)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_clips;
    use crate::verify::verify;
    use sinew::Clip;

    fn everything() -> BenchOptions {
        BenchOptions { bounds: vec![0.01, 0.0001], ..BenchOptions::default() }
    }

    fn assert_promises_kept(name: &str, clip: &Clip, options: &BenchOptions) {
        let source = Source::new(clip).expect("valid");
        for codec in lineup(&source, options) {
            let place = || format!("{} ({}) on {name}", codec.name(), codec.contract());
            let bytes = codec.encode(&source).unwrap_or_else(|error| panic!("{}: {error:#}", place()));
            let decoded = codec.decode(&bytes).unwrap_or_else(|error| panic!("{}: {error:#}", place()));
            if let Err(what) = verify(clip, &codec.contract(), &decoded) {
                panic!("{}: {what}", place());
            }
        }
    }

    #[test]
    fn the_table_names_every_rival_at_every_contract() {
        let clip = sinew_corpus::extremes().into_iter().find(|(name, _)| *name == "sine").expect("listed").1;
        let names: Vec<String> = lineup(&Source::new(&clip).expect("valid"), &everything())
            .iter()
            .map(|codec| codec.name())
            .collect();
        let chains = |file: &str| {
            ["", "+lz4", "+gzip", "+zstd", "+xz", "+brotli"].map(|coder| format!("{file}{coder}"))
        };
        let mut wanted = vec!["raw-f32".to_owned()];
        wanted.extend(chains("data-named"));
        wanted.extend(chains("data-nameless"));
        wanted.extend(["zstd", "xz", "brotli"].map(|coder| format!("f32-d2+{coder}")));
        wanted.extend(["pco", "sinew-balanced", "sinew-balanced-named", "sinew-max"].map(str::to_owned));
        for _bound in 0..2 {
            wanted.extend(["d2+zstd", "d2+xz", "d2+brotli", "pco"].map(str::to_owned));
            wanted.extend(["sinew-fast", "sinew-balanced", "sinew-max"].map(str::to_owned));
        }
        assert_eq!(names, wanted);
    }

    #[test]
    fn every_codec_keeps_its_promise_on_every_extreme() {
        for (name, clip) in test_clips::all() {
            assert_promises_kept(&name, &clip, &everything());
        }
    }

    #[test]
    fn every_codec_keeps_its_promise_on_the_generated_extremes() {
        // Long clips: without the slowest coder, whose turn the short ones are.
        let options = BenchOptions { bounds: vec![0.001], quick: true, ..BenchOptions::default() };
        for (name, clip) in sinew_corpus::extremes() {
            assert_promises_kept(name, &clip, &options);
        }
    }

    #[test]
    fn bytes_hold_all_that_a_decoder_needs() {
        // A decoder of another instance, that has seen neither clip nor source, must get by with the bytes alone;
        // cutting the last byte must be noticed, so nothing comes from elsewhere.
        let clip = test_clips::smooth(40);
        let source = Source::new(&clip).expect("valid");
        let fresh = lineup(&source, &everything());
        for (codec, other) in lineup(&source, &everything()).iter().zip(&fresh) {
            let bytes = codec.encode(&source).expect("encodes");
            let decoded = other.decode(&bytes).expect("decodes");
            verify(&clip, &codec.contract(), &decoded).expect("keeps its promise");
            let cut = other.decode(&bytes[..bytes.len() - 1]);
            let survives = cut.is_ok_and(|decoded| verify(&clip, &codec.contract(), &decoded).is_ok());
            // The last byte of some frames only closes the stream.
            let closes_stream = codec.name().ends_with("brotli") || codec.name().ends_with("xz");
            assert!(!survives || closes_stream, "{} decodes without its last byte", codec.name());
        }
    }

    #[test]
    fn noise_is_not_made_small_and_smooth_motion_is() {
        let options = BenchOptions { bounds: Vec::new(), ..BenchOptions::default() };
        let (noise, smooth) = (test_clips::any_bits(200), test_clips::smooth(200));
        let (noise, smooth) = (Source::new(&noise).expect("valid"), Source::new(&smooth).expect("valid"));
        for codec in lineup(&noise, &options) {
            let name = codec.name();
            let bytes = codec.encode(&noise).expect("encodes").len() as u64;
            assert!(bytes * 100 >= noise.raw_bytes() * 99, "{name}: {bytes} bytes of random bits");
            if !name.starts_with("data-") && name != "raw-f32" {
                let bytes = codec.encode(&smooth).expect("encodes").len() as u64;
                assert!(bytes * 10 < smooth.raw_bytes() * 9, "{name}: {bytes} bytes of smooth motion");
            }
        }
    }

    #[test]
    fn names_and_settings_tell_all_rows_apart() {
        let clip = test_clips::smooth(4);
        let source = Source::new(&clip).expect("valid");
        let mut rows: Vec<_> = lineup(&source, &everything())
            .iter()
            .map(|codec| (codec.name(), codec.settings(), codec.contract().to_string()))
            .collect();
        let count = rows.len();
        rows.sort();
        rows.dedup();
        assert_eq!(rows.len(), count);
    }
}
