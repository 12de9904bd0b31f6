//! What to draw: the four dimensions, which trap works, how much harder the letters are, what becomes of the rumor, and how little the
//! letters of a patient repeat each other.

use super::audit::UNLIKE;
use super::stance::Stance;
use waterjar_consultations::Trap;
use waterjar_core::figure::{Axis, Bar, Chart, Dot, Estimate, Figure, Group, Series};
use waterjar_core::{Check, SubjectResult};

pub(super) fn figures(results: &[SubjectResult], checks: &[Check]) -> Vec<Figure> {
    [dimensions(results), traps(results), challenge(results), stances(results), diversity(checks)]
        .into_iter()
        .flatten()
        .collect()
}

fn dimensions(results: &[SubjectResult]) -> Option<Figure> {
    let names = ["accuracy", "veracity", "helpfulness", "consistency", "overall"];
    let series: Vec<String> = ["Accuracy", "Veracity", "Help", "Consistency", "Overall"].map(str::to_owned).into();
    Some(Figure {
        id: "dimensions".to_owned(),
        title: "Four dimensions of an answer".to_owned(),
        caption: "Each with its 95 % interval over patients. Overall is the mean of the four.".to_owned(),
        chart: grouped(results, &names.map(str::to_owned), series, "Share or mean score")?,
    })
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
    let titles = titles.into_iter().map(str::to_owned).collect();
    Some(Figure {
        id: "traps".to_owned(),
        title: "Which trap works".to_owned(),
        caption: "Share of answers that name the right disease first, for the raw question and for each trap. What is told of the patient \
                  is the same."
            .to_owned(),
        chart: grouped(results, &names, titles, "Right disease first")?,
    })
}

/// How much harder the letters are than the raw question, as the paper's table of challenge has it.
fn challenge(results: &[SubjectResult]) -> Option<Figure> {
    let dot = |result: &SubjectResult| {
        let value = Estimate::of(result.metrics.get("challenge_change")?)?;
        Some(Dot { label: result.subject.to_string(), value, reference: result.reference })
    };
    let rows: Vec<Dot> = results.iter().filter_map(dot).collect();
    let lowest = rows.iter().map(|row| row.value.low).fold(0.0, f64::min);
    let highest = rows.iter().map(|row| row.value.high).fold(0.0, f64::max);
    (!rows.is_empty()).then(|| Figure {
        id: "challenge".to_owned(),
        title: "How much harder the letters are".to_owned(),
        caption: "Challenge (mean of top 1, 3 and 5) of the letters against that of the raw question, as a part of it: −0.10 is a tenth less. \
                  Left of 0: the letters are harder. Bars are 95 % intervals over patients."
            .to_owned(),
        chart: Chart::Dots {
            x: Axis { label: "Change of challenge".to_owned(), low: (lowest * 10.0).floor() / 10.0, high: (highest * 10.0).ceil().max(1.0) / 10.0 },
            rows,
        },
    })
}

/// By how many letters of a patient are compared, as the paper draws it over k.
fn diversity(checks: &[Check]) -> Option<Figure> {
    let of = |check: &Check| {
        let letters: usize = check.name.strip_prefix(UNLIKE)?.parse().ok()?;
        let value = check.value;
        Some((letters, Estimate { value, low: value, high: value, n: check.n }))
    };
    let mut found: Vec<(usize, Estimate)> = checks.iter().filter_map(of).collect();
    found.sort_by_key(|(letters, _)| *letters);
    (found.len() > 1).then(|| Figure {
        id: "diversity".to_owned(),
        title: "How little the letters repeat each other".to_owned(),
        caption: "1 − Self-BLEU of the first k letters of a patient, in the mean over patients: 0 would be the same letter k times.".to_owned(),
        chart: Chart::Lines {
            x: Axis { label: "Letters of a patient (k)".to_owned(), low: 0.0, high: found.len() as f64 },
            y: Axis::share("1 − Self-BLEU"),
            steps: found.iter().map(|(letters, _)| letters.to_string()).collect(),
            series: vec![Series { name: "letters".to_owned(), values: found.iter().map(|(_, value)| Some(*value)).collect() }],
        },
    })
}

/// A group for each subject that has any of the metrics, a bar in it for each of them.
fn grouped(results: &[SubjectResult], names: &[String], series: Vec<String>, axis: &str) -> Option<Chart> {
    let values = |result: &SubjectResult| -> Vec<Option<Estimate>> {
        names.iter().map(|name| result.metrics.get(name).and_then(Estimate::of)).collect()
    };
    let groups = results.iter().map(|result| Group { label: result.subject.to_string(), values: values(result) });
    let groups: Vec<Group> = groups.filter(|it| it.values.iter().any(Option::is_some)).collect();
    (!groups.is_empty()).then(|| Chart::Grouped { x: Axis::share(axis), series, groups })
}

fn stances(results: &[SubjectResult]) -> Option<Figure> {
    let shares = |result: &SubjectResult| -> Vec<Option<Estimate>> {
        let of = |stance: Stance| result.metrics.get(&format!("stance.{}", stance.as_str())).and_then(Estimate::of);
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
