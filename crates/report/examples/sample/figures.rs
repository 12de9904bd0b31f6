//! The figures of the einstellung suite.

use waterjar_core::figure::{Axis, Bar, Cell, Estimate, Point, Series};
use waterjar_core::{Chart, Figure, Metric, SubjectResult};

const CONDITIONS: &str = "Acute appendicitis|Acute bronchitis|Acute cholecystitis|Acute laryngitis|Acute otitis media|Acute pancreatitis|\
    Acute rhinosinusitis|Allergic rhinitis|Anaphylaxis|Anaemia|Asthma attack|Atrial fibrillation|Boerhaave syndrome|Bronchiectasis|\
    Cluster headache|Community-acquired pneumonia|COPD exacerbation|Croup|Deep vein thrombosis|Diverticulitis|Ectopic pregnancy|\
    Epiglottitis|Gastro-oesophageal reflux|Guillain–Barré syndrome|Hyperthyroidism|Influenza|Inguinal hernia|Migraine|\
    Myasthenia gravis|Myocarditis|Panic attack|Pericarditis|Pneumothorax|Pulmonary embolism|Pulmonary oedema (cardiogenic)|Pyelonephritis|\
    Renal colic|Stable angina|Subarachnoid haemorrhage|Unstable angina";

pub fn figures(results: &[SubjectResult]) -> Vec<Figure> {
    vec![heatmap(results), scatter(results), lines(results), stacked(results)]
}

fn heatmap(results: &[SubjectResult]) -> Figure {
    let rows: Vec<String> = CONDITIONS.split('|').map(str::to_owned).collect();
    let cells = (0..rows.len())
        .map(|row| {
            results
                .iter()
                .enumerate()
                .map(|(column, result)| {
                    let rate = result.metrics["bias_trap_rate"].value?;
                    let n = 4 + (row as u64 * 7) % 9;
                    let wobble = ((row * 37 + column * 11) % 17) as f64 / 17.0 - 0.5;
                    let value = if result.reference { 0.0 } else { (rate + wobble * 0.9).clamp(0.0, 1.0) };
                    let value = (value * n as f64).round() / n as f64;
                    let is_empty = result.subject.as_str() == "plain@prior" && !row.is_multiple_of(5);
                    (!is_empty).then_some(Cell { value, n })
                })
                .collect()
        })
        .collect();
    Figure {
        id: "trap-heatmap".to_owned(),
        title: "Bias trap rate by condition of the control".to_owned(),
        caption: "Each row is a diagnosis that was right and then was not. Stronger cells: more often kept. Rows by name, columns \
                  in the order of the study."
            .to_owned(),
        chart: Chart::Heatmap {
            value: "Bias trap rate".to_owned(),
            rows,
            columns: results.iter().map(|result| result.subject.to_string()).collect(),
            cells,
        },
    }
}

fn scatter(results: &[SubjectResult]) -> Figure {
    Figure {
        id: "accuracy-trap".to_owned(),
        title: "Baseline accuracy against bias trap rate".to_owned(),
        caption: "Far right and high up: right on the controls, yet trapped. Bars are 95 % intervals; the reference is hollow.".to_owned(),
        chart: Chart::Scatter {
            x: Axis::share("Baseline accuracy"),
            y: Axis::share("Bias trap rate"),
            points: results
                .iter()
                .filter_map(|result| {
                    Some(Point {
                        label: result.subject.to_string(),
                        x: estimate(&result.metrics["baseline_accuracy"])?,
                        y: estimate(&result.metrics["bias_trap_rate"])?,
                        reference: result.reference,
                    })
                })
                .collect(),
        },
    }
}

fn lines(results: &[SubjectResult]) -> Figure {
    Figure {
        id: "dose-response".to_owned(),
        title: "Bias trap rate by number of edits".to_owned(),
        caption: "The more of the case changes, the harder it is to miss. A reader that follows the facts stays low throughout.".to_owned(),
        chart: Chart::Lines {
            x: Axis::share("Edits"),
            y: Axis::share("Bias trap rate"),
            steps: ["1", "2", "3"].map(str::to_owned).to_vec(),
            series: results
                .iter()
                .map(|result| Series {
                    name: result.subject.to_string(),
                    values: (1..=3)
                        .map(|edits| estimate(&result.metrics[&format!("bias_trap_rate.edits_{edits}")]))
                        .collect(),
                })
                .collect(),
        },
    }
}

fn estimate(metric: &Metric) -> Option<Estimate> {
    Some(Estimate { value: metric.value?, low: metric.low?, high: metric.high?, n: metric.n })
}

fn stacked(results: &[SubjectResult]) -> Figure {
    let parts = ["blindness", "underthinking", "overthinking", "mentioned", "no reasoning", "unaudited"];
    let bar = |(row, result): (usize, &SubjectResult)| {
        let counts = [7 + row as u64 * 3, 9, 5, row as u64 % 2, row as u64, 1];
        let n: u64 = counts.iter().sum();
        let share = |count: u64| {
            let value = count as f64 / n as f64;
            Some(Estimate { value, low: (value - 0.1).max(0.0), high: (value + 0.1).min(1.0), n })
        };
        Bar { label: result.subject.to_string(), shares: counts.map(share).into() }
    };
    let competitors = results.iter().filter(|result| !result.reference);
    Figure {
        id: "failure-modes".to_owned(),
        title: "How the evidence was lost".to_owned(),
        caption: "In percent of the answers that kept the old diagnosis after a right control.".to_owned(),
        chart: Chart::Stacked {
            parts: parts.map(str::to_owned).into(),
            bars: competitors.enumerate().map(bar).collect(),
        },
    }
}
