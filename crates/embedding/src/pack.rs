//! Texts laid back to back, so that no work is done on padding.

use std::ops::Range;

/// About as many tokens as keep a core's matrix kernels busy and its scratch in the cache.
const TOKENS: usize = 512;

/// The pieces of one pack: their numbers, and where each lies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pack {
    pub ids: Vec<u32>,
    pub pieces: Vec<(usize, Range<usize>)>,
}

/// Every piece in one pack, longest first: the last packs are small, so that no core waits long for another.
pub fn packs(pieces: &[Vec<u32>]) -> Vec<Pack> {
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by_key(|&piece| (std::cmp::Reverse(pieces[piece].len()), piece));
    let mut packs: Vec<Pack> = Vec::new();
    for piece in order {
        let ids = &pieces[piece];
        if packs.last().is_none_or(|last| last.ids.len() + ids.len() > TOKENS) {
            packs.push(Pack::default());
        }
        let pack = packs.last_mut().expect("one was just put there");
        let begin = pack.ids.len();
        pack.ids.extend(ids);
        pack.pieces.push((piece, begin..pack.ids.len()));
    }
    packs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_is_in_one_pack_and_no_pack_is_too_long() {
        let pieces: Vec<Vec<u32>> = (0..100).map(|n| vec![n; (n as usize * 37) % 257]).collect();
        let packs = packs(&pieces);
        let mut found: Vec<usize> = Vec::new();
        for pack in &packs {
            assert!(pack.ids.len() <= TOKENS);
            for (piece, place) in &pack.pieces {
                assert_eq!(pack.ids[place.clone()], pieces[*piece]);
                found.push(*piece);
            }
        }
        found.sort_unstable();
        assert_eq!(found, (0..100).collect::<Vec<_>>());
    }
}
