//! Reasoning that a server left in the text.

/// `<think>…</think>answer` → thought and answer. Chat templates that open the tag themselves leave only the closing one.
pub(super) fn split(text: &str) -> Option<(String, String)> {
    ["think", "thinking"].iter().find_map(|tag| split_at(text, &format!("<{tag}>"), &format!("</{tag}>")))
}

fn split_at(text: &str, open: &str, close: &str) -> Option<(String, String)> {
    let start = text.trim_start();
    match (start.strip_prefix(open), text.split_once(close)) {
        (Some(rest), _) => match rest.split_once(close) {
            Some((thought, answer)) => Some((thought.trim().into(), answer.trim_start().into())),
            None => Some((rest.trim().into(), String::new())),
        },
        (None, Some((thought, answer))) if !thought.contains(open) => {
            Some((thought.trim().into(), answer.trim_start().into()))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let found = split(text);
        assert_eq!(found.as_ref().map(|(thought, answer)| (thought.as_str(), answer.as_str())), expected);
    }

    #[test]
    fn a_leading_thought_is_set_apart() {
        check("<think>\nPE?\n</think>\n\nPulmonary embolism", Some(("PE?", "Pulmonary embolism")));
        check("  <thinking>a</thinking>b", Some(("a", "b")));
    }

    #[test]
    fn a_thought_whose_opening_the_template_swallowed_is_set_apart() {
        check("PE?\n</think>\nPulmonary embolism", Some(("PE?", "Pulmonary embolism")));
    }

    #[test]
    fn a_thought_that_never_ends_leaves_no_answer() {
        check("<think>on and on", Some(("on and on", "")));
    }

    #[test]
    fn tags_within_an_answer_are_part_of_it() {
        check("Write <think> and </think> around it.", None);
        check("Plain.", None);
    }
}
