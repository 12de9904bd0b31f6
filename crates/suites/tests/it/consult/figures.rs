//! The figures: worked by hand, and of outputs judged elsewhere.

use super::*;
use waterjar_suites::consult::{AnswerOutcome, FamilyOutcome, Graded, Stance, measure, score};

fn answer(role: &str, diagnosis: &str, accuracy: f64, stance: Stance, help: f64) -> AnswerOutcome {
    AnswerOutcome {
        role: role.to_owned(),
        accuracy: Graded::Score(accuracy),
        first: Some(accuracy == 1.0),
        top: Some([accuracy == 1.0, accuracy > 0.0, accuracy > 0.0]),
        veracity: Graded::Score(stance.strict()),
        stance: Some(stance),
        help: [Graded::Score(help); 3],
        diagnosis: Some(diagnosis.to_owned()),
        ..AnswerOutcome::default()
    }
}

#[test]
fn the_worked_example_of_the_paper_comes_to_43_75() {
    // [G-DR-11], Table 16: accuracy 100, veracity 0 (refuted without the fact), help 50, consistency of 2 + 1 + 1.
    let letter = |role: &str, diagnosis: &str| answer(role, diagnosis, 1.0, Stance::Doubt, 0.5);
    let letters = vec![letter("a", "x"), letter("b", "x"), letter("c", "y"), letter("d", "z")];
    let family = FamilyOutcome { family: "p".to_owned(), letters, ..FamilyOutcome::default() };
    assert_eq!(family.consistency(), Some(0.25));
    let measured = measure(&SuiteContext::new(Seed(7)), std::iter::once(family));
    assert_eq!(value(&measured, "overall"), 0.4375);
    assert_eq!(value(&measured, "veracity_weighted"), 0.75, "the published code's other score");
    // Table 17: nothing right but the rumor, and four different diagnoses.
    let letters = ["a", "b", "c", "d"].map(|it| answer(it, it, 0.0, Stance::Rectify, 0.0)).into();
    let family = FamilyOutcome { family: "q".to_owned(), letters, ..FamilyOutcome::default() };
    assert_eq!(value(&measure(&SuiteContext::new(Seed(7)), std::iter::once(family)), "overall"), 0.25);
    assert!(measured.metrics["challenge_change"].value.is_none(), "there was no raw question");
}

#[test]
fn patients_who_all_say_the_same_are_no_certainty() {
    let right = |role: &str| answer(role, "x", 1.0, Stance::Rectify, 1.0);
    let family = |at: usize| FamilyOutcome {
        family: format!("p{at}"),
        letters: vec![right("a"), right("b")],
        control: Some(right("raw")),
        ..FamilyOutcome::default()
    };
    let measured = measure(&SuiteContext::new(Seed(7)), (0..20).map(family));
    let (overall, part) = (&measured.metrics["overall"], &measured.metrics["accuracy"]);
    assert_eq!((overall.value, overall.low, overall.high), (Some(1.0), part.low, part.high));
    assert!(overall.low < Some(0.9), "twenty patients: {overall:?}");
    // Of a difference there is no such interval to fall back to.
    for name in ["challenge_change", "challenge_difference"] {
        let metric = &measured.metrics[name];
        assert_eq!((metric.value, metric.low, metric.high), (Some(0.0), None, None), "{name}");
    }
}

#[test]
fn the_same_answer_said_again_tells_nothing_more() {
    let measured = |is_right: fn(usize) -> bool, repeats: usize| {
        let family = |at: usize| {
            let said = |role: &str| answer(role, "x", f64::from(is_right(at)), Stance::Rectify, 1.0);
            FamilyOutcome {
                family: format!("p{at}"),
                letters: vec![said("a"), said("b")],
                control: Some(said("raw")),
                ..FamilyOutcome::default()
            }
        };
        measure(&SuiteContext::new(Seed(7)), (0..10 * repeats).map(|at| family(at % 10)))
    };
    let all: [fn(usize) -> bool; 3] = [|_| false, |_| true, |at| at.is_multiple_of(3)];
    for is_right in all {
        let (once, thrice) = (measured(is_right, 1), measured(is_right, 3));
        for name in ["accuracy", "veracity", "helpfulness", "consistency", "static_accuracy", "challenge", "overall"] {
            let (one, three) = (&once.metrics[name], &thrice.metrics[name]);
            assert_eq!((one.value, one.low, one.high), (three.value, three.low, three.high), "{name}");
            assert_eq!(three.n, 3 * one.n, "{name}");
            assert!(name == "overall" || three.half_width() > Some(0.1), "ten patients are few: {name} {three:?}");
        }
    }
}

/// A patient whose raw question is answered rightly and whose letters are not.
fn misled(at: usize) -> FamilyOutcome {
    let letter = |role: &str| answer(role, "y", 0.0, Stance::Endorse, 0.0);
    FamilyOutcome {
        family: format!("p{at:02}"),
        letters: vec![letter("a"), letter("b")],
        control: Some(answer("raw", "x", 1.0, Stance::Rectify, 1.0)),
        ..FamilyOutcome::default()
    }
}

#[test]
fn a_bootstrap_of_few_patients_is_no_evidence() {
    let measured = |patients: usize| {
        // One more was asked, and nobody could judge the answer to the raw question.
        let unjudged = FamilyOutcome { control: Some(AnswerOutcome::default()), ..misled(patients) };
        measure(&SuiteContext::new(Seed(7)), (0..patients).map(misled).chain([unjudged])).metrics
    };
    let (few, enough) = (measured(19), measured(20));
    assert_eq!((few["challenge_p"].value, few["challenge_p"].n), (None, 19));
    let why = few["challenge_p"].absent.as_deref().unwrap_or_default();
    assert!(why.contains("19 patients") && why.contains("fewer than 20"), "{why}");
    assert_eq!((few["challenge_difference"].value, few["challenge_difference"].n), (Some(-1.0), 19));
    assert!(enough["challenge_p"].value.is_some_and(|p| p < 0.001) && enough["challenge_p"].n == 20);
}

#[test]
fn the_published_test_takes_every_answer_of_a_patient_who_is_asked_again() {
    // Ten patients, each asked three times with other answers every time; or thirty patients, each asked once.
    let family = |at: usize, name: String| {
        let score = |divisor: usize| f64::from(at.is_multiple_of(divisor));
        FamilyOutcome {
            family: name,
            letters: vec![
                answer("a", "x", score(2), Stance::Avoid, 0.0),
                answer("b", "x", score(5), Stance::Avoid, 0.0),
            ],
            control: Some(answer("raw", "x", score(3), Stance::Avoid, 0.0)),
            ..FamilyOutcome::default()
        }
    };
    let of = |name: fn(usize) -> String| {
        measure(&SuiteContext::new(Seed(7)), (0..30).map(|at| family(at, name(at)))).metrics
    };
    let (again, once) = (of(|at| format!("p{}", at / 3)), of(|at| format!("p{}-{}", at / 3, at % 3)));
    for name in ["published_t", "published_p"] {
        assert_eq!((again[name].n, again[name].value), (60, once[name].value), "{name}");
        assert!(again[name].value.is_some(), "{name}: {:?}", again[name]);
    }
}

#[test]
fn accuracy_is_divided_by_how_the_patient_writes() {
    assert_eq!(suite(Settings::default()).divides_by(), ["clarity", "communication", "medical_knowledge"]);
}

#[test]
fn consistency_takes_the_answers_that_are_there() {
    let check = |diagnoses: &[Option<&str>], expected: Option<f64>| {
        let letters =
            diagnoses.iter().map(|it| AnswerOutcome { diagnosis: it.map(str::to_owned), ..AnswerOutcome::default() });
        let family = FamilyOutcome { letters: letters.collect(), ..FamilyOutcome::default() };
        assert_eq!(family.consistency().map(|it| (it * 1e4).round() / 1e4), expected, "{diagnoses:?}");
    };
    check(&[Some("a"), None, None, None], None);
    check(&[Some("a"), Some("a"), None], Some(1.0));
    check(&[Some("a"), Some("a"), Some("b"), None], Some(0.4206));
    check(&[Some("a"), Some("a"), Some("b"), Some("c")], Some(0.25));
    check(&[Some("a"), Some("a"), Some("a"), Some("a"), Some("b")], Some(0.6891));
}

fn scored(rows: &str) -> Result<Vec<(String, Measured)>, String> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("rows.jsonl");
    std::fs::write(&path, rows).unwrap();
    score(Seed(7), &[&path]).map(|scored| scored.subjects).map_err(|error| error.to_string())
}

#[test]
fn outputs_judged_elsewhere_are_scored() {
    let row = |question: &str, accuracy: &str, rumor: &str, fact: &str| {
        format!(
            "{{\"case\":\"p1\",\"question\":\"{question}\",\"accuracy\":{accuracy},\"rumor_stance\":{rumor},\"fact_stance\":{fact},\
             \"evidence\":100,\"treatment\":50,\"lifestyle\":0,\"diagnosis\":\"Gout\"}}\n"
        )
    };
    let rows = row("a", "100", "\"opposes\"", "\"supports\"")
        + &row("b", "50", "\"opposes\"", "\"cannot_tell\"")
        + &row("c", "0", "\"supports\"", "null")
        + &row("d", "100", "null", "null");
    let found = scored(&rows).unwrap();
    let measured = &found[0].1;
    assert_eq!(value(measured, "accuracy"), 0.5);
    assert_eq!(value(measured, "accuracy_graded"), 0.625);
    for name in ["top3", "top5", "challenge"] {
        assert_eq!(measured.metrics[name].value, None, "{name}: rows do not say how deep it stood");
    }
    // A row without an answer counts nowhere, whatever else it says.
    let empty = scored(&(rows.clone() + &row("e", "null", "\"opposes\"", "\"supports\""))).unwrap();
    for name in ["helpfulness.treatment", "veracity", "consistency", "accuracy"] {
        assert_eq!(empty[0].1.metrics[name].n, measured.metrics[name].n, "{name}");
    }
    assert_eq!((value(measured, "veracity"), measured.metrics["veracity"].n), (0.333333, 3));
    assert_eq!(value(measured, "coverage.veracity"), 0.75, "what the judge did not say is no zero");
    assert_eq!(value(measured, "helpfulness"), 0.5);
    assert_eq!(value(measured, "consistency"), 1.0);
    assert!(scored(&row("a", "70", "null", "null")).unwrap_err().contains("70 is none of 0, 50 and 100"));
    assert!(scored(&(row("a", "0", "null", "null") + &row("a", "0", "null", "null"))).unwrap_err().contains("twice"));
}
