//! What is known of cases beside their charts: the cancer, the facts of a board, what was agreed on.

use super::coverage::Agreed;
use crate::table::for_each_row;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::OnceLock;
use waterjar_charts::boards::{BoardFacts, Claim, ConsensusClass, boards, claims};
use waterjar_charts::scrubbed_id;
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

/// The charts that a consensus list may speak of, by what their source calls them.
pub enum Cases<'a> {
    /// These, and the case that each becomes.
    These(&'a BTreeMap<String, String>),
    /// Any: the list was checked when the run was made, and the charts may be gone. Scrubbed with this seed.
    Any(Option<Seed>),
}

impl Cases<'_> {
    fn case(&self, id: &str) -> Option<String> {
        match self {
            Self::These(cases) => cases.get(id).cloned(),
            Self::Any(scrub) => Some(scrub.map_or_else(|| id.to_owned(), |seed| scrubbed_id(id, seed))),
        }
    }

    /// A few, for whoever named another.
    fn some(&self) -> String {
        match self {
            Self::These(cases) => cases.keys().take(5).map(String::as_str).collect::<Vec<_>>().join(", "),
            Self::Any(_) => String::new(),
        }
    }
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

    /// One row per case and treatment; synonyms are parted by `|`.
    pub fn of_file(path: &Path, cases: &Cases<'_>) -> Result<BTreeMap<String, Self>, SourceError> {
        let mut known: BTreeMap<String, Self> = BTreeMap::new();
        for_each_row(path, COLUMNS, &mut |line, row: Row| {
            let Some(case) = cases.case(&row.case) else {
                let problem = format!("no chart of the source is called `{}`", row.case);
                let hint = format!("a case is named as the source names its chart; some of them: {}", cases.some());
                return Err(SourceError::at_line(path, line, problem).with_hint(hint));
            };
            if row.treatment.split('|').any(|it| it.trim().is_empty()) {
                return Err(SourceError::at_line(path, line, "a row without a treatment").with_hint(COLUMNS));
            }
            let told = row.class.trim().to_lowercase();
            let Some(class) = CLASSES.into_iter().find(|class| class.name() == told) else {
                let problem = format!("no class is called `{}`", row.class);
                return Err(SourceError::at_line(path, line, problem).with_hint(COLUMNS));
            };
            let synonyms = row.synonyms.iter().flat_map(|it| it.split('|')).map(|it| it.trim().to_owned());
            let synonyms = synonyms.filter(|it| !it.is_empty()).collect();
            let known = known.entry(case).or_default();
            if let Some(other) = known.agreed.iter().find(|it| it.treatment.eq_ignore_ascii_case(row.treatment.trim()))
            {
                let problem =
                    format!("`{}` of `{}` is there already, as {}", row.treatment, row.case, other.class.name());
                return Err(SourceError::at_line(path, line, problem).with_hint("a treatment has one class in a case"));
            }
            known.agreed.push(Agreed { treatment: row.treatment.trim().to_owned(), class, synonyms });
            Ok(())
        })?;
        Ok(known)
    }
}

const CLASSES: [ConsensusClass; 4] =
    [ConsensusClass::Strong, ConsensusClass::Tacit, ConsensusClass::Mixed, ConsensusClass::Refusal];

const COLUMNS: &str =
    "the columns are: case, treatment, class (strong, tacit, mixed, refusal), synonyms (optional, parted by |)";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    case: String,
    treatment: String,
    class: String,
    #[serde(default)]
    synonyms: Option<String>,
}
