//! Whether what is recommended beyond the board's list is plausible, by models: the rule only knows what boards name.

use super::Sensitivity;
use super::coverage::{Coverage, EXTRA_PLAUSIBILITY, extras};
use super::judged::line;
use super::treatments::Judged;
use crate::judging::{note_silence, unless_over};
use crate::prompts::rendered;
use askama::Template;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::sync::Arc;
use waterjar_charts::boards::Cancer;
use waterjar_core::{ChatModel, Member, Recommendations, Ruling, SuiteError};
use waterjar_structured::ask_checked;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Opinions {
    extras: Vec<Opinion>,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Opinion {
    /// The number it has in the question.
    number: usize,
    /// Why, in a few words.
    #[serde(rename = "reason")]
    _reason: String,
    plausible: bool,
}

#[derive(Template)]
#[template(path = "sensitivity/prompts/extras.md", escape = "none")]
struct Question<'a> {
    cancer: &'a str,
    agreed: &'a [String],
    extras: &'a [String],
}

/// The rule's share, where models gave another.
const BY_RULES: &str = "extra_plausibility_rules";

impl Sensitivity {
    /// Puts the share that more than half of the models call plausible in place of the rule's. Where no model could say, the rule's
    /// stays.
    pub(super) async fn judge_extras(
        &self,
        judges: &[&Arc<dyn ChatModel>],
        control: &Member,
        list: &Recommendations,
        ruling: &mut Ruling,
    ) -> Result<(), SuiteError> {
        let variant = &control.variant;
        let (Some(agreed), Some(by_rules)) =
            (self.agreed(&variant.case), ruling.parts.get(EXTRA_PLAUSIBILITY).copied())
        else {
            return Ok(());
        };
        let judged = Judged::new(list);
        let extras: Vec<String> = extras(&judged, agreed).into_iter().map(|(it, _)| line(it)).collect();
        if extras.is_empty() {
            return Ok(());
        }
        let cancer = variant.strata.get("cancer").and_then(|it| Cancer::named(it)).map_or("cancer", Cancer::called);
        let told: Vec<String> = agreed.iter().map(|it| format!("{} ({})", it.treatment, it.class.name())).collect();
        let prompt = rendered(&Question { cancer, agreed: &told, extras: &extras });
        let mut votes = vec![0; extras.len()];
        let mut voters = 0;
        for judge in judges {
            let check = |opinions: &Opinions| plausible(opinions, extras.len());
            match unless_over(ask_checked(judge.as_ref(), &prompt, "extras_judgment", check).await)? {
                Ok(plausible) => {
                    voters += 1;
                    plausible.into_iter().for_each(|number| votes[number - 1] += 1);
                }
                Err(error) => {
                    ruling.reason = format!("{}; no word on the others by {}: {error}", ruling.reason, judge.id());
                    note_silence(ruling, judge.as_ref(), &error);
                }
            }
        }
        if voters > 0 {
            let share = votes.iter().filter(|yes| **yes * 2 > voters).count() as f64 / extras.len() as f64;
            ruling.parts.insert(BY_RULES.to_owned(), by_rules);
            ruling.parts.insert(EXTRA_PLAUSIBILITY.to_owned(), share);
            ruling.score = Coverage::of_parts(&ruling.parts).cms();
        }
        Ok(())
    }
}

/// The numbers called plausible, if every number was answered once.
fn plausible(opinions: &Opinions, all: usize) -> Result<Vec<usize>, String> {
    let numbers: BTreeSet<usize> = opinions.extras.iter().map(|it| it.number).collect();
    if opinions.extras.len() != all || !numbers.iter().copied().eq(1..=all) {
        return Err(format!("answer for every number from 1 to {all} once"));
    }
    Ok(opinions.extras.iter().filter(|it| it.plausible).map(|it| it.number).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_extra_is_answered_once() {
        let of = |numbers: &[usize]| Opinions {
            extras: numbers
                .iter()
                .map(|it| Opinion { number: *it, _reason: String::new(), plausible: *it == 1 })
                .collect(),
        };
        assert_eq!(plausible(&of(&[2, 1]), 2), Ok(vec![1]));
        assert!(plausible(&of(&[1]), 2).is_err());
        assert!(plausible(&of(&[1, 1]), 2).is_err());
        assert!(plausible(&of(&[1, 2, 3]), 2).is_err());
    }
}
