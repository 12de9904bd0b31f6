//! CRAFT-MD: `case_vignette, choice_1..4, answer, case_id`. It marks no findings.

use super::{Cells, Row, answer_among, lettered, question};
use crate::Vignette;

pub(super) const COLUMNS: [&str; 6] = ["case_vignette", "choice_1", "choice_2", "choice_3", "choice_4", "answer"];

pub(super) fn vignette(row: &Cells<'_>, line: u64) -> Row {
    let (text, asked) = question::split(row.need("case_vignette")?);
    let choices = (1..=4).map(|n| row.need(&format!("choice_{n}")));
    let options = lettered(&choices.collect::<Result<Vec<_>, _>>()?)?;
    let answer = Some(answer_among(&options, row.need("answer")?)?);
    let id = row.get("case_id").map_or_else(|| format!("craft-md-{line}"), |id| format!("craft-md-{id}"));
    Ok(Vignette { id, text, question: asked, options, answer, spans: Vec::new() })
}
