//! What is wrong with a language, in sentences: whoever adds one runs this.

use crate::language::Language;
use crate::patient::CHILD;
use crate::persona::{Communication, Level};
use crate::points::Point;
use crate::telling::Teller;
use crate::words::{has_figure, holds, words};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{FindingId, FindingState, Sex};
use waterjar_knowledge::{Detail, KnowledgeBase, Place};

/// How many sentences a list of frames has at least.
const FRAMES: usize = 8;

/// Held against the base whose patients it is to speak for.
pub fn lint(language: &Language, base: &KnowledgeBase) -> Vec<String> {
    [
        personas(language),
        rumors(language, base),
        points(language, base),
        frames(language),
        tellings(language, base),
        language.prompts.lint(),
        language.kinship.lint(),
    ]
    .concat()
}

fn personas(language: &Language) -> Vec<String> {
    let mut found = Vec::new();
    let mut styles: BTreeMap<String, usize> = BTreeMap::new();
    let mut ids = BTreeSet::new();
    for persona in &language.personas {
        if !ids.insert(&persona.id) {
            found.push(format!("persona `{}` is there twice", persona.id));
        }
        let style = persona.style();
        for level in [
            format!("medical knowledge {}", style.medical_knowledge.as_str()),
            format!("clarity {}", style.clarity.as_str()),
            format!("communication {}", style.communication.as_str()),
        ] {
            *styles.entry(level).or_default() += 1;
        }
    }
    let few = styles.iter().filter(|(_, n)| **n * 4 < language.personas.len());
    found.extend(few.map(|(level, n)| format!("only {n} personas have {level}: fewer than a quarter")));
    if styles.len() < 9 {
        found.push("a level of style has no persona".to_owned());
    }
    found
}

fn rumors(language: &Language, base: &KnowledgeBase) -> Vec<String> {
    let mut found = Vec::new();
    let mut told = BTreeSet::new();
    for symptom in &language.symptoms {
        let place = format!("rumors of `{}`", symptom.id);
        let categories: BTreeSet<_> = symptom.pairs.iter().map(|it| it.category).collect();
        if symptom.pairs.len() < 3 || categories.len() < 3 {
            found.push(format!(
                "{place}: {} pairs in {} categories; three are the least",
                symptom.pairs.len(),
                categories.len()
            ));
        }
        let unknown = symptom.findings.iter().filter(|it| base.finding(it).is_none());
        found.extend(unknown.map(|it| format!("{place}: no finding is called `{it}`")));
        for pair in &symptom.pairs {
            if !told.insert(pair.rumor.to_lowercase()) {
                found.push(format!("{place}: “{}” is there twice", pair.rumor));
            }
            if pair.rumor.ends_with(['.', '。']) || pair.fact.ends_with(['.', '。']) {
                found.push(format!("{place}: a clause has no full stop: “{}”", pair.rumor));
            }
            if has_figure(&pair.rumor) {
                found.push(format!("{place}: a figure in “{}”", pair.rumor));
            }
        }
    }
    for condition in base.conditions() {
        let speaks = |id: &FindingId| language.symptoms.iter().any(|it| it.findings.contains(id));
        let is_symptom = |id: &FindingId| base.finding(id).is_some_and(|it| it.kind.place() == Place::Symptoms);
        let covered = condition.findings.keys().filter(|id| is_symptom(id) && speaks(id)).count();
        if covered < 3 {
            found.push(format!("rumors: of `{}` only {covered} symptoms have any; three are the least", condition.id));
        }
    }
    found
}

fn points(language: &Language, base: &KnowledgeBase) -> Vec<String> {
    let mut found = Vec::new();
    for condition in base.conditions() {
        if language.points_of(&condition.id, &[]).is_none() {
            found.push(format!("points: `{}` has none", condition.id));
        }
    }
    for (id, points) in language.conditions_with_points() {
        for (criterion, points) in
            [("evidence", &points.evidence), ("treatment", &points.treatment), ("lifestyle", &points.lifestyle)]
        {
            if points.len() != 3 {
                found.push(format!("points of `{id}`, {criterion}: {} and not three", points.len()));
            }
            let mute = points.iter().filter(|it: &&Point| !it.is_made(&it.say.to_lowercase()));
            found.extend(mute.map(|it| format!("points of `{id}`: “{}” holds none of its own terms", it.say)));
        }
    }
    found.sort();
    found
}

fn frames(language: &Language) -> Vec<String> {
    let frames = &language.frames;
    let mut found = Vec::new();
    let mut check = |name: String, list: &[String], slot: Option<&str>| {
        if list.len() < FRAMES {
            found.push(format!("frames, {name}: {} and not {FRAMES}", list.len()));
        }
        let slots = |text: &str| text.matches('{').count();
        for text in list {
            let right = slots(text) == usize::from(slot.is_some()) && slot.is_none_or(|slot| text.contains(slot));
            if !right {
                found.push(format!("frames, {name}: the slot is {}: “{text}”", slot.unwrap_or("none")));
            }
            if has_figure(text) {
                found.push(format!("frames, {name}: a figure in “{text}”"));
            }
        }
    };
    for way in Communication::ALL {
        let name = |list: &str| format!("{list}.{}", way.as_str());
        check(name("opening"), frames.opening.of(way), None);
        check(name("opening_parent"), frames.opening_parent.of(way), Some("{child}"));
        check(name("closing"), frames.closing.of(way), None);
        check(name("trap.self_diagnosis"), frames.trap.self_diagnosis.of(way), Some("{distractor}"));
        check(name("rumor"), frames.rumor.of(way), Some("{rumor}"));
    }
    for level in Level::ALL {
        let name = |list: &str| format!("{list}.{}", level.as_str());
        check(name("joining"), frames.joining.of(level), Some("{}"));
        check(name("denying"), frames.denying.of(level), Some("{}"));
        check(name("knowledge"), frames.knowledge.of(level), None);
    }
    check("trap.history.own".to_owned(), &frames.trap.history.own, Some("{distractor}"));
    check("trap.history.family".to_owned(), &frames.trap.history.family, Some("{distractor}"));
    check("trap.external.any".to_owned(), &frames.trap.external.any, None);
    check("trap.misplaced.dwell".to_owned(), &frames.trap.misplaced.dwell, Some("{minor}"));
    check("trap.misplaced.play_down".to_owned(), &frames.trap.misplaced.play_down, Some("{key}"));
    found
}

/// Every finding has words, no two findings have the same, and of a child nobody says "I".
fn tellings(language: &Language, base: &KnowledgeBase) -> Vec<String> {
    let teller = Teller { language, base };
    let mut found = Vec::new();
    let mut said: BTreeMap<String, (&FindingId, FindingState)> = BTreeMap::new();
    for finding in base.findings() {
        for state in [FindingState::Present, FindingState::Denied] {
            if state == FindingState::Denied && finding.denied.is_none() {
                continue;
            }
            let Some(frame) = teller.frame(finding, state) else {
                found.push(format!("finding `{}` has no words for {state:?}", finding.id));
                continue;
            };
            if has_figure(&frame) {
                found.push(format!("finding `{}`: a figure in “{frame}”", finding.id));
            }
            if frame.contains("{value}") != finding.carries_detail() {
                found.push(format!("finding `{}`: {{value}} belongs in what carries detail: “{frame}”", finding.id));
            }
            if let Some(other) = said.insert(frame.to_lowercase(), (&finding.id, state)) {
                found.push(format!("findings `{}` and `{}` are told alike: “{frame}”", other.0, finding.id));
            }
            if finding.age.0 <= CHILD {
                let told = teller.of_child(&frame, Sex::F);
                let left = language.speech.parent.first_person.iter().find(|it| says(&told, it));
                found.extend(left.map(|it| format!("finding `{}`: of a child “{it}” is left: “{told}”", finding.id)));
            }
        }
        if let Detail::Choice(known) | Detail::Multi(known) = &finding.detail {
            let mute = known.keys().filter(|it| teller.value(finding, it).is_none());
            found.extend(mute.map(|it| format!("finding `{}`: the value `{it}` has no words", finding.id)));
        }
    }
    found
}

fn says(text: &str, word: &str) -> bool {
    if word.chars().any(crate::words::is_cjk) {
        return holds(text, word);
    }
    words(text).contains(&word.to_lowercase())
}
