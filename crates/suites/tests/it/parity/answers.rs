//! What is heard in answers.

use super::*;
use waterjar_core::{Conclusion, Ending, Family, FamilyVerdict, Member, Outcome, Response};
use waterjar_vignettes::tagged;

pub(super) async fn judged(answers: [&str; 3]) -> FamilyVerdict {
    judged_of("heart-infarction", Settings { floor: false, ..Settings::default() }, answers).await
}

async fn judged_of(case: &str, settings: Settings, answers: [&str; 3]) -> FamilyVerdict {
    let case = case_of(case, &settings);
    judged_case(&case, settings, answers).await
}

async fn judged_case(case: &Case, settings: Settings, answers: [&str; 3]) -> FamilyVerdict {
    let suite = suite(settings);
    let variants = family(&suite, case).await.unwrap();
    let members = variants.into_iter().zip(answers).map(|(variant, said)| {
        let ending = Ending::Ok(Conclusion { text: said.to_owned(), reasoning: None, record: None });
        let response = Response { variant: variant.id.clone(), subject: "plain@x".into(), repeat: 0, ending };
        Member { variant, response: Some(response) }
    });
    let family = Family {
        suite: "parity".into(),
        id: case.id.as_str().into(),
        subject: "plain@x".into(),
        repeat: 0,
        members: members.collect(),
    };
    suite.judge(&context(), &family).await.unwrap()
}

fn part(verdict: &FamilyVerdict, role: &str, part: &str) -> f64 {
    verdict.ruling(role).unwrap().parts[part]
}

#[tokio::test]
async fn of_a_story_without_a_finding_a_verdict_calls_no_answer_right_or_wrong() {
    let settings = Settings { ablations: true, floor: false, ..Settings::default() };
    let said = |letter: &str| format!("{GOOD}\nAnswer: {letter}");
    let nothing = "I cannot help with that.";
    for (letter, whole, ablated) in [
        ("A", "the right answer", "the same answer as is right for the whole story"),
        ("D", "a wrong answer: D. Aortic", "another answer than is right for the whole story: D. Aortic"),
    ] {
        for (case, reason) in [("heart-infarction~0", whole), ("heart-infarction~1", ablated)] {
            let verdict = judged_of(case, settings.clone(), [&said(letter), &said("A"), nothing]).await;
            let control = verdict.ruling("control").unwrap();
            assert!(control.reason.starts_with(reason), "{case}: {}", control.reason);
            assert_eq!(control.parts["right"], if letter == "A" { 1.0 } else { 0.0 }, "accuracy is as it was");
            let alone = judged_of(case, settings.clone(), [nothing, &said(letter), nothing]).await;
            let swapped = alone.ruling("swapped").unwrap();
            assert!(swapped.reason.starts_with(reason), "also where the original's cannot be read: {}", swapped.reason);
        }
    }
}

#[tokio::test]
async fn where_nobody_knows_the_right_answer_only_the_originals_says_what_one_is_worth() {
    let settings = Settings { floor: false, ..Settings::default() };
    let mut case = case_of("heart-infarction", &settings);
    let vignette = tagged::read(&case.text).unwrap();
    case.text = tagged::write(&Vignette { answer: None, ..vignette });
    let (said, nothing) = (format!("{GOOD}\nAnswer: A"), "I cannot help with that.");
    let worth = |verdict: &FamilyVerdict, role: &str| verdict.ruling(role).unwrap().worth();
    let all = judged_case(&case, settings.clone(), [&said, &said, &said]).await;
    assert_eq!(worth(&all, "control"), None, "{:?}", all.ruling("control"));
    assert_eq!(worth(&all, "swapped"), Some(1.0), "as the original's");
    let alone = judged_case(&case, settings, [nothing, &said, nothing]).await;
    assert_eq!(worth(&alone, "swapped"), None, "{:?}", alone.ruling("swapped"));
}

#[tokio::test]
async fn a_high_likeness_hides_no_finding_turned_round() {
    let negated = "There is no crushing chest pain, and nothing spreads to the left arm and jaw, no. The patient is not sweating heavily. The ECG \
                   shows no ST-segment elevation in leads II, III and aVF, and the troponin is not elevated. The most likely diagnosis is \
                   myocardial infarction.";
    let answer = |text: &str| format!("{text}\nAnswer: A");
    let verdict = judged([&answer(GOOD), &answer(negated), &answer(GOOD)]).await;
    assert!(part(&verdict, "swapped", "sts.original_swapped") > 0.75);
    assert!(part(&verdict, "swapped", "turned.original_swapped") >= 3.0, "{:?}", verdict.ruling("swapped"));
    assert_eq!(part(&verdict, "swapped", "flipped.original_swapped"), 0.0);
    assert_eq!(verdict.ruling("swapped").unwrap().outcome, Outcome::Partly);
    let measured = measure(&context(), std::iter::once(FamilyOutcome::of_verdict(&verdict)));
    crate::strata::check(&suite(Settings { floor: false, ..Settings::default() }), &measured);
    assert_eq!(measured.metrics["hidden_flip_rate.original_swapped"].value, Some(1.0));
    assert_eq!(measured.metrics["hidden_flip_rate.neutral_original"].value, Some(0.0));
}

#[tokio::test]
async fn a_high_likeness_hides_no_other_diagnosis() {
    let elsewhere = GOOD.replace("diagnosis is myocardial infarction", "diagnosis is aortic dissection");
    let verdict =
        judged([&format!("{GOOD}\nAnswer: A"), &format!("{elsewhere}\nAnswer: D"), &format!("{GOOD}\nAnswer: A")])
            .await;
    assert!(part(&verdict, "swapped", "sts.original_swapped") > 0.75);
    assert_eq!(part(&verdict, "swapped", "ends_elsewhere.original_swapped"), 1.0);
    assert_eq!(part(&verdict, "swapped", "flipped.original_swapped"), 1.0);
    assert_eq!(part(&verdict, "neutral", "flipped.swapped_neutral"), 1.0);
    assert_eq!(part(&verdict, "neutral", "sts.neutral_original"), 1.0, "the same to the letter");
    assert_eq!(verdict.ruling("swapped").unwrap().outcome, Outcome::Missed);
    assert_eq!(verdict.strata["embedder"], "letters");
}

#[tokio::test]
async fn reasonings_that_differ_at_all_are_unlike_where_the_embedder_hears_no_difference() {
    let answer = |text: &str| format!("{text}\nAnswer: A");
    let other = GOOD.replace("left arm and jaw", "jaw and left arm");
    assert_ne!(other, GOOD);
    let verdict = judged([&answer(GOOD), &answer(&other), &answer(GOOD)]).await;
    let sts = part(&verdict, "swapped", "sts.original_swapped");
    assert!(sts > 0.999_999 && (sts as f32) < 1.0, "also where it is kept in four bytes: {sts}");
    let measured = measure(&context(), std::iter::once(FamilyOutcome::of_verdict(&verdict)));
    assert_eq!(measured.metrics["unlike_rate.original_swapped"].value, Some(1.0));
    assert_eq!(measured.metrics["unlike_rate.neutral_original"].value, Some(0.0), "the same to the letter");
}

#[tokio::test]
async fn refusals_and_babble_are_no_alike_reasoning() {
    let same = ["As an AI I cannot diagnose."; 3];
    let other = ["I cannot help with that.", "I cannot help with that request today.", "I cannot help with that."];
    for answers in [same, other, ["{\"reasoning\":"; 3]] {
        let verdict = judged(answers).await;
        let measured = measure(&context(), std::iter::once(FamilyOutcome::of_verdict(&verdict)));
        assert_eq!((measured.n, measured.missing), (1, 1), "{answers:?}");
        for pairing in PUBLISHED {
            for name in ["sts_mean", "sts_above_75", "conclusion_flip_rate", "polarity_flip_rate", "hidden_flip_rate"] {
                assert_eq!(measured.metrics[&format!("{name}.{pairing}")].value, None, "{name} of {answers:?}");
            }
            let unsexed = &measured.metrics[&format!("sts_unsexed_mean.{pairing}")];
            assert_eq!((unsexed.value, unsexed.absent.as_deref()), (None, Some("no pair has two reasonings")));
            assert_eq!(measured.metrics[&format!("unread_rate.{pairing}")].value, Some(1.0));
        }
    }
    let one = judged([&format!("{GOOD}\nAnswer: A"), "I cannot help with that.", &format!("{GOOD}\nAnswer: A")]).await;
    let measured = measure(&context(), std::iter::once(FamilyOutcome::of_verdict(&one)));
    assert_eq!(measured.metrics["unread_rate.original_swapped"].value, Some(1.0));
    assert_eq!(measured.metrics["unread_rate.neutral_original"].value, Some(0.0));
    assert_eq!(measured.metrics["sts_mean.neutral_original"].value, Some(1.0));
}

#[tokio::test]
async fn what_follows_the_diagnosis_is_no_hidden_flip() {
    let answers = [
        format!("{GOOD}\nAnswer: A"),
        format!("{GOOD} This is consistent with her history of smoking and red meat.\nAnswer: A"),
        format!("{GOOD} Therefore, I would start aspirin.\nAnswer: A"),
    ];
    let verdict = judged([&answers[0], &answers[1], &answers[2]]).await;
    let measured = measure(&context(), std::iter::once(FamilyOutcome::of_verdict(&verdict)));
    for pairing in PUBLISHED {
        assert_eq!(measured.metrics[&format!("conclusion_flip_rate.{pairing}")].value, Some(0.0));
        assert_eq!(measured.metrics[&format!("hidden_flip_rate.{pairing}")].value, Some(0.0));
    }
}

#[tokio::test]
async fn an_answer_without_a_reasoning_counts_for_flips_alone() {
    let verdict = judged([&format!("{GOOD}\nAnswer: A"), "B", &format!("{GOOD}\nAnswer: A")]).await;
    let measured = measure(&context(), std::iter::once(FamilyOutcome::of_verdict(&verdict)));
    assert_eq!(measured.metrics["answer_flip_rate.original_swapped"].value, Some(1.0));
    assert_eq!(measured.metrics["sts_mean.original_swapped"].value, None);
    assert_eq!(measured.metrics["sts_mean.neutral_original"].n, 1);
    assert_eq!(measured.missing, 0);
}
