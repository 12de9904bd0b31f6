//! What must hold in a knowledge base a clinician can rely on. Each complaint names the thing and what is wrong with it.

use crate::{Condition, Detail, Finding, Kind, KnowledgeBase, Prior, ValueChance};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::Sex;

/// Two conditions are close rivals when they share at least this many findings.
const SHARED_BY_RIVALS: usize = 4;

pub fn lint(base: &KnowledgeBase) -> Vec<String> {
    let mut complaints = Vec::new();
    let mut say = |place: &str, problem: String| complaints.push(format!("{place}: {problem}"));
    let listed: BTreeSet<_> = base
        .conditions()
        .iter()
        .flat_map(|condition| condition.findings.keys().chain(condition.values.keys()))
        .collect();
    let mut sentences: BTreeMap<&str, &Finding> = BTreeMap::new();
    for finding in base.findings() {
        let place = format!("finding `{}`", finding.id);
        if !listed.contains(&finding.id) {
            say(&place, "no condition lists it".to_owned());
        }
        check_finding(finding, &mut |problem| say(&place, problem));
        for sentence in [Some(&finding.present), finding.denied.as_ref()].into_iter().flatten() {
            if let Some(other) = sentences.insert(sentence, finding) {
                say(&place, format!("says the same as `{}`: {sentence}", other.id));
            }
        }
    }
    for condition in base.conditions() {
        let place = format!("condition `{}`", condition.id);
        check_condition(base, condition, &mut |problem| say(&place, problem));
    }
    check_umbrellas(base, &mut say);
    complaints
}

fn check_finding(finding: &Finding, say: &mut impl FnMut(String)) {
    if !(1..=5).contains(&finding.gravity) {
        say(format!("gravity {} is not 1 to 5", finding.gravity));
    }
    if !(0.0..0.5).contains(&finding.background) {
        say(format!("background {} is not 0 to 0.5", finding.background));
    }
    if finding.age.0 > finding.age.1 {
        say("its youngest age is above its oldest".to_owned());
    }
    if !families(finding.kind).contains(&finding.family.as_str()) {
        say(format!(
            "`{}` is no family of {}; those are: {}",
            finding.family,
            finding.kind.as_str(),
            families(finding.kind).join(", ")
        ));
    }
    let template = matches!(finding.detail, Detail::Scale | Detail::Choice(_));
    if template != finding.present.contains(crate::narrative::VALUE) {
        say("a scale or a choice, and nothing else, writes {value}".to_owned());
    }
    // A detail's sentence continues its parent's ("The pain is:"), so it need not speak of the patient again.
    if !finding.carries_detail() {
        for sentence in [Some(&finding.present), finding.denied.as_ref()].into_iter().flatten() {
            if !is_first_person(sentence) {
                say(format!("does not read as the patient speaking: {sentence}"));
            }
            if !sentence.ends_with('.') || sentence.contains('\n') {
                say(format!("is not one sentence: {sentence}"));
            }
        }
    }
}

/// The closed list of the starter's README.
fn families(kind: Kind) -> &'static [&'static str] {
    match kind {
        Kind::Symptom => &[
            "pain",
            "breathing",
            "throat_nose_ear",
            "constitutional",
            "gut",
            "urogenital",
            "nerve",
            "mind",
            "circulation",
            "skin",
            "eye",
            "joint",
        ],
        Kind::Sign => &["observed"],
        Kind::History => &["disease", "procedure", "lifestyle"],
        Kind::FamilyHistory => &["family"],
        Kind::Exposure => &["contact", "environment", "event"],
        Kind::Medication => &["drug"],
    }
}

pub fn is_first_person(sentence: &str) -> bool {
    sentence.split(|c: char| !c.is_alphanumeric() && c != '\'').any(|word| {
        let word = word.split('\'').next().unwrap_or(word);
        word == "I" || ["me", "my", "mine", "myself", "we", "our", "us"].contains(&word.to_lowercase().as_str())
    })
}

fn check_condition(base: &KnowledgeBase, condition: &Condition, say: &mut impl FnMut(String)) {
    if !(1..=5).contains(&condition.severity) {
        say(format!("severity {} is not 1 to 5", condition.severity));
    }
    if condition.icd10.is_empty() || !condition.icd10.starts_with(|c: char| c.is_ascii_uppercase()) {
        say(format!("`{}` is no ICD-10 code", condition.icd10));
    }
    for (finding, likelihood) in &condition.findings {
        if !(likelihood.p > 0.0 && likelihood.p <= 1.0) {
            say(format!("P({finding}) = {} is not a probability", likelihood.p));
        }
    }
    for (finding, chance) in &condition.values {
        if let ValueChance::Shares(shares) = chance
            && (shares.is_empty() || shares.values().any(|p| !(*p > 0.0 && *p <= 1.0)))
        {
            say(format!("the shares of `{finding}` are not probabilities"));
        }
        let parent = base.finding(finding).and_then(|it| it.parent.as_ref());
        if parent.is_some_and(|parent| !condition.lists(parent)) {
            say(format!("gives values of `{finding}` but does not list its parent"));
        }
    }
    check_people(base, condition, say);
    check_rivals(base, condition, say);
}

/// Somebody must be able to have the condition, and every finding it lists in somebody who has it.
fn check_people(base: &KnowledgeBase, condition: &Condition, say: &mut impl FnMut(String)) {
    let people: Vec<(Sex, u8)> = [Sex::F, Sex::M]
        .into_iter()
        .flat_map(|sex| (0..=Prior::BANDS[3].1).map(move |age| (sex, age)))
        .filter(|&(sex, age)| condition.weight(sex, age) > 0.0)
        .collect();
    if people.is_empty() {
        say("nobody can have it: look at sex, age and prior".to_owned());
    }
    for id in condition.findings.keys() {
        let Some(finding) = base.finding(id) else {
            continue;
        };
        if !people.iter().any(|&(sex, age)| finding.fits(sex, age)) {
            say(format!("nobody who has it can have `{id}`"));
        }
    }
}

fn check_rivals(base: &KnowledgeBase, condition: &Condition, say: &mut impl FnMut(String)) {
    let mut close = 0;
    for id in &condition.rivals {
        match base.condition(id) {
            None => say(format!("its rival `{id}` does not exist")),
            Some(rival) => {
                let shared = condition.findings.keys().filter(|finding| rival.lists(finding)).count();
                close += usize::from(shared >= SHARED_BY_RIVALS);
            }
        }
    }
    if close < 2 {
        say(format!("has {close} rivals that share {SHARED_BY_RIVALS} findings with it, and needs two"));
    }
}

/// A name that fits several conditions must fit several, and be no name of another.
fn check_umbrellas(base: &KnowledgeBase, say: &mut impl FnMut(&str, String)) {
    let mut taken = BTreeSet::new();
    for umbrella in base.umbrellas() {
        let place = format!("umbrella `{}`", umbrella.names.first().map_or("", String::as_str));
        let members: BTreeSet<_> = umbrella.members.iter().collect();
        if umbrella.names.is_empty() || members.len() < 2 {
            say(&place, "needs a name and two members".to_owned());
        }
        for id in members.iter().filter(|id| base.condition(id).is_none()) {
            say(&place, format!("its member `{id}` does not exist"));
        }
        for name in &umbrella.names {
            let is_name = |it: &String| it.eq_ignore_ascii_case(name);
            let is_proper = |it: &&Condition| is_name(&it.name) || it.id.as_str() == name;
            let is_others = |it: &&Condition| it.synonyms.iter().any(is_name) && !members.contains(&it.id);
            if let Some(other) = base.conditions().iter().find(|it| is_proper(it) || is_others(it)) {
                say(&place, format!("`{name}` is a name of `{}`", other.id));
            }
            if !taken.insert(name.to_lowercase()) {
                say(&place, format!("`{name}` is there twice"));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::starter;

    #[test]
    fn the_starter_base_is_consistent() {
        let base = starter::base().expect("the starter base loads");
        let complaints = lint(&base);
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }

    #[test]
    fn the_starter_base_is_large_enough_to_be_of_use() {
        let base = starter::base().expect("the starter base loads");
        let specialties: BTreeSet<_> = base.conditions().iter().map(|it| &it.specialty).collect();
        assert!(base.conditions().len() >= 50, "{}", base.conditions().len());
        assert!(base.findings().len() >= 250, "{}", base.findings().len());
        assert!(specialties.len() >= 10, "{specialties:?}");
    }

    #[test]
    fn what_is_wrong_is_named() {
        let finding = r#"
            [[finding]]
            id = "cough"
            kind = "symptom"
            family = "lungs"
            gravity = 9
            present = "There is a cough"
            denied = "There is a cough"
        "#;
        let condition = r#"
            [[condition]]
            id = "cold"
            name = "Common cold"
            icd10 = "J00"
            synonyms = []
            specialty = "general practice"
            severity = 5
            prior = { F = [0, 0, 0, 0], M = [0, 0, 0, 0] }
            rivals = ["flu"]
            [condition.findings]
            cough = 1.4

            [[umbrella]]
            names = ["common cold", "Chill", "chill"]
            members = ["cold", "flu"]

            [[umbrella]]
            names = ["Grippe"]
            members = ["cold"]
        "#;
        let base = starter::read("test", &[("f", finding)], &[("c", condition)]).expect("loads");
        let complaints = lint(&base).join("\n");
        for expected in [
            "gravity 9",
            "`lungs` is no family",
            "does not read as the patient speaking",
            "says the same as",
            "P(cough) = 1.4",
            "nobody can have it",
            "rival `flu` does not exist",
            "has 0 rivals",
            "`common cold` is a name of `cold`",
            "`chill` is there twice",
            "member `flu` does not exist",
            "umbrella `Grippe`: needs a name and two members",
        ] {
            assert!(complaints.contains(expected), "{expected} in:\n{complaints}");
        }
    }
}
