//! Paid answers that the next pass would ask for again: the study asks something else now, or another model, than when they were given.

use super::PAGE;
use super::answer::{questions, to_ask};
use crate::{EngineError, Plan, PlannedSubject, PlannedSuite};
use std::collections::{BTreeMap, HashSet};
use waterjar_core::SubjectId;
use waterjar_store::Store;

/// How many answers of each subject, of those whose model is no built-in one. A change of the study concerns all answers of a subject: where nothing on
/// the first page is asked anew, nothing is looked for on the others.
pub async fn asked_anew(plan: &Plan, store: &Store) -> Result<BTreeMap<SubjectId, u64>, EngineError> {
    let mut anew = BTreeMap::new();
    for planned in &plan.suites {
        let has_answered = store.subjects(planned.id()).await?;
        for subject in planned.asked().filter(|it| has_answered.contains_key(&it.id)) {
            let Some(vendor) = plan.vendors.get(&subject.model) else { continue };
            let count = of_subject(planned, subject, &vendor.identity, plan.repeats, store).await?;
            if count > 0 {
                *anew.entry(subject.id.clone()).or_default() += count;
            }
        }
    }
    Ok(anew)
}

async fn of_subject(
    planned: &PlannedSuite,
    subject: &PlannedSubject,
    identity: &str,
    repeats: u32,
    store: &Store,
) -> Result<u64, EngineError> {
    let mut count = 0;
    let mut after = Some(0);
    while let Some(position) = after {
        let page = to_ask(store, planned, position, PAGE).await?;
        let answered = store.answered(planned.id(), &subject.id, position, PAGE).await?;
        let asked: HashSet<String> =
            questions(planned, subject, identity, repeats, &page.items).map(|it| it.key).collect();
        // With fewer repeats than before, answers are left over that nobody asks for again.
        let left = answered.difference(&asked).count();
        let open = asked.difference(&answered).count();
        count += left.min(open) as u64;
        after = page.next.filter(|_| count > 0);
    }
    Ok(count)
}
