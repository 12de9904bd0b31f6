//! The audit's three tiers on sheets made by hand.

use super::audit::audit;
use crate::ecr::audit::{Audited, Sheet, Streams};
use crate::ecr::graph::Score;
use crate::ecr::reasoner::Auditing;
use crate::ecr::reasoner::stages::{Opinion, Representation, Verdict};

fn candidate(name: &str, total: f64) -> Audited {
    Audited {
        candidate: name.to_owned(),
        score: Score { total, ..Score::default() },
        known: true,
        cases: 20.0,
        fatal: Vec::new(),
        won: Vec::new(),
        lost: Vec::new(),
        coverage: 1.0,
        unexplained: Vec::new(),
        shadows: Vec::new(),
        summary: String::new(),
    }
}

fn opinion(candidates: Vec<Audited>) -> Opinion {
    let names: Vec<String> = candidates.iter().map(|it| it.candidate.clone()).collect();
    let (sheet, patient) = (Sheet { candidates }, Representation::default());
    audit(&Auditing {
        candidates: &names,
        patient: &patient,
        sheet: &sheet,
        streams: &Streams::default(),
        doubt: 4.0,
        exemplars: &[],
    })
}

fn check(candidates: Vec<Audited>, verdict: Verdict, diagnosis: u32) {
    let opinion = opinion(candidates);
    assert_eq!((opinion.verdict, opinion.diagnosis), (verdict, diagnosis), "{:?}", opinion.reasons);
}

#[test]
fn the_better_score_overturns() {
    check(vec![candidate("Gout", 1.0), candidate("Pseudogout", 2.0)], Verdict::Overturn, 1);
    check(vec![candidate("Gout", 2.0), candidate("Pseudogout", 1.0)], Verdict::Keep, 0);
}

#[test]
fn what_the_patient_denies_excludes_whatever_the_score() {
    let excluded = Audited { fatal: vec!["a swollen joint.".to_owned()], ..candidate("Pseudogout", 5.0) };
    check(vec![candidate("Gout", 1.0), excluded.clone()], Verdict::Keep, 0);
    let first = Audited { fatal: vec!["a swollen joint.".to_owned()], ..candidate("Gout", 5.0) };
    check(vec![first.clone(), candidate("Pseudogout", 1.0)], Verdict::Overturn, 1);
    // If all are excluded, none is.
    check(vec![first, excluded], Verdict::Keep, 0);
}

#[test]
fn little_knowledge_must_lead_by_more() {
    let few = |total| Audited { cases: 2.0, ..candidate("Pseudogout", total) };
    check(vec![candidate("Gout", 1.0), few(2.5)], Verdict::Keep, 0);
    check(vec![candidate("Gout", 1.0), few(3.5)], Verdict::Overturn, 1);
}

#[test]
fn of_what_nothing_is_known_nothing_can_be_held_against() {
    let unknown = |name| Audited { known: false, cases: 0.0, ..candidate(name, 0.0) };
    check(vec![unknown("Gout"), candidate("Pseudogout", 9.0)], Verdict::Keep, 0);
    check(vec![candidate("Gout", -1.0), unknown("Pseudogout")], Verdict::Keep, 0);
}

#[test]
fn two_conditions_with_verified_pivots_are_both_named() {
    let facts = |names: [&str; 2]| names.map(|name| (name.to_owned(), 0.8)).to_vec();
    let names = |names: [&str; 2]| names.map(str::to_owned).to_vec();
    let first = Audited { won: facts(["a", "b"]), unexplained: names(["c", "d"]), ..candidate("Gout", 2.0) };
    let second = Audited { won: facts(["c", "d"]), unexplained: names(["a", "b"]), ..candidate("Asthma", 1.0) };
    let both = opinion(vec![first.clone(), second.clone()]);
    assert_eq!((both.diagnosis, both.also), (0, Some(1)));
    let weaker = Audited { won: facts(["c", "x"]), ..second };
    assert_eq!(opinion(vec![first, weaker]).also, None);
}
