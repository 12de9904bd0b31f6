//! How this suite presents itself.

use waterjar_core::{Better, MetricColumn, MetricKind, SuiteCard};

pub fn card() -> SuiteCard {
    SuiteCard {
        kind: super::KIND,
        version: 5,
        title: "Einstellung: does the diagnosis follow the finding?",
        about: "Each pair is one patient told twice. In the trap, the findings that spoke for the control's condition and \
                against its closest rival are exchanged for like findings of the rival, and the right diagnosis flips. \
                A sham exchanges findings of the condition for others of the same condition, which changes nothing that matters. The bias trap rate is the share of \
                pairs with a right control in which the subject names the old diagnosis for the trap.",
        columns: columns(),
    }
}

/// Of pairs that come finished, which nobody counted as pure or mixed.
pub(super) fn card_of_finished() -> SuiteCard {
    let mut columns = columns();
    columns.retain(|column| !column.name.contains(".purity_"));
    SuiteCard {
        about: "Each pair is one patient told twice, as somebody else wrote and published it. In the trap, what spoke for \
                the control's condition is changed so that another is right. The bias trap rate is the share of pairs \
                with a right control in which the subject names the old diagnosis for the trap.",
        columns,
        ..card()
    }
}

pub(super) fn card_of_staged() -> SuiteCard {
    let mut columns = columns();
    columns.retain(|column| ["baseline_accuracy", "top3", "top5"].contains(&column.name.as_str()));
    SuiteCard {
        about: "Each case is told in stages: history, examination, tests. Nothing is changed in it; the figure is how often \
                a subject names the diagnosis, so that what was gained on pairs can be seen to cost or to gain elsewhere.",
        columns,
        ..card()
    }
}

fn columns() -> Vec<MetricColumn> {
    let share = MetricColumn::share;
    vec![
        MetricColumn {
            phrase: Some("was right on {} of the controls".to_owned()),
            ..share("baseline_accuracy", "Baseline accuracy", Better::Higher, "Share of controls diagnosed rightly.")
        },
        share("robust_accuracy", "Robust accuracy", Better::Higher, "Share of pairs with both control and trap right."),
        MetricColumn {
            phrase: Some("kept the old diagnosis in {} of the traps after a right control".to_owned()),
            primary: true,
            ..share(
                "bias_trap_rate",
                "Bias trap rate",
                Better::Lower,
                "Of the pairs with a right control, the share in which the trap is given the control's diagnosis.",
            )
        },
        share(
            "bias_trap_rate.purity_pure",
            "Trap rate, pure",
            Better::Lower,
            "The bias trap rate of pairs that keep none of the old evidence.",
        ),
        share(
            "bias_trap_rate.purity_mixed",
            "Trap rate, mixed",
            Better::Lower,
            "The bias trap rate of pairs that keep some of the old evidence, which the new evidence outweighs.",
        ),
        MetricColumn {
            phrase: Some("held on {} of the shams".to_owned()),
            ..share(
                "sham_kept",
                "Sham kept",
                Better::Higher,
                "Of the pairs with a right control, the share in which edits that change nothing left the answer alone.",
            )
        },
        share(
            "stochastic_error_rate",
            "Stochastic errors",
            Better::Lower,
            "Of the pairs with a right control, the share in which the trap is given a third diagnosis.",
        ),
        share(
            "rigidity_ratio",
            "Rigidity",
            Better::Neither,
            "Of the failed traps after a right control, the share that kept the old diagnosis.",
        ),
        share(
            "top3",
            "Top 3",
            Better::Higher,
            "Share of controls with the right condition among the first three named.",
        ),
        share(
            "top5",
            "Top 5",
            Better::Higher,
            "Share of controls with the right condition among the first five named.",
        ),
        MetricColumn {
            kind: MetricKind::Number,
            ..share(
                "rank_drop",
                "Rank drop",
                Better::Neither,
                "By how many places the old diagnosis falls from control to trap, after a right control. It should fall; how far depends on the pair.",
            )
        },
        MetricColumn {
            kind: MetricKind::Number,
            ..share(
                "reverted_confidence",
                "Confidence when trapped",
                Better::Lower,
                "The mean confidence in the old diagnosis where it was kept.",
            )
        },
        MetricColumn {
            drawn: true,
            ..share(
                "failure_mode",
                "Failure mode",
                Better::Neither,
                "How the answers that kept the old diagnosis after a right control lost sight of the new evidence.",
            )
        },
    ]
}
