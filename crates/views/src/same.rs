//! Whether two runs ask the same questions.

use std::collections::BTreeMap;
use waterjar_core::{FamilyId, SuiteId, Variant};
use waterjar_engine::{EngineError, key::key_of};
use waterjar_store::Store;

/// Pairing needs the same questions, and ids alone do not say so: another seed gives other patients the same ids. Of editions only the
/// patients must be the same.
pub async fn refuse_other_cases(
    one: (&str, &Store),
    other: (&str, &Store),
    suite: &SuiteId,
    editions: bool,
) -> Result<(), EngineError> {
    let theirs = benchmark(other.1, suite, editions).await?;
    for (family, key) in benchmark(one.1, suite, editions).await? {
        if theirs.get(&family).is_some_and(|their_key| *their_key != key) {
            let problem = format!("the cases of `{}` are others than those of `{}`", one.0, other.0);
            let error = EngineError::study(format!("family {family} of {suite}"), problem);
            return Err(error.with_hint(
                "compare runs made from the same source with the same settings and seed, or editions of one with --editions",
            ));
        }
    }
    Ok(())
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
