//! What to draw: which facts a subject follows, how its scores are distributed, and whether coverage tells the same story.

use super::catalog::FamilyOf;
use waterjar_core::figure::{Axis, Bar, Cell, Chart, Estimate, Figure, Point, Series};
use waterjar_core::{Metric, SubjectResult};
use waterjar_scoring::stats::{Alternative, mid_ranks, spearman};

pub(super) fn figures(results: &[SubjectResult]) -> Vec<Figure> {
    [by_family(results), distribution(results), coverage(results), ranks(results)].into_iter().flatten().collect()
}

fn by_family(results: &[SubjectResult]) -> Option<Figure> {
    let cell = |result: &SubjectResult, family: FamilyOf| {
        let metric = result.metrics.get(&format!("css.{family}"))?;
        Some(Cell { value: metric.value?, n: metric.n })
    };
    let families: Vec<FamilyOf> = FamilyOf::ALL
        .into_iter()
        .filter(|family| results.iter().any(|result| cell(result, *family).is_some()))
        .collect();
    (!families.is_empty()).then(|| Figure {
        id: "css-by-family".to_owned(),
        title: "Which facts the recommendations follow".to_owned(),
        caption: "CSS by family of interventions, in percent. A blind reader is at zero everywhere.".to_owned(),
        chart: Chart::Heatmap {
            rows: families.iter().map(|family| family.title()).collect(),
            columns: results.iter().map(|result| result.subject.to_string()).collect(),
            cells: families.iter().map(|family| results.iter().map(|result| cell(result, *family)).collect()).collect(),
        },
    })
}

fn distribution(results: &[SubjectResult]) -> Option<Figure> {
    const PARTS: [&str; 3] = ["wrong_share", "partial_share", "correct_share"];
    let bars: Vec<Bar> = results
        .iter()
        .map(|result| Bar {
            label: result.subject.to_string(),
            shares: PARTS.map(|part| result.metrics.get(part).and_then(estimate)).into(),
        })
        .filter(|bar| bar.shares.iter().any(Option::is_some))
        .collect();
    (!bars.is_empty()).then(|| Figure {
        id: "scores".to_owned(),
        title: "How the scores are distributed".to_owned(),
        caption:
            "In percent of the interventions that were answered: nothing moved as declared, some of it, all of it."
                .to_owned(),
        chart: Chart::Stacked { parts: ["wrong", "partial", "correct"].map(str::to_owned).into(), bars },
    })
}

fn coverage(results: &[SubjectResult]) -> Option<Figure> {
    let point = |result: &SubjectResult| {
        let of = |name: &str| result.metrics.get(name).and_then(estimate);
        let (x, y) = (of("cms")?, of("css")?);
        Some(Point { label: result.subject.to_string(), x, y, reference: result.reference })
    };
    let points: Vec<Point> = results.iter().filter_map(point).collect();
    let axis = |label: &str| Axis { label: label.to_owned(), low: 0.0, high: 1.0 };
    (points.len() > 1).then(|| Figure {
        id: "coverage-and-sensitivity".to_owned(),
        title: "Coverage does not tell sensitivity".to_owned(),
        caption: "CMS on the unchanged charts against CSS on the changed ones, with 95 % intervals over cases. Who recites may \
                  cover much and follow nothing."
            .to_owned(),
        chart: Chart::Scatter { x: axis("CMS"), y: axis("CSS"), points },
    })
}

/// The rank by CMS beside the rank by CSS.
fn ranks(results: &[SubjectResult]) -> Option<Figure> {
    let values =
        |name: &str| results.iter().map(|result| result.metrics.get(name)?.value).collect::<Option<Vec<f64>>>();
    let (cms, css) = (values("cms")?, values("css")?);
    if results.len() < 3 {
        return None;
    }
    // The best comes first.
    let rank = |values: &[f64]| mid_ranks(&values.iter().map(|value| -value).collect::<Vec<_>>());
    let (by_cms, by_css) = (rank(&cms), rank(&css));
    let at = |value: f64| Some(Estimate { value, low: value, high: value, n: results.len() as u64 });
    Some(Figure {
        id: "ranks".to_owned(),
        title: "Ranks by coverage and by sensitivity".to_owned(),
        caption: format!(
            "Rank 1 is best; ties share their middle. Lines that cross are subjects that one measure flatters. {}",
            correlation(&cms, &css)
        ),
        chart: Chart::Lines {
            x: Axis { label: "Ranked by".to_owned(), low: 0.0, high: 2.0 },
            y: Axis { label: "Rank".to_owned(), low: 0.0, high: results.len() as f64 + 1.0 },
            steps: vec!["CMS".to_owned(), "CSS".to_owned()],
            series: results
                .iter()
                .zip(by_cms.iter().zip(&by_css))
                .map(|(result, (cms, css))| Series {
                    name: result.subject.to_string(),
                    values: vec![at(*cms), at(*css)],
                })
                .collect(),
        },
    })
}

/// Spearman's correlation on mid-ranks, with its exact permutation test where there are few subjects.
fn correlation(cms: &[f64], css: &[f64]) -> String {
    match spearman(cms, css, Alternative::TwoSided) {
        Ok(found) => format!("Spearman's ρ {:.2}, p {:.2} ({} subjects).", found.coefficient, found.p, cms.len()),
        Err(_) => "No correlation can be told: one measure is the same for all.".to_owned(),
    }
}

fn estimate(metric: &Metric) -> Option<Estimate> {
    let value = metric.value?;
    Some(Estimate { value, low: metric.low.unwrap_or(value), high: metric.high.unwrap_or(value), n: metric.n })
}
