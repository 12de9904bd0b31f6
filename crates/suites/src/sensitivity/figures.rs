//! What to draw: which facts a subject follows, how its scores are distributed, and whether coverage tells the same story.

use super::catalog::FamilyOf;
use std::collections::BTreeMap;
use waterjar_core::figure::{Axis, Bar, Cell, Chart, Cloud, Dot, Estimate, Figure, Panel, Point, Ranks, Spot};
use waterjar_core::{SubjectResult, counted};
use waterjar_scoring::stats::{Alternative, PMethod, spearman};

pub(super) fn figures(results: &[SubjectResult]) -> Vec<Figure> {
    let all = [
        distribution(results),
        coverage(results),
        ranks(results),
        by_family(results),
        cases(results),
        tools(results),
        sections(results),
    ];
    all.into_iter().flatten().collect()
}

fn by_family(results: &[SubjectResult]) -> Option<Figure> {
    let row = |result: &SubjectResult, family: FamilyOf| {
        let value = Estimate::of(result.metrics.get(&format!("css.{family}"))?)?;
        Some(Dot { label: result.subject.to_string(), value, reference: result.reference })
    };
    let panel = |family: FamilyOf| {
        let rows: Vec<Dot> = results.iter().filter_map(|result| row(result, family)).collect();
        (!rows.is_empty()).then(|| Panel { title: family.title(), rows })
    };
    let panels: Vec<Panel> = FamilyOf::ALL.into_iter().filter_map(panel).collect();
    (!panels.is_empty()).then(|| Figure {
        id: "css-by-family".to_owned(),
        title: "Which facts the recommendations follow".to_owned(),
        caption:
            "CSS by family of interventions, with 95 % intervals over cases. A blind reader is at zero everywhere."
                .to_owned(),
        chart: Chart::Multiples { x: Axis::share("CSS"), panels },
    })
}

fn distribution(results: &[SubjectResult]) -> Option<Figure> {
    const PARTS: [&str; 3] = ["correct_share", "partial_share", "wrong_share"];
    let bars: Vec<Bar> = results
        .iter()
        .map(|result| Bar {
            label: result.subject.to_string(),
            shares: PARTS.map(|part| result.metrics.get(part).and_then(Estimate::of)).into(),
        })
        .filter(|bar| bar.shares.iter().any(Option::is_some))
        .collect();
    (!bars.is_empty()).then(|| Figure {
        id: "scores".to_owned(),
        title: "How the scores are distributed".to_owned(),
        caption: "In percent of the interventions that were answered: all moved as declared, some of it, nothing."
            .to_owned(),
        chart: Chart::Stacked { parts: ["correct", "partial", "wrong"].map(str::to_owned).into(), bars },
    })
}

fn coverage(results: &[SubjectResult]) -> Option<Figure> {
    let point = |result: &SubjectResult| {
        let of = |name: &str| result.metrics.get(name).and_then(Estimate::of);
        let (x, y) = (of("cms")?, of("css")?);
        Some(Point { label: result.subject.to_string(), x, y, reference: result.reference })
    };
    let points: Vec<Point> = results.iter().filter_map(point).collect();
    (points.len() > 1).then(|| Figure {
        id: "coverage-and-sensitivity".to_owned(),
        title: "Coverage beside sensitivity".to_owned(),
        caption: "CMS on the unchanged charts against CSS on the changed ones, with 95 % intervals over cases. Who recites may \
                  cover much and follow nothing."
            .to_owned(),
        chart: Chart::Scatter { x: Axis::share("CMS"), y: Axis::share("CSS"), points },
    })
}

/// Each case by itself: whether who covers the board's list of a case also follows the changes of its chart.
fn cases(results: &[SubjectResult]) -> Option<Figure> {
    let clouds: Vec<Cloud> = results
        .iter()
        .map(|result| {
            let mut spots: BTreeMap<(u64, u64), u64> = BTreeMap::new();
            for part in result.breakdown.iter().filter(|part| part.by == "case") {
                let of = |name: &str| part.metrics.get(name).and_then(|metric| metric.value);
                if let (Some(cms), Some(css)) = (of("cms"), of("css")) {
                    // Hundredths: finer than the eye, and what falls together is one spot.
                    *spots.entry(((cms * 100.0).round() as u64, (css * 100.0).round() as u64)).or_default() += 1;
                }
            }
            let spot = |((x, y), n): ((u64, u64), u64)| Spot { x: x as f64 / 100.0, y: y as f64 / 100.0, n };
            Cloud { title: result.subject.to_string(), spots: spots.into_iter().map(spot).collect() }
        })
        .filter(|cloud| !cloud.spots.is_empty())
        .collect();
    (!clouds.is_empty()).then(|| Figure {
        id: "cases".to_owned(),
        title: "Case by case".to_owned(),
        caption: "Each case by its CMS and by the mean score of its interventions. A larger spot is more cases. Cases on which no \
                  intervention was answered are left out."
            .to_owned(),
        chart: Chart::Clouds { x: Axis::share("CMS"), y: Axis::share("CSS"), clouds },
    })
}

/// The rank by CMS beside the rank by CSS. Two subjects need no figure for that.
fn ranks(results: &[SubjectResult]) -> Option<Figure> {
    let row = |result: &SubjectResult| {
        let of = |name: &str| result.metrics.get(name).and_then(Estimate::of);
        Some(Ranks { name: result.subject.to_string(), places: [of("cms_rank")?, of("css_rank")?] })
    };
    let ranks: Vec<Ranks> = results.iter().filter_map(row).collect();
    (ranks.len() > 2).then(|| Figure {
        id: "ranks".to_owned(),
        title: "Ranks by coverage and by sensitivity".to_owned(),
        caption: format!(
            "1 is best; ties share their middle. Lines that cross are subjects that one measure flatters. Bars are 95 % intervals of \
             the rank over cases, drawn anew for all subjects alike. {}",
            correlation(results)
        ),
        chart: Chart::Slope { steps: ["CMS", "CSS"].map(str::to_owned), ranks },
    })
}

/// Spearman's correlation on mid-ranks, with its exact permutation test where there are few subjects.
fn correlation(results: &[SubjectResult]) -> String {
    let of = |result: &SubjectResult, name: &str| result.metrics.get(name)?.value;
    let both = results.iter().filter_map(|result| Some((of(result, "cms")?, of(result, "css")?)));
    let (cms, css): (Vec<f64>, Vec<f64>) = both.unzip();
    match spearman(&cms, &css, Alternative::TwoSided) {
        Ok(found) => {
            let how =
                if found.method == PMethod::ExactPermutation { "exact permutation test" } else { "t approximation" };
            let (rho, p, n) = (format!("{:.2}", found.coefficient).replace('-', "−"), found.p, cms.len());
            format!("Spearman's ρ between the two is {rho}, p = {p:.2} ({how}, {n} subjects).")
        }
        Err(_) => "No correlation can be told: one measure is the same for all.".to_owned(),
    }
}

/// What tools change for a model that was also asked in one shot.
fn tools(results: &[SubjectResult]) -> Option<Figure> {
    const PARTS: [&str; 3] = ["tools_hurt", "tools_same", "tools_help"];
    let bars: Vec<(&SubjectResult, Bar)> = results
        .iter()
        .map(|result| {
            let shares = PARTS.map(|part| result.metrics.get(part).and_then(Estimate::of)).into();
            (result, Bar { label: result.subject.to_string(), shares })
        })
        .filter(|(_, bar)| bar.shares.iter().all(Option::is_some))
        .collect();
    let tested = |(result, _): &(&SubjectResult, Bar)| {
        let p = result.metrics.get("tools_sign_p")?;
        Some(format!("{} p = {:.3} ({} moved)", result.subject, p.value?, counted(p.n, "chart", "charts")))
    };
    let tested: Vec<String> = bars.iter().filter_map(tested).collect();
    (!bars.is_empty()).then(|| Figure {
        id: "tool-use".to_owned(),
        title: "What looking things up changes".to_owned(),
        caption: format!(
            "The same model with the whole chart in one shot and with tools, intervention by intervention, in percent: the score is \
             lower with tools (hurt), the same, or higher (help). Exact sign test over charts: {}.",
            tested.join("; ")
        ),
        chart: Chart::Stacked {
            parts: ["hurt", "same", "help"].map(str::to_owned).into(),
            bars: bars.into_iter().map(|(_, bar)| bar).collect(),
        },
    })
}

/// Where tool-using agents look.
fn sections(results: &[SubjectResult]) -> Option<Figure> {
    let users: Vec<&SubjectResult> =
        results.iter().filter(|result| result.metrics.contains_key("tool_calls")).collect();
    let cell = |result: &SubjectResult, section: &str| {
        let metric = result.metrics.get(&format!("calls.{section}"))?;
        Some(Cell { value: metric.value?, n: metric.n })
    };
    let read: Vec<&str> = super::calls::names()
        .filter(|name| users.iter().any(|it| cell(it, name).is_some_and(|cell| cell.value > 0.0)))
        .collect();
    let mean =
        |result: &&SubjectResult| Some(format!("{} {:.1}", result.subject, result.metrics.get("tool_calls")?.value?));
    let means: Vec<String> = users.iter().filter_map(mean).collect();
    (!read.is_empty()).then(|| Figure {
        id: "sections-read".to_owned(),
        title: "Which sections are looked up".to_owned(),
        caption: format!(
            "In percent of a subject's calls. Rows: the sections in the order of a chart, without those that nobody looked up; \
             what is called other is no section. Columns: subjects that use tools, in the order of the study. Calls per answer: {}.",
            means.join(", ")
        ),
        chart: Chart::Heatmap {
            value: "Share of a subject's calls".to_owned(),
            rows: read.iter().map(|name| (*name).to_owned()).collect(),
            columns: users.iter().map(|result| result.subject.to_string()).collect(),
            cells: read.iter().map(|name| users.iter().map(|it| cell(it, name)).collect()).collect(),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::Metric;

    fn reader(subject: &str, shares: &[(&str, f64)]) -> SubjectResult {
        let metric = |value: f64| Metric { value: Some(value), n: 40, ..Metric::default() };
        let calls = shares.iter().map(|(section, share)| (format!("calls.{section}"), metric(*share)));
        SubjectResult {
            suite: "sensitivity".into(),
            subject: subject.into(),
            n: 10,
            missing: 0,
            reference: false,
            metrics: calls.chain([("tool_calls".to_owned(), metric(4.0))]).collect(),
            breakdown: Vec::new(),
        }
    }

    #[test]
    fn a_heatmap_tells_the_order_of_its_rows_and_of_its_columns() {
        let in_chart: Vec<&str> = super::super::calls::names().collect();
        let (first, second, last) = (in_chart[0], in_chart[1], in_chart[in_chart.len() - 1]);
        let results =
            [reader("react@b", &[(last, 0.5), (second, 0.5)]), reader("react@a", &[(first, 0.0), (second, 1.0)])];
        let drawn = sections(&results).unwrap();
        let Chart::Heatmap { rows, columns, .. } = &drawn.chart else { panic!("{drawn:?}") };
        assert_eq!(rows.iter().map(String::as_str).collect::<Vec<_>>(), [second, last]);
        assert_eq!(columns.iter().map(String::as_str).collect::<Vec<_>>(), ["react@b", "react@a"]);
        for told in [
            "Rows: the sections in the order of a chart, without those that nobody looked up; what is called other is no section.",
            "Columns: subjects that use tools, in the order of the study.",
        ] {
            assert!(drawn.caption.contains(told), "{}", drawn.caption);
        }
        assert_eq!(last, "other", "which the caption explains");
    }
}
