//! Every metric of every suite, from the suite's card.

use super::cell;
use std::fmt::Write;
use waterjar_core::{Better, MetricColumn, MetricKind};

pub fn page() -> String {
    let mut page = String::from(
        "# Metrics\n\n\
         Made from the suites' cards (`waterjar reference metrics`); a test holds it equal. These names stand in `metrics.json` and in\n\
         `[bounds]` after the name of the suite (`\"einstellung.bias_trap_rate\"`). A dot adds a stratum: `bias_trap_rate.edits_1`. Which strata\n\
         and further figures there are is in the README of the suite. `waterjar compare --metric` takes those that are kept family by family, which\n\
         few strata are (the pairings of `parity`); asked for another, it names them. Shares are 0 to 1, and are printed in percent. How intervals\n\
         come about: [statistics](../statistics.md).\n",
    );
    for suite in waterjar_suites::all() {
        let card = (suite.card)();
        let _ = write!(page, "\n## {}\n\n{}\n\nVersion {}.\n\n", suite.kind, card.about, card.version);
        page.push_str("| metric | is | better | what it tells |\n|---|---|---|---|\n");
        for column in &card.columns {
            let _ = writeln!(page, "{}", row(column));
        }
    }
    page
}

fn row(column: &MetricColumn) -> String {
    let kind = match column.kind {
        MetricKind::Share => "share",
        MetricKind::Number => "number",
    };
    let better = match column.better {
        Better::Higher => "higher",
        Better::Lower => "lower",
        Better::Neither => "–",
    };
    let primary = if column.primary { " **What the suite is about.**" } else { "" };
    format!("| `{}` | {kind} | {better} | {}{primary} |", column.name, cell(&column.explanation))
}
