//! Who is compared with whom in a suite, and who is left out: one rule for `waterjar compare` and the pages of `serve`, because both put
//! Holm's correction over the table it gives.

use crate::comparison::{Comparison, Side, compare};
use crate::sides::side;
use std::fmt;
use waterjar_core::{Seed, SubjectId, SuiteId};
use waterjar_engine::{EngineError, PlannedSuite};
use waterjar_store::Store;

/// A subject that may be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    pub subject: SubjectId,
    /// It is there for orientation and competes with nobody who did not ask for it.
    pub reference: bool,
}

/// In the order of the study. A run keeps the figures of subjects that its study no longer has; they are not compared.
pub fn of_study(planned: &PlannedSuite) -> Vec<Contender> {
    planned.subjects.iter().map(|it| Contender { subject: it.id.clone(), reference: it.reference }).collect()
}

/// All who have figures, by name: for a run whose study cannot be read any more.
pub async fn with_figures(store: &Store, suite: &SuiteId) -> Result<Vec<Contender>, EngineError> {
    let results = store.results(suite).await?;
    Ok(results.into_iter().map(|it| Contender { subject: it.subject, reference: it.reference }).collect())
}

/// Those of one run whom another has too. Who is a reference in either competes in neither.
pub fn shared(ours: Vec<Contender>, theirs: &[Contender]) -> Vec<Contender> {
    let in_both = |it: Contender| {
        let other = theirs.iter().find(|other| other.subject == it.subject)?;
        Some(Contender { reference: it.reference || other.reference, ..it })
    };
    ours.into_iter().filter_map(in_both).collect()
}

/// What subjects are compared by.
pub struct Contest<'a> {
    pub suite: &'a SuiteId,
    pub metric: &'a str,
    pub seed: Seed,
}

#[derive(Default)]
pub struct Compared {
    pub comparisons: Vec<Comparison>,
    /// Of references, which nobody asked to compare with: no part of Holm's table.
    pub references: Vec<Comparison>,
    /// Whom the others are compared with, in one run.
    pub against: Option<String>,
    /// Nobody else has the figure.
    pub alone: bool,
    pub left_out: Vec<LeftOut>,
}

/// Who could not be compared, and why.
#[derive(Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub who: Vec<String>,
    pub why: String,
}

impl fmt::Display for LeftOut {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let are = if self.who.len() == 1 { "is" } else { "are" };
        write!(f, "{} {are} left out: {}", self.who.join(" and "), self.why)
    }
}

impl Contest<'_> {
    /// Everybody against one of them: who is asked for, or the first that competes and has the figure. Nothing where who is asked for has none.
    pub async fn within(
        &self,
        store: &Store,
        contenders: &[Contender],
        asked: Option<&str>,
    ) -> Result<Compared, EngineError> {
        let mut compared = Compared::default();
        let mut sides = Vec::new();
        for it in contenders {
            // One subject without a figure does not keep the others from being compared.
            match side(store, self.suite, &it.subject, self.metric).await? {
                Ok(side) => sides.push((side, it.reference)),
                Err(why) => compared.left_out.push(LeftOut { who: vec![it.subject.to_string()], why }),
            }
        }
        let Some(place) = place(&sides, asked) else { return Ok(compared) };
        let (against, _) = sides.remove(place);
        compared.alone = sides.is_empty();
        for (one, is_reference) in &sides {
            compared.push(self, one, &against, *is_reference);
        }
        compared.against = Some(against.name);
        Ok(compared)
    }

    /// Everybody in one run against themselves in another; the runs by name.
    pub async fn across(&self, runs: [(&str, &Store); 2], contenders: &[Contender]) -> Result<Compared, EngineError> {
        let mut compared = Compared::default();
        for it in contenders {
            let mut sides = Vec::new();
            for (run, store) in runs {
                let name = format!("{} ({run})", it.subject);
                match side(store, self.suite, &it.subject, self.metric).await? {
                    Ok(side) => sides.push(Side { name, ..side }),
                    Err(why) => compared.left_out.push(LeftOut { who: vec![name], why }),
                }
            }
            if let [first, second] = &sides[..] {
                compared.push(self, first, second, it.reference);
            }
        }
        Ok(compared)
    }
}

impl Compared {
    fn push(&mut self, contest: &Contest<'_>, first: &Side, second: &Side, is_reference: bool) {
        match compare(contest.metric, contest.seed, first, second) {
            Ok(comparison) if is_reference => self.references.push(comparison),
            Ok(comparison) => self.comparisons.push(comparison),
            Err(error) => {
                let who = vec![first.name.clone(), second.name.clone()];
                self.left_out.push(LeftOut { who, why: error.to_string() });
            }
        }
    }
}

/// Of whom the others are compared with; a reference only where it is asked for or nobody competes.
fn place(sides: &[(Side, bool)], asked: Option<&str>) -> Option<usize> {
    match asked {
        Some(asked) => sides.iter().position(|(it, _)| it.name == asked),
        None => {
            let first = sides.iter().position(|(_, is_reference)| !is_reference);
            first.or_else(|| (!sides.is_empty()).then_some(0))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contender(subject: &str, reference: bool) -> Contender {
        Contender { subject: SubjectId::from(subject), reference }
    }

    #[test]
    fn two_runs_compare_whom_both_have_and_a_reference_of_either_competes_in_neither() {
        let ours = ["a", "b", "c"].map(|it| contender(it, false)).to_vec();
        let theirs = [contender("c", true), contender("a", false), contender("d", false)];
        assert_eq!(shared(ours, &theirs), [contender("a", false), contender("c", true)]);
    }

    #[test]
    fn the_first_that_competes_is_who_others_are_compared_with_unless_somebody_is_asked_for() {
        let side = |name: &str| Side { suite: SuiteId::from("parity"), name: name.to_owned(), shares: Vec::new() };
        let sides = [(side("sound"), true), (side("a"), false), (side("b"), false)];
        assert_eq!(place(&sides, None), Some(1));
        assert_eq!(place(&sides, Some("b")), Some(2));
        assert_eq!(place(&sides, Some("sound")), Some(0));
        assert_eq!(place(&sides, Some("nobody")), None);
        assert_eq!(place(&sides[..1], None), Some(0), "references only");
        assert_eq!(place(&[], None), None);
    }

    #[test]
    fn one_is_and_two_are_left_out() {
        let told = |who: &[&str]| {
            let who = who.iter().map(|it| (*it).to_owned()).collect();
            LeftOut { who, why: "it has no answers".to_owned() }.to_string()
        };
        assert_eq!(told(&["a"]), "a is left out: it has no answers");
        assert_eq!(told(&["a", "b"]), "a and b are left out: it has no answers");
    }
}
