//! What to draw: where subjects fall into the trap, whether ability protects, how much evidence it takes.

use waterjar_core::figure::{Axis, Cell, Chart, Estimate, Figure, Point, Series};
use waterjar_core::{Metric, SubjectResult};

/// Fewer cases than this say nothing a figure should show; the tables have them.
const ENOUGH: u64 = 10;

pub(super) fn figures(results: &[SubjectResult], name_of: impl Fn(&str) -> String) -> Vec<Figure> {
    vec![heatmap(results, name_of), ability(results), dose(results)]
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
        caption: "Bias trap rate by the condition of the control. Darker: the subject more often keeps this diagnosis \
                  after the findings that spoke for it are gone. An empty cell has no pair with a right control."
            .to_owned(),
        chart: Chart::Heatmap {
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
    let points = results
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
                  Bars are 95 % intervals. Subjects with fewer than ten right controls are left out."
            .to_owned(),
        chart: Chart::Scatter { x: share_axis("Baseline accuracy"), y: share_axis("Bias trap rate"), points },
    }
}

fn dose(results: &[SubjectResult]) -> Figure {
    const STEM: &str = "bias_trap_rate.edits_";
    let mut doses: Vec<u32> = results
        .iter()
        .flat_map(|result| result.metrics.keys().filter_map(|name| name.strip_prefix(STEM)?.parse().ok()))
        .collect();
    doses.sort_unstable();
    doses.dedup();
    let at = |result: &SubjectResult, dose: &u32| result.metrics.get(&format!("{STEM}{dose}")).and_then(estimate);
    doses.retain(|dose| results.iter().any(|result| at(result, dose).is_some()));
    let series = results
        .iter()
        .filter(|result| doses.iter().any(|dose| at(result, dose).is_some()))
        .map(|result| Series {
            name: result.subject.to_string(),
            values: doses.iter().map(|dose| at(result, dose)).collect(),
        })
        .collect();
    Figure {
        id: "dose-response".to_owned(),
        title: "How much evidence it takes".to_owned(),
        caption:
            "Bias trap rate by the number of findings exchanged. A reader that weighs evidence is trapped less as \
                  more of it changes. Bars are 95 % intervals; steps with fewer than ten pairs are left out."
                .to_owned(),
        chart: Chart::Lines {
            x: Axis { label: "Findings exchanged".to_owned(), low: 0.0, high: doses.len() as f64 },
            y: share_axis("Bias trap rate"),
            steps: doses.iter().map(u32::to_string).collect(),
            series,
        },
    }
}

fn share_axis(label: &str) -> Axis {
    Axis { label: label.to_owned(), low: 0.0, high: 1.0 }
}

fn estimate(metric: &Metric) -> Option<Estimate> {
    let value = metric.value.filter(|_| metric.n >= ENOUGH)?;
    Some(Estimate { value, low: metric.low.unwrap_or(value), high: metric.high.unwrap_or(value), n: metric.n })
}
