//! A made-up study of the size of the quickstart. The figures are invented; only their shape is lifelike.

mod cases;
mod figures;
mod results;

use std::collections::BTreeMap;
use waterjar_core::Check;
use waterjar_report::{
    BenchmarkSummary, Better, Leads, MetricColumn, MetricKind, ReportData, StudySummary, SuiteSection,
};

pub const SUBJECTS: [&str; 6] =
    ["plain@gestalt", "plain@neighbours", "plain@logit", "plain@symptoms-only", "plain@prior", "plain@reference"];
const STUDY: &str = r#"[study]
name = "quickstart"
seed = 7

[[suite]]
kind   = "einstellung"
source = "starter"
pairs  = 326
author = "rules"
judges = ["rules"]

[[subject]]
agent = "plain"
model = "gestalt"
"#;

pub fn report() -> ReportData {
    let results = results::results();
    ReportData {
        study: StudySummary {
            name: "quickstart".to_owned(),
            seed: 7,
            study_hash: "5f0c9d1e7a4b83c2d6e1f09a8b7c6d5e4f3a2b1c0d9e8f7a6b5c4d3e2f1a0b9c".to_owned(),
            program_version: "0.1.0".to_owned(),
            own_cases: false,
            registered: false,
            registration: None,
            first_asked: None,
            bounds: Vec::new(),
            study_toml: STUDY.to_owned(),
            uses: Vec::new(),
        },
        variants_hash: "b1946ac92492d2347c6235b4d2611184f0e1d2c3b4a5968778695a4b3c2d1e0f".to_owned(),
        suites: vec![SuiteSection {
            id: "einstellung".into(),
            kind: "einstellung".to_owned(),
            title: "Einstellung: trap pairs".to_owned(),
            about: "Each family is one patient told twice. The control is the case as it came. The trap exchanges the one to three \
                    findings that told its diagnosis apart from a close rival, so that the rival is now right. A sham exchanges as \
                    much without changing the diagnosis. A reader who recites stays with the old diagnosis."
                .to_owned(),
            benchmark: BenchmarkSummary {
            suite: waterjar_core::SuiteId::from("einstellung"),
                cases: 2940,
                eligible: 918,
                families: 326,
                variants: 978,
                losses: losses(),
                accounts: Vec::new(),
            },
            checks: checks(),
            headline: columns(),
            divides_by: ["edits", "place", "purity"].map(str::to_owned).into(),
            figures: figures::figures(&results),
            notes: Vec::new(),
            contrasts: Vec::new(),
            reasonings: Vec::new(),
            reasonings_chosen: String::new(),
            leads: Leads::new(),
            results,
            failing: "trapped".to_owned(),
            families: cases::families(30),
            families_total: 326,
        }],
    }
}

fn losses() -> BTreeMap<String, u64> {
    [
        ("not_a_hard_candidate", 2022),
        ("no_isomorph", 311),
        ("too_many_edits", 188),
        ("control_not_recognised", 52),
        ("not_feasible_for_sex_or_age", 9),
        ("over_quota", 32),
    ]
    .map(|(reason, number)| (reason.to_owned(), number))
    .into()
}

fn checks() -> Vec<Check> {
    let check = |name: &str, value, low, high, n, reading: &str| Check {
        name: name.to_owned(),
        value,
        low,
        high,
        n,
        reading: reading.to_owned(),
    };
    vec![
        check(
            "artefact_probe_pure_pairs",
            0.52,
            0.46,
            0.58,
            248,
            "Near 0.5: without the labels, pure traps cannot be told from controls.",
        ),
        check(
            "artefact_probe_mixed_pairs",
            0.71,
            0.66,
            0.76,
            404,
            "Mixed traps can be told from controls by their inconsistency; read pure and mixed apart.",
        ),
    ]
}

fn columns() -> Vec<MetricColumn> {
    use Better::{Higher, Lower, Neither};
    use MetricKind::{Number, Share};
    let column = |name: &str, title: &str, better, kind, phrase: &str, explanation: &str| MetricColumn {
        name: name.to_owned(),
        title: title.to_owned(),
        better,
        kind,
        explanation: explanation.to_owned(),
        phrase: (!phrase.is_empty()).then(|| phrase.to_owned()),
        primary: name == "bias_trap_rate",
        drawn: false,
    };
    vec![
        column(
            "baseline_accuracy",
            "Baseline accuracy",
            Higher,
            Share,
            "was right on {} of the controls",
            "Share of controls diagnosed rightly.",
        ),
        column(
            "robust_accuracy",
            "Robust accuracy",
            Higher,
            Share,
            "",
            "Share of families in which control and trap are both diagnosed rightly.",
        ),
        column(
            "bias_trap_rate",
            "Bias trap rate",
            Lower,
            Share,
            "kept the old diagnosis in {} of the traps whose control it had right",
            "Of the families with a right control, the share in which the trap gets the control's diagnosis.",
        ),
        column(
            "stochastic_error_rate",
            "Stochastic error rate",
            Lower,
            Share,
            "",
            "Of the families with a right control, the share in which the trap gets a third diagnosis.",
        ),
        column(
            "rigidity_ratio",
            "Rigidity ratio",
            Neither,
            Share,
            "",
            "Of the errors on traps, the share that are the old diagnosis.",
        ),
        column(
            "rank_drop",
            "Rank drop",
            Neither,
            Number,
            "",
            "How many places the old diagnosis falls from control to trap.",
        ),
        column(
            "sham_kept",
            "Sham kept",
            Higher,
            Share,
            "",
            "Of the families with a right control, the share in which the sham is still diagnosed rightly.",
        ),
    ]
}
