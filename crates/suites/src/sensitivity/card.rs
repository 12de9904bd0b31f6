//! How this suite presents itself.

use super::catalog::FamilyOf;
use waterjar_core::{Better, MetricColumn, MetricKind, SuiteCard};

pub fn card() -> SuiteCard {
    SuiteCard {
        kind: super::KIND,
        version: 6,
        title: "Sensitivity: do the recommendations follow the chart?",
        about: "Each case is one chart. An intervention changes one fact in every place that states it: a biomarker, an earlier \
                failure, an operation, the stage, an allergy. What must then be different in the recommendations stands in the \
                catalog, written before a model answers. The score is 1 when the list changed as it says there, 0.5 when it \
                changed in part, and 0 when it did not; its mean is CSS. CMS says how much of what a board agreed on is recommended for the unchanged \
                chart, which is another thing.",
        columns: columns(),
    }
}

const BESIDE: [(&str, &str, Better, &str); 8] = [
    ("strong_recall", "Strong", Better::Higher, "Share of what the board agreed on strongly that is recommended."),
    ("tacit_recall", "Tacit", Better::Higher, "Share of what the board expects without saying that is recommended."),
    ("refusal_rate", "Refused", Better::Lower, "Share of what must not be offered that is recommended."),
    ("extra_plausibility", "Extras", Better::Higher, "Share of what is recommended beyond the list that is plausible."),
    ("css_refusal_credit", "CSS with credit", Better::Higher, "CSS with 0.5 where an incoherent change was called so."),
    ("tools_help", "Helped", Better::Higher, "Share of interventions that score higher with tools."),
    ("tools_same", "Same", Better::Neither, "Share of interventions that score the same with tools."),
    ("tools_hurt", "Hurt", Better::Lower, "Share of interventions that score lower with tools."),
];

/// No shares: places, counts, and what is neither.
const NUMBERS: [(&str, &str, Better, &str); 6] = [
    (
        "css_rank",
        "Rank by CSS",
        Better::Lower,
        "The place among the subjects by CSS: 1 is best; ties share their middle.",
    ),
    (
        "css_clean_rank",
        "Rank by clean CSS",
        Better::Lower,
        "The place among the subjects by clean CSS: 1 is best; ties share their middle.",
    ),
    (
        "cms_rank",
        "Rank by CMS",
        Better::Lower,
        "The place among the subjects by CMS: 1 is best; ties share their middle.",
    ),
    ("judge_kappa", "Kappa", Better::Higher, "Cohen's kappa between the rule's grades and the models'."),
    ("tool_calls", "Calls", Better::Neither, "Tool calls per answer."),
    ("tools_sign_p", "p", Better::Neither, "p of the sign test over charts, by whether tools help or hurt in sum."),
];

fn columns() -> Vec<MetricColumn> {
    let share = MetricColumn::share;
    let mut columns = vec![
        MetricColumn {
            phrase: Some("followed {} of the changes".to_owned()),
            primary: true,
            ..share(
                "css",
                "CSS",
                Better::Higher,
                "The mean score over all interventions: how far the recommendations followed the chart. Its n counts interventions; that of CMS counts charts.",
            )
        },
        share(
            "css_clean",
            "CSS, clean",
            Better::Higher,
            "CSS over variants in which the audit found nothing: no trace of the old fact, and nothing that its rules call unbelievable. No clinician has read them.",
        ),
        MetricColumn {
            phrase: Some("covered {} of the board's consensus".to_owned()),
            ..share(
                "cms",
                "CMS",
                Better::Higher,
                "How much of what the board agreed on is recommended for the unchanged chart.",
            )
        },
        share("wrong_share", "Wrong", Better::Lower, "Share of interventions after which nothing moved as declared."),
        share(
            "partial_share",
            "Partial",
            Better::Neither,
            "Share of interventions after which some of what was declared moved.",
        ),
        share(
            "correct_share",
            "Correct",
            Better::Higher,
            "Share of interventions after which everything moved as declared.",
        ),
        share(
            "already_met_share",
            "Already met",
            Better::Lower,
            "Share of interventions in which the control's list already did what was required, so that nothing could follow. They count as wrong.",
        ),
    ];
    columns.push(MetricColumn {
        drawn: true,
        ..share(
            "calls",
            "Sections looked up",
            Better::Neither,
            "Share of a subject's tool calls that went to each section.",
        )
    });
    // They have no column, and can still be held to a bound.
    columns.extend(
        BESIDE.map(|(name, title, better, about)| MetricColumn { drawn: true, ..share(name, title, better, about) }),
    );
    columns.extend(NUMBERS.map(|(name, title, better, about)| MetricColumn {
        drawn: true,
        kind: MetricKind::Number,
        ..share(name, title, better, about)
    }));
    // Ten more columns would be a table nobody reads: a figure shows them, and the strata are named after them.
    columns.extend(FamilyOf::ALL.map(|family| {
        let about = format!("CSS over interventions of the family {family}: {}.", family.about());
        MetricColumn { drawn: true, ..share(&format!("css.{family}"), &family.title(), Better::Higher, &about) }
    }));
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_counts_are_no_shares() {
        let kind = |name: &str| columns().into_iter().find(|it| it.name == name).map(|it| it.kind);
        for name in ["css_rank", "css_clean_rank", "cms_rank", "tool_calls", "tools_sign_p"] {
            assert_eq!(kind(name), Some(MetricKind::Number), "{name}");
        }
        assert_eq!(kind("tools_help"), Some(MetricKind::Share));
    }
}
