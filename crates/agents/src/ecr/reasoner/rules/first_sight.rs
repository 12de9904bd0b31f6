//! A built-in reader's ranked list → the candidates that come to mind.

use crate::ecr::reasoner::Sight;
use crate::ecr::reasoner::stages::{Intuition, Suspect};
use waterjar_core::{AgentError, ChatRequest};

pub async fn ask(sight: &Sight<'_>, most: usize) -> Result<Intuition, AgentError> {
    // The narrative is the user message alone: built-in readers take all of it for the patient.
    let request = ChatRequest::new(sight.prompt.task.as_str(), sight.prompt.text.as_str(), sight.repeat);
    let reply = sight.model.chat(&request).await?;
    let candidates: Vec<Suspect> = reply.text.lines().filter_map(read).take(most).collect();
    if candidates.is_empty() {
        let begin: String = reply.text.chars().take(80).collect();
        return Err(AgentError::InvalidOutput(format!("there is no ranked list in the first impression: {begin}")));
    }
    Ok(Intuition { candidates })
}

/// `2. Pneumothorax (0.30)`
fn read(line: &str) -> Option<Suspect> {
    let (number, rest) = line.trim().split_once(". ")?;
    number.parse::<u32>().ok()?;
    let (name, confidence) = rest.strip_suffix(')')?.rsplit_once(" (")?;
    let confidence = confidence.parse::<f64>().ok().filter(|it| (0.0..=1.0).contains(it))?;
    let reason = format!("its picture comes to mind with a weight of {confidence:.2}");
    Some(Suspect { condition: name.trim().to_owned(), confidence, reason })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Option<(&str, f64)>) {
        let found = read(line);
        assert_eq!(found.as_ref().map(|it| (it.condition.as_str(), it.confidence)), expected);
    }

    #[test]
    fn a_line_of_a_ranked_list_is_read() {
        check("2. Pneumothorax (0.30)", Some(("Pneumothorax", 0.3)));
        check("1. Possible NSTEMI (or STEMI) (1.00)", Some(("Possible NSTEMI (or STEMI)", 1.0)));
    }

    #[test]
    fn other_lines_are_not() {
        check("I would say pneumothorax.", None);
        check("1. Pneumothorax", None);
        check("1. Pneumothorax (very likely)", None);
    }
}
