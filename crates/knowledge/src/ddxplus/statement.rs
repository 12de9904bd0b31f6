//! Question to the patient → what the patient says, by rule: the auxiliary goes, the person changes, "any" is dropped.
//!
//! Where a rule reads badly, `statements.toml` has the sentence instead.

/// What a patient says when a finding is there and when it is not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Statement {
    pub present: String,
    pub denied: String,
}

/// A question no rule knows is answered word for word, so that every question has its own two sentences.
pub(super) fn statement(question: &str) -> Statement {
    let asked = tidy(question);
    match turned(&asked) {
        Some((present, denied)) => Statement {
            present: sentence(&without_any(&inner(&present, false))),
            denied: sentence(&inner(&denied, true)),
        },
        None => Statement {
            present: format!("My answer to \"{}\" is yes.", question.trim()),
            denied: format!("My answer to \"{}\" is no.", question.trim()),
        },
    }
}

/// The question turned round, yes and no, still in the second person.
fn turned(asked: &str) -> Option<(String, String)> {
    let (auxiliary, rest) = asked.split_once(' ')?;
    let (subject, rest) = rest.split_once(' ')?;
    let both = |yes: String, no: String| Some((yes, no));
    match (auxiliary, subject) {
        ("Do", "you") => both(format!("you {rest}"), format!("you do not {rest}")),
        ("Do", "any") => both(format!("some {rest}"), format!("no {rest}")),
        ("Have", "you") => match rest.strip_prefix("ever ") {
            Some(rest) => both(format!("you have {rest}"), format!("you have never {rest}")),
            None => both(format!("you have {rest}"), format!("you have not {rest}")),
        },
        ("Have", "any") => {
            let relatives = rest.strip_prefix("of your family members ")?;
            let done = relatives.strip_prefix("ever ").unwrap_or(relatives);
            both(
                format!("some of your family members have {done}"),
                format!("none of your family members have {relatives}"),
            )
        }
        ("Are", "you") => both(format!("you are {rest}"), format!("you are not {rest}")),
        ("Are", "your") => {
            let (noun, rest) = rest.split_once(' ')?;
            both(format!("your {noun} are {rest}"), format!("your {noun} are not {rest}"))
        }
        ("Are", "there") => {
            let members = rest.strip_prefix("any ").unwrap_or(rest);
            both(format!("there are {members}"), format!("there are no {members}"))
        }
        ("Were", "you") => both(format!("you were {rest}"), format!("you were not {rest}")),
        ("Did", "you") => {
            let (verb, object) = rest.split_once(' ').unwrap_or((rest, ""));
            both(format!("you {} {object}", past(verb)), format!("you did not {rest}"))
        }
        ("Is", "your") => {
            let (noun, rest) = rest.split_once(' ')?;
            both(format!("your {noun} is {rest}"), format!("your {noun} is not {rest}"))
        }
        ("Does", "your") => {
            let (noun, rest) = rest.split_once(' ')?;
            let (verb, object) = rest.split_once(' ').unwrap_or((rest, ""));
            both(format!("your {noun} {verb}s {object}"), format!("your {noun} does not {rest}"))
        }
        _ => None,
    }
}

fn past(verb: &str) -> String {
    match verb {
        "lose" => "lost".to_owned(),
        "have" => "had".to_owned(),
        "eat" => "ate".to_owned(),
        "feel" => "felt".to_owned(),
        "get" => "got".to_owned(),
        "take" => "took".to_owned(),
        verb if verb.ends_with('e') => format!("{verb}d"),
        verb => format!("{verb}ed"),
    }
}

/// A second question inside the first: "… or do you have angina".
fn inner(text: &str, denied: bool) -> String {
    let mut text = text.to_owned();
    for (question, yes, no) in [
        ("do you", "you", "you do not"),
        ("are you", "you are", "you are not"),
        ("have you ever", "you have", "you have never"),
        ("have you", "you have", "you have not"),
        ("were you", "you were", "you were not"),
    ] {
        for joint in [", or ", " or "] {
            let (from, to) =
                (format!("{joint}{question} "), if denied { format!(", and {no} ") } else { format!("{joint}{yes} ") });
            text = text.replace(&from, &to);
        }
    }
    text
}

/// "any other" stays: it is not the "any" of a question.
fn without_any(text: &str) -> String {
    text.replace(" any other ", " any\u{a0}other ").replace(" any ", " ").replace('\u{a0}', " ")
}

fn sentence(text: &str) -> String {
    let mut out = in_first_person(text);
    if let Some(first) = out.chars().next() {
        let capital: String = first.to_uppercase().collect();
        out.replace_range(..first.len_utf8(), &capital);
    }
    out.push('.');
    out
}

fn in_first_person(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut out: Vec<String> = Vec::with_capacity(words.len());
    for (at, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'');
        let before = at.checked_sub(1).map_or("", |before| words[before]);
        let turned = match bare {
            "you" if is_object(before) => "me",
            "you" => "I",
            "you're" => "I'm",
            "your" => "my",
            "yours" => "mine",
            "yourself" => "myself",
            "are" if before == "you" => "am",
            "were" if before == "you" => "was",
            same => same,
        };
        out.push(word.replacen(bare, turned, usize::from(!bare.is_empty())));
    }
    out.join(" ")
}

fn is_object(before: &str) -> bool {
    ["as", "at", "for", "from", "of", "to", "wake", "wakes", "with"].contains(&before)
}

/// One kind of apostrophe, single blanks, no question mark.
fn tidy(question: &str) -> String {
    let words: Vec<&str> = question.split_whitespace().collect();
    words.join(" ").replace('’', "'").trim_end_matches(['?', ':', '.', ' ']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(question: &str, present: &str, denied: &str) {
        let said = statement(question);
        assert_eq!((said.present.as_str(), said.denied.as_str()), (present, denied));
    }

    #[test]
    fn the_auxiliary_goes_and_the_person_changes() {
        check("Do you have a cough?", "I have a cough.", "I do not have a cough.");
        check(
            "Are you taller than people of the same age as you?",
            "I am taller than people of the same age as me.",
            "I am not taller than people of the same age as me.",
        );
        check("Is your nose often blocked?", "My nose is often blocked.", "My nose is not often blocked.");
        check("Did you lose your keys?", "I lost my keys.", "I did not lose my keys.");
    }

    #[test]
    fn ever_becomes_never() {
        check("Have you ever had gout?", "I have had gout.", "I have never had gout.");
    }

    #[test]
    fn any_is_dropped_from_what_is_there() {
        check("Do you have any warts?", "I have warts.", "I do not have any warts.");
    }

    #[test]
    fn a_question_within_the_question_is_turned_too() {
        check(
            "Have you ever had gout or do you have painful toes?",
            "I have had gout or I have painful toes.",
            "I have never had gout, and I do not have painful toes.",
        );
    }

    #[test]
    fn relatives_are_some_or_none() {
        check(
            "Have any of your family members ever had gout?",
            "Some of my family members have had gout.",
            "None of my family members have ever had gout.",
        );
    }

    #[test]
    fn what_no_rule_knows_is_answered_word_for_word() {
        check("Gout?", "My answer to \"Gout?\" is yes.", "My answer to \"Gout?\" is no.");
    }
}
