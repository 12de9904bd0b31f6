//! Which part of a run is rated: drawn by chance from a seed, in strata.

use crate::project::{Allocation, Wish};
use crate::{Form, Judged, Unit};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{FamilyVerdict, Outcome, Ruling, Seed, SubjectId, Variant, VariantId};
use waterjar_engine::PlannedSuite;
use waterjar_store::{Store, StoreError};

/// One thing that could be rated, without its texts: there may be a million.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    pub position: i64,
    pub variant: VariantId,
    pub role: String,
    pub subjects: Vec<SubjectId>,
    pub repeat: u32,
    pub stratum: String,
    pub control: Option<Judged>,
    pub judged: Option<Judged>,
    /// Orders candidates by chance.
    rank: i64,
}

/// A candidate that was drawn, and how many it stands for.
pub struct Drawn {
    pub candidate: Candidate,
    pub weight: f64,
}

/// Families read at a time.
const PAGE: u32 = 256;

pub async fn candidates(
    store: &Store,
    planned: &PlannedSuite,
    form: &Form,
    wish: &Wish,
) -> Result<Vec<Candidate>, StoreError> {
    let mut found = Vec::new();
    let mut after = Some(0);
    while let Some(position) = after {
        if form.unit.has_subject() {
            let page = store.verdicts_page(planned.id(), position, PAGE).await?;
            let judge = planned.suite().judge_id();
            let of_judge = page.items.iter().filter(|it| it.verdict.judge == judge);
            let of_judge = of_judge.filter(|it| wish.wants(&it.verdict.subject));
            let verdicts: Vec<_> = of_judge.map(|it| (it.position, &it.verdict)).collect();
            match form.unit {
                Unit::Preference => found.extend(preferences(&verdicts, form, wish)),
                _ => found.extend(verdicts.iter().flat_map(|it| answers(it.0, it.1, form, wish))),
            }
            after = page.next;
        } else {
            let page = store.families_page(planned.id(), position, PAGE).await?;
            for family in &page.items {
                let shown = family.variants.iter().filter(|it| form.unit == Unit::Question || !it.is_control());
                let shown = shown.filter(|it| form.wants(it.role()));
                found.extend(shown.map(|variant| text(family.position, variant, &family.variants, wish)));
            }
            after = page.next;
        }
    }
    Ok(found)
}

fn text(position: i64, variant: &Variant, family: &[Variant], wish: &Wish) -> Candidate {
    let of = |variant: &Variant, key: &str| variant.strata.get(key).cloned();
    let stratum = wish.stratify.as_deref().and_then(|key| match key {
        "role" => Some(variant.role().to_owned()),
        key => of(variant, key).or_else(|| family.iter().find_map(|it| of(it, key))),
    });
    Candidate {
        position,
        variant: variant.id.clone(),
        role: variant.role().to_owned(),
        subjects: Vec::new(),
        repeat: 0,
        stratum: stratum.unwrap_or_default(),
        control: None,
        judged: None,
        rank: wish.seed.rank("sample", variant.id.as_str()),
    }
}

fn answers<'a>(
    position: i64,
    verdict: &'a FamilyVerdict,
    form: &'a Form,
    wish: &'a Wish,
) -> impl Iterator<Item = Candidate> + 'a {
    let control = verdict.ruling("control").filter(|it| it.outcome != Outcome::Missing);
    // A change is rated where both sides were answered.
    let usable = form.unit == Unit::Answer || control.is_some();
    let fits = move |ruling: &&Ruling| {
        usable
            && ruling.outcome != Outcome::Missing
            && form.only.is_none_or(|only| ruling.outcome == only)
            && (form.unit == Unit::Answer || ruling.role != "control")
            && form.wants(&ruling.role)
    };
    verdict.rulings.iter().filter(fits).map(move |ruling| Candidate {
        position,
        variant: ruling.variant.clone(),
        role: ruling.role.clone(),
        subjects: vec![verdict.subject.clone()],
        repeat: verdict.repeat,
        stratum: stratum(verdict, ruling, wish),
        control: control.map(Judged::from),
        judged: Some(Judged::from(ruling)),
        rank: wish.seed.rank("sample", &format!("{}/{}/{}", ruling.variant, verdict.subject, verdict.repeat)),
    })
}

/// A text: of which family, which repeat, which variant.
type Text<'a> = (i64, u32, &'a VariantId);
type Said<'a> = (&'a FamilyVerdict, &'a Ruling);

/// Two answers to the same text. Where more subjects answered it, which two is chance.
fn preferences(verdicts: &[(i64, &FamilyVerdict)], form: &Form, wish: &Wish) -> Vec<Candidate> {
    let mut by_text: BTreeMap<Text<'_>, Vec<Said<'_>>> = BTreeMap::new();
    for (position, verdict) in verdicts {
        let fits = |it: &&Ruling| it.outcome != Outcome::Missing && form.wants(&it.role);
        for ruling in verdict.rulings.iter().filter(fits) {
            by_text.entry((*position, verdict.repeat, &ruling.variant)).or_default().push((verdict, ruling));
        }
    }
    let pair = |((position, repeat, variant), mut answers): (Text<'_>, Vec<Said<'_>>)| {
        answers.sort_by_key(|(it, _)| wish.seed.rank("pair", &format!("{variant}/{repeat}/{}", it.subject)));
        let [(first, ruling), (second, _), ..] = answers[..] else { return None };
        Some(Candidate {
            position,
            variant: variant.clone(),
            role: ruling.role.clone(),
            subjects: vec![first.subject.clone(), second.subject.clone()],
            repeat,
            stratum: stratum(first, ruling, wish),
            control: None,
            judged: None,
            rank: wish.seed.rank("sample", &format!("{variant}/{repeat}")),
        })
    };
    by_text.into_iter().filter_map(pair).collect()
}

fn stratum(verdict: &FamilyVerdict, ruling: &Ruling, wish: &Wish) -> String {
    let found = wish.stratify.as_deref().and_then(|key| match key {
        "subject" => Some(verdict.subject.to_string()),
        "outcome" => Some(ruling.outcome.as_str().to_owned()),
        "role" => Some(ruling.role.clone()),
        key => ruling.strata.get(key).or_else(|| verdict.strata.get(key)).cloned(),
    });
    found.unwrap_or_default()
}

/// How many strata there are.
pub fn strata(candidates: &[Candidate]) -> usize {
    candidates.iter().map(|it| it.stratum.as_str()).collect::<BTreeSet<_>>().len()
}

/// So many of them, in an order of chance.
pub fn draw(candidates: Vec<Candidate>, wish: &Wish) -> Vec<Drawn> {
    let mut strata: BTreeMap<String, Vec<Candidate>> = BTreeMap::new();
    for candidate in candidates {
        strata.entry(candidate.stratum.clone()).or_default().push(candidate);
    }
    let sizes: Vec<usize> = strata.values().map(Vec::len).collect();
    let quotas = quotas(&sizes, wish.items as usize, wish.allocation);
    let mut drawn = Vec::new();
    for (mut stratum, quota) in strata.into_values().zip(quotas) {
        stratum.sort_by_key(|candidate| candidate.rank);
        let weight = stratum.len() as f64 / quota.max(1) as f64;
        drawn.extend(stratum.into_iter().take(quota).map(|candidate| Drawn { candidate, weight }));
    }
    drawn.sort_by_key(|it| Seed(wish.seed.0).rank("mix", &it.candidate.rank.to_string()));
    drawn
}

/// How many of each stratum. None gets more than it has; what is over goes to the others.
pub(crate) fn quotas(sizes: &[usize], wanted: usize, allocation: Allocation) -> Vec<usize> {
    // At least one of each where there are enough: a stratum nobody looks at says nothing.
    let one = usize::from(wanted >= sizes.len());
    let mut quotas: Vec<usize> = sizes.iter().map(|size| one.min(*size)).collect();
    let mut left = wanted.min(sizes.iter().sum()) - quotas.iter().sum::<usize>();
    while left > 0 {
        let open: Vec<usize> = (0..sizes.len()).filter(|at| quotas[*at] < sizes[*at]).collect();
        // One more for whom it is due most: the least of its share has been drawn. The first of equals, so that it is the same everywhere.
        let share = |at: &usize| match allocation {
            Allocation::Proportional => sizes[*at] as f64,
            Allocation::Equal => 1.0,
        };
        let due = |at: &usize| (quotas[*at] as f64 + 0.5) / share(at);
        let Some(next) = open.into_iter().min_by(|a, b| due(a).total_cmp(&due(b))) else { break };
        quotas[next] += 1;
        left -= 1;
    }
    quotas
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strata_get_their_share_and_never_more_than_they_have() {
        let of = |sizes: &[usize], wanted, how| quotas(sizes, wanted, how);
        assert_eq!(of(&[80, 20], 10, Allocation::Proportional), [8, 2]);
        assert_eq!(of(&[80, 20], 10, Allocation::Equal), [5, 5]);
        assert_eq!(of(&[80, 2], 10, Allocation::Equal), [8, 2]);
        assert_eq!(of(&[990, 10], 10, Allocation::Proportional), [9, 1]);
        assert_eq!(of(&[3, 2], 10, Allocation::Proportional), [3, 2]);
        assert_eq!(of(&[], 10, Allocation::Proportional), [0_usize; 0]);
    }
}
