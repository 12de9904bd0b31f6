//! Whether two runs ask the same questions.

use std::collections::BTreeMap;
use waterjar_core::{FamilyId, SuiteId, Variant, counted};
use waterjar_engine::{EngineError, key::key_of};
use waterjar_store::Store;

/// The families of two runs.
pub struct Common {
    pub both: u64,
    pub one: u64,
    pub other: u64,
}

impl Common {
    /// `4 families in common, of 30 and 12`; nothing where they have the same.
    pub fn told(&self) -> Option<String> {
        let Self { both, one, other } = self;
        let is_part = both < one || both < other;
        is_part.then(|| format!("{} in common, of {one} and {other}", counted(*both, "family", "families")))
    }
}

/// Pairing needs the same questions, and ids alone do not say so: another seed gives other patients the same ids. Of editions only the
/// patients must be the same.
pub async fn refuse_other_cases(
    one: (&str, &Store),
    other: (&str, &Store),
    suite: &SuiteId,
    editions: bool,
) -> Result<Common, EngineError> {
    let theirs = benchmark(other.1, suite, editions).await?;
    let ours = benchmark(one.1, suite, editions).await?;
    let mut common = Common { both: 0, one: ours.len() as u64, other: theirs.len() as u64 };
    for (family, key) in ours {
        let Some(their_key) = theirs.get(&family) else { continue };
        common.both += 1;
        if *their_key != key {
            let problem = format!("the cases of `{}` are others than those of `{}`", one.0, other.0);
            let error = EngineError::study(format!("family {family} of {suite}"), problem);
            return Err(error.with_hint(
                "compare runs made from the same source with the same settings and seed, or editions of one with --editions",
            ));
        }
    }
    Ok(common)
}

/// The families of a run, each with a key of what it asks, or of whom it asks about.
async fn benchmark(store: &Store, suite: &SuiteId, editions: bool) -> Result<BTreeMap<FamilyId, String>, EngineError> {
    let key = |variants: &[Variant]| match variants.first() {
        Some(first) if editions => key_of(&(&first.case, &first.facts, first.expectation.condition())),
        _ => key_of(&variants),
    };
    let mut families = BTreeMap::new();
    let mut after = Some(0);
    while let Some(position) = after {
        let page = store.families_page(suite, position, 128).await?;
        families.extend(page.items.into_iter().map(|family| (family.id, key(&family.variants))));
        after = page.next;
    }
    Ok(families)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(both: u64, one: u64, other: u64, told: Option<&str>) {
        assert_eq!(Common { both, one, other }.told().as_deref(), told);
    }

    #[test]
    fn how_little_two_runs_share_is_told() {
        check(4, 30, 12, Some("4 families in common, of 30 and 12"));
        check(1, 1, 2, Some("1 family in common, of 1 and 2"));
        check(12, 12, 12, None);
    }
}
