//! What to draw: how alike the reasonings are, in what they differ, and how often the answer does.

use super::contrast::Divergence;
use super::measure::UNSEXED_MEAN;
use super::pairing::{AGAIN, FLOOR, NEUTRAL, PUBLISHED, SWAPPED, in_words};
use super::region::WIDTH;
use super::spans::{REMOVED, WHOLE};
use waterjar_core::figure::{Axis, Band, Chart, Column, Estimate, Figure, Group, Histogram};
use waterjar_core::{Breakdown, Metric, SubjectResult, metric::rounded};

pub(super) fn figures(results: &[SubjectResult]) -> Vec<Figure> {
    let low = lowest(results);
    let mut figures: Vec<Figure> = results.iter().enumerate().filter_map(|(at, it)| histograms(at, it, low)).collect();
    figures.extend(flips(results));
    figures.extend(beside_sts(results));
    figures.extend(other_attributes(results));
    figures.extend(accuracy(results));
    figures.extend(results.iter().enumerate().filter_map(|(at, it)| removed(at, it)));
    figures.extend(results.iter().enumerate().filter_map(|(at, it)| divergences(at, it)));
    figures
}

/// Three histograms of one subject, one below the other. All subjects' begin at the same STS, so that they compare.
fn histograms(at: usize, result: &SubjectResult, low: f64) -> Option<Figure> {
    let panels: Vec<Histogram> = PUBLISHED.iter().filter_map(|pairing| panel(result, pairing)).collect();
    (!panels.is_empty()).then(|| Figure {
        id: format!("sts-{}", at + 1),
        title: format!("How alike the reasonings of {} are", result.subject),
        caption: format!(
            "STS of the pairs, in percent of them. The line is the fifth percentile; the band around it is the instability region. The \
             ninety-fifth percentiles are {}.{} By {}.{}",
            PUBLISHED.map(|it| fixed(result.metrics.get(&format!("sts_p95.{it}")).and_then(|it| it.value))).join(", "),
            unsexed(result),
            embedder(result),
            cut(result)
        ),
        chart: Chart::Histograms {
            x: Axis { label: "STS".to_owned(), low, high: 1.0 },
            y: "Share of pairs".to_owned(),
            panels,
        },
    })
}

fn lowest(results: &[SubjectResult]) -> f64 {
    let panels = results.iter().flat_map(|it| PUBLISHED.iter().filter_map(|pairing| panel(it, pairing)));
    let least = panels.flat_map(|it| it.columns).map(|it| it.low).fold(0.9, f64::min);
    (least * 10.0).floor() / 10.0
}

fn panel(result: &SubjectResult, pairing: &str) -> Option<Histogram> {
    let bars = result.breakdown.iter().find(|it| it.by == "histogram" && it.key == pairing)?;
    let edge = |name: &str| name.strip_prefix("sts_")?.parse::<f64>().ok();
    let column = |(name, metric): (&String, &Metric)| {
        let low = edge(name)? / 100.0;
        Some(Column { low, high: low + 0.02, share: metric.value? })
    };
    let value = |name: &str| result.metrics.get(&format!("{name}.{pairing}"))?.value;
    let p5 = value("sts_p5")?;
    Some(Histogram {
        title: format!("{}, mean {:.3}, sd {}", in_words(pairing), value("sts_mean")?, fixed(value("sts_sd"))),
        n: bars.metrics.values().map(|it| it.n).max().unwrap_or(0),
        columns: bars.metrics.iter().filter_map(column).collect(),
        mark: Some(p5),
        // Where nearly all reasonings are the same there is no region.
        band: value("region_share").map(|_| Band { low: p5 - WIDTH, high: p5 + WIDTH }),
    })
}

fn fixed(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{value:.3}"))
}

/// The means with they for the patient in both reasonings; nothing of verdicts that were made before they were measured.
fn unsexed(result: &SubjectResult) -> String {
    let means = PUBLISHED.map(|it| result.metrics.get(&format!("{UNSEXED_MEAN}.{it}")).and_then(|it| it.value));
    if means.iter().all(Option::is_none) {
        return String::new();
    }
    let told = means.map(fixed).join(", ");
    format!(
        " With they for the patient in both reasonings the means are {told}: what STS lacks to them is the pronoun's doing."
    )
}

/// Who measured; a lexical stand-in hears words and not meaning.
fn embedder(result: &SubjectResult) -> String {
    let named: Vec<&str> = result.breakdown.iter().filter(|it| it.by == "embedder").map(|it| it.key.as_str()).collect();
    match named.as_slice() {
        [] => "an embedder nobody named".to_owned(),
        [one] if one.starts_with("lexical") => format!("{one}, which compares words and not meaning"),
        all => all.join(" and "),
    }
}

fn cut(result: &SubjectResult) -> String {
    let share = result.metrics.get("texts_cut_share").and_then(|it| it.value).unwrap_or(0.0);
    if share > 0.0 {
        format!(" {:.1} % of the reasonings are longer than it reads.", 100.0 * share)
    } else {
        String::new()
    }
}

/// Answer flips by pairing, the floor among them.
fn flips(results: &[SubjectResult]) -> Option<Figure> {
    let pairings: Vec<&str> = PUBLISHED.into_iter().chain([FLOOR]).collect();
    let values = |result: &SubjectResult| {
        let of = |pairing: &&str| result.metrics.get(&format!("answer_flip_rate.{pairing}")).and_then(Estimate::of);
        pairings.iter().map(of).collect::<Vec<_>>()
    };
    let groups = results.iter().map(|result| Group { label: result.subject.to_string(), values: values(result) });
    let groups: Vec<Group> = groups.filter(|it| it.values.iter().any(Option::is_some)).collect();
    (!groups.is_empty()).then(|| Figure {
        id: "answer-flips".to_owned(),
        title: "How often another pronoun means another answer".to_owned(),
        caption: "Share of pairs with different answers, with 95 % intervals over vignettes. The original asked twice is what chance alone does."
            .to_owned(),
        chart: Chart::Grouped {
            x: Axis::share("Answer flip rate"),
            series: pairings.iter().map(|it| in_words(it)).collect(),
            groups,
        },
    })
}

/// What STS does not hear, by pairing: conclusions that differ, findings turned round.
fn beside_sts(results: &[SubjectResult]) -> Option<Figure> {
    let group = |result: &SubjectResult, name: &str, words: &str| Group {
        label: format!("{}: {words}", result.subject),
        values: PUBLISHED.map(|pairing| result.metrics.get(&format!("{name}.{pairing}")).and_then(Estimate::of)).into(),
    };
    let groups = results.iter().flat_map(|it| {
        [
            group(it, "conclusion_flip_rate", "conclusions"),
            group(it, "polarity_flip_rate", "findings"),
            group(it, "hidden_flip_rate", "hidden"),
        ]
    });
    drawn(
        "beside-sts",
        "What likeness does not hear",
        "Share of pairs whose reasonings end in different conclusions, of pairs in which a finding is present in one and absent in the other, and \
         of pairs above 0.75 in which one of these or the answer differs.",
        "Share of pairs",
        PUBLISHED.iter().map(|it| in_words(it)).collect(),
        groups.collect(),
    )
}

/// Age, housing and whatever else a study changed: how often the answer did.
fn other_attributes(results: &[SubjectResult]) -> Option<Figure> {
    let known = |pairing: &str| PUBLISHED.contains(&pairing) || pairing == FLOOR;
    let stem = "answer_flip_rate.";
    let mut pairings: Vec<&str> = results
        .iter()
        .flat_map(|it| it.metrics.keys().filter_map(|name| name.strip_prefix(stem)))
        .filter(|it| !known(it))
        .collect();
    pairings.sort_unstable();
    pairings.dedup();
    if pairings.is_empty() {
        return None;
    }
    let groups = results.iter().map(|result| Group {
        label: result.subject.to_string(),
        values: pairings.iter().map(|it| result.metrics.get(&format!("{stem}{it}")).and_then(Estimate::of)).collect(),
    });
    drawn(
        "other-attributes",
        "How often another attribute means another answer",
        "Share of pairs with different answers: the original, and the same patient with one thing changed that should not matter.",
        "Share of pairs",
        pairings.iter().map(|it| in_words(it)).collect(),
        groups.collect(),
    )
}

/// The wordings everybody is asked, in the order they are told; the control is called the original here.
const WORDINGS: [&str; 4] = ["original", SWAPPED, NEUTRAL, AGAIN];

/// Right answers by wording, nothing removed.
fn accuracy(results: &[SubjectResult]) -> Option<Figure> {
    let stem = "accuracy.";
    let mut roles: Vec<&str> =
        results.iter().flat_map(|it| it.metrics.keys().filter_map(|name| name.strip_prefix(stem))).collect();
    let place = |role: &str| WORDINGS.iter().position(|it| *it == role).unwrap_or(WORDINGS.len());
    roles.sort_unstable_by_key(|role| (place(role), *role));
    roles.dedup();
    let title = |role: &str| if role == AGAIN { in_words(FLOOR) } else { role.replace('_', " ") };
    let groups = results.iter().map(|result| Group {
        label: result.subject.to_string(),
        values: roles.iter().map(|it| result.metrics.get(&format!("{stem}{it}")).and_then(Estimate::of)).collect(),
    });
    drawn(
        "accuracy",
        "Right answers by wording",
        "Share of vignettes answered rightly, nothing removed. The answer may hold and be wrong both times.",
        "Share of vignettes",
        roles.iter().map(|it| title(it)).collect(),
        groups.collect(),
    )
}

/// Bars in groups; nothing where there is nothing to draw.
fn drawn(id: &str, title: &str, caption: &str, share: &str, series: Vec<String>, groups: Vec<Group>) -> Option<Figure> {
    let groups: Vec<Group> = groups.into_iter().filter(|it| it.values.iter().any(Option::is_some)).collect();
    (!groups.is_empty()).then(|| Figure {
        id: id.to_owned(),
        title: title.to_owned(),
        caption: caption.to_owned(),
        chart: Chart::Grouped { x: Axis::share(share), series, groups },
    })
}

/// As many of the ranked findings as a figure holds.
const DRAWN: usize = 12;

/// Where the pronoun comes in: the findings whose removal leaves the reasonings least alike. A subject that never differs has none.
fn removed(at: usize, result: &SubjectResult) -> Option<Figure> {
    let group = |it: &Breakdown| {
        let value = |name: &str| it.metrics.get(name).and_then(Estimate::of);
        let loss = value("sts_mean").zip(value(&format!("sts_mean{WHOLE}"))).and_then(|(it, whole)| loss(it, whole));
        let label = it.key.split_once(' ').map_or(it.key.as_str(), |(_, label)| label);
        let whole = value(&format!("answer_flip_rate{WHOLE}"));
        Group { label: label.to_owned(), values: vec![loss, value("answer_flip_rate"), whole] }
    };
    let ranked = result.breakdown.iter().filter(|it| it.by == REMOVED);
    let groups: Vec<Group> = ranked.take(DRAWN).map(group).collect();
    (!groups.is_empty()).then(|| Figure {
        id: format!("removed-{}", at + 1),
        title: format!("Where the pronoun comes in: {}", result.subject),
        caption: "The findings, each after its vignette, without which the reasonings as he, she and they become less alike than those on the whole \
                  story: by how much STS falls, the largest loss first. Where answers differ on the whole story as often, the pronoun came in \
                  without it. Shares are of the three pairings."
            .to_owned(),
        chart: Chart::Grouped {
            x: Axis::share("Loss of STS, or share of the three pairings"),
            series: ["loss of likeness, STS", "different answers", "different answers, whole story"]
                .map(str::to_owned)
                .to_vec(),
            groups,
        },
    })
}

/// How much less alike than on the whole story. Where only the answers differ more the reasonings may be more alike, which is no loss.
fn loss(without: Estimate, whole: Estimate) -> Option<Estimate> {
    let value = rounded(whole.value - without.value);
    (value >= 0.0).then_some(Estimate { value, low: value, high: value, n: without.n })
}

/// What differs in the sample from the instability region. A subject that never differs has nothing to show.
fn divergences(at: usize, result: &SubjectResult) -> Option<Figure> {
    let of = |divergence: Divergence, pairing: &str| {
        result.metrics.get(&format!("{}.{pairing}", divergence.as_str())).and_then(Estimate::of)
    };
    let groups: Vec<Group> = Divergence::ALL
        .into_iter()
        .map(|it| Group { label: it.title().to_owned(), values: PUBLISHED.map(|pairing| of(it, pairing)).into() })
        .collect();
    let differs = groups.iter().flat_map(|it| it.values.iter().flatten()).any(|it| it.value > 0.0);
    differs.then(|| Figure {
        id: format!("divergence-{}", at + 1),
        title: format!("In what unlike reasonings of {} differ", result.subject),
        caption: format!(
            "Share of a sample of at most 200 pairs from the instability region; a pair may show several. {}",
            homogeneity(result)
        ),
        chart: Chart::Grouped {
            x: Axis::share("Share of the sample"),
            series: PUBLISHED.iter().map(|it| in_words(it)).collect(),
            groups,
        },
    })
}

/// Whether the pairings differ in it.
fn homogeneity(result: &SubjectResult) -> String {
    let of = |name: &str| result.metrics.get(name)?.value;
    match (of("divergence_chi2"), of("divergence_df"), of("divergence_p")) {
        (Some(chi2), Some(df), Some(p)) => {
            format!("Do the pairings differ in it? χ² {chi2:.2}, df {df:.0}, p {p:.2}.")
        }
        _ => String::new(),
    }
}
