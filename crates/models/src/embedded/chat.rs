//! A built-in reader behind the door every model stands behind.

use super::Reader;
use async_trait::async_trait;
use waterjar_core::{ChatModel, ChatReply, ChatRequest, ModelError, ModelId};

/// Takes the last thing the user said for the narrative and answers as a language model asked for a ranked list would.
pub struct BuiltIn {
    id: ModelId,
    reader: Box<dyn Reader>,
}

impl BuiltIn {
    pub fn new(id: impl Into<ModelId>, reader: Box<dyn Reader>) -> Self {
        Self { id: id.into(), reader }
    }
}

/// As many as agents ask for.
const LINES: usize = 5;

#[async_trait]
impl ChatModel for BuiltIn {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        let narrative = request.last_user_text();
        if narrative.trim().is_empty() {
            return Err(self.cannot("there is no narrative to read: the last user message is empty"));
        }
        let lines: Vec<String> = (self.reader.rank(narrative).iter().take(LINES).zip(1..))
            .map(|(guess, place)| format!("{place}. {} ({:.2})", guess.label, guess.confidence))
            .collect();
        if lines.is_empty() {
            return Err(self.cannot("the reader ranks no condition: was it given an empty knowledge base?"));
        }
        Ok(ChatReply::text(lines.join("\n")))
    }
}

impl BuiltIn {
    fn cannot(&self, why: &str) -> ModelError {
        ModelError::InvalidOutput(format!("{}: {why}", self.id))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sample::{NAMES, examples, narrative};
    use super::super::{Guess, Ranked, train};
    use super::*;

    fn fixed(labels: &'static [(&'static str, f64)]) -> BuiltIn {
        let guess = |&(label, confidence): &(&str, f64)| Guess { label: label.to_owned(), confidence };
        let rank = move |_: &str| labels.iter().map(guess).collect();
        BuiltIn::new("reference", Box::new(Ranked::new(rank)))
    }

    async fn ask(model: &BuiltIn, text: &str) -> Result<String, String> {
        let reply = model.chat(&ChatRequest::new("Diagnose.", text, 0)).await;
        reply.map(|reply| reply.text).map_err(|error| error.to_string())
    }

    #[tokio::test]
    async fn the_answer_is_a_numbered_list_with_two_decimals() {
        let model = fixed(&[("Pneumothorax", 0.3), ("Pulmonary embolism", 0.62), ("Angina", 0.08)]);
        let expected = "1. Pulmonary embolism (0.62)\n2. Pneumothorax (0.30)\n3. Angina (0.08)";
        assert_eq!(ask(&model, "I am short of breath.").await.unwrap(), expected);
        assert_eq!(model.id().as_str(), "reference");
    }

    #[tokio::test]
    async fn at_most_five_conditions_are_named() {
        let model = fixed(&[("a", 6.0), ("b", 5.0), ("c", 4.0), ("d", 3.0), ("e", 2.0), ("f", 1.0)]);
        let text = ask(&model, "x").await.unwrap();
        assert_eq!(text.lines().count(), 5);
        assert_eq!(text.lines().last(), Some("5. e (0.10)"));
    }

    #[tokio::test]
    async fn a_trained_reader_answers_in_text() {
        let model = BuiltIn::new("logit", train("logit", &examples(8)).unwrap());
        let text = ask(&model, &narrative(2, 40)).await.unwrap();
        assert!(text.starts_with(&format!("1. {} (", NAMES[2])), "{text}");
    }

    #[tokio::test]
    async fn an_empty_narrative_is_not_guessed_at() {
        let error = ask(&fixed(&[("a", 1.0)]), " \n").await.unwrap_err();
        assert!(error.contains("reference: there is no narrative to read"), "{error}");
    }

    #[tokio::test]
    async fn a_reader_that_knows_no_condition_says_so() {
        let error = ask(&fixed(&[]), "x").await.unwrap_err();
        assert!(error.contains("ranks no condition"), "{error}");
    }
}
