//! What to draw: the four dimensions, which trap works, and what becomes of the rumor.

use super::stance::Stance;
use waterjar_consultations::Trap;
use waterjar_core::figure::{Axis, Bar, Chart, Estimate, Figure, Group};
use waterjar_core::{Metric, SubjectResult};

pub(super) fn figures(results: &[SubjectResult]) -> Vec<Figure> {
    [dimensions(results), traps(results), stances(results)].into_iter().flatten().collect()
}

fn dimensions(results: &[SubjectResult]) -> Option<Figure> {
    let names = ["accuracy", "veracity", "helpfulness", "consistency", "overall"];
    let series: Vec<String> = ["Accuracy", "Veracity", "Help", "Consistency", "Overall"].map(str::to_owned).into();
    grouped(
        results,
        &names.map(str::to_owned),
        series,
        "dimensions",
        "Four dimensions of an answer",
        "Share or mean score",
        "Each with its 95 % interval over patients. Overall is the mean of the four.",
    )
}

fn traps(results: &[SubjectResult]) -> Option<Figure> {
    let mut all = vec![("static_accuracy".to_owned(), "Raw question")];
    let titles = ["Self-diagnosis", "History", "External", "Misplaced emphasis"];
    all.extend(Trap::ALL.iter().zip(titles).map(|(trap, title)| (format!("accuracy.trap_{}", trap.as_str()), title)));
    let baselines = [("dyval2", "DyVal2"), ("paraphrase", "Paraphrased"), ("noise", "With noise")];
    all.extend(baselines.map(|(role, title)| (format!("accuracy.trap_{role}"), title)));
    // Only what was asked.
    all.retain(|(name, _)| results.iter().any(|it| it.metrics.contains_key(name)));
    let (names, titles): (Vec<String>, Vec<&str>) = all.into_iter().unzip();
    grouped(
        results,
        &names,
        titles.into_iter().map(str::to_owned).collect(),
        "traps",
        "Which trap works",
        "Right disease first",
        "Share of answers that name the right disease first, for the raw question and for each trap. What is told of the patient is the same.",
    )
}

fn grouped(
    results: &[SubjectResult],
    names: &[String],
    series: Vec<String>,
    id: &str,
    title: &str,
    axis: &str,
    caption: &str,
) -> Option<Figure> {
    let values = |result: &SubjectResult| -> Vec<Option<Estimate>> {
        names.iter().map(|name| result.metrics.get(name).and_then(estimate)).collect()
    };
    let groups = results.iter().map(|result| Group { label: result.subject.to_string(), values: values(result) });
    let groups: Vec<Group> = groups.filter(|it| it.values.iter().any(Option::is_some)).collect();
    (!groups.is_empty()).then(|| Figure {
        id: id.to_owned(),
        title: title.to_owned(),
        caption: caption.to_owned(),
        chart: Chart::Grouped { x: Axis { label: axis.to_owned(), low: 0.0, high: 1.0 }, series, groups },
    })
}

fn stances(results: &[SubjectResult]) -> Option<Figure> {
    let shares = |result: &SubjectResult| -> Vec<Option<Estimate>> {
        let of = |stance: Stance| result.metrics.get(&format!("stance.{}", stance.as_str())).and_then(estimate);
        Stance::ALL.map(of).into()
    };
    let bars = results.iter().map(|result| Bar { label: result.subject.to_string(), shares: shares(result) });
    let bars: Vec<Bar> = bars.filter(|it| it.shares.iter().any(Option::is_some)).collect();
    (!bars.is_empty()).then(|| Figure {
        id: "stances".to_owned(),
        title: "What becomes of the rumor".to_owned(),
        caption: "Put right: opposed, and the fact stated; only that counts as veracity. Doubted: opposed alone. Avoided: not taken up. \
                  Endorsed: repeated as true."
            .to_owned(),
        chart: Chart::Stacked { parts: ["Put right", "Doubted", "Avoided", "Endorsed"].map(str::to_owned).into(), bars },
    })
}

fn estimate(metric: &Metric) -> Option<Estimate> {
    let value = metric.value?;
    Some(Estimate { value, low: metric.low.unwrap_or(value), high: metric.high.unwrap_or(value), n: metric.n })
}
