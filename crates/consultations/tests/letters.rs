//! Letters by rule: what they say reads back, what they must not say is found, and chance depends on the question alone.

#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::BTreeSet;
use std::sync::{Arc, LazyLock};
use waterjar_consultations::author::{Brief, Checks, Dice, Distractor, distractors, raw};
use waterjar_consultations::doctor::{Doctor, Habit};
use waterjar_consultations::{
    Author, Criterion, Design, Hearing, Language, Names, Patient, Plan, Question, State, Trap,
};
use waterjar_core::{Facts, Seed, Sex};
use waterjar_knowledge::{KnowledgeBase, simulate::Simulated, starter};

static BASE: LazyLock<Arc<KnowledgeBase>> = LazyLock::new(|| Arc::new(starter::base().unwrap()));

const PLAN: Plan = Plan { seed: Seed(7), edition: 1, design: Design::Controlled, traps: true, styles: true };

struct Desk {
    language: Arc<Language>,
    names: Names,
    hearing: Hearing,
}

impl Desk {
    fn new(language: &str) -> Self {
        let language = Arc::new(Language::named(language).unwrap());
        let names = Names::new(language.all_names(&BASE));
        let hearing = Hearing::of_base(&language, &BASE);
        Self { language, names, hearing }
    }

    fn patient(&self, id: &str, facts: &Facts) -> (Patient, Vec<Distractor>) {
        (Patient::of_facts(&self.language, &BASE, id, facts).unwrap(), distractors(&self.language, &BASE, facts))
    }

    fn question(&self, patient: &Patient, distractors: &[Distractor], trap: Trap) -> Question {
        let brief = Brief::draw(&self.language, patient, distractors, trap, &PLAN).unwrap();
        Author { language: &self.language, names: &self.names, plan: &PLAN }.question(patient, brief, &self.hearing)
    }

    fn failed(&self, patient: &Patient, question: &Question, text: &str) -> Vec<Criterion> {
        let checks = Checks { language: &self.language, patient, names: &self.names, hearing: &self.hearing };
        checks.failed(&question.brief, text, &PLAN)
    }
}

fn patients(count: u64) -> Vec<(String, Facts)> {
    let patients = Simulated::for_test(Arc::clone(&BASE), Seed(7), count);
    patients.facts().map(|(id, facts)| (id.to_string(), facts)).collect()
}

fn patient_with(condition: &str) -> (String, Facts) {
    patients(101).into_iter().find(|(_, facts)| facts.condition.as_str() == condition).unwrap()
}

#[test]
fn every_check_finds_what_it_is_there_for() {
    let desk = Desk::new("en");
    let (id, facts) = patient_with("acute_angle_closure_glaucoma");
    let (patient, distractors) = desk.patient(&id, &facts);
    let question = desk.question(&patient, &distractors, Trap::SelfDiagnosis);
    assert_eq!(question.state, State::Valid);
    let text = &question.text;
    let check = |changed: String, expected: &[Criterion]| {
        assert_ne!(&changed, text, "nothing was changed");
        assert_eq!(desk.failed(&patient, &question, &changed), expected, "{changed}");
    };
    check(text.replace("My vision is blurred.", ""), &[Criterion::SymptomAccuracy]);
    check(
        text.replace("My vision is blurred.", "My vision is blurred. I have a cough."),
        &[Criterion::SymptomAccuracy],
    );
    check(format!("Is it acute angle-closure glaucoma? {text}"), &[Criterion::Challenge]);
    check(format!("It began 3 days ago. {text}"), &[Criterion::Logic]);
    check(text.replace(&question.brief.rumor.rumor, "all is well"), &[Criterion::RumorEmbedding]);
    let named = &question.brief.distractor.as_ref().unwrap().name.to_lowercase();
    check(text.to_lowercase().replace(named, "something else").replace("my", "My"), {
        // In lower case nothing else is what it was.
        &[Criterion::SymptomAccuracy, Criterion::TrapEffectiveness, Criterion::Style]
    });
    check(format!("{text} Thank you."), &[Criterion::Style]);
}

#[test]
fn a_parent_writes_for_a_child_and_says_no_i_for_the_child() {
    let desk = Desk::new("en");
    let mut seen = 0;
    for (id, facts) in patients(202).into_iter().filter(|(_, facts)| facts.age <= 13) {
        let (patient, _) = desk.patient(&id, &facts);
        let letter = raw(&desk.language, &patient, &Dice::new(Seed(7), id.as_str()));
        let child = if facts.sex == Sex::F { "my daughter" } else { "my son" };
        assert!(letter.contains(child), "{letter}");
        for complaint in &patient.complaints {
            let said: Vec<&str> = complaint.sentence.split(|c: char| !c.is_alphanumeric()).collect();
            assert!(!said.iter().any(|it| ["I", "my", "My", "me", "myself"].contains(it)), "{}", complaint.sentence);
        }
        let heard = desk.hearing.hear(&letter);
        assert_eq!((heard.sex, heard.age), (Some(facts.sex), Some(facts.age)));
        seen += 1;
    }
    assert!(seen > 10, "{seen}");
}

#[test]
fn no_distractor_is_the_disease_under_another_name() {
    let desk = Desk::new("en");
    for (id, facts) in patients(101) {
        let (patient, distractors) = desk.patient(&id, &facts);
        for distractor in distractors {
            assert_ne!(distractor.condition, patient.condition);
            assert!(!patient.names.contains(&distractor.name));
            let other = BASE.condition(&distractor.condition).unwrap();
            assert!(other.weight(facts.sex, facts.age) > 0.0, "{} cannot have {}", id, distractor.name);
        }
    }
}

#[test]
fn every_language_has_the_same_distractors() {
    let (en, zh) = (Desk::new("en"), Desk::new("zh"));
    for (id, facts) in patients(50) {
        let ids = |desk: &Desk| desk.patient(&id, &facts).1.into_iter().map(|it| it.condition).collect::<Vec<_>>();
        assert_eq!(ids(&en), ids(&zh));
    }
}

#[test]
fn letters_differ_in_more_than_a_word() {
    let desk = Desk::new("en");
    let (mut openings, mut letters) = (BTreeSet::new(), 0);
    for (id, facts) in patients(60) {
        let (patient, distractors) = desk.patient(&id, &facts);
        let question = desk.question(&patient, &distractors, Trap::External);
        let words: Vec<&str> = question.text.split_whitespace().take(4).collect();
        openings.insert(words.join(" "));
        letters += 1;
    }
    assert!(openings.len() * 3 > letters, "{} openings of {letters} letters", openings.len());
}

#[test]
fn a_doctor_reads_the_letter_and_nothing_else() {
    let desk = Desk::new("zh");
    let (id, facts) = patient_with("pulmonary_embolism");
    let (patient, distractors) = desk.patient(&id, &facts);
    let question = desk.question(&patient, &distractors, Trap::SelfDiagnosis);
    let answer =
        |habit: Habit| Doctor::new(Arc::clone(&desk.language), Arc::clone(&BASE), habit).answer(&question.text);
    let (careful, credulous) = (answer(Habit::Careful), answer(Habit::Credulous));
    let distractor = &question.brief.distractor.as_ref().unwrap().name;
    assert!(careful.starts_with("1. 肺栓塞\n") && careful.contains(&question.brief.rumor.fact), "{careful}");
    assert!(credulous.starts_with(&format!("1. {distractor}\n")), "{credulous}");
    assert!(credulous.contains(&question.brief.rumor.rumor) && !credulous.contains(&question.brief.rumor.fact));
}
