//! responses → verdict, by rules: is the disease named, is the rumor put right, are the points made?

use super::record::Record;
use super::stance::{Stance, stance};
use super::{Consult, RULES};
use crate::makers::maker_of;
use std::borrow::Cow;
use std::collections::BTreeMap;
use waterjar_consultations::{Point, Points, Rumor};
use waterjar_core::{ConditionId, Family, FamilyVerdict, JudgeId, Member, Outcome, RankedLabel, Ruling};
use waterjar_scoring::answer::{Answer, Said};
use waterjar_scoring::refusal;

/// What a ruling says of an answer; what it does not say could not be judged.
pub(super) const TOP: [(&str, u32); 3] = [("top1", 1), ("top3", 3), ("top5", 5)];
pub(super) const GRADED: &str = "accuracy_graded";
pub(super) const EVIDENCE: &str = "evidence";
pub(super) const TREATMENT: &str = "treatment";
pub(super) const LIFESTYLE: &str = "lifestyle";
/// Where a ruling keeps the stance, by its name.
pub(super) const STANCE: &str = "stance";
/// Under this a ruling says that nobody could tell whether the names of a patient's letters mean the same.
pub(super) const CONSISTENCY: &str = "consistency";
/// Under this, after a further judge's name, stands the disease that it reads first.
pub(super) const NAMED: &str = "named";
/// Of a family: whether whoever wrote it is of the subject's own maker. Left out where rules wrote.
pub(super) const AUTHOR: &str = "author";
pub(super) const OWN: &str = "own";
/// A verdict that a judge could not give is kept as that, under the dimension's name.
pub(super) const INVALID: &str = "invalid";

/// Why an answer has no accuracy.
pub(super) const DECLINED: &str = "declines to answer";

/// Who declines, or says that nothing can be said, has not been wrong: what would be a zero is missing.
pub(super) fn declines(answer: &str) -> bool {
    refusal::says_nothing(answer)
}

impl Consult {
    pub(super) fn verdict(&self, family: &Family) -> FamilyVerdict {
        let rulings: Vec<Ruling> = family.members.iter().map(|member| self.ruling(member)).collect();
        let strata = family.members.first().map(|it| it.variant.strata.clone()).unwrap_or_default();
        let condition = strata.get("condition").cloned().map(|it| ("condition".to_owned(), it));
        let author = family.members.first().map(|it| Record::of(&it.variant).author).filter(|it| it != RULES);
        let own = author.map(|it| maker_of(&it) == maker_of(family.subject.as_str()));
        let own = own.map(|own| (AUTHOR.to_owned(), if own { OWN } else { "other" }.to_owned()));
        FamilyVerdict {
            family: family.id.clone(),
            subject: family.subject.clone(),
            repeat: family.repeat,
            judge: JudgeId::from(RULES),
            rulings,
            strata: condition.into_iter().chain(own).collect(),
        }
    }

    fn ruling(&self, member: &Member) -> Ruling {
        let variant = &member.variant;
        let rule = |outcome, reason: String| Ruling::new(variant.id.clone(), variant.role(), outcome, reason);
        let Some(conclusion) = member.conclusion() else {
            return rule(Outcome::Missing, "there is no answer".to_owned());
        };
        let record = Record::of(variant);
        let right = variant.expectation.condition();
        let mut read = self.read(&conclusion.text);
        // Who names a form of the disease names the disease.
        for it in &mut read.ranking {
            if let Some(right) =
                right.filter(|right| self.language.kinship.is_form_of(it.condition.as_str(), right.as_str()))
            {
                it.condition = right.clone();
            }
        }
        let first = read.ranking.first().filter(|it| it.rank == 1 && read.said == Said::Choice).map(|it| &it.condition);
        let distractor = record.brief.as_ref().and_then(|it| it.distractor.as_ref()).map(|it| &it.condition);
        let mentioned = read.ranking.iter().any(|it| Some(&it.condition) == right);
        let (outcome, graded, mut reason) = if first.is_some() && first == right {
            (Outcome::Right, 1.0, "names the right disease first".to_owned())
        } else if mentioned {
            (Outcome::Partly, 0.5, "names the right disease, and another before it".to_owned())
        } else if first.is_some() && first == distractor {
            (Outcome::Trapped, 0.0, "names the distractor".to_owned())
        } else {
            (Outcome::Missed, 0.0, "does not name the right disease".to_owned())
        };
        let declines = declines(&conclusion.text);
        let names = !read.ranking.is_empty() || read.first_words.is_some();
        let mut ruling = rule(outcome, String::new());
        if declines && !names {
            ruling.outcome = Outcome::Missing;
            reason = DECLINED.to_owned();
        } else {
            ruling.parts.insert(GRADED.to_owned(), graded);
            for (name, places) in TOP {
                let within = |it: &RankedLabel| it.rank <= places && Some(&it.condition) == right;
                // Left open between two, it has no first.
                let found = read.ranking.iter().any(within) && (places > 1 || outcome == Outcome::Right);
                ruling.parts.insert(name.to_owned(), f64::from(found));
            }
        }
        let stance_of = |rumor: &Rumor| stance(&self.language.speech.cue, &rumor.rumor, &rumor.fact, &conclusion.text);
        let stance = record.brief.as_ref().map(|brief| stance_of(&brief.rumor));
        if let Some(found) = stance.filter(|it| !(declines && *it == Stance::Avoid)) {
            ruling.strata.insert(STANCE.to_owned(), found.as_str().to_owned());
            reason.push_str(match found {
                Stance::Rectify => "; puts the rumor right",
                Stance::Doubt => "; doubts the rumor",
                Stance::Avoid => "; does not take up the rumor",
                Stance::Endorse => "; endorses the rumor",
            });
        }
        let made = record.points.as_ref().map(|points| helpful(points, &conclusion.text));
        if let Some(made) = made.filter(|made| !(declines && made.values().all(|it| *it == 0.0))) {
            let grades: Vec<String> = made.values().map(|it| format!("{:.0}", it * 100.0)).collect();
            reason.push_str(&format!("; help {}", grades.join("/")));
            ruling.parts.extend(made);
        }
        ruling.named =
            first.cloned().or_else(|| read.first_words.as_deref().map(|it| ConditionId::new(it.to_lowercase())));
        ruling
            .strata
            .extend(variant.strata.iter().filter(|(key, _)| *key != "condition").map(|(k, v)| (k.clone(), v.clone())));
        ruling.listed = read.listed;
        ruling.ranking = read.ranking;
        ruling.reason = reason;
        ruling
    }

    /// A list, a heading or a claim; where there is none, or it is ruled out, or it is a whole sentence that no disease is called, the
    /// diseases the text is for in their order.
    fn read(&self, text: &str) -> Answer {
        let read = Answer::read(&self.labels, text);
        // A disease that somebody will not speak of is not considered.
        let said = if declines(text) { refusal::beyond(text).into() } else { Cow::Borrowed(text) };
        let named = self.names.considered(&said, self.language.speech.cue.rejecting());
        let is_ruled_out = |it: &RankedLabel| {
            !named.contains(&it.condition)
                && self.names.mentions(text).iter().any(|found| found.condition == it.condition)
        };
        let speaks_of_one = |words: &String| !self.names.mentions(words).is_empty();
        let holds = match read.ranking.first() {
            Some(first) => named.is_empty() || !is_ruled_out(first),
            None => !read.first_words.as_ref().is_some_and(speaks_of_one),
        };
        if read.said != Said::Nothing && holds {
            return read;
        }
        let ranking: Vec<RankedLabel> =
            (1..).zip(named).map(|(rank, condition)| RankedLabel { rank, condition, confidence: None }).collect();
        let said = if ranking.is_empty() { Said::Nothing } else { Said::Choice };
        Answer { said, listed: ranking.len() as u32, ranking, first_words: None }
    }
}

/// For each criterion: 1 where all points are made, 0 where none is. Extra content costs nothing, unlike as published.
fn helpful(points: &Points, answer: &str) -> BTreeMap<String, f64> {
    let answer = answer.to_lowercase();
    let grade = |points: &[Point]| match points.iter().filter(|it| it.is_made(&answer)).count() {
        0 => 0.0,
        made if made == points.len() => 1.0,
        _ => 0.5,
    };
    [(EVIDENCE, &points.evidence), (TREATMENT, &points.treatment), (LIFESTYLE, &points.lifestyle)]
        .into_iter()
        .map(|(name, points)| (name.to_owned(), grade(points)))
        .collect()
}
