//! What is known of cases beside their charts: the cancer, the facts of a board, what was agreed on.

use super::coverage::Agreed;
use crate::table::for_each_row;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use waterjar_charts::boards::{BoardFacts, Claim, ConsensusClass, boards, claims};
use waterjar_core::{Seed, SourceError};

#[derive(Clone, Debug, Default)]
pub struct Known {
    pub cancer: Option<String>,
    /// True of a synthetic case, before any change.
    pub facts: Option<BoardFacts>,
    /// Empty: nobody agreed on anything that we know of.
    pub agreed: Vec<Agreed>,
    /// How the facts can be told, made when first looked for.
    claims: OnceLock<Vec<Claim>>,
}

impl Known {
    pub(super) fn claims(&self) -> &[Claim] {
        self.claims.get_or_init(|| self.facts.as_ref().map(claims).unwrap_or_default())
    }

    pub fn of_boards(seed: Seed) -> Result<BTreeMap<String, Self>, SourceError> {
        let bad = |error: waterjar_charts::boards::BoardError| SourceError::new(error.place, error.problem);
        let mut known = BTreeMap::new();
        for board in boards(seed).map_err(bad)? {
            let board = board.map_err(bad)?;
            let agreed = board.consensus.into_iter();
            let agreed = agreed.map(|it| Agreed { treatment: it.treatment, class: it.class, synonyms: Vec::new() });
            let cancer = Some(board.facts.cancer.name().to_owned());
            known.insert(
                board.id,
                Self { cancer, facts: Some(board.facts), agreed: agreed.collect(), claims: OnceLock::new() },
            );
        }
        Ok(known)
    }

    /// One row per case and treatment; synonyms are parted by `|`. `cases` are the charts' own names, which the file uses, and the cases
    /// they become.
    pub fn of_file(path: &Path, cases: &BTreeMap<String, String>) -> Result<BTreeMap<String, Self>, SourceError> {
        let mut known: BTreeMap<String, Self> = BTreeMap::new();
        for_each_row(path, COLUMNS, &mut |line, row: Row| {
            let Some(case) = cases.get(&row.case) else {
                let some: Vec<&str> = cases.keys().take(5).map(String::as_str).collect();
                let problem = format!("no chart of the source is called `{}`", row.case);
                let hint = format!("a case is named as the source names its chart; some of them: {}", some.join(", "));
                return Err(SourceError::at_line(path, line, problem).with_hint(hint));
            };
            let synonyms = row.synonyms.iter().flat_map(|it| it.split('|')).map(|it| it.trim().to_owned());
            let synonyms = synonyms.filter(|it| !it.is_empty()).collect();
            let case = known.entry(case.clone()).or_default();
            case.agreed.push(Agreed { treatment: row.treatment, class: row.class, synonyms });
            Ok(())
        })?;
        Ok(known)
    }
}

const COLUMNS: &str =
    "the columns are: case, treatment, class (strong, tacit, mixed, refusal), synonyms (optional, parted by |)";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    case: String,
    treatment: String,
    class: ConsensusClass,
    #[serde(default)]
    synonyms: Option<String>,
}
