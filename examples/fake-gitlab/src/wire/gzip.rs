//! Small gzip bodies that unpack to something large.

use flate2::{Compression, Crc, FlushCompress};

const MIB: usize = 1 << 20;

/// A gzip body that unpacks to that many MiB of blanks.
///
/// One MiB is packed once. A full flush makes its bytes independent of what was before them, so
/// the same bytes can stand there many times: this is fast also for a GiB.
pub(crate) fn bomb(mib: usize) -> Vec<u8> {
    let blanks = vec![b' '; MIB];
    let block = packed(&blanks);
    let mut one = Crc::new();
    one.update(&blanks);
    let mut sum = Crc::new();
    let mut body = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
    for _ in 0..mib {
        body.extend_from_slice(&block);
        sum.combine(&one);
    }
    // An empty final block, then the sum and the length modulo 2^32.
    body.extend_from_slice(&[0x03, 0x00]);
    body.extend_from_slice(&sum.sum().to_le_bytes());
    body.extend_from_slice(&sum.amount().to_le_bytes());
    body
}

fn packed(data: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::Compress::new(Compression::best(), false);
    let mut out = Vec::with_capacity(data.len() / 64);
    let _ = encoder.compress_vec(data, &mut out, FlushCompress::Full);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read as _;

    #[test]
    fn a_bomb_is_small_and_valid() {
        let bomb = bomb(3);
        assert!(bomb.len() < 16 * 1024, "{}", bomb.len());
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&bomb[..]).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked.len(), 3 * MIB);
        assert!(unpacked.iter().all(|byte| *byte == b' '));
    }
}
