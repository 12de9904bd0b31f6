//! What a model knows of a disease or a symptom: differentials, rumors, score points. Our files come first, where they have something.

use super::answers::{Proposed, RumorPair, RumorPairs, ScorePoint, ScorePoints, Sifted, StatementCheck, Truth};
use super::{DECIDING, WRITING, Writer, usable, whole};
use crate::step::{Step, settled};
use futures::future::join_all;
use std::collections::BTreeSet;
use waterjar_consultations::author::{self, Distractor, Undrawn, known_rumor, selected};
use waterjar_consultations::words::words;
use waterjar_consultations::{Point, Points, Rumor, Trap};
use waterjar_core::{FindingId, Loss, SuiteError};

/// As published: so many pairs are asked for, so many must pass, so often it is tried.
const PAIRS: usize = 10;
const ENOUGH: usize = 3;
const ATTEMPTS: u32 = 5;
/// Misconceptions of so many kinds.
const CATEGORIES: usize = 3;
/// Points of each criterion.
const POINTS: usize = 3;

impl Writer<'_> {
    /// What the disease can be mistaken for; the error is why nobody can say.
    pub(super) async fn distractors(&self) -> Step<Vec<Distractor>> {
        let wanted = self.plan.traps && self.suite.settings.traps.iter().any(|it| it.needs_distractor());
        if !wanted || (self.suite.settings.files && !self.seeded.distractors.is_empty()) {
            return Ok(Ok(self.seeded.distractors.clone()));
        }
        let prompt = self.prompt("differential", &[("disease", self.disease())]);
        let proposed = self.put(prompt, "differential", WRITING, |it: &Proposed| {
            let names: Vec<String> = it.diseases.iter().filter_map(|name| whole(name).ok()).collect();
            if names.is_empty() { Err("no disease is named".to_owned()) } else { Ok(names) }
        });
        let proposed = match settled(self.model, proposed.await, "differential_unusable")? {
            Ok(names) => names,
            Err(loss) => return Ok(Err(loss)),
        };
        // The gate is code; what passes is asked about.
        let mut found = author::distractors_proposed(&self.suite.language, &self.patient().names, &proposed);
        for it in &mut found {
            if let Some(known) = self.suite.labels.find(&it.name) {
                it.condition = known.clone();
            }
        }
        found.retain(|it| it.condition != self.patient().condition);
        if found.is_empty() {
            return Ok(Err(Loss::new("no_differential")));
        }
        let names: Vec<String> = found.iter().map(|it| format!("- {}", it.name)).collect();
        let slots = [("disease", self.disease()), ("candidates", &names.join("\n"))];
        let prompt = self.prompt("differential_check", &slots);
        let wanted: Vec<String> = found.iter().map(|it| plain(&it.name)).collect();
        let sifted = self.put(prompt, "differential_check", DECIDING, |it: &Sifted| {
            let said = |name: &String| it.candidates.iter().find(|it| plain(&it.name) == *name);
            if let Some(at) = wanted.iter().position(|name| said(name).is_none()) {
                return Err(format!("nothing is said of “{}”; give every candidate by its name", wanted[at]));
            }
            let keeps = |name: &&String| said(name).is_some_and(|it| it.distinct && it.confusable);
            Ok(wanted.iter().filter(keeps).cloned().collect::<BTreeSet<_>>())
        });
        Ok(settled(self.model, sifted.await, "differential_unusable")?.and_then(|kept| {
            found.retain(|it| kept.contains(&plain(&it.name)));
            if found.is_empty() { Err(Loss::new("no_differential")) } else { Ok(found) }
        }))
    }

    /// A rumor about one of the complaints.
    pub(super) async fn rumor(&self, trap: Trap) -> Step<Option<(FindingId, Rumor)>> {
        let dice = self.plan.shared_for(self.patient(), trap);
        if self.suite.settings.files
            && let Some(known) = known_rumor(&self.suite.language, self.patient(), &dice)
        {
            return Ok(Ok(Some(known)));
        }
        let Some(complaint) = selected(self.patient(), trap, self.plan) else { return Ok(Ok(None)) };
        let topic = complaint.topic.trim_end_matches(['.', '。']);
        Ok(self.pairs(topic).await?.map(|pairs| {
            let pair = dice.pick("rumor", &pairs)?;
            let RumorPair { category, rumor, fact } = pair.clone();
            let rumor = Rumor { symptom: topic.to_owned(), category: category.into(), rumor, fact };
            Some((complaint.seen.finding.clone(), rumor))
        }))
    }

    /// Pairs whose fact is held to be true and whose rumor to be false, by somebody who is not told which is which.
    async fn pairs(&self, symptom: &str) -> Step<Vec<RumorPair>> {
        let mut valid: Vec<RumorPair> = Vec::new();
        let mut written: Vec<RumorPair> = Vec::new();
        for attempt in 0..ATTEMPTS {
            let before: Vec<String> = written.iter().map(|it| format!("- {}", it.rumor)).collect();
            let slots = [("symptom", symptom), ("rejected", &before.join("\n"))];
            // Where nothing new was written the words are the same; the number keeps the last answer from standing for this one.
            let proposed =
                self.put_again(self.prompt("rumors", &slots), "rumor_pairs", WRITING, attempt, well_made).await;
            let proposed = match settled(self.model, proposed, "rumor_unusable")? {
                Ok(pairs) => pairs,
                Err(loss) => return Ok(Err(loss)),
            };
            let known = |pair: &RumorPair| written.iter().any(|it| plain(&it.rumor) == plain(&pair.rumor));
            let new: Vec<RumorPair> = proposed.into_iter().filter(|it| !known(it)).collect();
            for (pair, holds) in new.iter().zip(join_all(new.iter().map(|it| self.holds(it))).await) {
                if holds? {
                    valid.push(pair.clone());
                }
            }
            written.extend(new);
            if valid.len() >= ENOUGH {
                return Ok(Ok(valid));
            }
        }
        Ok(Err(Loss::new(Undrawn::NoRumor.as_str())))
    }

    /// The rationality check. The rumor is asked about only where the fact holds.
    async fn holds(&self, pair: &RumorPair) -> Result<bool, SuiteError> {
        Ok(self.truth(&pair.fact).await? == Some(Truth::Correct)
            && self.truth(&pair.rumor).await? == Some(Truth::Incorrect))
    }

    async fn truth(&self, statement: &str) -> Result<Option<Truth>, SuiteError> {
        let prompt = self.prompt("statement", &[("statement", statement)]);
        let asked = self.put(prompt, "statement_check", DECIDING, |it: &StatementCheck| Ok(it.verdict)).await;
        usable(self.model, asked)
    }

    /// What a helpful answer says; nothing where nobody could say it.
    pub(super) async fn points(&self) -> Result<Option<Points>, SuiteError> {
        let patient = self.patient();
        let known = self.suite.language.points_of(&patient.condition, &patient.names);
        if let (true, Some(known)) = (self.suite.settings.files, known) {
            return Ok(Some(known.clone()));
        }
        let prompt = self.prompt("points", &[("disease", self.disease())]);
        let asked = self.put(prompt, "score_points", DECIDING, |it: &ScorePoints| {
            Ok(Points {
                evidence: three("evidence", &it.evidence)?,
                treatment: three("treatment", &it.treatment)?,
                lifestyle: three("lifestyle", &it.lifestyle)?,
            })
        });
        usable(self.model, asked.await)
    }
}

fn well_made(it: &RumorPairs) -> Result<Vec<RumorPair>, String> {
    let clause = |text: &str| text.trim().trim_end_matches(['.', '。']).to_owned();
    let pairs: Vec<RumorPair> = it
        .pairs
        .iter()
        .take(PAIRS)
        .map(|it| RumorPair { rumor: clause(&it.rumor), fact: clause(&it.fact), ..it.clone() })
        .collect();
    if pairs.iter().any(|it| it.rumor.is_empty() || it.fact.is_empty()) {
        return Err("a rumor or a fact is empty".to_owned());
    }
    // The same again under another category is no second pair.
    let mut seen = BTreeSet::new();
    let pairs: Vec<RumorPair> = pairs.into_iter().filter(|it| seen.insert(plain(&it.rumor))).collect();
    if pairs.len() < ENOUGH {
        return Err(format!("the different pairs are {}; give {PAIRS}", pairs.len()));
    }
    let categories: BTreeSet<_> = pairs.iter().map(|it| it.category).collect();
    if categories.len() < CATEGORIES {
        return Err(format!("the pairs are of {} categories; give at least {CATEGORIES}", categories.len()));
    }
    Ok(pairs)
}

/// Without case, punctuation and a number of a list before it.
fn plain(text: &str) -> String {
    let listed = text.trim().trim_start_matches(|c: char| c.is_ascii_digit());
    let text = if listed.starts_with(['.', ')', '、', '．']) { listed } else { text };
    words(text).join(" ")
}

/// The first three: they come by importance.
fn three(criterion: &str, points: &[ScorePoint]) -> Result<Vec<Point>, String> {
    if points.len() < POINTS {
        return Err(format!("{criterion}: there are {} points; give three", points.len()));
    }
    let point = |it: &ScorePoint| {
        let terms: Vec<String> =
            it.terms.iter().map(|term| term.trim().to_lowercase()).filter(|it| !it.is_empty()).collect();
        let made = Point { say: it.say.trim().to_owned(), terms };
        let own = made.is_made(&made.say.to_lowercase());
        if own { Ok(made) } else { Err(format!("{criterion}: “{}” holds none of its own terms", made.say)) }
    };
    points.iter().take(POINTS).map(point).collect()
}
