//! Scores made elsewhere: which rows count, and what is refused.

use waterjar_core::{Measured, Seed, SourceError};
use waterjar_suites::sensitivity::score;

fn scored(name: &str, text: &str) -> Result<Vec<(String, Measured)>, SourceError> {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join(name);
    std::fs::write(&path, text).unwrap();
    score(Seed(0), &[&path]).map(|scored| scored.subjects)
}

#[test]
fn scores_and_coverage_are_read_and_missing_ones_are_not_zero() {
    let rows = r#"{"case":"1","intervention":"x","family":"A","score":1}
{"case":"1","intervention":"y","family":"D","score":0.5}
{"case":"2","intervention":"x","family":"A","score":null}
{"case":"1","strong_recall":0.5,"tacit_recall":0.5,"refusal_rate":0.2,"extra_plausibility":0.8}
"#;
    let subjects = scored("rows.jsonl", rows).unwrap();
    let of = &subjects[0].1;
    assert_eq!((of.n, of.missing), (2, 1));
    assert_eq!((of.metrics["css"].value, of.metrics["css"].n), (Some(0.75), 2));
    assert_eq!((of.metrics["css.A"].value, of.metrics["css.A"].n), (Some(1.0), 1));
    assert_eq!((of.metrics["cms"].value, of.metrics["cms"].n), (Some(0.56), 1));
    assert_eq!((of.metrics["css_clean"].value, of.metrics["css_clean"].n), (None, 0));
}

#[test]
fn the_changes_of_one_chart_are_one_piece_of_evidence_about_tools() {
    // Tools help in all six changes of one chart; of another they help in one and hurt in one.
    let moves = (0..6).map(|change| ("1", change, 0.0, 1.0)).chain([("2", 0, 0.0, 0.5), ("2", 1, 1.0, 0.5)]);
    let row = |case: &str, change: i32, agent: &str, score: f64| {
        format!(
            "{{\"case\":\"{case}\",\"intervention\":\"x{change}\",\"family\":\"A\",\"subject\":\"{agent}@m\",\"score\":{score}}}\n"
        )
    };
    let rows: String = moves
        .flat_map(|(case, change, plain, react)| [row(case, change, "plain", plain), row(case, change, "react", react)])
        .collect();
    let subjects = scored("rows.jsonl", &rows).unwrap();
    let (_, react) = subjects.iter().find(|(subject, _)| subject == "react@m").unwrap();
    let of = |name: &str| (react.metrics[name].value, react.metrics[name].n);
    assert_eq!((of("tools_help"), of("tools_hurt")), ((Some(0.875), 8), (Some(0.125), 8)));
    // A coin for each change would say 0.07.
    assert_eq!(of("tools_sign_p"), (Some(1.0), 1));
}

#[test]
fn what_cannot_be_a_score_is_refused_with_its_line() {
    for (row, told) in [
        (r#"{"case":"1","intervention":"x","family":"A","score":0.7}"#, "0, 0.5 or 1"),
        (r#"{"case":"1","intervention":"x","family":"Q","score":1}"#, "no family is called `Q`"),
        (r#"{"case":"1"}"#, "neither an intervention"),
        (r#"{"case":"1","strong_recall":1.5}"#, "not a share"),
    ] {
        let error = scored("rows.jsonl", row).unwrap_err();
        assert!(error.to_string().contains(told), "{error}");
        assert!(error.place.ends_with("line 1"), "{}", error.place);
    }
}
