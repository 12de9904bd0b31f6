//! candidates → families, until the quota is full. Candidates come in a fixed order of chance, the groups in turn, so
//! the same study keeps the same families however often it was interrupted.

use super::audit::audit;
use super::course::{Course, apart, is_stopped};
use super::{
    AT_ONCE, PAGE,
    models::Models,
    outages::{Outages, Reason},
    screen::screen,
};
use crate::gateway::Purpose;
use crate::key::key_of;
use crate::{EngineError, Pass, PlannedSuite, Run, RunEvent};
use futures::StreamExt;
use std::collections::HashMap;
use std::future::ready;
use std::sync::Arc;
use waterjar_core::{
    Account, BenchmarkSummary, FamilyId, Loss, Quota, Suite, SuiteContext, SuiteError, Variant, Varied,
};
use waterjar_store::{CandidateCase, FamilyOutcome, FamilyState, NewFamily, NewVariant, Stage, Store, Writer};

/// The reasons of cases that were left alone: the quota was full, or nothing came of those before them.
const NOT_NEEDED: &str = "not_needed";
pub(crate) const NOT_TRIED: &str = "not_tried";

pub async fn vary(run: &Run<'_>, planned: &PlannedSuite) -> Result<BenchmarkSummary, EngineError> {
    let screened = screen(run, planned).await?;
    let suite = planned.id();
    let quota = limited(planned.suite().quota(), run.limit);
    (run.tell)(RunEvent::Started { suite: suite.clone(), pass: Pass::Vary, total: quota.families });
    let gave_up = make_families(run, planned, quota).await?;
    let settled = run.store.settle(suite, quota).await?;
    (run.tell)(RunEvent::Finished { pass: Pass::Vary });

    let mut losses = screened.losses;
    let varied_away: u64 = settled.losses.values().sum();
    for (reason, n) in &settled.losses {
        *losses.entry(reason.clone()).or_default() += n;
    }
    // Eligible cases beyond the quota were not needed; with them the counts add up to all cases.
    let accounted = settled.kept + varied_away;
    if let Some(left) = screened.eligible.checked_sub(accounted).filter(|left| *left > 0) {
        losses.insert(if gave_up { NOT_TRIED } else { NOT_NEEDED }.to_owned(), left);
    }
    let (variants, accounts) = audit(run, planned, &settled).await?;
    let mut eligible = screened.eligible;
    if planned.suite().has_catalog() {
        let all = Account::total(&accounts);
        eligible = all.eligible;
        for (reason, n) in all.lost {
            *losses.entry(reason).or_default() += n;
        }
    }
    let summary = BenchmarkSummary {
        suite: suite.clone(),
        cases: screened.cases,
        eligible,
        families: settled.kept,
        variants,
        losses,
        accounts,
    };
    run.store.finish_stage(suite, Stage::Vary, &summary).await?;
    Ok(summary)
}

/// What the last `vary` made of the source.
pub async fn summary(store: &Store, planned: &PlannedSuite) -> Result<BenchmarkSummary, EngineError> {
    let made = store.stage(planned.id(), Stage::Vary).await?;
    made.ok_or_else(|| {
        EngineError::file(store.path(), format!("holds no variants of `{}` yet", planned.id()))
            .with_hint("make them with `waterjar vary`, or all at once with `waterjar run`")
    })
}

fn limited(quota: Quota, limit: Option<u64>) -> Quota {
    let families = match (quota.families, limit) {
        (Some(asked), Some(limit)) => Some(asked.min(limit)),
        (asked, limit) => asked.or(limit),
    };
    Quota { families, ..quota }
}

/// Tells whether it gave up.
async fn make_families(run: &Run<'_>, planned: &PlannedSuite, quota: Quota) -> Result<bool, EngineError> {
    let writer = run.store.writer();
    let models = Models::open(run, planned, &writer).await?;
    let making = Making { run, planned, models: &models, writer: &writer };
    let made = making.all(quota).await;
    // Also after an error: what was made until then, and what was paid for, is kept.
    let kept = (models.flush().await, writer.flush().await);
    kept.0?;
    kept.1?;
    made
}

struct Making<'a> {
    run: &'a Run<'a>,
    planned: &'a PlannedSuite,
    models: &'a Models<'a>,
    writer: &'a Writer,
}

/// A candidate and what the suite made of it; `None` for one that was there before or is not wanted.
type Worked = (CandidateCase, Option<Result<Varied, SuiteError>>);

/// What came of one round.
#[derive(Default)]
struct Round {
    /// The groups of the families there are now.
    families: Vec<String>,
    /// Cases that were lost in it.
    lost: usize,
}

impl Making<'_> {
    /// Tells whether it gave up because nothing came of so many.
    async fn all(&self, quota: Quota) -> Result<bool, EngineError> {
        let ctx = self.models.context()?;
        let mut outages = Outages::new(&self.models.door);
        let mut kept = Kept::new(quota);
        let mut after = 0;
        let asks = ctx.author.is_some();
        let patience = self.planned.suite().patience().filter(|_| asks).unwrap_or(usize::MAX);
        let mut barren = 0;
        'pages: while !kept.is_full() {
            self.run.check_stop()?;
            let page = self.run.store.candidates(self.planned.id(), after, PAGE).await?;
            let mut candidates = page.items;
            while !candidates.is_empty() {
                // Until something comes out, no more at once than may be lost.
                let most = if kept.total == 0 { patience } else { usize::MAX };
                let (now, later) = kept.round(candidates, asks, most);
                let goes_on = !now.is_empty();
                let Round { families, lost } = self.round(now, &ctx, &kept, &mut outages).await?;
                barren = if families.is_empty() { barren + lost } else { 0 };
                families.iter().for_each(|group| kept.count(group));
                candidates = if goes_on { later } else { Vec::new() };
                if barren >= patience && !(candidates.is_empty() && page.next.is_none()) {
                    break 'pages;
                }
            }
            (self.run.tell)(RunEvent::Progress { pass: Pass::Vary, done: kept.total });
            match page.next {
                Some(next) => after = next,
                None => break,
            }
        }
        for candidate in outages.rest_unless_out()? {
            self.writer.family(&unanswered(self.planned, &candidate)).await?;
        }
        Ok(barren >= patience)
    }

    async fn round(
        &self,
        candidates: Vec<CandidateCase>,
        ctx: &SuiteContext,
        kept: &Kept,
        outages: &mut Outages<CandidateCase>,
    ) -> Result<Round, EngineError> {
        let course = Course::new(&self.run.stop, &self.models.door);
        let begun = futures::stream::iter(candidates).take_while(|_| ready(course.goes_on())).map(|candidate| {
            // A candidate of a group that is full already would only be surplus.
            let wanted = candidate.state.is_none() && kept.has_room(&candidate.group);
            work_on(Arc::clone(&self.planned.opened.suite), ctx.clone(), candidate, wanted)
        });
        let mut work = std::pin::pin!(begun.buffer_unordered(AT_ONCE));
        let mut round = Round::default();
        while let Some(done) = course.next(&mut work).await {
            let kept = match done {
                Ok(worked) => self.keep(worked, outages).await,
                Err(error) => Err(error),
            };
            match kept {
                Ok(Became::Family(group)) => round.families.push(group),
                Ok(Became::Lost) => round.lost += 1,
                Ok(Became::Nothing) => {}
                Err(error) => course.end(error),
            }
        }
        course.result().map(|()| round)
    }

    /// What a model gave no answer for stays open until it is known why.
    async fn keep(
        &self,
        (candidate, varied): Worked,
        outages: &mut Outages<CandidateCase>,
    ) -> Result<Became, EngineError> {
        Ok(match varied {
            None if matches!(candidate.state, Some(FamilyState::Kept | FamilyState::Surplus)) => {
                Became::Family(candidate.group)
            }
            None => Became::Nothing,
            Some(Ok(varied)) => {
                let is_family = matches!(varied, Varied::Family(_));
                self.writer.family(&new_family(self.planned, &candidate, varied)).await?;
                if is_family { Became::Family(candidate.group) } else { Became::Lost }
            }
            Some(Err(SuiteError::Unanswered { model, error })) if error.is_outage() => {
                for held in outages.failed(model.as_str(), Reason::of(&error), candidate)? {
                    self.writer.family(&unanswered(self.planned, &held)).await?;
                }
                Became::Nothing
            }
            // The reason is known to the course, the store or whoever wished to stop.
            Some(Err(error)) if is_stopped(&error) => Became::Nothing,
            Some(Err(error)) => return Err(error.into()),
        })
    }
}

enum Became {
    /// One of this group.
    Family(String),
    /// Lost just now.
    Lost,
    Nothing,
}

async fn work_on(
    suite: Arc<dyn Suite>,
    ctx: SuiteContext,
    candidate: CandidateCase,
    wanted: bool,
) -> Result<Worked, EngineError> {
    if !wanted {
        return Ok((candidate, None));
    }
    let case = candidate.case.id.clone();
    let purpose = Purpose::author(format!("{}/{:08}", suite.id(), candidate.position));
    let work = purpose.scope(async move {
        let varied = suite.vary(&ctx, &candidate.case).await;
        (candidate, Some(varied))
    });
    apart(work).await.map_err(|error| EngineError::Lost(format!("case {case}: {error}")))
}

/// Cases lost because a model gave no answer, which another time it may. The second is what earlier versions called it.
const UNANSWERED: [&str; 2] = ["model_failed", "author_failed"];

fn unanswered(planned: &PlannedSuite, candidate: &CandidateCase) -> NewFamily {
    new_family(planned, candidate, Varied::Lost(Loss::new(UNANSWERED[0])))
}

pub(crate) fn is_unanswered(reason: &str) -> bool {
    UNANSWERED.contains(&reason)
}

/// How many cases are lost because a model gave no answer.
pub fn unanswered_in(made: &BenchmarkSummary) -> u64 {
    made.losses.iter().filter(|(reason, _)| is_unanswered(reason)).map(|(_, n)| n).sum()
}

/// How many cases were left alone because so many before them came to nothing.
pub fn not_tried_in(made: &BenchmarkSummary) -> u64 {
    made.losses.get(NOT_TRIED).copied().unwrap_or(0)
}

/// Cases that a model gave no answer for are forgotten, so that they are tried again; tells how many there were.
pub async fn forget_unanswered(run: &Run<'_>, planned: &PlannedSuite) -> Result<u64, EngineError> {
    Ok(run.store.forget_lost(planned.id(), &UNANSWERED).await?)
}

fn new_family(planned: &PlannedSuite, candidate: &CandidateCase, varied: Varied) -> NewFamily {
    NewFamily {
        suite: planned.id().clone(),
        id: FamilyId::new(candidate.case.id.as_str()),
        case: candidate.case.id.clone(),
        position: candidate.position,
        group: candidate.group.clone(),
        outcome: match varied {
            Varied::Family(variants) => FamilyOutcome::Made(hashed(variants)),
            Varied::Lost(loss) => FamilyOutcome::Lost(loss, Vec::new()),
            Varied::Rejected(loss, written) => FamilyOutcome::Lost(loss, hashed(written)),
        },
    }
}

fn hashed(variants: Vec<Variant>) -> Vec<NewVariant> {
    variants.into_iter().map(|variant| NewVariant { hash: key_of(&variant), variant }).collect()
}

/// How far the quota is filled.
#[derive(Clone)]
struct Kept {
    quota: Quota,
    total: u64,
    groups: HashMap<String, u64>,
}

impl Kept {
    fn new(quota: Quota) -> Self {
        Self { quota, total: 0, groups: HashMap::new() }
    }

    /// Who is worked on at once, at most so many, and who waits for what becomes of them. Where a model is asked nobody is worked on who
    /// would only be surplus; otherwise it is not worth waiting.
    fn round(
        &self,
        candidates: Vec<CandidateCase>,
        asks: bool,
        most: usize,
    ) -> (Vec<CandidateCase>, Vec<CandidateCase>) {
        if !asks {
            return (candidates, Vec::new());
        }
        let mut if_all_are_kept = self.clone();
        let mut open = 0;
        candidates.into_iter().partition(|candidate| {
            let is_open = candidate.state.is_none();
            let fits = !if_all_are_kept.is_full() && if_all_are_kept.has_room(&candidate.group);
            let room = fits && (!is_open || open < most);
            open += usize::from(room && is_open);
            if room && candidate.state != Some(FamilyState::Lost) {
                if_all_are_kept.count(&candidate.group);
            }
            room || !is_open
        })
    }

    fn is_full(&self) -> bool {
        self.quota.families.is_some_and(|wanted| self.total >= wanted)
    }

    fn has_room(&self, group: &str) -> bool {
        let held = self.groups.get(group).copied().unwrap_or(0);
        self.quota.per_group.is_none_or(|cap| held < cap)
    }

    fn count(&mut self, group: &str) {
        if self.has_room(group) && !self.is_full() {
            self.total += 1;
            *self.groups.entry(group.to_owned()).or_default() += 1;
        }
    }
}
