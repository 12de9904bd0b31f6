//! What of an answer is reasoning: the model's own thoughts, and the prose around the list of diagnoses.

use waterjar_core::Conclusion;
use waterjar_scoring::answer::Labels;

/// More words than this on a line are more than the name of a condition.
const LONGEST_NAME: usize = 8;

/// `None` where there is nothing but diagnoses: an answer without reasoning overlooks nothing that it could show.
pub(super) fn of(labels: &Labels, conclusion: &Conclusion) -> Option<String> {
    let thoughts = conclusion.reasoning.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let lines: Vec<&str> = conclusion.text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_only_line = lines.len() == 1;
    let argues = lines.iter().any(|line| !is_bare(line, is_only_line));
    if thoughts.is_none() && !argues {
        return None;
    }
    // The name of a condition is a diagnosis, not a word about the patient. Other short lines may be notes.
    let is_diagnosis = |line: &str| is_bare(line, is_only_line) && labels.find(without_mark(line)).is_some();
    let prose: Vec<&str> = lines.into_iter().filter(|line| !is_diagnosis(line)).collect();
    let parts = thoughts.into_iter().map(str::to_owned).chain([prose.join("\n")]);
    Some(parts.filter(|part| !part.is_empty()).collect::<Vec<_>>().join("\n\n"))
}

/// A line of a list of names, a heading, or the diagnosis after its heading; not a sentence.
fn is_bare(line: &str, is_only_line: bool) -> bool {
    let words = without_confidence(without_mark(line));
    let count = words.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count();
    if let Some((heading, rest)) = words.split_once(':')
        && ["diagnosis", "answer", "list", "differential"].iter().any(|word| heading.to_lowercase().contains(word))
    {
        return rest.split_whitespace().count() <= LONGEST_NAME;
    }
    let is_sentence = words.ends_with(['.', '!', '?']) && !is_only_line && words == line;
    let gives_reason = [" – ", " — ", " - ", ": ", "; ", ", "].iter().any(|mark| words.contains(mark));
    count <= LONGEST_NAME && !is_sentence && !gives_reason
}

/// Without `1.`, `-` or `**` before the words.
fn without_mark(line: &str) -> &str {
    let line = line.trim_start_matches(['*', '#', '-', '•', '`', ' ']);
    let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let marked = (digits > 0).then(|| line[digits..].strip_prefix(['.', ')', ':'])).flatten();
    marked.unwrap_or(line).trim_matches(['*', ' '])
}

/// Without a bracket at the end that holds a number.
fn without_confidence(words: &str) -> &str {
    match words.rsplit_once('(') {
        Some((before, inside)) if inside.chars().any(|c| c.is_ascii_digit()) => before.trim_end(),
        _ => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use waterjar_core::ConditionId;

    fn read(text: &str, reasoning: Option<&str>) -> Option<String> {
        let names = ["Pulmonary embolism", "Pneumonia", "Diabetic ketoacidosis"];
        let labels = Labels::new(names.map(|name| (ConditionId::from(name), vec![name.to_owned()])));
        let reasoning = reasoning.map(str::to_owned);
        of(&labels, &Conclusion { text: text.to_owned(), reasoning, record: None })
    }

    #[test]
    fn a_list_alone_is_no_reasoning() {
        for text in [
            "1. Pulmonary embolism (0.62)\n2. Pneumonia (0.20)",
            "Pneumonia",
            "Pneumonia.",
            "**Ranked list:**\n1. Pneumonia (0.7)\n2. Costochondritis (0.1)",
            "Final diagnosis: Pulmonary embolism",
            "Pneumonia (0.5)\nPulmonary embolism (0.2)",
        ] {
            assert_eq!(read(text, None), None, "{text}");
            assert_eq!(read(text, Some(" \n")), None, "{text}");
        }
    }

    #[test]
    fn prose_before_the_list_is_reasoning_and_the_list_is_not() {
        let text = "The calf is swollen.\nShe flew home last week.\n\n1. Pulmonary embolism (0.62)\n2. Pneumonia (0.2)";
        assert_eq!(read(text, None).as_deref(), Some("The calf is swollen.\nShe flew home last week."));
    }

    #[test]
    fn a_reason_beside_a_diagnosis_is_reasoning() {
        let text = "1. Pneumonia – fever, cough, recent flu\n2. Pulmonary embolism (0.2)";
        assert_eq!(read(text, None).as_deref(), Some("1. Pneumonia – fever, cough, recent flu"));
    }

    #[test]
    fn short_notes_stay_where_there_is_reasoning() {
        let text = "I note the following about this patient and her story:\n1. Recent long flight\n2. Known diabetes\n\n\
                    Final diagnosis: Pneumonia";
        let reasoning = read(text, None).unwrap();
        assert!(reasoning.contains("Recent long flight") && reasoning.contains("Known diabetes"), "{reasoning}");
    }

    #[test]
    fn thoughts_come_first_and_a_bare_answer_adds_nothing() {
        assert_eq!(read("1. Pneumonia (0.9)", Some("A cough.\nSo be it.")).as_deref(), Some("A cough.\nSo be it."));
    }
}
