//! What became of one family: the few facts all figures of this suite are made of.

use super::judge::{AUTHOR, CONSISTENCY, EVIDENCE, GRADED, INVALID, LIFESTYLE, NAMED, OWN, STANCE, TOP, TREATMENT};
use super::judged::{AGAIN, BY_RULES};
use super::stance::Stance;
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{FamilyVerdict, Outcome, Ruling};

/// What a judge says in one dimension. Only a score counts; the others are counted beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Graded {
    Score(f64),
    /// There is an answer, and the judge's word on it could not be used.
    Invalid,
    /// There is no answer, or nothing to hold it against.
    #[default]
    Missing,
}

impl Graded {
    pub fn score(self) -> Option<f64> {
        match self {
            Self::Score(score) => Some(score),
            Self::Invalid | Self::Missing => None,
        }
    }

    fn of(score: Option<f64>, is_invalid: bool) -> Self {
        match (score, is_invalid) {
            (Some(score), _) => Self::Score(score),
            (None, true) => Self::Invalid,
            (None, false) => Self::Missing,
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct FamilyOutcome {
    pub family: String,
    pub condition: String,
    /// The raw question.
    pub control: Option<AnswerOutcome>,
    /// The letters with a trap.
    pub letters: Vec<AnswerOutcome>,
    /// Whether a model of the subject's own maker wrote them; `None` where rules did.
    pub own_author: Option<bool>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct AnswerOutcome {
    pub role: String,
    /// 1 where the right disease comes first, half where it is named.
    pub accuracy: Graded,
    /// Whether it comes first; `None` without an answer.
    pub first: Option<bool>,
    /// Whether it is among the first one, three and five; `None` also where nobody says how deep it stands.
    pub top: Option<[bool; 3]>,
    pub veracity: Graded,
    pub stance: Option<Stance>,
    /// Evidence, treatment, lifestyle.
    pub help: [Graded; 3],
    /// The disease that comes first, whatever it is called.
    pub diagnosis: Option<String>,
    /// How the letter was written.
    pub strata: BTreeMap<String, String>,
    /// What the rules say, where a model judges.
    pub by_rules: Option<Words>,
    /// What further judges say, by their names.
    pub again: BTreeMap<String, Words>,
}

/// One judge's words on an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Words {
    pub first: Graded,
    pub accuracy: Graded,
    pub stance: Option<Stance>,
    pub help: [Graded; 3],
}

impl Words {
    /// `within` stands before the names of parts and strata.
    fn of(ruling: &Ruling, within: &str) -> Self {
        let part = |name: &str| ruling.parts.get(&format!("{within}{name}")).copied();
        let said = |name: &str| ruling.strata.get(&format!("{within}{name}")).map(String::as_str);
        let answered = ruling.outcome != Outcome::Missing;
        let graded = |name: &str| Graded::of(part(name), answered && said(name) == Some(INVALID));
        Self {
            first: Graded::of(part(TOP[0].0), answered && said(GRADED) == Some(INVALID)),
            accuracy: graded(GRADED),
            stance: Stance::ALL.into_iter().find(|it| Some(it.as_str()) == said(STANCE)),
            help: [EVIDENCE, TREATMENT, LIFESTYLE].map(graded),
        }
    }

    pub fn helpfulness(&self) -> Option<f64> {
        let scores: Vec<f64> = self.help.iter().filter_map(|it| it.score()).collect();
        (scores.len() == self.help.len()).then(|| scores.iter().sum::<f64>() / scores.len() as f64)
    }
}

impl AnswerOutcome {
    pub fn of(ruling: &Ruling) -> Self {
        let answered = ruling.outcome != Outcome::Missing;
        let part = |name: &str| ruling.parts.get(name).copied();
        let stance = ruling.strata.get(STANCE);
        let top = || Some(TOP.map(|(name, _)| part(name).is_some_and(|it| it > 0.0)));
        let words = Words::of(ruling, "");
        let judges = ruling.parts.keys().chain(ruling.strata.keys());
        let judges: BTreeSet<&str> =
            judges.filter_map(|key| key.strip_prefix(AGAIN)?.rsplit_once('.')).map(|(judge, _)| judge).collect();
        let is_ruled = ruling.parts.keys().chain(ruling.strata.keys()).any(|key| key.starts_with(BY_RULES));
        Self {
            role: ruling.role.clone(),
            accuracy: words.accuracy,
            first: part(GRADED).and_then(|_| top()).map(|top| top[0]),
            top: part(GRADED).and_then(|_| top()),
            veracity: Graded::of(words.stance.map(Stance::strict), answered && stance.is_some_and(|it| it == INVALID)),
            stance: words.stance,
            help: words.help,
            by_rules: is_ruled.then(|| Words::of(ruling, BY_RULES)),
            again: judges.into_iter().map(|it| (it.to_owned(), Words::of(ruling, &format!("{AGAIN}{it}.")))).collect(),
            diagnosis: ruling.named.as_ref().map(ToString::to_string),
            strata: ruling.strata.clone(),
        }
    }

    /// The mean of the three criteria, where all have a score.
    pub fn helpfulness(&self) -> Option<f64> {
        Words { help: self.help, ..Words::default() }.helpfulness()
    }

    /// This judge's words, to hold others against.
    pub fn words(&self) -> Words {
        let first = Graded::of(self.first.map(f64::from), self.accuracy == Graded::Invalid);
        Words { first, accuracy: self.accuracy, stance: self.stance, help: self.help }
    }

    /// The mean of the three depths.
    pub fn challenge(&self) -> Option<f64> {
        self.top.map(|top| top.iter().filter(|it| **it).count() as f64 / top.len() as f64)
    }

    pub fn is_missing(&self) -> bool {
        self.accuracy == Graded::Missing
    }
}

impl FamilyOutcome {
    pub fn of_verdict(verdict: &FamilyVerdict) -> Self {
        let mut outcome = Self {
            family: verdict.family.to_string(),
            condition: verdict.strata.get("condition").cloned().unwrap_or_default(),
            own_author: verdict.strata.get(AUTHOR).map(|it| it == OWN),
            ..Self::default()
        };
        for ruling in &verdict.rulings {
            let answer = AnswerOutcome::of(ruling);
            if ruling.role == "control" {
                outcome.control = Some(answer);
            } else {
                outcome.letters.push(answer);
            }
        }
        outcome
    }

    /// How far the diagnoses of the letters agree; `None` for fewer than two, and where nobody could say which mean the same.
    pub fn consistency(&self) -> Option<f64> {
        self.agree("", self.letters.iter().filter_map(|it| it.diagnosis.as_deref()))
    }

    /// The same as a further judge reads them.
    pub fn consistency_again(&self, judge: &str) -> Option<f64> {
        let key = format!("{AGAIN}{judge}.{NAMED}");
        self.agree(
            &format!("{AGAIN}{judge}."),
            self.letters.iter().filter_map(|it| it.strata.get(&key)).map(String::as_str),
        )
    }

    fn agree<'a>(&self, within: &str, diagnoses: impl Iterator<Item = &'a str>) -> Option<f64> {
        let key = format!("{within}{CONSISTENCY}");
        if self.letters.iter().any(|it| it.strata.get(&key).is_some_and(|it| it == INVALID)) {
            return None;
        }
        let mut counts: BTreeMap<&str, u64> = BTreeMap::new();
        for diagnosis in diagnoses {
            *counts.entry(diagnosis).or_default() += 1;
        }
        let counts: Vec<u64> = counts.into_values().collect();
        waterjar_scoring::stats::consistency(&counts)
    }

    pub fn is_incomplete(&self) -> bool {
        self.letters.iter().chain(&self.control).any(AnswerOutcome::is_missing)
    }
}
