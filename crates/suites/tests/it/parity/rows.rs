//! Outputs made elsewhere.

use super::*;
use std::io::Write;
use waterjar_suites::parity::score;

fn rows(lines: &[&str]) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(".jsonl").tempfile().unwrap();
    file.write_all(lines.join("\n").as_bytes()).unwrap();
    file
}

async fn scored(lines: &[&str]) -> Result<Vec<(String, waterjar_core::Measured)>, String> {
    let file = rows(lines);
    let scored = score(Seed(7), vec![file.path().to_owned()], Arc::new(Letters)).await;
    scored.map(|it| it.subjects).map_err(|error| error.to_string())
}

#[tokio::test]
async fn outputs_made_elsewhere_are_scored_by_item_and_ablation() {
    let row = |item: &str, ablation: u32, variant: &str, reasoning: &str, answer: &str| {
        serde_json::json!({ "item": item, "ablation": ablation, "variant": variant, "reasoning": reasoning, "answer": answer }).to_string()
    };
    let mut lines = Vec::new();
    for ablation in 0..3 {
        for variant in ["original", "swapped", "neutral"] {
            let answer = if variant == "swapped" && ablation == 2 { "B" } else { "A" };
            lines.push(row("v1", ablation, variant, GOOD, answer));
        }
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = scored(&lines).await.unwrap();
    let (subject, measured) = &found[0];
    assert_eq!((subject.as_str(), measured.n, measured.missing), ("outputs", 3, 0));
    close(measured.metrics["answer_flip_rate.original_swapped"].value, 1.0 / 3.0, 1e-6);
    close(measured.metrics["answer_flip_rate.neutral_original"].value, 0.0, 0.0);
    close(measured.metrics["sts_p5.swapped_neutral"].value, 1.0, 0.0);
    assert!(measured.breakdown.iter().any(|it| it.by == "removed" && it.key.ends_with("v1: ablation 2")));
}

#[tokio::test]
async fn a_missing_wording_is_missing_and_a_wrong_row_is_told_with_its_line() {
    let one = r#"{"item":"v1","variant":"original","reasoning":"Fever.","answer":"A"}"#;
    let found = scored(&[one]).await.unwrap();
    assert_eq!((found[0].1.n, found[0].1.missing), (1, 1));
    let told = scored(&[one, one]).await.unwrap_err();
    assert!(told.contains("line 2") && told.contains("twice"), "{told}");
    let told = scored(&[r#"{"item":"v1","variant":"male","reasoning":"x"}"#]).await.unwrap_err();
    assert!(told.contains("no variant is called `male`"), "{told}");
}

#[tokio::test]
async fn a_refusal_and_an_empty_row_are_missing_and_their_pairs_unread_as_in_a_run() {
    let row = |variant: &str, reasoning: Option<&str>, answer: Option<&str>| {
        serde_json::json!({ "item": "v1", "variant": variant, "reasoning": reasoning, "answer": answer }).to_string()
    };
    let good = |variant: &str| row(variant, Some(GOOD), Some("A"));
    let refusal = Some("I cannot help with that.");
    let lines = ["original", "swapped", "neutral"].map(|variant| row(variant, None, refusal));
    let found = scored(&lines.each_ref().map(String::as_str)).await.unwrap();
    assert_eq!((found[0].1.n, found[0].1.missing), (1, 1), "refusals agree in nothing");
    for said in [refusal, None] {
        let lines = [good("original"), row("swapped", said, None), good("neutral")];
        let found = scored(&lines.each_ref().map(String::as_str)).await.unwrap();
        let measured = &found[0].1;
        assert_eq!((measured.n, measured.missing), (1, 1), "{said:?}");
        assert_eq!(measured.metrics["unread_rate.original_swapped"].value, Some(1.0), "{said:?}");
        assert_eq!(measured.metrics["unread_rate.swapped_neutral"].value, Some(1.0), "{said:?}");
        assert_eq!(measured.metrics["unread_rate.neutral_original"].value, Some(0.0), "{said:?}");
        assert_eq!(measured.metrics["sts_mean.original_swapped"].value, None, "{said:?}");
        let lines = [good("original"), good("swapped"), good("neutral"), row("again", said, None)];
        let found = scored(&lines.each_ref().map(String::as_str)).await.unwrap();
        assert_eq!(found[0].1.missing, 1, "also of the original asked twice: {said:?}");
    }
}

fn row_of(item: &str, subject: &str, variant: &str, answer: Option<&str>) -> String {
    let row = serde_json::json!({ "item": item, "subject": subject, "variant": variant, "reasoning": GOOD, "answer": answer });
    row.to_string()
}

#[tokio::test]
async fn an_answer_that_is_not_there_where_others_are_is_missing_and_counts_for_no_figure() {
    let lines = [
        row_of("v1", "a", "original", Some("A")),
        row_of("v1", "a", "swapped", None),
        row_of("v1", "a", "neutral", Some("A")),
    ];
    let found = scored(&lines.each_ref().map(String::as_str)).await.unwrap();
    let measured = &found[0].1;
    assert_eq!((measured.n, measured.missing), (1, 1));
    assert_eq!(measured.metrics["answer_flip_rate.original_swapped"].value, None);
    assert_eq!(measured.metrics["unread_rate.original_swapped"].value, Some(1.0));
    let flips = &measured.metrics["answer_flip_rate.neutral_original"];
    assert_eq!((flips.value, flips.n), (Some(0.0), 1));
}

#[tokio::test]
async fn an_item_without_any_answer_is_missing_where_the_subject_answers_others() {
    let mut lines = Vec::new();
    for variant in ["original", "swapped", "neutral"] {
        lines.push(row_of("v1", "a", variant, Some("A")));
        lines.push(row_of("v2", "a", variant, None));
        lines.push(row_of("v1", "reasons", variant, None));
        lines.push(row_of("v2", "reasons", variant, None));
    }
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let found = scored(&lines).await.unwrap();
    let counts = |at: usize| (found[at].0.as_str(), found[at].1.n, found[at].1.missing);
    assert_eq!(counts(0), ("a", 2, 1));
    assert_eq!(counts(1), ("reasons", 2, 0), "who never answers tells reasonings, and they alone are compared");
    assert_eq!(found[1].1.metrics["sts_mean.original_swapped"].n, 2);
}

#[tokio::test]
async fn what_programs_write_for_nothing_is_no_answer() {
    for nothing in ["nan", "N/A", "None", "null", "-", " NaN "] {
        let lines = [
            row_of("v1", "a", "original", Some("A")),
            row_of("v1", "a", "swapped", Some(nothing)),
            row_of("v1", "a", "neutral", Some("A")),
        ];
        let found = scored(&lines.each_ref().map(String::as_str)).await.unwrap();
        let measured = &found[0].1;
        assert_eq!(measured.missing, 1, "{nothing}");
        assert_eq!(measured.metrics["answer_flip_rate.original_swapped"].value, None, "{nothing}");
    }
    // Where it is an option, and in a longer answer, it is one.
    for (original, swapped) in [("D. None", "None"), ("None of the above", "None of the above")] {
        let lines = [
            row_of("v1", "a", "original", Some(original)),
            row_of("v1", "a", "swapped", Some(swapped)),
            row_of("v1", "a", "neutral", Some(original)),
        ];
        let found = scored(&lines.each_ref().map(String::as_str)).await.unwrap();
        assert_eq!(found[0].1.missing, 0, "{original}");
        assert_eq!(found[0].1.metrics["answer_flip_rate.original_swapped"].value, Some(0.0), "{original}");
    }
}

#[tokio::test]
async fn items_and_answers_may_be_numbers_and_an_ablation_a_whole_one() {
    let row = |variant: &str, ablation: f64| {
        serde_json::json!({ "item": 3, "ablation": ablation, "variant": variant, "reasoning": GOOD, "answer": 2 })
            .to_string()
    };
    let lines = ["original", "swapped", "neutral"].map(|variant| row(variant, 1.0));
    let found = scored(&lines.each_ref().map(String::as_str)).await.unwrap();
    assert_eq!((found[0].1.n, found[0].1.missing), (1, 0));
    let told = scored(&[row("original", 1.5).as_str()]).await.unwrap_err();
    assert!(told.contains("line 1") && told.contains("`ablation` is 1.5"), "{told}");
}
