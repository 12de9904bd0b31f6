//! The stage of a model that looks into why an answer went wrong, answered from the prompt alone.

use super::Clinician;
use super::trap_author::prompt;
use crate::format::Asked;
use serde_json::{Value, json};

/// What shows that evidence was argued away rather than left lying.
const ARGUING: [&str; 6] = ["set it aside", "set them aside", "however", "but ", "although", "coincidence"];
/// So much of a piece of evidence must be in a sentence that speaks of it.
const SPEAKS_OF: f64 = 0.5;

impl Clinician {
    /// Also audits failures: quotes the sentence that speaks of the evidence, if there is one.
    #[must_use]
    pub fn auditing(self) -> Self {
        self.on("failure_audit", |_, asked| audit(asked))
    }
}

fn audit(asked: &Asked) -> Value {
    let (before, reasoning) = prompt(asked).rsplit_once("\nReasoning:\n").unwrap_or_default();
    let evidence: Vec<&str> = before.split("\n\n").next().into_iter().flat_map(bullets).collect();
    let sentences = reasoning.lines().map(str::trim).filter(|line| !line.is_empty());
    let speaks = |sentence: &&str| evidence.iter().any(|said| share(said, sentence) >= SPEAKS_OF);
    // Whoever argues says more than whoever mentions, so an argument is looked for first.
    let spoken: Vec<&str> = sentences.filter(speaks).collect();
    let argues = |sentence: &&&str| ARGUING.iter().any(|words| sentence.contains(words));
    match (spoken.iter().find(argues), spoken.first()) {
        (Some(sentence), _) => json!({ "classification": "overthinking", "sentence": sentence }),
        (None, Some(sentence)) => json!({ "classification": "underthinking", "sentence": sentence }),
        (None, None) => json!({ "classification": "blindness", "sentence": "" }),
    }
}

fn bullets(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("- "))
}

/// How much of the words of `said` are in the sentence.
fn share(said: &str, sentence: &str) -> f64 {
    let words = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| word.len() > 3);
        words.map(str::to_lowercase).collect()
    };
    let (wanted, there) = (words(said), words(sentence));
    let found = wanted.iter().filter(|word| there.contains(word)).count();
    found as f64 / wanted.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Persona;
    use crate::format::{AnswerForm, Format, ToolChoice};
    use waterjar_core::{AnswerSchema, ChatRequest, Seed};

    /// What it says of a reasoning, with the prompt that suites write.
    fn check(reasoning: &str, classification: &str, sentence: &str) {
        let prompt = format!(
            "A reader answered Migraine. The right answer is Cluster headache:\n- I smoke cigarettes.\n- A small beer \
             brings on an attack.\n\nChoose one:\n- blindness: never taken up.\n\nPatient:\n- I smoke cigarettes.\n\n\
             Reasoning:\n{reasoning}\n"
        );
        let mut request = ChatRequest::new("", prompt.as_str(), 0);
        let schema = json!({"type": "object"});
        request.schema = Some(AnswerSchema { name: "failure_audit".to_owned(), schema });
        let form = AnswerForm::JsonSchema;
        let asked = Asked { format: Format::OpenAi, model: String::new(), request, form, choice: ToolChoice::Auto };
        let said = Clinician::new(Persona::default(), Seed(7)).reply(&asked).text;
        let said: Value = serde_json::from_str(&said).unwrap();
        assert_eq!(said, json!({ "classification": classification, "sentence": sentence }));
    }

    #[test]
    fn evidence_that_is_nowhere_is_blindness() {
        check("The head throbs.\nThat is typical.", "blindness", "");
    }

    #[test]
    fn evidence_that_is_left_lying_is_underthinking() {
        let sentence = "- The patient also says: \"I smoke cigarettes\"";
        check(&format!("The head throbs.\n{sentence}\nSo it is a migraine."), "underthinking", sentence);
    }

    #[test]
    fn evidence_that_is_argued_away_is_overthinking_wherever_else_it_is_mentioned() {
        let sentence = "A small beer brings on an attack, but that is common, so I set it aside.";
        check(&format!("He smokes cigarettes, he says.\n{sentence}"), "overthinking", sentence);
    }
}
