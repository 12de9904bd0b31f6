//! One cataloged intervention, checked.

use super::linear::Linear;
use super::pattern::Pattern;
use std::fmt;
use std::sync::OnceLock;
use waterjar_core::Shift;

#[derive(Clone, Debug)]
pub struct Entry {
    pub id: String,
    pub family: FamilyOf,
    /// What happens, in a few words.
    pub title: String,
    /// In lower case; empty: every cancer.
    pub cancers: Vec<String>,
    /// Each of them must be found in the chart.
    pub positive: Vec<Pattern>,
    /// None of them may be.
    pub negative: Vec<Pattern>,
    /// Carried out one after the other.
    pub mutations: Vec<Mutation>,
    pub shift: Shift,
    /// What the catalog says 1, 0.5 and 0 are for; for a judge who reads.
    pub scoring: Vec<String>,
    /// What must not be found afterwards, beside what made it applicable.
    pub residue: Vec<Pattern>,
    /// Of what would be found afterwards, what still says the old thing without being wrong.
    pub may_stay: Vec<Pattern>,
    /// Which fact of a board it changes, so that the board's own claims can be looked for.
    pub changes: Option<String>,
    pub guards: Vec<Guard>,
    /// Where it stands in the file.
    pub line: u64,
    /// All that its mutations look for in one pattern, made when first needed; none where lines cannot be taken one by one.
    pub(super) glance: OnceLock<Option<Linear>>,
}

impl Entry {
    /// Finds every line that its mutations may change.
    pub(in crate::sensitivity) fn glance(&self) -> Option<&Linear> {
        self.glance.get_or_init(|| Linear::new(&self.looked_for()?).ok()).as_ref()
    }

    fn looked_for(&self) -> Option<String> {
        let mut patterns = Vec::new();
        let mut inserts = false;
        for mutation in &self.mutations {
            match mutation {
                // What is put in may be changed by what follows, so only the last may put in.
                Mutation::Replace { .. } | Mutation::Delete { .. } if inserts => return None,
                Mutation::Replace { pattern, .. } | Mutation::Delete { pattern } => {
                    patterns.push(format!("(?:{})", pattern.by_lines()?));
                }
                Mutation::Insert { .. } => inserts = true,
            }
        }
        (!patterns.is_empty()).then(|| patterns.join("|"))
    }
}

#[derive(Clone, Debug)]
pub enum Mutation {
    Replace { pattern: Pattern, with: String },
    Delete { pattern: Pattern },
    Insert { text: String, at: Place },
}

/// Where something is put in. Text goes in once.
#[derive(Clone, Debug)]
pub enum Place {
    After(Pattern),
    Before(Pattern),
    End,
}

/// What makes the changed chart one that no clinician would believe.
#[derive(Clone, Debug)]
pub struct Guard {
    pub pattern: Pattern,
    pub why: String,
}

/// A–E as in the paper; the others are ours.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum FamilyOf {
    BiomarkerFlip,
    PriorFailure,
    BiomarkerStrip,
    Surgery,
    Stage,
    Allergy,
    Renal,
    Pregnancy,
    Anticoagulation,
    Organ,
}

impl FamilyOf {
    pub const ALL: [Self; 10] = [
        Self::BiomarkerFlip,
        Self::PriorFailure,
        Self::BiomarkerStrip,
        Self::Surgery,
        Self::Stage,
        Self::Allergy,
        Self::Renal,
        Self::Pregnancy,
        Self::Anticoagulation,
        Self::Organ,
    ];

    /// As catalogs, metrics and tables write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::BiomarkerFlip => "A",
            Self::PriorFailure => "B",
            Self::BiomarkerStrip => "C",
            Self::Surgery => "D",
            Self::Stage => "E",
            Self::Allergy => "allergy",
            Self::Renal => "renal",
            Self::Pregnancy => "pregnancy",
            Self::Anticoagulation => "anticoagulation",
            Self::Organ => "organ",
        }
    }

    pub fn about(self) -> &'static str {
        match self {
            Self::BiomarkerFlip => "biomarker flipped",
            Self::PriorFailure => "earlier treatment failed",
            Self::BiomarkerStrip => "biomarker taken out",
            Self::Surgery => "operation done",
            Self::Stage => "stage changed",
            Self::Allergy => "allergy",
            Self::Renal => "kidney function",
            Self::Pregnancy => "pregnancy",
            Self::Anticoagulation => "anticoagulation",
            Self::Organ => "another organ fails",
        }
    }

    /// `D: operation done`; ours are named by what they are.
    pub fn title(self) -> String {
        if self.name().len() == 1 {
            return format!("{self}: {}", self.about());
        }
        let (first, rest) = self.about().split_at(1);
        format!("{}{rest}", first.to_uppercase())
    }

    /// `D`, `d` or `Family D`.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase();
        let name = name.strip_prefix("family ").unwrap_or(&name);
        Self::ALL.into_iter().find(|family| family.name().to_lowercase() == name)
    }
}

impl fmt::Display for FamilyOf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
