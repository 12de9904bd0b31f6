//! Whether a changed chart says what it should: did anything change, does anything still say the old thing, would a clinician
//! believe it?

use super::catalog::{Catalog, Entry, GaveUp, Pattern};
use super::mutate::Mutated;
use super::synonyms;
use super::timeline::out_of_time;
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::LazyLock;
use waterjar_charts::boards::Claim;
use waterjar_core::Edit;

/// What was found in one changed chart; every variant carries it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariantAudit {
    /// Places that were changed.
    pub edited: usize,
    /// What still states the old fact.
    pub residue: Vec<Residue>,
    /// Why no clinician would believe the chart.
    pub incoherent: Vec<String>,
    /// The model that read it too, where one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reader: Option<Reader>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reader {
    pub model: String,
    /// Why it could not be read.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failed: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Residue {
    pub by: Finder,
    /// The words, with a little around them.
    pub said: String,
    /// In the changed text, from 1.
    pub line: usize,
    /// Why it belongs to the old fact, where somebody read it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finder {
    /// A pattern of the catalog.
    Pattern,
    /// The same pattern with another name for the same thing.
    Synonym,
    /// How the synthetic boards know a fact to be told.
    Claim,
    /// A model that read the chart.
    Reading,
}

/// Why a change is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoOp {
    /// Not a letter changed.
    Textual,
    /// Letters changed, but not what they say.
    Semantic,
}

impl NoOp {
    pub fn reason(self) -> &'static str {
        match self {
            Self::Textual => "textual_no_op",
            Self::Semantic => "semantic_no_op",
        }
    }
}

impl VariantAudit {
    pub fn is_clean(&self) -> bool {
        self.flags().next().is_none()
    }

    /// `incomplete`, `incoherent`, `unread`
    pub fn flags(&self) -> impl Iterator<Item = &'static str> {
        let flags = [
            ("incomplete", !self.residue.is_empty()),
            ("incoherent", !self.incoherent.is_empty()),
            ("unread", self.reader.as_ref().is_some_and(|it| it.failed.is_some())),
        ];
        flags.into_iter().filter(|(_, is)| *is).map(|(name, _)| name)
    }

    /// One finding a line, the first finder's.
    pub(super) fn add(&mut self, found: Vec<Residue>) {
        self.residue.extend(found);
        self.residue.sort_by_key(|it| (it.line, it.by));
        self.residue.dedup_by_key(|it| it.line);
    }
}

/// The patterns of a catalog made ready: what each entry must not leave behind.
pub struct Auditor {
    left_behind: BTreeMap<String, Vec<LeftBehind>>,
}

struct LeftBehind {
    pattern: Pattern,
    synonyms: Vec<Pattern>,
    /// The catalog says that it must not stay; otherwise it is what made the entry applicable.
    declared: bool,
}

impl Auditor {
    pub fn new(catalog: &Catalog) -> Self {
        let ready = |entry: &Entry| {
            let left = |declared: bool| {
                move |pattern: &Pattern| LeftBehind {
                    synonyms: synonyms::of_pattern(pattern),
                    pattern: pattern.clone(),
                    declared,
                }
            };
            let all = entry.residue.iter().map(left(true)).chain(entry.positive.iter().map(left(false)));
            (entry.id.clone(), all.collect())
        };
        Self { left_behind: catalog.entries.iter().map(ready).collect() }
    }

    /// `claims` are of the facts before the change, where the chart is a board's.
    pub fn audit(&self, entry: &Entry, made: &Mutated, claims: &[Claim]) -> Result<VariantAudit, GaveUp> {
        let mut residue = Vec::new();
        for left in self.left_behind.get(&entry.id).into_iter().flatten() {
            // What made an entry applicable is the old fact only where the edits took it away and did not put it in again: a
            // pattern that is the name of a gene finds the new fact too.
            if !left.declared && !takes_away(&left.pattern, &made.edits)? {
                continue;
            }
            self.look(Finder::Pattern, entry, made, left.pattern.find_all(&made.text)?, &mut residue)?;
            for pattern in &left.synonyms {
                self.look(Finder::Synonym, entry, made, pattern.find_all(&made.text)?, &mut residue)?;
            }
        }
        if let Some(changed) = &entry.changes {
            for claim in claims.iter().filter(|claim| claim.fact.to_string() == *changed) {
                self.look(Finder::Claim, entry, made, claim.mentions(&made.text), &mut residue)?;
            }
        }
        let mut incoherent = Vec::new();
        for guard in &entry.guards {
            if guard.pattern.is_match(&made.text)? {
                incoherent.push(guard.why.clone());
            }
        }
        incoherent.extend(implausible(made).map(str::to_owned));
        incoherent.extend(out_of_time(made));
        let mut audit = VariantAudit { edited: made.edits.len(), incoherent, ..VariantAudit::default() };
        audit.add(residue);
        Ok(audit)
    }

    fn look(
        &self,
        by: Finder,
        entry: &Entry,
        made: &Mutated,
        found: Vec<Range<usize>>,
        residue: &mut Vec<Residue>,
    ) -> Result<(), GaveUp> {
        // What was written before it happened still says the old thing, and rightly.
        for range in found.into_iter().filter(|range| range.end <= made.past.start || made.past.end <= range.start) {
            let said = around(&made.text, &range);
            let mut stays = false;
            for pattern in &entry.may_stay {
                stays |= pattern.is_match(said)?;
            }
            if !stays {
                let line = made.text[..range.start].matches('\n').count() + 1;
                residue.push(Residue { by, said: said.to_owned(), line, why: None });
            }
        }
        Ok(())
    }
}

/// Why an eligible change is none, if it is none.
pub fn no_op(before: &str, made: &Mutated) -> Option<NoOp> {
    if made.text == before {
        return Some(NoOp::Textual);
    }
    let same = |edit: &Edit| same_words(&edit.removed, &edit.inserted);
    made.edits.iter().all(same).then_some(NoOp::Semantic)
}

fn same_words(a: &str, b: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.split(|letter: char| !letter.is_alphanumeric() && letter != '+')
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    words(a) == words(b)
}

fn takes_away(pattern: &Pattern, edits: &[Edit]) -> Result<bool, GaveUp> {
    let mut takes_away = false;
    for edit in edits {
        if pattern.is_match(&edit.inserted)? {
            return Ok(false);
        }
        takes_away |= pattern.is_match(&edit.removed)?;
    }
    Ok(takes_away)
}

/// The line around a place, cut to what can be read at a glance.
fn around<'a>(text: &'a str, range: &Range<usize>) -> &'a str {
    const SIDE: usize = 60;
    let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
    let end = text[range.end..].find('\n').map_or(text.len(), |at| range.end + at);
    let start = text.floor_char_boundary(start.max(range.start.saturating_sub(SIDE)));
    let end = text.ceil_char_boundary(end.min(range.end + SIDE));
    text[start..end].trim()
}

struct Guards {
    operation: Regex,
    metastatic: Regex,
    not_metastatic: Regex,
    pregnant: Regex,
    cannot_be_pregnant: Regex,
    with_child: Regex,
    /// Drugs beside those against the cancer that nobody begins in a pregnancy.
    harmful: Regex,
}

/// What no catalog has to say, because it holds for all.
static GUARDS: LazyLock<Guards> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a constant");
    Guards {
        operation: pattern(r"(?i)\b(?:R0 |curative )?resection\b|\w+ectomy\b|cytoreduction"),
        metastatic: pattern(
            r"(?im)\bhas spread to|\bmetastases in\b|sites of spread are|\bmets to\b|^(?:- )?metastases: [^n]|\bmetastatic (?:disease|cancer)|\bstage IV",
        ),
        not_metastatic: pattern(r"(?i)no distant (?:disease|spread)|distant metastases: none|without distant spread"),
        pregnant: pattern(r"(?i)\bpregnant\b|\bpregnancy\b"),
        cannot_be_pregnant: pattern(r"(?im)^Sex: (?:male|m)\b|\bpostmenopausal\b|^Age: (?:5[5-9]|[6-9]\d)\b"),
        with_child: pattern(r"(?i)\bis pregnant|weeks pregnant|\bpregnant,? \d|singleton pregnancy|pregnancy is at"),
        harmful: pattern(
            r"(?i)\b(?:(?:rami|lisino|enala|perindo|capto|quina|fosino|trandola)pril|(?:lo|val|cande|irbe|olme|telmi)sartan|sacubitril|(?:atorva|simva|rosuva|prava)statin|warfarin|apixaban|rivaroxaban|edoxaban|dabigatran|spironolactone|valproate|methotrexate|lenalidomide|tamoxifen)\b",
        ),
    }
});

fn implausible(made: &Mutated) -> impl Iterator<Item = &'static str> {
    let guards = &*GUARDS;
    let puts_in =
        |what: &Regex| made.edits.iter().any(|edit| what.is_match(&edit.inserted) && !what.is_match(&edit.removed));
    let operates = puts_in(&guards.operation) && {
        let (yes, no) = (&guards.metastatic, &guards.not_metastatic);
        yes.find_iter(&made.text).count() > no.find_iter(&made.text).count()
    };
    let carries = puts_in(&guards.pregnant) && guards.cannot_be_pregnant.is_match(&made.text);
    let endangers = guards.with_child.is_match(&made.text) && puts_in(&guards.harmful);
    let found = [
        (endangers, "a drug that harms an unborn child is begun in a pregnancy"),
        (operates, "a curative operation is put into a metastatic chart"),
        (carries, "a pregnancy is put into the chart of somebody who cannot be pregnant"),
    ];
    found.into_iter().filter(|(is, _)| *is).map(|(_, why)| why)
}
