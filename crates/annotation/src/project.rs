//! A project: a sample of a run with a form, as it was made.

use crate::item::{Shown, Source};
use crate::mask::Mask;
use crate::sample::{Candidate, Drawn, candidates, draw, strata};
use crate::{Form, Unit};
use serde::{Deserialize, Serialize};
use waterjar_core::{Family, JudgeId, Seed, SubjectId, SuiteId, Variant};
use waterjar_engine::PlannedSuite;
use waterjar_store::{Bench, Store, StoreError, StoredItem};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Project {
    /// Its name in raters' addresses: made by chance, it tells nothing of the run.
    pub key: String,
    pub suite: SuiteId,
    pub form: Form,
    pub wish: Wish,
    /// Whose verdicts the sample was drawn by.
    pub judge: JudgeId,
    /// How many could have been drawn.
    pub population: u64,
    /// Milliseconds since 1970.
    pub made: i64,
}

/// What the owner asks for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Wish {
    pub items: u32,
    pub seed: Seed,
    /// A stratum of the suite, or `subject`, `outcome`, `role`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stratify: Option<String>,
    #[serde(default)]
    pub allocation: Allocation,
    /// All where empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub subjects: Vec<SubjectId>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Allocation {
    /// As many of a stratum as it has of the whole.
    #[default]
    Proportional,
    /// As many of each.
    Equal,
}

#[derive(Debug, thiserror::Error)]
pub enum MakeError {
    #[error("{0}")]
    Nothing(String),
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Wish {
    pub fn wants(&self, subject: &SubjectId) -> bool {
        self.subjects.is_empty() || self.subjects.contains(subject)
    }
}

impl Project {
    /// The items in the order this rater meets them.
    pub fn order(&self, rater: &str, items: u32) -> Vec<u32> {
        let mut order: Vec<u32> = (0..items).collect();
        order.sort_by_key(|item| self.wish.seed.rank("order", &format!("{rater}/{item}")));
        order
    }

    /// Whether the two answers change places for this rater.
    pub fn swaps(&self, rater: &str, item: u32) -> bool {
        self.form.unit == Unit::Preference && self.wish.seed.rank("side", &format!("{rater}/{item}")) % 2 == 1
    }
}

/// Draws the sample and writes down what raters will see.
pub async fn make(
    store: &Store,
    planned: &PlannedSuite,
    form: &Form,
    wish: &Wish,
    made: i64,
    key: String,
) -> Result<(Project, Vec<StoredItem>), MakeError> {
    let candidates = candidates(store, planned, form, wish).await?;
    let population = candidates.len() as u64;
    if population == 0 {
        return Err(MakeError::Nothing(nothing(form, planned)));
    }
    let strata = strata(&candidates);
    if (wish.items as usize) < strata {
        let told = format!(
            "there are {strata} strata and {} items: draw at least one of each, or take another stratum",
            wish.items
        );
        return Err(MakeError::Nothing(told));
    }
    let mask = Mask::of(&planned.subjects);
    let mut items = Vec::new();
    for drawn in draw(candidates, wish) {
        items.push(item(store, planned, form, &mask, drawn).await?);
    }
    let project = Project {
        key,
        suite: planned.id().clone(),
        form: form.clone(),
        wish: wish.clone(),
        judge: planned.suite().judge_id(),
        population,
        made,
    };
    Ok((project, items))
}

fn nothing(form: &Form, planned: &PlannedSuite) -> String {
    let what = match form.unit {
        Unit::Pair => "has no variant beside a control",
        Unit::Question => "has no text",
        Unit::Answer | Unit::Change => "has no judged answer that fits",
        Unit::Preference => "has no text that two subjects answered",
    };
    format!("the suite `{}` {what}: nothing could be drawn for the form `{}`", planned.id(), form.id)
}

async fn item(
    store: &Store,
    planned: &PlannedSuite,
    form: &Form,
    mask: &Mask,
    Drawn { candidate, weight }: Drawn,
) -> Result<StoredItem, StoreError> {
    let families = store.families_page(planned.id(), candidate.position - 1, 1).await?.items;
    let variants = families.into_iter().next().map(|family| family.variants).unwrap_or_default();
    let variant = variants.iter().find(|it| it.id == candidate.variant);
    let control = variants.iter().find(|it| it.is_control());
    let sides = match form.unit {
        Unit::Pair | Unit::Change => vec![control, variant],
        Unit::Question | Unit::Answer | Unit::Preference => vec![variant],
    };
    let sides: Vec<&Variant> = sides.into_iter().flatten().collect();
    let mut answers = Vec::new();
    for subject in &candidate.subjects {
        let family = answered(store, planned, &candidate, subject).await?;
        let said = |side: &&Variant| said(family.as_ref(), side);
        answers.extend(sides.iter().map(said));
    }
    let expected = |variant: &Variant| waterjar_views::expected(planned.suite(), variant);
    let diagnosis = |side: &&Variant| Some(mask.mask(&planned.suite().name_of(side.expectation.condition()?)));
    let diagnoses: Vec<String> = sides.iter().filter_map(diagnosis).collect();
    let shown = Shown {
        texts: sides.iter().map(|side| mask.mask(&side.text)).collect(),
        answers: answers.iter().map(|answer| mask.mask(answer)).collect(),
        expectation: variant.filter(|_| form.shows_expectation).map(|it| mask.mask(&expected(it))),
        diagnoses: if form.shows_expectation && diagnoses.len() == 2 { diagnoses } else { Vec::new() },
        language: Some(planned.suite().language().to_owned()),
    };
    let source = Source {
        family: variant.map(|it| it.family.clone()).unwrap_or_else(|| "".into()),
        position: candidate.position,
        variant: candidate.variant,
        role: candidate.role,
        subjects: candidate.subjects,
        repeat: candidate.repeat,
        stratum: candidate.stratum,
        weight,
        control: candidate.control,
        judged: candidate.judged,
    };
    StoredItem::new(&shown, &source)
}

async fn answered(
    store: &Store,
    planned: &PlannedSuite,
    candidate: &Candidate,
    subject: &SubjectId,
) -> Result<Option<Family>, StoreError> {
    let judge = planned.suite().judge_id();
    let bench = Bench { suite: planned.id(), subject, repeat: candidate.repeat, judge: &judge };
    let page = store.judging_page(bench, candidate.position - 1, 1).await?;
    Ok(page.items.into_iter().next().map(|it| it.family))
}

fn said(family: Option<&Family>, side: &Variant) -> String {
    let member = family.and_then(|family| family.members.iter().find(|member| member.variant.id == side.id));
    member.and_then(|member| member.conclusion()).map(waterjar_views::in_full).unwrap_or_default()
}
