//! vignette → the same patient as he, she and they, and whatever else must not matter.

use super::author::Author;
use super::pairing::{AGAIN, NEUTRAL, SWAPPED};
use super::settings::Ambiguous;
use super::{Parity, Settings, settings};
use crate::step::Step;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use waterjar_core::{Case, ChatModel, Edit, Expectation, FamilyId, Intervention, Loss, Variant, VariantId};
use waterjar_vignettes::attributes::intervene;
use waterjar_vignettes::{
    AMBIGUOUS, Choice, IDENTITY, NotApplicable, Rewritten, Vignette, Warning, Who, Wording, ablate,
    only_gendered_words_differ, reword, tagged,
};

/// What a variant records: all that judging it needs.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    pub item: String,
    /// Which of the critical findings was removed, from 1; 0 for none.
    pub ablation: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub removed: Option<String>,
    /// The critical findings that are left, in the words of the control.
    pub findings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<Choice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The model that worded it; the rules where there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Where the rules of removing and rewriting were unsure, or an author wrote otherwise than they.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The control's: attributes that could not be changed, and why.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub not_applicable: BTreeMap<String, String>,
}

impl Record {
    pub fn of(variant: &Variant) -> Self {
        serde_json::from_value(variant.record.clone()).unwrap_or_default()
    }

    /// What the right answer is called.
    fn right(&self) -> Option<String> {
        let answer = self.answer.as_ref()?;
        let option = self.options.iter().find(|it| &it.label == answer);
        Some(option.map_or_else(|| answer.clone(), |it| format!("{}. {}", it.label, it.text)))
    }
}

/// The name of a case: the vignette and, where findings are removed, which.
pub(super) fn case_id(vignette: &str, ablation: usize, settings: &Settings) -> String {
    if settings.ablations { format!("{vignette}~{ablation}") } else { vignette.to_owned() }
}

pub(super) fn item_of<'a>(case: &'a str, settings: &Settings) -> (&'a str, usize) {
    let parts = case.rsplit_once('~').filter(|_| settings.ablations);
    parts.and_then(|(item, number)| Some((item, number.parse().ok()?))).unwrap_or((case, 0))
}

/// What is asked: the story, the question and the options.
pub(super) fn told(vignette: &Vignette) -> String {
    let mut told = vignette.text.clone();
    if !vignette.question.is_empty() {
        told.push_str("\n\n");
        told.push_str(&vignette.question);
    }
    for (at, option) in vignette.options.iter().enumerate() {
        told.push_str(if at == 0 { "\n\n" } else { "\n" });
        told.push_str(&format!("{}. {}", option.label, option.text));
    }
    told
}

/// The value of a step, or the loss that ends the case.
macro_rules! or_lose {
    ($step:expr) => {
        match $step {
            Ok(value) => value,
            Err(loss) => return Ok(Err(loss)),
        }
    };
}

impl Parity {
    /// By rule, or in the words of `model`.
    pub(super) async fn family(&self, model: Option<&dyn ChatModel>, case: &Case) -> Step<Vec<Variant>> {
        let author = model.map(|model| Author { model, who: self.who() });
        let whole = or_lose!(tagged::read(&case.text).map_err(|_| Loss::new("vignette_unreadable")));
        // What no wording can mend is told before anybody is paid for writing.
        for wording in [Wording::Swapped, Wording::Neutral] {
            or_lose!(reword(&whole, wording, self.who()).map_err(|why| loss(&why)));
        }
        let (item, ablation) = item_of(case.id.as_str(), &self.settings);
        let (vignette, removed, unsure) = match (ablation.checked_sub(1), &author) {
            (None, _) => (whole, None, Vec::new()),
            (Some(at), author) => {
                let ablated = match author {
                    Some(author) => or_lose!(author.ablate(&whole, at).await?),
                    None => ablate(&whole, at),
                };
                (ablated.vignette, Some(ablated.removed), ablated.warnings)
            }
        };
        let text = told(&vignette);
        if text.trim().is_empty() {
            return Ok(Err(Loss::new("nothing_left")));
        }
        let mut record = Record {
            item: item.to_owned(),
            ablation,
            removed,
            findings: vignette.spans.iter().map(|span| span.of(&vignette.text).to_owned()).collect(),
            options: vignette.options.clone(),
            answer: vignette.answer.clone(),
            author: author.as_ref().map(|it| it.model.id().to_string()),
            warnings: unsure.iter().map(warned).collect(),
            ..Record::default()
        };
        let mut changed = Vec::new();
        for (role, wording) in [(SWAPPED, Wording::Swapped), (NEUTRAL, Wording::Neutral)] {
            let made = or_lose!(self.worded(author.as_ref(), &vignette, &text, wording).await?);
            changed.push((role.to_owned(), made));
        }
        for (role, attribute) in &self.attributes {
            match intervene(&vignette.text, &vignette.spans, attribute) {
                Ok(made) => {
                    let other = told(&Vignette { text: made.text.clone(), ..vignette.clone() });
                    changed.push((role.clone(), Rewritten { text: other, ..made }));
                }
                Err(why) => _ = record.not_applicable.insert(role.clone(), reason(&why)),
            }
        }
        Ok(Ok(self.variants(case, &text, &record, changed)))
    }

    /// The same with other words for the patient, and with nothing else changed. `text` is what is told of the vignette.
    async fn worded(
        &self,
        author: Option<&Author<'_>>,
        vignette: &Vignette,
        text: &str,
        wording: Wording,
    ) -> Step<Rewritten> {
        let (reworded, made) = or_lose!(reword(vignette, wording, self.who()).map_err(|why| loss(&why)));
        let other = told(&reworded);
        if other == text {
            return Ok(Err(Loss::new("no_gendered_words")));
        }
        if only_gendered_words_differ(text, &other).is_err() {
            return Ok(Err(Loss::new("more_than_gendered_words_differ")));
        }
        let is_ambiguous = made.warnings.iter().any(|it| it.why.starts_with(AMBIGUOUS));
        if is_ambiguous && self.settings.ambiguous == Ambiguous::Lose {
            return Ok(Err(Loss::new("ambiguous_swap")));
        }
        match author {
            Some(author) => author.reword(text, wording, &other).await,
            None => Ok(Ok(Rewritten { text: other, ..made })),
        }
    }

    fn variants(&self, case: &Case, text: &str, record: &Record, changed: Vec<(String, Rewritten)>) -> Vec<Variant> {
        let condition = record.right().unwrap_or_else(|| "the same as for the original".to_owned());
        let variant = |role: &str, text: String, edits: Option<Vec<Edit>>, record: &Record| Variant {
            id: VariantId::new(format!("{}/{role}", case.id)),
            family: FamilyId::new(case.id.as_str()),
            case: case.id.clone(),
            text,
            facts: None,
            intervention: edits.map(|edits| Intervention { name: role.to_owned(), edits }),
            expectation: Expectation::Holds { condition: condition.as_str().into() },
            strata: BTreeMap::from([("item".to_owned(), record.item.clone())]),
            record: serde_json::to_value(record).expect("texts and lists of them"),
        };
        let mut family = vec![variant("control", text.to_owned(), None, record)];
        for (role, made) in changed {
            let edits = made.edits.iter().map(|edit| Edit { removed: edit.from.clone(), inserted: edit.to.clone() });
            let warnings = record.warnings.iter().cloned().chain(made.warnings.iter().map(warned)).collect();
            let record = Record { warnings, not_applicable: BTreeMap::new(), ..record.clone() };
            let edits = edits.collect();
            family.push(variant(&role, made.text, Some(edits), &record));
        }
        if self.settings.floor {
            let record = Record { not_applicable: BTreeMap::new(), ..record.clone() };
            family.push(variant(AGAIN, text.to_owned(), Some(Vec::new()), &record));
        }
        family
    }

    fn who(&self) -> Who {
        match self.settings.who {
            settings::Who::Patient => Who::Patient,
            settings::Who::Everyone => Who::Everyone,
        }
    }
}

fn warned(warning: &Warning) -> String {
    format!("at {}: {}", warning.at.start, warning.why)
}

/// With the first term that binds the text to a sex or a gender: `sex_bound: prostate`, `gender_identity: transgender`.
fn loss(why: &NotApplicable) -> Loss {
    Loss::new(&match why.terms.first() {
        Some((_, term)) if why.why.starts_with(IDENTITY) => format!("gender_identity: {}", term.to_lowercase()),
        Some((_, term)) => format!("sex_bound: {}", term.to_lowercase()),
        None => reason(why),
    })
}

/// The words that stand against it are named after a colon, and are not part of the reason.
fn reason(why: &NotApplicable) -> String {
    let words = why.why.split(':').next().unwrap_or_default().to_lowercase();
    let words: Vec<&str> = words.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    words.join("_")
}
