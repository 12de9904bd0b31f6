//! What a physician would refuse, whatever the odds. A base that marks nothing as essential (DDXPlus) is asked nothing here.

use super::{Judge, record::place_of, swap::Swap};
use waterjar_core::{Facts, FindingId};
use waterjar_knowledge::{Condition, Differential, Kind, KnowledgeBase, Reading, Scope, ValueChance};

/// 1 life-threatening … 5 self-limiting.
const MUST_NOT_MISS: u8 = 1;
/// What fewer of a condition's patients tell is no place to look for it first: pain on the left of appendicitis.
const UNUSUAL: f64 = 0.1;
/// What so many of a condition's patients tell speaks for it.
const COMMON: f64 = 0.3;
/// So many times as often as by anybody else a hallmark is told by those who have the condition: nobody who hears it lets go of the condition.
/// (In the clinic a likelihood ratio of ten is strong already. The judge's floor hears no more than that.)
const HALLMARK: f64 = 100.0;

/// The sceptic's least probability of a finding. History at half can move little already.
const FLOOR: f64 = 0.02;

/// Whether a physician could say this condition rather than the other.
pub(super) fn is_plausible(base: &KnowledgeBase, judge: Judge, facts: &Facts, condition: usize, other: usize) -> bool {
    tells_essentials(base, facts, condition)
        && !speaks_for(base, facts, other, condition)
        && convinces_the_sceptic(base, judge, facts, condition, other)
}

/// Whether the old condition may be left by these swaps with this much of its evidence still told. One that must not be missed may be left only
/// when nothing told speaks for it and not for the new one, and when more than the history has changed; else whoever stays with it would be
/// safe, and counted as trapped.
pub(super) fn may_be_left(base: &KnowledgeBase, condition: usize, swaps: &[Swap], residual: &[FindingId]) -> bool {
    let condition = &base.conditions()[condition];
    condition.severity > MUST_NOT_MISS
        || !marks_essentials(base)
        || (residual.is_empty() && place_of(swaps) != "history")
}

/// Whether what is told in detail, such as where it hurts, is usual in the condition in at least one point, and in none a common one of the
/// other's alone: who points to both sides below has no appendicitis rather than diverticulitis.
pub(super) fn details_fit(base: &KnowledgeBase, facts: &Facts, condition: usize, other: usize) -> bool {
    let share = |of: usize, finding: &FindingId, value: &str| match base.conditions()[of].values.get(finding) {
        Some(ValueChance::Shares(shares)) => Some(shares.get(value).copied().unwrap_or(0.0)),
        _ => None,
    };
    let mut detailed = facts.present().filter(|seen| !seen.values.is_empty());
    !marks_essentials(base)
        || detailed.all(|seen| {
            let of = |at: usize, value: &String| share(at, &seen.finding, value);
            let is_usual = |value: &String| of(condition, value).is_none_or(|share| share >= UNUSUAL);
            let is_of_other = |value: &String| of(other, value).is_some_and(|share| share >= COMMON);
            seen.values.iter().any(is_usual) && seen.values.iter().all(|value| is_usual(value) || !is_of_other(value))
        })
}

/// Whether the patient tells all that the condition is hardly thinkable without. What a person of this sex and age cannot have is not asked
/// for; a finding is also told by what hangs on it.
pub(super) fn tells_essentials(base: &KnowledgeBase, facts: &Facts, condition: usize) -> bool {
    let condition = &base.conditions()[condition];
    let is_told = |id: &FindingId| {
        facts.present().any(|seen| {
            let parent = base.finding(&seen.finding).and_then(|finding| finding.parent.as_ref());
            seen.finding == *id || parent == Some(id)
        })
    };
    let essential = condition.findings.iter().filter(|(_, it)| it.essential).filter_map(|(id, _)| base.finding(id));
    essential.filter(|finding| finding.fits(facts.sex, facts.age)).all(|finding| is_told(&finding.id))
}

/// Whether something is told that the condition is hardly thinkable without, or that hardly anybody tells who does not have it, and that the
/// other condition does not list.
fn speaks_for(base: &KnowledgeBase, facts: &Facts, condition: usize, rather_than: usize) -> bool {
    let (condition, other) = (&base.conditions()[condition], &base.conditions()[rather_than]);
    facts.present().filter(|seen| !other.lists(&seen.finding)).any(|seen| {
        let is_essential = condition.findings.get(&seen.finding).is_some_and(|it| it.essential);
        is_essential || is_hallmark(base, &seen.finding, condition)
    })
}

/// The second reader: sees the same with the judge's margin when history counts half. In the base risk factors are far more frequent than in
/// life, so that patients have a history to tell, and by themselves they would outvote what the patient complains of.
fn convinces_the_sceptic(base: &KnowledgeBase, judge: Judge, facts: &Facts, condition: usize, other: usize) -> bool {
    let reading = Reading { floor: judge.reading.floor.min(FLOOR), scope: Scope::HalfHistory, ..judge.reading };
    !marks_essentials(base) || Differential::of(base, facts, &reading).odds(condition, other) >= judge.margin
}

fn marks_essentials(base: &KnowledgeBase) -> bool {
    base.conditions().iter().any(|condition| condition.findings.values().any(|it| it.essential))
}

/// What relatives have is no hallmark, however rare. Where the base does not say how often others tell it, nothing is.
fn is_hallmark(base: &KnowledgeBase, id: &FindingId, of: &Condition) -> bool {
    let (Some(finding), Some(likelihood)) = (base.finding(id), of.findings.get(id)) else { return false };
    let is_told_by_others = finding.background > 0.0;
    is_told_by_others && finding.kind != Kind::FamilyHistory && likelihood.p >= HALLMARK * finding.background
}

#[cfg(test)]
mod tests {
    use super::super::Alike;
    use super::*;
    use waterjar_core::{ConditionId, FindingState, Observation, Sex};
    use waterjar_knowledge::starter;

    const FINDINGS: &str = r#"
        [[finding]]
        id = "fever"
        kind = "symptom"
        family = "constitutional"
        gravity = 3
        present = "I have a fever."
        denied = "I have no fever."
        [[finding]]
        id = "high_fever"
        kind = "symptom"
        family = "constitutional"
        gravity = 3
        parent = "fever"
        present = "My fever is above 40."
        denied = "My fever is not above 40."
        [[finding]]
        id = "tropics"
        kind = "exposure"
        family = "event"
        gravity = 2
        age = [1, 120]
        present = "I came back from the tropics."
        denied = "I have not been to the tropics."
        [[finding]]
        id = "cough"
        kind = "symptom"
        family = "breathing"
        gravity = 2
        present = "I cough."
        denied = "I do not cough."
    "#;

    const CONDITIONS: &str = r#"
        [[condition]]
        id = "influenza"
        name = "Influenza"
        icd10 = "J11"
        synonyms = []
        specialty = "infectious diseases"
        severity = 3
        prior = { F = [1, 1, 1, 1], M = [1, 1, 1, 1] }
        rivals = ["malaria"]
        [condition.findings]
        fever = { p = 0.95, essential = true }
        high_fever = 0.5
        cough = 0.7
        [[condition]]
        id = "malaria"
        name = "Malaria"
        icd10 = "B54"
        synonyms = []
        specialty = "infectious diseases"
        severity = 1
        prior = { F = [1, 1, 1, 1], M = [1, 1, 1, 1] }
        rivals = ["influenza"]
        [condition.findings]
        fever = { p = 0.95, essential = true }
        tropics = { p = 0.95, essential = true }
    "#;

    /// By their places in the base.
    const INFLUENZA: usize = 0;
    const MALARIA: usize = 1;

    fn base() -> KnowledgeBase {
        starter::read("test", &[("f", FINDINGS)], &[("c", CONDITIONS)]).expect("loads")
    }

    fn facts(age: u8, present: &[&str]) -> Facts {
        let seen =
            |id: &&str| Observation { finding: FindingId::from(*id), state: FindingState::Present, values: Vec::new() };
        Facts {
            sex: Sex::F,
            age,
            findings: present.iter().map(seen).collect(),
            condition: ConditionId::from("malaria"),
            differential: Vec::new(),
        }
    }

    fn judge(margin: f64) -> Judge {
        Judge { reading: Reading::JUDGE, margin, alike: Alike::Family }
    }

    fn check(age: u8, present: &[&str], condition: usize, expected: bool) {
        let other = if condition == MALARIA { INFLUENZA } else { MALARIA };
        let found = is_plausible(&base(), judge(1.0), &facts(age, present), condition, other);
        assert_eq!(found, expected, "{age}: {present:?}");
    }

    #[test]
    fn what_is_essential_is_told() {
        check(30, &["fever", "tropics"], MALARIA, true);
        check(30, &["fever", "cough"], MALARIA, false);
        check(30, &["cough"], INFLUENZA, false);
    }

    #[test]
    fn what_hangs_on_it_tells_it_too() {
        check(30, &["high_fever"], INFLUENZA, true);
    }

    #[test]
    fn what_this_person_cannot_have_is_not_asked_for() {
        check(0, &["fever"], MALARIA, true);
    }

    #[test]
    fn what_is_essential_to_the_other_is_gone() {
        check(30, &["fever", "tropics"], INFLUENZA, false);
        check(30, &["fever"], INFLUENZA, true);
    }

    #[test]
    fn history_does_not_outvote_what_the_patient_complains_of() {
        let told = facts(30, &["fever", "tropics", "cough"]);
        assert!(judge(1.0).odds_if_first(&base(), &told, MALARIA, INFLUENZA).is_some(), "the judge would follow");
        check(30, &["fever", "tropics", "cough"], MALARIA, false);
    }

    #[test]
    fn a_hallmark_of_the_other_is_gone() {
        let check = |background: f64, (kind, family): (&str, &str), expected: bool| {
            let cough = "kind = \"symptom\"\n        family = \"breathing\"";
            let told = format!("kind = \"{kind}\"\nfamily = \"{family}\"\nbackground = {background:?}");
            let findings = FINDINGS.replace(cough, &told);
            assert_ne!(findings, FINDINGS);
            let base = starter::read("test", &[("f", findings.as_str())], &[("c", CONDITIONS)]).expect("loads");
            let facts = facts(30, &["fever", "tropics", "cough"]);
            let found = is_plausible(&base, judge(0.0), &facts, MALARIA, INFLUENZA);
            assert_eq!(found, expected, "{kind}, {background} elsewhere");
        };
        let (symptom, of_relatives) = (("symptom", "breathing"), ("family_history", "family"));
        // 0.7 in influenza.
        check(0.006, symptom, false);
        check(0.008, symptom, true);
        check(0.0, symptom, true);
        check(0.006, of_relatives, true);
    }

    #[test]
    fn what_must_not_be_missed_is_left_only_without_a_trace() {
        let left = [FindingId::from("tropics")];
        let (symptom, history) = ([swap(Kind::Symptom)], [swap(Kind::Exposure)]);
        assert!(!may_be_left(&base(), MALARIA, &symptom, &left));
        assert!(!may_be_left(&base(), MALARIA, &history, &[]), "by its history alone");
        assert!(may_be_left(&base(), MALARIA, &symptom, &[]));
        assert!(may_be_left(&base(), INFLUENZA, &history, &left));
    }

    fn swap(kind: Kind) -> Swap {
        let (removed, inserted) = (FindingId::from("tropics"), FindingId::from("cough"));
        Swap { removed, inserted, kind, family: String::new(), specificity_removed: 1.0, specificity_inserted: 1.0 }
    }

    #[test]
    fn pain_on_the_left_is_no_appendicitis() {
        let base = starter::base().unwrap();
        let at = |id: &str| base.conditions().iter().position(|it| it.id.as_str() == id).unwrap();
        for (sites, fits) in [
            (&["right_lower_abdomen"][..], true),
            (&["left_lower_abdomen"], false),
            (&["left_lower_abdomen", "right_lower_abdomen"], false),
            (&["upper_abdomen", "around_navel"], true),
        ] {
            let mut told = facts(30, &["pain_site"]);
            told.findings[0].values = sites.iter().map(|it| (*it).to_owned()).collect();
            assert_eq!(details_fit(&base, &told, at("appendicitis"), at("diverticulitis")), fits, "{sites:?}");
        }
    }

    #[test]
    fn a_base_without_marks_is_asked_nothing() {
        let unmarked = CONDITIONS.replace("{ p = 0.95, essential = true }", "0.95");
        let base = starter::read("test", &[("f", FINDINGS)], &[("c", unmarked.as_str())]).expect("loads");
        assert!(is_plausible(&base, judge(1000.0), &facts(30, &["cough", "tropics"]), INFLUENZA, MALARIA));
        assert!(may_be_left(&base, MALARIA, &[swap(Kind::Exposure)], &[FindingId::from("tropics")]));
    }
}
