//! The figures people's ratings give, and the run's figures corrected by them.

use crate::corrected::{Corrected, corrected};
use crate::humans::{Rated, humans};
use waterjar_core::metric::Share;
use waterjar_core::{Measured, Seed, SubjectId, SuiteContext};
use waterjar_engine::PlannedSuite;
use waterjar_store::{Ratings, Store, StoreError};

/// Of one subject.
pub struct Estimates {
    pub subject: SubjectId,
    /// On the items people judged, each counted once, by people.
    pub people: Measured,
    pub corrected: Vec<Corrected>,
}

/// Figures that tell why answers stayed with the old one.
const MODES: &str = "failure_mode.";

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
        let Some(humans) = found.remove(&subject.id) else { continue };
        let of = Of { store, planned, subject: &subject.id, seed };
        let (people, mut told) = of.rated(humans.outcomes, |metric| !metric.starts_with(MODES)).await?;
        let (modes, of_modes) = of.rated(humans.modes, |metric| metric.starts_with(MODES)).await?;
        told.extend(of_modes);
        let people = if people.n > 0 { people } else { modes };
        estimates.push(Estimates { subject: subject.id.clone(), people, corrected: told });
    }
    Ok(estimates)
}

struct Of<'a> {
    store: &'a Store,
    planned: &'a PlannedSuite,
    subject: &'a SubjectId,
    seed: Seed,
}

impl Of<'_> {
    async fn rated(
        &self,
        rated: Rated,
        is_asked: impl Fn(&str) -> bool,
    ) -> Result<(Measured, Vec<Corrected>), StoreError> {
        let ctx = SuiteContext::new(self.seed);
        let suite = self.planned.suite();
        let people = suite.measure(&ctx, &mut rated.people.into_iter());
        let judge = suite.measure(&ctx, &mut rated.judge.into_iter());
        let mut told = Vec::new();
        for metric in people.shares.metrics().filter(|metric| is_asked(metric)) {
            let by_people: Vec<Share> = people.shares.of(metric).iter().collect();
            let part: Vec<Share> = judge.shares.of(metric).iter().collect();
            let Some(all) = self.store.shares(self.planned.id(), self.subject, metric).await? else { continue };
            told.extend(corrected(metric, &all, &part, &by_people, &rated.weights, self.seed));
        }
        Ok((people, told))
    }
}
