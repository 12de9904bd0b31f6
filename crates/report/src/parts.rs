//! A table with more columns than a page is wide, or more rows than it is long, is told in parts.

use std::ops::Range;

/// Parts of nearly equal length, none longer than `most`, in their order. A table without any is one part.
pub(crate) fn parts(lines: usize, most: usize) -> Vec<Range<usize>> {
    let parts = lines.div_ceil(most).max(1);
    let length = lines.div_ceil(parts);
    (0..parts).map(|part| part * length..((part + 1) * length).min(lines)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_nearly_equal_and_lose_no_column() {
        assert_eq!(parts(9, 7), [0..5, 5..9]);
        assert_eq!(parts(14, 7), [0..7, 7..14]);
        assert_eq!((parts(7, 7).len(), parts(0, 7).len()), (1, 1));
        for columns in 1..200 {
            let parts = parts(columns, 7);
            assert!(parts.iter().all(|part| (1..=7).contains(&part.len())), "{columns}: {parts:?}");
            assert!(parts.into_iter().flatten().eq(0..columns));
        }
    }
}
