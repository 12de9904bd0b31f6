//! The six stages of `ecr` and its critic, answered from the prompt and the knowledge base. The first impression is the clinician's
//! own, stubborn or not; what follows looks at all the patient says, so that a stubborn impression may be overturned.

use super::team::View;
use super::wording::who;
use super::{Clinician, Patient, Persona, ranking};
use crate::format::Asked;
use serde_json::{Value, json};
use waterjar_core::{FindingState, Observation, counted};
use waterjar_knowledge::narrative::sentence;
use waterjar_knowledge::{Detail, Finding};

impl Clinician {
    /// Part of every clinician, as teamwork is.
    #[must_use]
    pub(super) fn reasoning_causally(self) -> Self {
        self.on("ecr_intuition", |clinician, asked| Desk::of(clinician, asked).intuition())
            .on("ecr_representation", |clinician, asked| Desk::of(clinician, asked).representation())
            .on("ecr_features", |clinician, asked| Desk::of(clinician, asked).features())
            .on("ecr_relations", |clinician, asked| Desk::of(clinician, asked).relations())
            .on("ecr_second_look", |clinician, asked| Desk::of(clinician, asked).second_look())
            .on("ecr_audit", |clinician, asked| Desk::of(clinician, asked).audit())
            .on("ecr_feedback", |clinician, asked| Desk::of(clinician, asked).feedback())
    }
}

/// The share of facts a first reading overlooks. A second look finds them.
const OVERLOOKED: f64 = 0.1;
/// The share of stubborn clinicians that stay with their first impression even when the sheet speaks against it.
const UNMOVED: f64 = 0.15;
/// A feature rarer than this in a condition speaks against it, a more frequent one for it.
const RARE: f64 = 0.1;
/// What most patients of a condition have is expected.
const EXPECTED: f64 = 0.5;
const MOST_FEATURES: usize = 30;
/// The least chance worth telling from none.
const FLOOR: f64 = 0.05;

struct Desk<'a> {
    view: View<'a>,
    patient: Option<Patient>,
}

impl<'a> Desk<'a> {
    fn of(clinician: &'a Clinician, asked: &'a Asked) -> Self {
        let view = View::of(clinician, asked);
        let patient = clinician.patient(view.patient);
        Self { view, patient }
    }

    fn intuition(&self) -> Value {
        let most = number_after(self.view.part, "at most ").unwrap_or(5);
        let reason = self.view.thoughts();
        let unknown = vec![("Undifferentiated illness".to_owned(), 0.1)];
        let ranked = match (&self.patient, &self.view.consultation) {
            // Whoever was told off looks at everything.
            (Some(patient), _) if self.was_criticised() => {
                let clinician = self.view.clinician;
                ranking::consult(clinician.base(), &Persona::CAREFUL, clinician.seed(), patient).ranked
            }
            (_, consultation) => consultation.as_ref().map_or(unknown, |it| it.ranked.clone()),
        };
        let suspect = |(name, p): &(String, f64)| json!({ "condition": name, "confidence": (p * 100.0).floor() / 100.0, "reason": reason });
        json!({ "candidates": ranked.iter().take(most).map(suspect).collect::<Vec<_>>() })
    }

    fn representation(&self) -> Value {
        let all: Vec<Value> = self.facts().into_iter().map(|(content, original, denied)| {
            json!({ "content": content, "original": original, "status": if denied { "absent" } else { "present" } })
        }).collect();
        // By lot over patient and fact; whoever has said anything at all is not left without a fact.
        let kept: Vec<Value> =
            all.iter().filter(|fact| self.lot("overlook", &fact.to_string()) >= OVERLOOKED).cloned().collect();
        let nodes = if kept.is_empty() { all } else { kept };
        let who =
            self.patient.as_ref().map_or("A patient".to_owned(), |it| format!("A {}-year-old {}", it.age, who(it)));
        if nodes.is_empty() {
            // Somebody else's words: the first line is quoted as it is.
            let line = self.view.patient.lines().find(|line| !line.trim().is_empty()).unwrap_or("?").trim();
            return json!({ "one_liner": who, "nodes": [{ "content": line, "original": line, "status": "present" }] });
        }
        json!({ "one_liner": format!("{who} with {}.", counted(nodes.len() as u64, "finding", "findings")), "nodes": nodes })
    }

    /// What the patient says: the statement as if it were there, the words of the account, and whether it is denied.
    fn facts(&self) -> Vec<(String, String, bool)> {
        let findings = self.patient.iter().flat_map(|it| &it.findings);
        let told = findings.filter_map(|seen| Some((self.view.clinician.base().finding(&seen.finding)?, seen)));
        let facts = told.flat_map(|(finding, seen)| facts_of(finding, seen));
        facts.filter(|(_, original, _)| self.view.patient.contains(original.as_str())).collect()
    }

    fn features(&self) -> Value {
        let rows = self.rows();
        let facts: Vec<String> = self.facts().into_iter().map(|(content, ..)| content).collect();
        let mut features: Vec<(f64, Value)> = Vec::new();
        for finding in self.view.clinician.base().findings().iter().filter(|it| matches!(it.detail, Detail::None)) {
            let chances: Vec<(u32, f64)> =
                rows.iter().map(|&(number, row)| (number, self.chance(row, finding))).collect();
            let most = chances.iter().map(|(_, p)| *p).fold(0.0, f64::max);
            let least = chances.iter().map(|(_, p)| *p).fold(1.0, f64::min);
            let told = facts.contains(&finding.present);
            if most < RARE || (!told && most < EXPECTED) {
                continue;
            }
            let side = |for_it: bool| -> Vec<u32> {
                chances.iter().filter(|(_, p)| (*p >= RARE) == for_it).map(|(number, _)| *number).collect()
            };
            let (supports, rules_out) = (side(true), side(false));
            let pivot = !rules_out.is_empty() && self.view.part.contains("\"pivot\"");
            let importance = rounded(0.4 + 0.6 * (most - least));
            // What the patient speaks of comes first, then what tells most.
            let rank = importance + if told { 1.0 } else { 0.0 };
            let kind = if pivot { "pivot" } else { "general" };
            features.push((rank, json!({
                "content": finding.present, "kind": kind, "importance": importance, "supports": supports, "rules_out": rules_out,
            })));
        }
        features.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut features: Vec<Value> = features.into_iter().take(MOST_FEATURES).map(|(_, feature)| feature).collect();
        if features.is_empty() {
            let general = json!({ "content": "a typical course", "kind": "general", "importance": 0.1, "supports": [0], "rules_out": [] });
            features.push(general);
        }
        json!({ "features": features })
    }

    fn relations(&self) -> Value {
        let (facts, features) = (self.listed("The facts of the patient:"), self.listed("The features:"));
        let rows = self.rows();
        let (mut links, mut bearings) = (Vec::new(), Vec::new());
        for (feature, words) in (0u32..).zip(&features) {
            let content = words.split_once("] ").map_or(*words, |(_, it)| it);
            let content = content.rsplit_once(" (").map_or(content, |(it, _)| it);
            for (patient, fact) in (0u32..).zip(&facts) {
                let (status, said) = fact.split_once("] ").unwrap_or(("[present", fact));
                if said == content {
                    let kind = if status == "[denied" { "conflict" } else { "match" };
                    links.push(json!({ "patient": patient, "feature": feature, "kind": kind }));
                }
            }
            let finding = self.view.clinician.base().findings().iter().find(|it| it.present == content);
            for &(candidate, row) in &rows {
                let Some(finding) = finding else { continue };
                let p = self.chance(row, finding);
                let (kind, strength, if_denied) = match p >= RARE {
                    true => ("support", scaled(p / FLOOR), scaled(1.0 / (1.0 - p.min(0.98)))),
                    false => ("rule_out", rounded(1.0 - p / (2.0 * RARE)), 0.0),
                };
                bearings.push(json!({ "feature": feature, "candidate": candidate, "kind": kind, "strength": strength, "if_denied": if_denied }));
            }
        }
        if bearings.is_empty() {
            bearings
                .push(json!({ "feature": 0, "candidate": 0, "kind": "support", "strength": 0.1, "if_denied": 0.0 }));
        }
        json!({ "links": links, "bearings": bearings })
    }

    fn second_look(&self) -> Value {
        let facts = self.facts();
        let expected = self.listed("a first reading found nothing about them:");
        let seen = (0u32..).zip(expected).map(|(feature, content)| {
            let found = facts.iter().find(|(said, ..)| said == content);
            let (status, original) = match found {
                Some((_, original, true)) => ("absent", original.as_str()),
                Some((_, original, false)) => ("present", original.as_str()),
                None => ("missing", ""),
            };
            json!({ "feature": feature, "status": status, "original": original })
        });
        json!({ "features": seen.collect::<Vec<_>>() })
    }

    /// The best score of those the sheet does not exclude.
    fn audit(&self) -> Value {
        let sheet = self.view.part.split("The balance sheet").nth(1).unwrap_or_default();
        let sheet = sheet.split("Three voices:").next().unwrap_or_default();
        // (number, name, S, excluded)
        let mut rows: Vec<(u32, &str, f64, bool)> = Vec::new();
        for line in sheet.lines() {
            if let Some((number, row)) = numbered(line)
                && let Some((name, rest)) = row.split_once(": S = ")
            {
                let score = rest.split(';').next().and_then(|it| it.parse().ok()).unwrap_or(f64::MIN);
                rows.push((number, name, score, false));
            } else if line.contains("the patient denies what it cannot be without")
                && let Some(last) = rows.last_mut()
            {
                last.3 = true;
            }
        }
        let Some(&(_, first, own, _)) = rows.first() else {
            return json!({ "verdict": "keep", "diagnosis": 0, "also": null, "reasons": ["There is nothing to weigh."] });
        };
        let best =
            rows.iter().filter(|it| !it.3).max_by(|a, b| a.2.total_cmp(&b.2).then(b.0.cmp(&a.0))).unwrap_or(&rows[0]);
        let stubborn = self.view.consultation.as_ref().is_some_and(|it| it.symptoms_only) && !self.was_criticised();
        if best.0 == 0 || (stubborn && self.lot("unmoved", first) < UNMOVED) {
            let reason = format!("{first} stands at {own:.2}, and nothing here makes me give it up.");
            return json!({ "verdict": "keep", "diagnosis": 0, "also": null, "reasons": [reason] });
        }
        let lead = format!("{} stands at {:.2}, {first} at {own:.2}.", best.1, best.2);
        let reason = format!("What speaks for {} was not weighed at first sight.", best.1);
        json!({ "verdict": "overturn", "diagnosis": best.0, "also": null, "reasons": [lead, reason] })
    }

    /// Facts that are at least twice as frequent in the one as in the other.
    fn feedback(&self) -> Value {
        let name = |before: &str, after: &str| self.view.part.split(before).nth(1)?.split(after).next();
        let row = |name: Option<&str>| {
            self.view.clinician.base().conditions().iter().position(|it| Some(it.name.as_str()) == name)
        };
        let answered = row(name("A diagnostician answered ", ". The patient has "));
        let right = row(name(". The patient has ", ".\n"));
        let (mut ignored, mut misleading) = (Vec::new(), Vec::new());
        for fact in self.listed("The facts of the patient:") {
            let Some(content) = fact.strip_prefix("[present] ") else { continue };
            let finding = self.view.clinician.base().findings().iter().find(|it| it.present == content);
            let (Some(finding), Some(answered), Some(right)) = (finding, answered, right) else { continue };
            let (wrong, right) = (self.chance(answered, finding), self.chance(right, finding));
            if right > 2.0 * wrong {
                ignored.push(content);
            } else if wrong > 2.0 * right {
                misleading.push(content);
            }
        }
        let advice = "Go through the history once more before you settle, and ask what each part of it makes likely.";
        json!({ "ignored": ignored, "misleading": misleading, "advice": advice })
    }

    fn was_criticised(&self) -> bool {
        self.view.part.contains("A teacher who knows the outcome said:")
    }

    /// The candidates the base knows: their number in the prompt and their row in the base.
    fn rows(&self) -> Vec<(u32, usize)> {
        let conditions = self.view.clinician.base().conditions();
        let row = |(number, name): (u32, &str)| Some((number, conditions.iter().position(|it| it.name == name)?));
        (0..).zip(self.listed("The candidates:")).filter_map(row).collect()
    }

    /// The lines `0. …` below a headline.
    fn listed(&self, head: &str) -> Vec<&'a str> {
        let after = self.view.part.split_once(head).map_or("", |(_, after)| after.trim_start_matches('\n'));
        after.lines().map_while(numbered).map(|(_, words)| words).collect()
    }

    fn chance(&self, row: usize, finding: &Finding) -> f64 {
        let base = self.view.clinician.base();
        base.finding_index(&finding.id).map_or(0.0, |column| base.chance(row, column).max(finding.background))
    }

    /// Between 0 and 1, by patient and thing.
    fn lot(&self, purpose: &str, thing: &str) -> f64 {
        self.view.clinician.seed().rank(purpose, &format!("{}\n{thing}", self.view.patient)) as f64 / i64::MAX as f64
    }
}

/// A list of sites is a fact for each of them.
fn facts_of(finding: &Finding, seen: &Observation) -> Vec<(String, String, bool)> {
    let said = sentence(finding, seen);
    match &finding.detail {
        Detail::None => vec![(finding.present.clone(), said, seen.state == FindingState::Denied)],
        Detail::Multi(words) => {
            let value = |value: &String| words.get(value).cloned();
            let fact = |word: String| (format!("{} {word}", finding.present), word, false);
            seen.values.iter().filter_map(value).map(fact).collect()
        }
        Detail::Scale | Detail::Choice(_) => vec![(said.clone(), said, false)],
    }
}

/// `2. Pneumonia`
fn numbered(line: &str) -> Option<(u32, &str)> {
    let (number, words) = line.split_once(". ")?;
    Some((number.parse().ok()?, words))
}

fn number_after(text: &str, words: &str) -> Option<usize> {
    text.split_once(words)?.1.split_whitespace().next()?.parse().ok()
}

fn rounded(x: f64) -> f64 {
    (x * 100.0).round() / 100.0
}

/// The logarithm of a ratio, in units of that of 1 to the floor.
fn scaled(ratio: f64) -> f64 {
    rounded((ratio.ln() / (1.0 / FLOOR).ln()).clamp(0.0, 1.0))
}
