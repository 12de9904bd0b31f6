//! The study carried out with its cast: how much of it was played, and how much there is.

use super::filling::{Filling, Success};
use serde::Serialize;
use waterjar_core::BenchmarkSummary;
use waterjar_engine::passes::judge::Announce;
use waterjar_engine::passes::{PAGE, answer, judge, measure, vary};
use waterjar_engine::{EngineError, PlannedSuite, Run, Unheard, bounds};
use waterjar_store::{Counts, FamilyState};

/// How much of a suite was rehearsed.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Scope {
    /// What `vary` made of the source for the part that was rehearsed. It counts cases and losses, here as in a run.
    #[serde(flatten)]
    pub made: BenchmarkSummary,
    pub rehearsed: Size,
    pub whole: Size,
    /// Where the size of the whole was not counted but extrapolated: between these, by the 95 % interval of how many
    /// candidates become a family.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<(Size, Size)>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Size {
    /// Cases that were worked on, also those of which nothing came and those beyond what is wanted: an author is paid for all of them.
    pub candidates: u64,
    pub families: u64,
    pub variants: u64,
}

impl Size {
    fn each(self, other: Self, choose: fn(u64, u64) -> u64) -> Self {
        Self {
            candidates: choose(self.candidates, other.candidates),
            families: choose(self.families, other.families),
            variants: choose(self.variants, other.variants),
        }
    }
}

/// All passes. `run` has the limit of the rehearsal, `unlimited` is the same without it.
pub async fn play(run: &Run<'_>, unlimited: &Run<'_>) -> Result<Vec<Scope>, EngineError> {
    let mut scopes = Vec::new();
    for planned in &run.plan.suites {
        scopes.push(make(run, unlimited, planned).await?);
    }
    // A run would refuse it too, when its families are made and paid for.
    bounds::check_strata(run).await?;
    for planned in &run.plan.suites {
        answer::answer(run, planned, None).await?;
    }
    for planned in &run.plan.suites {
        judge::judge(run, planned, Announce::Open).await?;
    }
    // The figures mean nothing, but a study whose figures cannot be computed is better known now.
    for planned in &run.plan.suites {
        measure::measure(run, planned, &mut Unheard::default()).await?;
    }
    Ok(scopes)
}

async fn make(run: &Run<'_>, unlimited: &Run<'_>, planned: &PlannedSuite) -> Result<Scope, EngineError> {
    // Rules make all families in a moment, so their number need not be guessed. Kept are then only those to be rehearsed.
    let by_rules = planned.suite().roles().author.is_none();
    let counted = match run.limit {
        Some(_) if by_rules => Some(size(run, &vary::vary(unlimited, planned).await?).await?),
        _ => None,
    };
    let made = vary::vary(run, planned).await?;
    if made.families == 0 {
        let losses = made.losses.into_iter().collect();
        return Err(EngineError::NoFamilies { suite: planned.id().to_string(), cases: made.cases, losses });
    }
    let rehearsed = size(run, &made).await?;
    let is_all = run.limit.is_none_or(|limit| rehearsed.families < limit || wanted(planned) == Some(limit));
    let (whole, between) = match counted {
        Some(whole) => (whole, None),
        None if is_all => (rehearsed, None),
        None => extrapolated(run, planned, rehearsed).await?,
    };
    Ok(Scope { made, rehearsed, whole, between })
}

fn wanted(planned: &PlannedSuite) -> Option<u64> {
    planned.suite().quota().families
}

async fn size(run: &Run<'_>, made: &BenchmarkSummary) -> Result<Size, EngineError> {
    let Counts { kept, lost, surplus, .. } = run.store.counts(&made.suite).await?;
    Ok(Size { candidates: kept + lost + surplus, families: made.families, variants: made.variants })
}

/// The whole, and the smallest and largest it may be.
type Extrapolated = (Size, Option<(Size, Size)>);

/// Goes through all candidates as `vary` does, and lets those that were not tried succeed to the degree that others of
/// their group did.
async fn extrapolated(run: &Run<'_>, planned: &PlannedSuite, rehearsed: Size) -> Result<Extrapolated, EngineError> {
    let mut success = Success::default();
    pages(run, planned, |page| {
        let tried = page.iter().filter_map(|(group, made)| Some((group, (*made)?)));
        tried.for_each(|(group, made)| success.count(group, made));
        tried_any(page)
    })
    .await?;
    let likely = filled(run, planned, rehearsed, &success, 1.0).await?;
    let Some((most, least)) = success.degrees(likely.candidates - success.tried()) else { return Ok((likely, None)) };
    let one = filled(run, planned, rehearsed, &success, most).await?;
    let other = filled(run, planned, rehearsed, &success, least).await?;
    // Much success means fewer candidates where the quota is full, and more families where the source runs dry.
    Ok((likely, Some((one.each(other, u64::min), one.each(other, u64::max)))))
}

async fn filled(
    run: &Run<'_>,
    planned: &PlannedSuite,
    rehearsed: Size,
    success: &Success,
    degree: f64,
) -> Result<Size, EngineError> {
    let mut filling = Filling::new(planned.suite().quota(), success, degree);
    pages(run, planned, |page| {
        filling.page(page);
        !filling.is_full()
    })
    .await?;
    let families = filling.families();
    let variants = families as f64 * rehearsed.variants as f64 / rehearsed.families as f64;
    Ok(Size { candidates: filling.tried(), families, variants: variants.round() as u64 })
}

/// A candidate's group, and whether it became a family; `None` where it was not tried.
type Candidate = (String, Option<bool>);

fn tried_any(page: &[Candidate]) -> bool {
    page.iter().any(|(_, made)| made.is_some())
}

/// Shows all candidates, page by page, until that is enough.
async fn pages(
    run: &Run<'_>,
    planned: &PlannedSuite,
    mut show: impl FnMut(&[Candidate]) -> bool,
) -> Result<(), EngineError> {
    let mut after = 0;
    loop {
        let page = run.store.candidates(planned.id(), after, PAGE).await?;
        let made = |state| matches!(state, FamilyState::Kept | FamilyState::Surplus);
        let candidates: Vec<Candidate> = page.items.into_iter().map(|it| (it.group, it.state.map(made))).collect();
        match page.next {
            Some(next) if show(&candidates) => after = next,
            None => {
                show(&candidates);
                return Ok(());
            }
            Some(_) => return Ok(()),
        }
    }
}
