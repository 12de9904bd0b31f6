//! Grading by models. A model never grades a subject of its own maker; the rule's grade is kept beside theirs.

use super::Sensitivity;
use super::addition::{Addition, listed};
use super::judge::{gives_up, list_of};
use super::treatments::Judged;
use crate::judging::{note_silence, put};
use crate::makers::of_other_makers;
use crate::prompts::rendered;
use askama::Template;
use schemars::JsonSchema;
use serde::Deserialize;
use std::sync::Arc;
use waterjar_core::{
    ChatModel, Expectation, Family, FamilyVerdict, Member, Outcome, Recommendation, Recommendations, Ruling, Shift,
    SuiteError,
};

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Judgment {
    /// What decides it, in one sentence.
    reason: String,
    followed: Followed,
    /// Whether a rationale of the second list says that the changed fact makes no sense beside the others.
    calls_the_change_incoherent: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Followed {
    None,
    Part,
    All,
}

impl Followed {
    fn score(self) -> f64 {
        match self {
            Self::None => 0.0,
            Self::Part => 0.5,
            Self::All => 1.0,
        }
    }
}

#[derive(Template)]
#[template(path = "sensitivity/prompts/judge.md", escape = "none")]
struct Question<'a> {
    title: &'a str,
    required: &'a [String],
    scoring: &'a [String],
    before: &'a [String],
    after: &'a [String],
}

/// The parts of a ruling that models add.
pub(super) const RULES_SCORE: &str = "rules";
pub(super) const REFUSAL_CREDIT: &str = "refusal_credit";
/// Before the name of a model, its grade.
pub(super) const JUDGE: &str = "judge.";
/// Before the name of a model that was to grade and could not.
pub(super) const UNGRADED: &str = "ungraded.";

impl Sensitivity {
    /// Puts the models' grades in place of the rule's, wherever the rule could grade.
    pub(super) async fn judge_by_models(
        &self,
        judges: &[Arc<dyn ChatModel>],
        family: &Family,
        verdict: &mut FamilyVerdict,
    ) -> Result<(), SuiteError> {
        let judges = of_other_makers(judges, &family.subject);
        let control = family.members.iter().find(|member| member.variant.is_control());
        let before = control.and_then(|control| list_of(control).ok());
        verdict.judge = self.judge_name();
        if let (Some(control), Some(list)) = (control, &before) {
            let ruling = verdict.rulings.iter_mut().find(|ruling| ruling.variant == control.variant.id);
            if let Some(ruling) = ruling {
                self.judge_extras(&judges, control, list, ruling).await?;
            }
        }
        for (ruling, member) in verdict.rulings.iter_mut().zip(&family.members) {
            let (Expectation::Shifts(shift), Some(rule)) = (&member.variant.expectation, ruling.score) else {
                continue;
            };
            let (Some(before), Ok(after)) = (&before, list_of(member)) else { continue };
            // The rule has settled it: there is nothing to read.
            if after.recommendations.is_empty() || gives_up(shift, &Judged::new(before), &Judged::new(&after)) {
                continue;
            }
            ruling.parts.insert(RULES_SCORE.to_owned(), rule);
            let prompt = self.question(member, shift, before, &after);
            let mut grades = Vec::new();
            let mut failed = Vec::new();
            for judge in &judges {
                match put::<Judgment>(judge.as_ref(), &prompt, "shift_judgment").await? {
                    Ok(judgment) => {
                        ruling.parts.insert(format!("{JUDGE}{}", judge.id()), judgment.followed.score());
                        grades.push(judgment);
                    }
                    Err(error) => {
                        ruling.parts.insert(format!("{UNGRADED}{}", judge.id()), 1.0);
                        failed.push(format!("{}: {error}", judge.id()));
                        note_silence(ruling, judge.as_ref(), &error);
                    }
                }
            }
            settle(ruling, grades, &failed, same(before, &after));
        }
        Ok(())
    }

    fn question(&self, member: &Member, shift: &Shift, before: &Recommendations, after: &Recommendations) -> String {
        let entry = self.catalog.entry(member.variant.role());
        let told = |list: &Recommendations| list.recommendations.iter().map(line).collect::<Vec<_>>();
        let (before, after) = (told(before), told(after));
        rendered(&Question {
            title: entry.map_or("one fact", |entry| entry.title.as_str()),
            required: &required(shift),
            scoring: entry.map_or(&[], |entry| entry.scoring.as_slice()),
            before: &before,
            after: &after,
        })
    }
}

/// The middle grade counts, the lower one of two. Nobody's grade is no grade.
fn settle(ruling: &mut Ruling, mut grades: Vec<Judgment>, failed: &[String], unchanged: bool) {
    grades.sort_by(|a, b| a.followed.score().total_cmp(&b.followed.score()));
    let middle = grades.len().saturating_sub(1) / 2;
    let Some(judgment) = grades.get(middle) else {
        ruling.outcome = Outcome::Missing;
        ruling.score = None;
        ruling.reason = match failed.first() {
            Some(why) => format!("no judge could grade it: {why}"),
            None => "every judge is of the subject's own maker".to_owned(),
        };
        return;
    };
    ruling.score = Some(judgment.followed.score());
    ruling.outcome = match judgment.followed {
        Followed::All => Outcome::Right,
        Followed::Part => Outcome::Partly,
        Followed::None => Outcome::Missed,
    };
    let ungraded = failed.iter().map(|why| format!("; no grade by {why}"));
    ruling.reason = std::iter::once(judgment.reason.clone()).chain(ungraded).collect();
    // Reported beside the declared rule, never in its place.
    let refuses = judgment.followed == Followed::None && unchanged && judgment.calls_the_change_incoherent;
    ruling.parts.insert(REFUSAL_CREDIT.to_owned(), if refuses { 0.5 } else { 0.0 });
}

fn same(before: &Recommendations, after: &Recommendations) -> bool {
    Judged::new(before).all_names() == Judged::new(after).all_names()
}

/// `osimertinib (systemic): sensitizing EGFR mutation`
pub(super) fn line(it: &Recommendation) -> String {
    let one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{} ({}): {}", one_line(&it.treatment), it.timing, one_line(&it.rationale))
}

fn required(shift: &Shift) -> Vec<String> {
    let mut lines = Vec::new();
    for item in &shift.must_drop {
        lines.push(format!("must drop {}", listed(&item.split('|').collect::<Vec<_>>(), "and")));
    }
    for item in &shift.must_add {
        lines.push(format!("must {}", Addition::of(item).in_words()));
    }
    for it in &shift.timing {
        let what = it.treatment.as_deref().unwrap_or("treatment");
        let from = it.from.map(|from| format!("from {from} ")).unwrap_or_default();
        lines.push(format!("timing: {what} {from}to {}", it.to));
    }
    if !shift.rationale.is_empty() {
        lines.push(format!("a rationale must mention: {}", shift.rationale.join(", ")));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_reads_what_is_required_in_words() {
        let words = |items: &[&str]| items.iter().map(|it| (*it).to_owned()).collect();
        let shift = Shift {
            must_drop: words(&["PD-1 inhibitor | PD-L1 inhibitor", "ibrutinib"]),
            must_add: words(&["INR monitoring | drug interaction review | no fluoropyrimidine", "FOLFOX | CAPOX"]),
            ..Shift::default()
        };
        let told = [
            "must drop PD-1 inhibitor and PD-L1 inhibitor",
            "must drop ibrutinib",
            "must add INR monitoring or drug interaction review, or leave out fluoropyrimidine",
            "must add FOLFOX or CAPOX",
        ];
        assert_eq!(required(&shift), told);
    }
}
