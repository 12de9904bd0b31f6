//! The three formats on one small table with awkward names.

use super::{Tabled, csv};
use crate::{Better, Lead, Leads, MetricColumn, MetricKind};
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{Interval, Metric, SubjectResult};

#[test]
fn csv_has_a_row_per_metric_and_quotes_what_needs_it() {
    let text = csv(&results(), &columns());
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 3 * 3);
    assert_eq!(
        lines[1],
        "einstellung,\"a,\"\"b\"\"_100%|&\",false,bias_trap_rate,,0.4732,0.41,0.53,0.42,0.52,319,326,2"
    );
    assert_eq!(lines[2], "einstellung,\"a,\"\"b\"\"_100%|&\",false,bias_trap_rate,edits_1,0.86,0.41,0.53,,,29,326,2");
    assert!(lines[3].contains(",rank_drop,,,,,,,0,326,2"), "{}", lines[3]);
}

#[test]
fn no_name_in_a_csv_is_a_formula_and_numbers_stay_numbers() {
    let metrics = BTreeMap::from([("=cmd.@x".to_owned(), Metric { value: Some(-0.5), ..Metric::default() })]);
    let found = SubjectResult { metrics, ..result("+a,b@sim/x", 0.9, false) };
    let text = csv(&[found], &[]);
    assert_eq!(text.lines().nth(1), Some("einstellung,\"'+a,b@sim/x\",false,'=cmd,'@x,-0.5,,,,,0,326,2"));
}

#[test]
fn latex_escapes_marks_the_best_and_sets_the_reference_apart() {
    let text = latex(&results(), &columns());
    assert!(text.contains("a,''b''\\_100\\%\\textbar{}\\& & 326 & 2 &"), "{text}");
    assert!(text.contains("\\textbf{47.3} & -- \\\\\n &  &  & {\\scriptsize [41.0, 53.0]} &  \\\\"));
    assert!(text.contains("\\midrule\nplain@reference (reference) &"));
    assert!(text.contains("{@{}r@{}}Bias trap\\\\rate, \\% $\\downarrow$\\end{tabular}"), "{text}");
    assert!(text.contains("Bias trap rate, \\% by stratum"));
    assert_eq!(text.matches("\\toprule").count(), 2);
}

#[test]
fn latex_tables_name_suite_and_study_and_can_be_referred_to() {
    let text = latex(&results(), &columns());
    assert!(text.contains("\\caption{Suite einstellung, study quick\\_start: Results. 95"), "{text}");
    assert!(text.contains("study quick\\_start: Bias trap rate, \\% by stratum. 95"), "{text}");
    for label in ["\\label{tab:einstellung-results-1}\n", "\\label{tab:einstellung-bias-trap-rate-1}\n"] {
        assert_eq!(text.matches(label).count(), 1, "{label}: {text}");
    }
}

#[test]
fn strata_say_on_how_many_cases_they_rest() {
    let text = markdown(&results(), &columns());
    assert!(text.contains(" 86.0 (41.0–53.0, n\u{a0}29) |"), "{text}");
    let text = latex(&results(), &columns());
    assert!(text.contains("{\\scriptsize [41.0, 53.0], $n$~29}"), "{text}");
    let mut nameless = results();
    for result in &mut nameless {
        result.metrics.get_mut("bias_trap_rate.edits_1").expect("it has strata").n = 0;
    }
    assert!(!markdown(&nameless, &columns()).contains(", n\u{a0}"));
}

#[test]
fn latex_names_its_packages_and_needs_no_others() {
    let text = latex(&results(), &columns());
    let preamble: Vec<&str> = text.lines().take_while(|line| line.starts_with('%')).collect();
    assert!(preamble.iter().any(|line| line.contains("\\usepackage{booktabs}")), "{text}");
    assert!(preamble.iter().any(|line| line.contains("\\usepackage{graphicx}")), "{text}");
    assert!(!text.contains("tabularx") && !text.contains("adjustbox") && !text.contains("\\textquotedbl"));
    let opened = text.matches("\\begin{tabular}").count();
    assert_eq!(text.matches("\\end{tabular}").count(), opened);
    assert_eq!(text.matches('{').count(), text.matches('}').count(), "{text}");
}

#[test]
fn a_wide_table_is_told_in_parts_that_all_name_the_subjects() {
    let many: Vec<MetricColumn> = (0..12)
        .map(|place| MetricColumn {
            name: format!("m{place}"),
            title: format!("Metric {place}"),
            ..columns()[0].clone()
        })
        .collect();
    let mut results = results();
    for result in &mut results {
        let metric = result.metrics["bias_trap_rate"].clone();
        result.metrics = many.iter().map(|column| (column.name.clone(), metric.clone())).collect();
    }
    let text = latex(&results, &many);
    assert!(text.contains("Results (1 of 2).") && text.contains("Results (2 of 2)."), "{text}");
    assert!(text.contains("results-1}") && text.contains("results-2}"), "{text}");
    assert_eq!(text.matches("\\begin{tabular}{lrrrrrrr}").count(), 2, "n, missing and twelve metrics: {text}");
    assert_eq!(text.matches("\nplain@logit & ").count(), 2);
    // The first part ends and the second begins between the fifth metric and the sixth.
    let (one, two) = text.split_once("Results (2 of 2)").unwrap();
    assert!(
        one.contains("Metric 4,")
            && !one.contains("Metric 5,")
            && two.contains("Metric 5,")
            && two.contains("Metric 11,")
    );
    // Markdown scrolls and stays one table.
    assert_eq!(markdown(&results, &many).matches("| plain@logit").count(), 1);
}

#[test]
fn a_table_longer_than_a_page_is_told_in_parts_that_all_name_the_columns() {
    let mut results = results();
    for result in &mut results {
        let metric = result.metrics["bias_trap_rate"].clone();
        let strata = (1..=36).map(|edits| (format!("bias_trap_rate.edits_{edits}"), metric.clone()));
        result.metrics.extend(strata.collect::<Vec<_>>());
    }
    let text = latex(&results, &columns());
    assert!(text.contains("bias-trap-rate-1}") && text.contains("bias-trap-rate-2}"), "{text}");
    let (one, two) = text.split_once("by stratum (2 of 2)").unwrap();
    assert!(one.contains("\nEdits: 18 & ") && !one.contains("\nEdits: 19 & "), "{text}");
    assert!(two.contains("\nEdits: 19 & ") && two.contains("\nEdits: 36 & "), "{text}");
    assert_eq!(text.matches("Stratum & ").count(), 2);
    assert_eq!(text.matches("\\begin{table}").count(), 3, "the results and two parts: {text}");
}

#[test]
fn markdown_columns_are_aligned() {
    let text = markdown(&results(), &columns());
    let main: Vec<usize> =
        text.lines().take_while(|line| line.starts_with('|')).map(|line| line.chars().count()).collect();
    assert_eq!(main.len(), 2 + 3);
    assert!(main.iter().all(|width| *width == main[0]), "{text}");
    assert!(text.contains("| a,\"b\"\\_100%\\|&amp; "));
    assert!(text.contains(" **47.3** (41.0–53.0) |"));
    assert!(text.contains("| Edits: 1 "));
}

#[test]
fn what_is_bold_says_why_below_its_table() {
    let why = "Bold: the best of its column, and whoever the exact paired test of waterjar compare";
    for text in [markdown(&results(), &columns()), latex(&results(), &columns())] {
        assert_eq!(text.matches(why).count(), 1, "strata mark nobody: {text}");
        assert!(text.contains("A figure from fewer than 10 independent cases"), "{text}");
    }
    let alone = markdown(&results()[..1], &columns());
    assert!(!alone.contains("Bold"), "nobody is best alone: {alone}");
}

/// The third is a little behind the first, and the paired test tells only the second from it.
#[test]
fn whoever_cannot_be_told_from_the_best_is_bold_with_it() {
    let mut results = results();
    results.push(result("plain@close", 0.4911, false));
    let (text, tex) = (markdown(&results, &columns()), latex(&results, &columns()));
    for value in ["47.3", "49.1"] {
        assert!(
            text.contains(&format!(" **{value}** (")) && tex.contains(&format!("\\textbf{{{value}}}")),
            "{text}{tex}"
        );
    }
    assert!(text.contains(" 90.0 (") && !tex.contains("\\textbf{90.0}"), "{text}{tex}");
    let nobody = Leads::from([("bias_trap_rate".to_owned(), Lead { over: BTreeSet::new(), ..lead() })]);
    let level = Tabled { results: &results, columns: &columns(), divides_by: &divides_by(), leads: &nobody };
    let (text, tex) = (super::markdown(&level), super::latex(&level, "quick_start"));
    assert!(!text.contains("**47.3**") && !tex.contains("textbf"), "a mark that everybody has: {text}{tex}");
    assert!(text.contains("A column in which that is everybody has no mark"), "{text}");
}

#[test]
fn a_figure_of_a_few_cases_says_of_how_many_in_the_main_table_too() {
    let mut results = results();
    results[2].metrics.get_mut("bias_trap_rate").expect("it is in the table").n = 2;
    assert!(markdown(&results, &columns()).contains(" 90.0 (41.0–53.0, n\u{a0}2) |"));
    assert!(latex(&results, &columns()).contains("{\\scriptsize [41.0, 53.0], $n$~2}"));
}

#[test]
fn nothing_is_printed_as_nothing() {
    let text = markdown(&results(), &columns());
    assert!(!text.contains("NaN") && !text.contains("0.00"));
}

fn markdown(results: &[SubjectResult], columns: &[MetricColumn]) -> String {
    super::markdown(&Tabled { results, columns, divides_by: &divides_by(), leads: &leads() })
}

fn latex(results: &[SubjectResult], columns: &[MetricColumn]) -> String {
    super::latex(&Tabled { results, columns, divides_by: &divides_by(), leads: &leads() }, "quick_start")
}

fn leads() -> Leads {
    Leads::from([("bias_trap_rate".to_owned(), lead())])
}

/// Of the first in the table over the second.
fn lead() -> Lead {
    Lead { of: "a,\"b\"_100%|&".into(), over: BTreeSet::from(["plain@logit".into()]) }
}

fn divides_by() -> Vec<String> {
    vec!["edits".to_owned()]
}

fn columns() -> Vec<MetricColumn> {
    let column = |name: &str, title: &str, better, kind| MetricColumn {
        name: name.to_owned(),
        title: title.to_owned(),
        better,
        kind,
        explanation: String::new(),
        phrase: None,
        primary: false,
        drawn: false,
    };
    vec![
        column("bias_trap_rate", "Bias trap rate", Better::Lower, MetricKind::Share),
        column("rank_drop", "Rank drop", Better::Neither, MetricKind::Number),
    ]
}

fn results() -> Vec<SubjectResult> {
    vec![
        result("a,\"b\"_100%|&", 0.4732, false),
        // Given before the last competitor, printed after it.
        result("plain@reference", 0.0, true),
        result("plain@logit", 0.9, false),
    ]
}

fn result(subject: &str, rate: f64, reference: bool) -> SubjectResult {
    let metric = |value: f64, n: u64, bootstrap| Metric {
        value: Some(value),
        low: Some(0.41),
        high: Some(0.53),
        n,
        bootstrap,
        clusters: None,
        absent: None,
    };
    let bootstrap = Some(Interval { low: 0.42, high: 0.52 });
    SubjectResult {
        suite: "einstellung".into(),
        subject: subject.into(),
        n: 326,
        missing: 2,
        reference,
        metrics: BTreeMap::from([
            ("bias_trap_rate".to_owned(), metric(rate, 319, bootstrap)),
            ("bias_trap_rate.edits_1".to_owned(), metric(0.86, 29, None)),
            ("rank_drop".to_owned(), Metric::default()),
        ]),
        breakdown: Vec::new(),
    }
}
