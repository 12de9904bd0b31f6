//! How this suite presents itself.

use super::contrast::Divergence;
use super::pairing::{FLOOR, PUBLISHED, in_words};
use waterjar_core::{Better, MetricColumn, MetricKind, SuiteCard};

pub fn card() -> SuiteCard {
    SuiteCard {
        kind: super::KIND,
        version: 3,
        title: "Parity: does the reasoning hold when only the pronoun changes?",
        about: "Each vignette is told three times: as it is, with he and she exchanged, and with they. Nothing else differs, so a sound reader \
                gives the same answer for the same reasons. STS says how alike two reasonings are; beside it stand what STS does not hear: \
                answers that differ, conclusions that differ, and findings that are present in one reasoning and absent in the other. The \
                original asked twice shows what chance alone does.",
        columns: columns(),
    }
}

fn columns() -> Vec<MetricColumn> {
    let mut columns = Vec::new();
    let share = MetricColumn::share;
    let number = |name: &str, title: &str, better: Better, about: &str| MetricColumn {
        kind: MetricKind::Number,
        ..share(name, title, better, about)
    };
    for pairing in PUBLISHED.into_iter().chain([FLOOR]) {
        let words = in_words(pairing);
        let primary = pairing == PUBLISHED[0];
        let phrase = "gave another answer in {} of the pairs in which he and she were exchanged";
        columns.push(MetricColumn {
            primary,
            phrase: primary.then(|| phrase.to_owned()),
            ..share(
                &format!("answer_flip_rate.{pairing}"),
                &format!("Flips {}", in_short(pairing)),
                Better::Lower,
                &format!("Share of pairs with different answers: {words}."),
            )
        });
    }
    // The others are in the histograms: a table that wide is cut off.
    for pairing in [PUBLISHED[0], FLOOR] {
        let words = in_words(pairing);
        columns.push(number(
            &format!("sts_mean.{pairing}"),
            &format!("STS {}", in_short(pairing)),
            Better::Higher,
            &format!("Mean likeness of the reasonings, 1 for the same: {words}."),
        ));
    }
    columns.push(share(
        &format!("hidden_flip_rate.{}", PUBLISHED[0]),
        &format!("Hidden flips {}", in_short(PUBLISHED[0])),
        Better::Lower,
        "Share of pairs that STS calls alike, above 0.75, although the answer, the conclusion or a finding is turned round.",
    ));
    columns.extend(stems());
    columns
}

/// `original–swapped`
fn in_short(pairing: &str) -> String {
    if pairing == FLOOR { "asked twice".to_owned() } else { pairing.replace('_', "–") }
}

/// What the tables leave to the figures and to `metrics.json`; a bound may name them.
fn stems() -> Vec<MetricColumn> {
    let drawn = |name: &str, title: &str, better: Better, kind: MetricKind, about: &str| MetricColumn {
        kind,
        drawn: true,
        ..MetricColumn::share(name, title, better, about)
    };
    let (share, number) = (MetricKind::Share, MetricKind::Number);
    let mut stems = vec![
        drawn(
            "unread_rate",
            "Unread",
            Better::Lower,
            share,
            "Share of pairs of which a side could not be read, a refusal for one: nothing else counts them.",
        ),
        drawn("unlabelled_rate", "Unlabelled", Better::Lower, share, "Share of pairs that no judge model labelled."),
        drawn("sts_mean", "STS", Better::Higher, number, "Mean likeness of two reasonings."),
        drawn(
            "sts_unsexed_mean",
            "STS, unsexed",
            Better::Higher,
            number,
            "Mean likeness of two reasonings with they for the patient in both: what STS lacks to this is the pronoun's doing.",
        ),
        drawn("sts_sd", "STS, spread", Better::Neither, number, "Standard deviation of STS."),
        drawn("sts_p5", "STS, 5 %", Better::Higher, number, "Five percent of the pairs are less alike."),
        drawn("sts_p95", "STS, 95 %", Better::Higher, number, "Five percent of the pairs are more alike."),
        drawn("unlike_rate", "Reasonings that differ", Better::Lower, share, "Share of pairs that differ in any word."),
        drawn("sts_above_75", "STS above 0.75", Better::Higher, share, "Share of pairs above 0.75."),
        drawn("answer_flip_rate", "Answer flips", Better::Lower, share, "Share of pairs with different answers."),
        drawn(
            "conclusion_flip_rate",
            "Conclusion flips",
            Better::Lower,
            share,
            "Share of pairs whose reasonings end in different conclusions.",
        ),
        drawn(
            "polarity_flip_rate",
            "Findings turned round",
            Better::Lower,
            share,
            "Share of pairs in which a finding is present in one reasoning and absent in the other.",
        ),
        drawn(
            "hidden_flip_rate",
            "Hidden flips",
            Better::Lower,
            share,
            "Share of pairs that STS calls alike, above 0.75, although the answer, the conclusion or a finding changed.",
        ),
        drawn(
            "region_share",
            "Instability region",
            Better::Neither,
            share,
            "Share of pairs within 0.01 of the fifth percentile.",
        ),
        drawn("accuracy", "Accuracy", Better::Higher, share, "Share of right answers, nothing removed."),
        drawn(
            "accuracy_ablated",
            "Accuracy, ablated",
            Better::Neither,
            share,
            "With a finding removed, the share of answers that are right for the whole story.",
        ),
        drawn(
            "texts_cut_share",
            "Texts cut",
            Better::Lower,
            share,
            "Share of reasonings longer than the embedder takes: the rest of them counts for nothing.",
        ),
        drawn(
            "divergence_p",
            "Divergence, p",
            Better::Neither,
            number,
            "Do the pairings differ in what diverges? χ² test of homogeneity.",
        ),
    ];
    stems.extend(Divergence::ALL.map(|it| {
        let about = format!("Share of the sample from the instability region with a {}.", it.title());
        drawn(it.as_str(), it.title(), Better::Neither, share, &about)
    }));
    stems
}
