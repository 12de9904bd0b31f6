//! Reading in pages: the only way rows leave the store, so that memory does not grow with the run.

/// A page, and where the next one begins.
///
/// ```text
/// let mut after = Some(0);
/// while let Some(position) = after {
///     let page = store.families_page(&suite, position, 64).await?;
///     …
///     after = page.next;
/// }
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Page<T> {
    pub items: Vec<T>,
    /// The position to read on after; `None` when this was the last page.
    pub next: Option<i64>,
}

impl<T> Page<T> {
    /// `positions` are those of the rows read, ascending, some of them more than once.
    pub(crate) fn new(items: Vec<T>, positions: &[i64], limit: u32) -> Self {
        let mut last = None;
        let mut read = 0;
        for &position in positions {
            if last != Some(position) {
                last = Some(position);
                read += 1;
            }
        }
        Self { items, next: last.filter(|_| read >= limit) }
    }
}

/// The families `f` after position $2 of suite $1, at most $3 of them. A macro, because `concat!` takes no constants.
///
/// What hangs on them is joined from the left: a family without answers must still move the page on.
macro_rules! kept_page {
    () => {
        "(SELECT suite, id, position FROM families \
         WHERE suite = $1 AND state = 'kept' AND position > $2 ORDER BY position LIMIT $3) AS f"
    };
}

pub(crate) use kept_page;

#[cfg(test)]
mod tests {
    use super::*;

    fn check(positions: &[i64], next: Option<i64>) {
        let page = Page::new(vec![()], positions, 3);
        assert_eq!(page.next, next);
    }

    #[test]
    fn a_full_page_goes_on_after_its_last_position() {
        check(&[4, 4, 7, 9, 9], Some(9));
    }

    #[test]
    fn a_page_with_fewer_positions_than_asked_is_the_last() {
        check(&[4, 4, 7, 7, 7], None);
        check(&[], None);
    }
}
