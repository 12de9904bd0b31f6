//! What holds of every pair, checked on all that some thousand patients give.

use crate::sample::{
    MARGIN, Made, Pair, base, cases, exchanged, facts, is_plausible, leads, make, quickstart, swaps, told,
};
use std::sync::LazyLock;
use waterjar_core::{Case, Expectation, FindingId, Suite, Variant};
use waterjar_knowledge::{Kind, Place};
use waterjar_suites::einstellung::{Ranking, Settings};

/// Every patient counts as hard and half of the cases are tried as a pure pair first, so that there is much to check.
async fn many() -> Made {
    let settings = Settings { ranking: Ranking::Any, max_edits: 3, pure: 0.5, ..quickstart() };
    let made = make(settings, 2500).await;
    let pure = made.families.iter().filter(|pair| pair.is_pure()).count();
    assert!(made.families.len() > 150 && pure > 30, "{} pairs, {pure} pure", made.families.len());
    made
}

/// What holds of each pair. One test, because making the pairs takes longer than looking at them.
const PROPERTIES: [fn(&Pair); 13] = [
    the_control_is_the_case_as_it_was_told,
    the_texts_differ_in_the_edits_and_in_nothing_else,
    the_judge_follows_the_facts,
    the_text_alone_says_the_same_as_the_facts,
    the_expectations_are_those_of_the_roles,
    a_swap_stays_within_kind_and_family,
    what_is_put_in_is_possible_and_new,
    what_is_taken_out_leaves_no_orphan,
    a_pure_trap_keeps_no_evidence_of_the_old_condition,
    the_strata_say_how_many_edits_there_are_and_where,
    a_sham_changes_no_more_than_the_trap,
    a_physician_could_give_every_right_answer,
    what_must_not_be_missed_leaves_no_trace,
];

#[tokio::test]
async fn every_pair_of_some_thousand_patients_is_sound() {
    for pair in &many().await.families {
        PROPERTIES.iter().for_each(|holds| holds(pair));
    }
}

#[tokio::test]
async fn a_family_that_denies_what_one_expects_is_no_example() {
    let made = make(quickstart(), 1000).await;
    let base = base();
    let denies = |variant: &Variant| {
        let condition = base.condition(variant.expectation.condition().unwrap()).unwrap();
        let mut expected = condition.findings.iter().filter(|(_, it)| it.p >= 0.6);
        let said = lines(variant);
        expected.any(|(id, _)| base.finding(id).unwrap().denied.as_deref().is_some_and(|denied| said.contains(&denied)))
    };
    let (mut odd, mut typical) = (0, 0);
    for pair in made.families {
        let variants = pair.into_variants();
        let is_odd = variants.iter().any(denies);
        assert_eq!(made.suite.is_typical(&variants), !is_odd, "{}", variants[0].id);
        *(if is_odd { &mut odd } else { &mut typical }) += 1;
    }
    assert!(odd > 0 && typical > 0, "{odd} and {typical}");
}

/// Sentences without their bullets.
fn lines(variant: &Variant) -> Vec<&str> {
    variant.text.lines().map(|line| line.trim_start_matches([' ', '-'])).collect()
}

fn the_texts_differ_in_the_edits_and_in_nothing_else(pair: &Pair) {
    let before = lines(&pair.control);
    for variant in pair.changed() {
        let after = lines(variant);
        let edits = &variant.intervention.as_ref().unwrap().edits;
        for edit in edits {
            let (removed, inserted) = (edit.removed.as_str(), edit.inserted.as_str());
            assert!(before.contains(&removed) && !after.contains(&removed), "{}: {removed}", variant.id);
            assert!(after.contains(&inserted) && !before.contains(&inserted), "{}: {inserted}", variant.id);
        }
        let kept = |lines: &[&str]| -> Vec<String> {
            let is_edited = |line: &str| edits.iter().any(|edit| edit.removed == line || edit.inserted == line);
            lines.iter().filter(|line| !is_edited(line)).map(|line| (*line).to_owned()).collect()
        };
        assert_eq!(kept(&before), kept(&after), "{}", variant.id);
        assert_eq!(before.len(), after.len(), "{}", variant.id);
    }
}

fn the_control_is_the_case_as_it_was_told(pair: &Pair) {
    static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| cases(2500));
    let case = CASES.iter().find(|case| case.id == pair.control.case).unwrap();
    assert_eq!((&pair.control.text, &pair.control.facts), (&case.text, &case.facts), "{}", case.id);
    assert!(pair.control.is_control());
}

fn the_judge_follows_the_facts(pair: &Pair) {
    let (truth, rival) = (pair.truth(), pair.rival());
    let clear = |variant: &Variant, condition, over| {
        let odds = leads(facts(variant), condition, over);
        assert!(odds.is_some_and(|odds| odds >= MARGIN), "{}: {odds:?}", variant.id);
        odds
    };
    clear(&pair.control, &truth, &rival);
    let after = clear(&pair.trap, &rival, &truth).unwrap();
    assert!((after - pair.trap.record["odds_after"].as_f64().unwrap()).abs() < 1e-6 * after, "{}", pair.id());
    clear(pair.sham.as_ref().unwrap(), &truth, &rival);
}

fn the_text_alone_says_the_same_as_the_facts(pair: &Pair) {
    let (truth, rival) = (pair.truth(), pair.rival());
    assert!(leads(&told(&pair.control), &truth, &rival).is_some_and(|odds| odds >= MARGIN), "{}", pair.id());
    assert!(leads(&told(&pair.trap), &rival, &truth).is_some_and(|odds| odds >= MARGIN), "{}", pair.id());
}

fn the_expectations_are_those_of_the_roles(pair: &Pair) {
    let (truth, rival) = (pair.truth(), pair.rival());
    assert_ne!(truth, rival);
    assert_eq!(pair.control.expectation, Expectation::Names { condition: truth.clone() });
    assert_eq!(pair.trap.expectation, Expectation::Flips { from: truth.clone(), to: rival.clone() });
    let sham = pair.sham.as_ref().unwrap();
    assert_eq!(sham.expectation, Expectation::Holds { condition: truth.clone() });
    assert_eq!((&facts(&pair.trap).condition, &facts(sham).condition), (&rival, &truth));
    assert!(base().condition(&truth).unwrap().rivals.contains(&rival), "{}: {truth} and {rival}", pair.id());
}

fn a_swap_stays_within_kind_and_family(pair: &Pair) {
    let base = base();
    for (removed, inserted) in pair.changed().flat_map(swaps) {
        let (old, new) = (base.finding(&removed).unwrap(), base.finding(&inserted).unwrap());
        assert_eq!((old.kind, &old.family), (new.kind, &new.family), "{}: {removed} for {inserted}", pair.id());
        assert_ne!(removed, inserted);
    }
}

fn what_is_put_in_is_possible_and_new(pair: &Pair) {
    let base = base();
    let before = facts(&pair.control);
    for variant in pair.changed() {
        let mut inserted: Vec<FindingId> = swaps(variant).into_iter().map(|(_, inserted)| inserted).collect();
        for id in &inserted {
            let finding = base.finding(id).unwrap();
            assert!(finding.fits(before.sex, before.age), "{}: {id}", variant.id);
            assert!(before.findings.iter().all(|seen| seen.finding != *id), "{}: {id} was told before", variant.id);
            let parent = finding.parent.as_ref().filter(|parent| *parent != id);
            let is_told = |parent: &FindingId| facts(variant).present().any(|seen| seen.finding == *parent);
            assert!(parent.is_none_or(is_told), "{}: {id} without its parent", variant.id);
        }
        inserted.sort();
        inserted.dedup();
        assert_eq!(inserted.len(), swaps(variant).len(), "{}: one finding stands in twice", variant.id);
    }
}

fn what_is_taken_out_leaves_no_orphan(pair: &Pair) {
    let base = base();
    for variant in pair.changed() {
        for seen in &facts(variant).findings {
            let parent = base.finding(&seen.finding).unwrap().parent.as_ref();
            let is_told = |parent: &FindingId| facts(variant).present().any(|other| other.finding == *parent);
            assert!(parent.is_none_or(is_told), "{}: {} has lost its parent", variant.id, seen.finding);
        }
    }
}

fn a_pure_trap_keeps_no_evidence_of_the_old_condition(pair: &Pair) {
    let base = base();
    let (truth, rival) = (base.condition(&pair.truth()).unwrap(), base.condition(&pair.rival()).unwrap());
    let telling = |id: &FindingId| truth.lists(id) && !rival.lists(id);
    let left: Vec<_> = facts(&pair.trap).present().filter(|seen| telling(&seen.finding)).collect();
    let residual = pair.trap.record["residual"].as_array().unwrap();
    assert_eq!(pair.is_pure(), residual.is_empty(), "{}", pair.id());
    assert!(!pair.is_pure() || left.is_empty(), "{}: {left:?}", pair.id());
}

fn a_physician_could_give_every_right_answer(pair: &Pair) {
    let (truth, rival) = (pair.truth(), pair.rival());
    assert!(is_plausible(facts(&pair.control), &truth, &rival), "{}", pair.control.id);
    assert!(is_plausible(facts(&pair.trap), &rival, &truth), "{}", pair.trap.id);
    let sham = pair.sham.as_ref().unwrap();
    assert!(is_plausible(facts(sham), &truth, &rival), "{}", sham.id);
}

fn what_must_not_be_missed_leaves_no_trace(pair: &Pair) {
    let severity = base().condition(&pair.truth()).unwrap().severity;
    assert!(severity > 1 || pair.is_pure(), "{}", pair.id());
}

#[tokio::test]
async fn no_part_of_a_minimal_change_flips_the_judge() {
    let settings = Settings { ranking: Ranking::Any, max_edits: 3, pure: 0.0, ..quickstart() };
    let made = make(settings, 2500).await;
    let mut checked = 0;
    for pair in &made.families {
        let swaps = swaps(&pair.trap);
        let (truth, rival) = (pair.truth(), pair.rival());
        // A part may flip it and leave a trace of what must not be missed.
        if base().condition(&truth).unwrap().severity == 1 {
            continue;
        }
        for part in 0..(1_u32 << swaps.len()) - 1 {
            let part: Vec<_> =
                swaps.iter().enumerate().filter(|(at, _)| part >> at & 1 == 1).map(|(_, it)| it.clone()).collect();
            let changed = exchanged(facts(&pair.control), &part);
            let flips = leads(&changed, &rival, &truth).is_some_and(|odds| odds >= MARGIN);
            let passes = flips && is_plausible(&changed, &rival, &truth);
            assert!(!passes, "{}: {part:?} of {swaps:?} is enough", pair.id());
            checked += 1;
        }
    }
    assert!(checked > 500, "{checked}");
}

fn the_strata_say_how_many_edits_there_are_and_where(pair: &Pair) {
    let strata = &pair.trap.strata;
    let swaps = swaps(&pair.trap);
    assert_eq!(strata["edits"], swaps.len().to_string());
    assert_eq!(swaps.len(), pair.trap.intervention.as_ref().unwrap().edits.len());
    let place = |id: &FindingId| base().finding(id).map(|it| it.kind).map(Kind::place).unwrap();
    let history = swaps.iter().filter(|(removed, _)| place(removed) == Place::Antecedents).count();
    let expected = if history == 0 {
        "symptoms"
    } else if history == swaps.len() {
        "history"
    } else {
        "both"
    };
    assert_eq!(strata["place"], expected, "{}", pair.id());
    assert_eq!(strata["condition"], pair.truth().to_string());
    assert_eq!(strata["pair"], format!("{} > {}", pair.truth(), pair.rival()));
}

fn a_sham_changes_no_more_than_the_trap(pair: &Pair) {
    let sham = swaps(pair.sham.as_ref().unwrap());
    assert!(!sham.is_empty() && sham.len() <= swaps(&pair.trap).len(), "{}", pair.id());
    let truth = base().condition(&pair.truth()).cloned().unwrap();
    assert!(sham.iter().all(|(removed, inserted)| truth.lists(removed) && truth.lists(inserted)), "{}", pair.id());
}

#[tokio::test]
async fn the_same_case_makes_the_same_family() {
    let (once, again) = (make(quickstart(), 300).await, make(quickstart(), 300).await);
    assert!(!once.families.is_empty());
    for (a, b) in once.families.into_iter().zip(again.families) {
        assert_eq!(a.into_variants(), b.into_variants());
    }
    assert_eq!(once.losses, again.losses);
}
