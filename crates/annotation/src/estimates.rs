//! The figures people's ratings give, and the run's figures corrected by them.

use crate::corrected::{Corrected, corrected};
use crate::humans::humans;
use waterjar_core::metric::Share;
use waterjar_core::{Measured, Seed, SubjectId, SuiteContext};
use waterjar_engine::PlannedSuite;
use waterjar_store::{Ratings, Store, StoreError};

/// Of one subject.
pub struct Estimates {
    pub subject: SubjectId,
    /// On the families people judged, by people.
    pub people: Measured,
    pub corrected: Vec<Corrected>,
}

/// In the order of the study; subjects nobody rated are left out.
pub async fn estimates(
    ratings: &Ratings,
    store: &Store,
    planned: &PlannedSuite,
    seed: Seed,
) -> Result<Vec<Estimates>, StoreError> {
    let mut found = humans(ratings, store, planned).await?;
    let mut estimates = Vec::new();
    for subject in &planned.subjects {
        let Some(both) = found.remove(&subject.id) else { continue };
        let ctx = SuiteContext::new(seed);
        let people = planned.suite().measure(&ctx, &mut both.people.into_iter());
        let judge = planned.suite().measure(&ctx, &mut both.judge.into_iter());
        let mut told = Vec::new();
        for metric in people.shares.metrics() {
            let by_people: Vec<Share> = people.shares.of(metric).iter().collect();
            let part: Vec<Share> = judge.shares.of(metric).iter().collect();
            let Some(all) = store.shares(planned.id(), &subject.id, metric).await? else { continue };
            // Of a part that was chosen by its outcome, a figure people said nothing about would be corrected by nothing.
            if !both.outcomes && part == by_people {
                continue;
            }
            told.extend(corrected(metric, &all, &part, &by_people, &both.weights, seed));
        }
        estimates.push(Estimates { subject: subject.id.clone(), people, corrected: told });
    }
    Ok(estimates)
}
