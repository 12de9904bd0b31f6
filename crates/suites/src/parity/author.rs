//! Wordings and repairs by a model. Each is checked by rule, and asked for again once with what was wrong; then the case is lost, with the
//! reason.

use crate::prompts::rendered;
use crate::step::{Step, settled};
use askama::Template;
use schemars::JsonSchema;
use serde::Deserialize;
use waterjar_core::{ChatModel, Sex};
use waterjar_structured::ask_checked;
use waterjar_vignettes::{
    Ablated, Edit, Rewritten, Vignette, Warning, Who, Wording, gendered_edits, is_kin, mended, tagged, told_sex,
};

pub(super) struct Author<'a> {
    pub model: &'a dyn ChatModel,
    pub who: Who,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Written {
    /// The whole text.
    text: String,
}

#[derive(Template)]
#[template(path = "parity/prompts/reword.md", escape = "none")]
struct Reword<'a> {
    wanted: &'a str,
    everyone: bool,
    text: &'a str,
}

#[derive(Template)]
#[template(path = "parity/prompts/mend.md", escape = "none")]
struct Mend<'a> {
    stay: &'a [&'a str],
    text: &'a str,
}

impl Author<'_> {
    /// The text in another wording. `by_rule` is what the rules make of it: where the two differ there is a warning.
    pub async fn reword(&self, text: &str, wording: Wording, by_rule: &str) -> Step<Rewritten> {
        let wanted = match (wording, told_sex(text)) {
            (Wording::Neutral, _) => "nothing in it says whether the patient is a man or a woman: they, them, their",
            (Wording::Swapped, Some(Sex::M)) => "the patient is a woman instead of a man, or a girl instead of a boy",
            (Wording::Swapped, Some(Sex::F)) => "the patient is a man instead of a woman, or a boy instead of a girl",
            (Wording::Swapped, None) => "the patient is of the other sex",
        };
        let prompt = rendered(&Reword { wanted, everyone: self.who == Who::Everyone, text });
        let check = |it: &Written| reworded(text, it.text.trim(), by_rule, self.who);
        settled(self.model, ask_checked(self.model, &prompt, "rewording", check).await, "rewrite_changed_more")
    }

    /// The vignette without finding `n` (from 0).
    pub async fn ablate(&self, vignette: &Vignette, n: usize) -> Step<Ablated> {
        let span = vignette.spans[n];
        let stay: Vec<&str> =
            vignette.spans.iter().filter(|other| **other != span).map(|other| other.of(&vignette.text)).collect();
        let prompt = rendered(&Mend { stay: &stay, text: &tagged::mark(&vignette.text, &[span]) });
        let check = |it: &Written| mended(vignette, n, &it.text);
        settled(self.model, ask_checked(self.model, &prompt, "mended_story", check).await, "repair_changed_more")
    }
}

/// Accepted where nothing but gendered words differs, the patient's sex is told as the rules would tell it, and relatives are left alone.
fn reworded(text: &str, said: &str, by_rule: &str, who: Who) -> Result<Rewritten, String> {
    let edits = gendered_edits(text, said).map_err(|place| {
        let from: String = text[place.start..].chars().take(40).collect();
        format!("from “{from}” on something else than words for he, she and they is different")
    })?;
    if edits.is_empty() {
        return Err("nothing was changed".to_owned());
    }
    if told_sex(said) != told_sex(by_rule) {
        return Err(match told_sex(said) {
            Some(Sex::M) => "the patient is told to be male".to_owned(),
            Some(Sex::F) => "the patient is told to be female".to_owned(),
            None => "the patient's sex is no longer told".to_owned(),
        });
    }
    let ruled = gendered_edits(text, by_rule).unwrap_or_default();
    if let Some(kin) = edits.iter().find(|it| who == Who::Patient && is_kin(&it.from) && among(&ruled, it).is_none()) {
        return Err(format!("“{}” became “{}”, and that is not the patient", kin.from, kin.to));
    }
    let warning = |edit: &Edit, why: String| Warning { at: edit.at, why };
    let other = edits.iter().filter(|it| among(&ruled, it) != Some(*it)).map(|edit| match among(&ruled, edit) {
        Some(rule) => warning(edit, format!("“{}”, where the rules write “{}”", edit.to, rule.to)),
        None => warning(edit, format!("“{}”, where the rules leave “{}”", edit.to, edit.from)),
    });
    let left = ruled.iter().filter(|it| among(&edits, it).is_none());
    let left = left.map(|rule| warning(rule, format!("“{}”, where the rules write “{}”", rule.from, rule.to)));
    let mut warnings: Vec<Warning> = other.chain(left).collect();
    warnings.sort_by_key(|it| it.at);
    Ok(Rewritten { text: said.to_owned(), edits, spans: Vec::new(), warnings })
}

/// The one at the same place; `edits` are in the order of the text.
fn among<'e>(edits: &'e [Edit], edit: &Edit) -> Option<&'e Edit> {
    edits.binary_search_by_key(&edit.at, |it| it.at).ok().map(|at| &edits[at])
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "A 40-year-old man has a cough. His father had asthma. He smokes.";
    const RULE: &str = "A 40-year-old woman has a cough. Her father had asthma. She smokes.";

    fn check(said: &str) -> Result<Vec<String>, String> {
        let made = reworded(TEXT, said, RULE, Who::Patient)?;
        assert_eq!(made.text, said);
        Ok(made.warnings.into_iter().map(|it| it.why).collect())
    }

    #[test]
    fn what_the_rules_would_write_is_taken_without_a_word() {
        assert_eq!(check(RULE), Ok(Vec::new()));
    }

    #[test]
    fn a_pronoun_the_rules_would_write_otherwise_is_a_warning() {
        let said = "A 40-year-old woman has a cough. His father had asthma. She smokes.";
        assert_eq!(check(said), Ok(vec!["“His”, where the rules write “Her”".to_owned()]));
    }

    #[test]
    fn what_changes_more_or_less_is_refused_with_the_place() {
        for (said, told) in [
            ("A 40-year-old woman has a mild cough. Her father had asthma. She smokes.", "from “cough. His father"),
            ("A 40-year-old woman has a cough. Her mother had asthma. She smokes.", "“father” became “mother”"),
            (TEXT, "nothing was changed"),
            ("A 40-year-old person has a cough. Their father had asthma. They smoke.", "no longer told"),
        ] {
            let problem = check(said).unwrap_err();
            assert!(problem.contains(told), "{said}: {problem}");
        }
    }
}
