//! What to draw: where subjects fall into the trap, whether ability protects, how much evidence it takes.

use super::measure::DOSE;
use waterjar_core::figure::{Axis, Bar, Cell, Chart, Dot, Estimate, Figure, Group, Point, Series};
use waterjar_core::{Breakdown, FailureMode, Metric, SubjectResult};

/// Fewer cases than this say nothing a figure should show; the tables have them.
const ENOUGH: u64 = 10;
const PURITIES: [&str; 2] = ["mixed", "pure"];

pub(super) fn figures(results: &[SubjectResult], name_of: impl Fn(&str) -> String) -> Vec<Figure> {
    let always = [trap_rates(results), rates(results), ability(results), heatmap(results, name_of)];
    always
        .into_iter()
        .chain(doses(results))
        .chain(failures(results))
        .filter(|figure| shows_something(&figure.chart))
        .collect()
}

/// Axes around nothing tell nothing: few pairs, or pairs that are not counted by edits.
fn shows_something(chart: &Chart) -> bool {
    match chart {
        Chart::Scatter { points, .. } => !points.is_empty(),
        Chart::Lines { series, .. } => !series.is_empty(),
        Chart::Dots { rows, .. } => !rows.is_empty(),
        Chart::Grouped { groups, .. } => groups.len() > 1,
        _ => true,
    }
}

/// The headline beside its intervals: whether two subjects differ is seen faster here than in the table.
fn trap_rates(results: &[SubjectResult]) -> Figure {
    let dot = |result: &SubjectResult| {
        let value = estimate(result.metrics.get("bias_trap_rate")?)?;
        Some(Dot { label: result.subject.to_string(), value, reference: result.reference })
    };
    Figure {
        id: "trap-rates".to_owned(),
        title: "Who keeps the old diagnosis".to_owned(),
        caption: "Bias trap rate of each subject, in the order of the study. Further left is better. Bars are 95 % \
                  intervals. Subjects with fewer than ten right controls are left out."
            .to_owned(),
        chart: Chart::Dots { x: Axis::share("Bias trap rate"), rows: results.iter().filter_map(dot).collect() },
    }
}

/// Ability and harm of every subject: of parts left out of an agent one by one, what each of them is worth.
fn rates(results: &[SubjectResult]) -> Figure {
    let series = [
        ("baseline_accuracy", "Baseline accuracy"),
        ("robust_accuracy", "Robust accuracy"),
        ("bias_trap_rate", "Bias trap rate"),
    ];
    let group = |result: &SubjectResult| {
        let values = series.map(|(name, _)| result.metrics.get(name).and_then(estimate));
        Group { label: result.subject.to_string(), values: values.into() }
    };
    let groups = results.iter().map(group).filter(|it| it.values.iter().any(Option::is_some));
    Figure {
        id: "rates".to_owned(),
        title: "What is known, what is kept, what is trapped".to_owned(),
        caption: "Baseline and robust accuracy (higher is better) beside the bias trap rate (lower is better), with 95 % intervals. Where the \
                  subjects are one agent with parts left out, this is the ablation. A subject with fewer than ten right controls has no bar of \
                  the trap rate."
            .to_owned(),
        chart: Chart::Grouped {
            x: Axis::share("Share of pairs"),
            series: series.map(|(_, title)| title.to_owned()).into(),
            groups: groups.collect(),
        },
    }
}

fn heatmap(results: &[SubjectResult], name_of: impl Fn(&str) -> String) -> Figure {
    let rate = |result: &SubjectResult, condition: &str| {
        let part = result.breakdown.iter().find(|part| part.by == "condition" && part.key == condition)?;
        let metric = part.metrics.get("bias_trap_rate")?;
        Some(Cell { value: metric.value?, n: metric.n })
    };
    let mut conditions: Vec<String> = results
        .iter()
        .flat_map(|result| result.breakdown.iter().filter(|part| part.by == "condition").map(|part| part.key.clone()))
        .collect();
    conditions.sort();
    conditions.dedup();
    // The conditions that trap most come first.
    let total = |condition: &String| -> f64 {
        let cells: Vec<Cell> = results.iter().filter_map(|result| rate(result, condition)).collect();
        cells.iter().map(|cell| cell.value).sum::<f64>() / cells.len().max(1) as f64
    };
    conditions.sort_by(|a, b| total(b).total_cmp(&total(a)).then(a.cmp(b)));
    Figure {
        id: "trap-rate-by-condition".to_owned(),
        title: "Where subjects fall into the trap".to_owned(),
        caption: "Bias trap rate by the condition of the control. The stronger the colour, the more often the subject keeps this diagnosis \
                  after the findings that spoke for it are gone. Rows: the conditions that trap most, in the mean over subjects, come first. \
                  Columns: subjects in the order of the study. An empty cell has no pair with a right control."
            .to_owned(),
        chart: Chart::Heatmap {
            value: "Bias trap rate".to_owned(),
            rows: conditions.iter().map(|id| name_of(id)).collect(),
            columns: results.iter().map(|result| result.subject.to_string()).collect(),
            cells: conditions
                .iter()
                .map(|condition| results.iter().map(|result| rate(result, condition)).collect())
                .collect(),
        },
    }
}

fn ability(results: &[SubjectResult]) -> Figure {
    let points: Vec<Point> = results
        .iter()
        .filter_map(|result| {
            Some(Point {
                label: result.subject.to_string(),
                x: estimate(result.metrics.get("baseline_accuracy")?)?,
                y: estimate(result.metrics.get("bias_trap_rate")?)?,
                reference: result.reference,
            })
        })
        .collect();
    Figure {
        id: "ability-against-trap-rate".to_owned(),
        title: "Accuracy against trap rate".to_owned(),
        caption: "Baseline accuracy on controls against bias trap rate. A sound reader stands at the lower right. \
                  The axes show as much as the bars take, which are 95 % intervals. Subjects with fewer than ten right controls are left \
                  out."
            .to_owned(),
        chart: Chart::Scatter {
            x: Axis::shares_shown("Baseline accuracy", points.iter().map(|it| &it.x)),
            y: Axis { low: 0.0, ..Axis::shares_shown("Bias trap rate", points.iter().map(|it| &it.y)) },
            points,
        },
    }
}

/// One drawing for a few subjects, one of each purity for more: of twenty lines nobody follows one.
fn doses(results: &[SubjectResult]) -> Vec<Figure> {
    const FEW: usize = 4;
    if results.len() <= FEW {
        return vec![dose(results, &PURITIES, "dose-response", "How much evidence it takes")];
    }
    vec![
        dose(results, &["mixed"], "dose-response-mixed", "How much evidence it takes: mixed traps"),
        dose(results, &["pure"], "dose-response-pure", "How much evidence it takes: pure traps"),
    ]
}

/// Split by purity: beyond `max_edits` all traps are pure, so that more findings and nothing left would look like one thing.
fn dose(results: &[SubjectResult], purities: &[&str], id: &str, title: &str) -> Figure {
    let at = |result: &SubjectResult, purity: &str, edits: u32| {
        let key = format!("{purity}_{edits}");
        let part = result.breakdown.iter().find(|part| part.by == DOSE && part.key == key)?;
        part.metrics.get("bias_trap_rate").and_then(estimate)
    };
    let told = |part: &Breakdown| part.key.rsplit_once('_').and_then(|(_, edits)| edits.parse::<u32>().ok());
    let parts = results.iter().flat_map(|result| result.breakdown.iter().filter(|part| part.by == DOSE));
    let mut steps: Vec<u32> = parts.filter_map(told).collect();
    steps.sort_unstable();
    steps.dedup();
    steps.retain(|&edits| {
        results.iter().any(|result| purities.iter().any(|purity| at(result, purity, edits).is_some()))
    });
    let line = |result: &SubjectResult, purity: &str| Series {
        name: match purities.len() {
            1 => result.subject.to_string(),
            _ => format!("{purity}, {}", result.subject),
        },
        values: steps.iter().map(|&edits| at(result, purity, edits)).collect(),
    };
    let series = results.iter().flat_map(|result| purities.iter().map(move |purity| line(result, purity)));
    let series: Vec<Series> = series.filter(|line| line.values.iter().any(Option::is_some)).collect();
    let shown = series.iter().flat_map(|line| line.values.iter().flatten());
    Figure {
        id: id.to_owned(),
        title: title.to_owned(),
        caption: "Bias trap rate by the number of findings exchanged, apart for mixed traps (something that speaks for the old diagnosis is \
                  still told) and pure ones (nothing is). Compare along a line: a reader that weighs evidence is trapped less as more of it \
                  changes. From mixed to pure more changes than the number, and traps beyond `max_edits` are all pure. How many exchanges a \
                  trap takes depends on its case, so the cases of two points differ. Bars are 95 % intervals; points with fewer than ten \
                  pairs are left out."
            .to_owned(),
        chart: Chart::Lines {
            x: Axis { label: "Findings exchanged".to_owned(), low: 0.0, high: steps.len() as f64 },
            y: Axis { low: 0.0, ..Axis::shares_shown("Bias trap rate", shown) },
            steps: steps.iter().map(u32::to_string).collect(),
            series,
        },
    }
}

/// Only where somebody gave reasons: readers that give none have nothing to show here.
fn failures(results: &[SubjectResult]) -> Option<Figure> {
    let share = |result: &SubjectResult, mode: FailureMode| {
        result.metrics.get(&format!("failure_mode.{}", mode.as_str())).and_then(estimate)
    };
    let gave_reasons =
        |result: &&SubjectResult| share(result, FailureMode::NoReasoning).is_some_and(|it| it.value < 1.0);
    let bars: Vec<Bar> = results
        .iter()
        .filter(gave_reasons)
        .map(|result| Bar {
            label: result.subject.to_string(),
            shares: FailureMode::ALL.map(|mode| share(result, mode)).into(),
        })
        .collect();
    let words = |mode: FailureMode| mode.as_str().replace('_', " ");
    (!bars.is_empty()).then(|| Figure {
        id: "failure-modes".to_owned(),
        title: "How the evidence was lost".to_owned(),
        caption:
            "In percent of the answers that kept the old diagnosis after a right control: the reasoning never takes up the new \
                  evidence (blindness), mentions it and goes no further (underthinking), or argues it away \
                  (overthinking). Mentioned: no auditor has looked at what was made of it. Subjects that gave no \
                  reasoning, or kept fewer than ten old diagnoses, are left out."
                .to_owned(),
        chart: Chart::Stacked { parts: FailureMode::ALL.map(words).into(), bars },
    })
}

fn estimate(metric: &Metric) -> Option<Estimate> {
    Estimate::of(metric).filter(|it| it.n >= ENOUGH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn result(subject: &str, rates: &[(&str, f64)]) -> SubjectResult {
        let part = |&(condition, rate): &(&str, f64)| Breakdown {
            by: "condition".to_owned(),
            key: condition.to_owned(),
            metrics: [("bias_trap_rate".to_owned(), Metric { value: Some(rate), n: 12, ..Metric::default() })].into(),
        };
        SubjectResult {
            suite: "einstellung".into(),
            subject: subject.into(),
            n: 24,
            missing: 0,
            reference: false,
            metrics: BTreeMap::new(),
            breakdown: rates.iter().map(part).collect(),
        }
    }

    #[test]
    fn a_heatmap_tells_the_order_of_its_rows_and_of_its_columns() {
        let results = [result("plain@b", &[("angina", 0.2), ("gout", 0.5)]), result("plain@a", &[("gout", 0.1)])];
        let drawn = heatmap(&results, str::to_owned);
        let Chart::Heatmap { rows, columns, .. } = &drawn.chart else { panic!("{drawn:?}") };
        assert_eq!(
            (rows.as_slice(), columns.as_slice()),
            (&names(["gout", "angina"])[..], &names(["plain@b", "plain@a"])[..])
        );
        for told in [
            "Rows: the conditions that trap most, in the mean over subjects, come first.",
            "Columns: subjects in the order of the study.",
        ] {
            assert!(drawn.caption.contains(told), "{}", drawn.caption);
        }
    }

    /// A subject with the bias trap rate, and its n, of some traps: `("mixed_1", 0.3, 40)`.
    fn dosed(subject: &str, parts: &[(&str, f64, u64)]) -> SubjectResult {
        let part = |&(key, rate, n): &(&str, f64, u64)| Breakdown {
            by: DOSE.to_owned(),
            key: key.to_owned(),
            metrics: [("bias_trap_rate".to_owned(), Metric { value: Some(rate), n, ..Metric::default() })].into(),
        };
        SubjectResult { breakdown: parts.iter().map(part).collect(), ..result(subject, &[]) }
    }

    fn lines(figure: &Figure) -> Vec<(String, Vec<Option<u64>>)> {
        let Chart::Lines { series, .. } = &figure.chart else { panic!("{figure:?}") };
        series.iter().map(|it| (it.name.clone(), it.values.iter().map(|at| at.map(|at| at.n)).collect())).collect()
    }

    #[test]
    fn mixed_and_pure_traps_are_two_lines_and_few_pairs_are_no_point() {
        let parts = [("mixed_1", 0.3, 40), ("mixed_2", 0.2, 30), ("pure_2", 0.1, 9), ("pure_3", 0.0, 12)];
        let drawn = doses(&[dosed("plain@a", &parts)]);
        assert_eq!(drawn.len(), 1);
        assert_eq!(
            lines(&drawn[0]),
            [
                ("mixed, plain@a".to_owned(), vec![Some(40), Some(30), None]),
                ("pure, plain@a".to_owned(), vec![None, None, Some(12)])
            ]
        );
        assert!(drawn[0].caption.contains("apart for mixed traps"), "{}", drawn[0].caption);
    }

    #[test]
    fn of_many_subjects_mixed_and_pure_traps_are_two_drawings() {
        let many: Vec<_> = (0..5).map(|at| dosed(&format!("plain@{at}"), &[("mixed_1", 0.3, 40)])).collect();
        let drawn = doses(&many);
        assert_eq!(drawn.iter().map(|it| lines(it).len()).collect::<Vec<_>>(), [5, 0]);
        assert!(!shows_something(&drawn[1].chart), "of pure traps there are none");
    }

    fn names(names: [&str; 2]) -> [String; 2] {
        names.map(str::to_owned)
    }
}
