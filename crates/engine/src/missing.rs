//! Which answers are missing, and why.

use crate::{EngineError, PlannedSubject, PlannedSuite};
use std::collections::BTreeMap;
use waterjar_core::{Ending, Member, Outcome};
use waterjar_store::{Bench, Store};

/// Families read at a time.
const PAGE: u32 = 128;

/// Answers that are missing for one reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    pub why: Why,
    pub n: u64,
    /// What was told of the first of them.
    pub first: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Asked, and no answer came: the state it ended in.
    Failed(&'static str),
    /// There is an answer, and the judge can read nothing from it.
    Unreadable,
    NotAsked,
}

/// Of one subject, over all families that were judged.
pub async fn missing(
    store: &Store,
    planned: &PlannedSuite,
    subject: &PlannedSubject,
    repeats: u32,
) -> Result<Vec<Missing>, EngineError> {
    let (suite, judge) = (planned.id(), planned.suite().judge_id());
    let mut found: BTreeMap<Why, Missing> = BTreeMap::new();
    for repeat in 0..repeats {
        let bench = Bench { suite, subject: &subject.id, repeat, judge: &judge };
        let mut after = 0;
        loop {
            let page = store.judging_page(bench, after, PAGE).await?;
            let verdicts = store.verdicts_on(suite, &subject.id, &judge, after, PAGE).await?.items;
            let verdicts = verdicts.into_iter().filter(|it| it.verdict.repeat == repeat);
            let verdicts: BTreeMap<i64, _> = verdicts.map(|it| (it.position, it.verdict)).collect();
            for family in &page.items {
                let rulings = verdicts.get(&family.position).map_or(&[][..], |verdict| &verdict.rulings);
                for ruling in rulings.iter().filter(|ruling| ruling.outcome == Outcome::Missing) {
                    let member = family.family.members.iter().find(|member| member.variant.id == ruling.variant);
                    let (why, told) = why(member);
                    let new = || Missing { why, n: 0, first: told.unwrap_or(&ruling.reason).to_owned() };
                    found.entry(why).or_insert_with(new).n += 1;
                }
            }
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
    }
    Ok(found.into_values().collect())
}

fn why(member: Option<&Member>) -> (Why, Option<&str>) {
    match member.and_then(|member| member.response.as_ref()).map(|response| &response.ending) {
        None => (Why::NotAsked, None),
        Some(Ending::Ok(_)) => (Why::Unreadable, None),
        Some(Ending::Failed(failure)) => (Why::Failed(failure.state.as_str()), Some(&failure.detail)),
    }
}
