//! What somebody probably meant.

/// The nearest of the known words, if it is near enough to be a slip.
pub fn nearest<'a>(asked: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(asked, word), word))
        .min()
        .filter(|(distance, word)| *distance <= 2.max(word.len() / 3))
        .map(|(_, word)| word)
}

/// "did you mean", or the list of what there is.
pub fn hint<'a>(asked: &str, nouns: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(word) = nearest(asked, known.clone()) {
        return format!("did you mean `{word}`?");
    }
    let known: Vec<&str> = known.into_iter().collect();
    if known.is_empty() { format!("there are no {nouns}") } else { format!("the {nouns} are: {}", known.join(", ")) }
}

/// serde's "unknown field `x`, expected one of `a`, `b`" → what is wrong, and what may have been meant.
pub fn unknown_field(message: &str) -> (String, Option<String>) {
    unknown_field_beside(message, &[])
}

/// `others` are keys of the table that somebody else reads.
pub fn unknown_field_beside(message: &str, others: &[&str]) -> (String, Option<String>) {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = message.starts_with("unknown field").then(|| quoted.next()).flatten();
    match unknown {
        Some(field) => {
            let known: Vec<&str> = others.iter().copied().chain(quoted).collect();
            (format!("there is no key `{field}`"), Some(hint(field, "keys here", known)))
        }
        None => (message.trim().to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_recognised_and_a_stranger_is_not() {
        assert_eq!(nearest("gestallt", ["logit", "gestalt"]), Some("gestalt"));
        assert_eq!(nearest("banana", ["logit", "gestalt"]), None);
    }

    #[test]
    fn no_list_is_empty() {
        assert_eq!(hint("banana", "readers", ["logit", "gestalt"]), "the readers are: logit, gestalt");
        assert_eq!(hint("banana", "readers", [""; 0]), "there are no readers");
    }

    #[test]
    fn a_wrong_key_is_told_with_the_right_one() {
        let (problem, hint) = unknown_field("unknown field `pears`, expected one of `pairs`, `gap`");
        assert_eq!(problem, "there is no key `pears`");
        assert_eq!(hint.as_deref(), Some("did you mean `pairs`?"));
    }
}
