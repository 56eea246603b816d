//! What is left of encoded bytes after general compression: what a format does not say twice, a compressor cannot save.

use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;

/// The length after gzip, at its usual level of 6.
pub fn gzip(bytes: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("a vector takes everything");
    encoder.finish().expect("a vector takes everything").len()
}

/// The length after zstd at level 3, its default.
pub fn zstd(bytes: &[u8]) -> usize {
    zstd::bulk::compress(bytes, 3).expect("it has the room that it asks for").len()
}

#[cfg(test)]
mod tests {
    #[test]
    fn repetition_is_saved() {
        let bytes = b"said once, said once more; ".repeat(100);
        assert!((30..100).contains(&super::gzip(&bytes)));
        assert!((30..100).contains(&super::zstd(&bytes)));
    }
}
