//! What somebody probably meant.

use waterjar_core::slip;

/// "did you mean", or the list of what there is.
pub fn hint<'a>(asked: &str, nouns: &str, known: impl IntoIterator<Item = &'a str> + Clone) -> String {
    if let Some(meant) = slip::did_you_mean(asked, known.clone()) {
        return meant;
    }
    let known: Vec<&str> = known.into_iter().collect();
    if known.is_empty() { format!("there are no {nouns}") } else { format!("the {nouns} are: {}", known.join(", ")) }
}

/// serde's "unknown field `x`, expected one of `a`, `b`" → what is wrong, and what may have been meant. Of a suite it may be
/// "unknown field `x` in suite `s`, expected …".
pub fn unknown_field(message: &str) -> (String, Option<String>) {
    unknown_field_beside(message, &[])
}

/// `others` are keys of the table that somebody else reads.
pub fn unknown_field_beside(message: &str, others: &[&str]) -> (String, Option<String>) {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let unknown = message.starts_with("unknown field").then(|| quoted.next()).flatten();
    match unknown {
        Some(field) => {
            // A catalog that says which suite it is of does so next.
            let suite = message.contains("` in suite `").then(|| quoted.next()).flatten();
            let known: Vec<&str> = others.iter().copied().chain(quoted).collect();
            match suite {
                Some(suite) => (
                    format!("there is no key `{field}` in suite `{suite}`"),
                    Some(hint(field, &format!("keys of `{suite}`"), known)),
                ),
                None => (format!("there is no key `{field}`"), Some(hint(field, "keys here", known))),
            }
        }
        None => (message.trim().to_owned(), None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_with_what_was_meant_and_a_stranger_with_the_list() {
        assert_eq!(hint("gestallt", "readers", ["logit", "gestalt"]), "did you mean `gestalt`?");
        assert_eq!(hint("banana", "readers", ["logit", "gestalt"]), "the readers are: logit, gestalt");
        assert_eq!(hint("banana", "readers", [""; 0]), "there are no readers");
    }

    #[test]
    fn a_wrong_key_is_told_with_the_right_one() {
        let (problem, hint) = unknown_field("unknown field `pears`, expected one of `pairs`, `gap`");
        assert_eq!(problem, "there is no key `pears`");
        assert_eq!(hint.as_deref(), Some("did you mean `pairs`?"));
    }

    #[test]
    fn a_key_of_another_suite_is_told_with_the_suite_that_lacks_it() {
        let (problem, hint) = unknown_field("unknown field `pairs` in suite `parity`, expected one of `kind`, `who`");
        assert_eq!(problem, "there is no key `pairs` in suite `parity`");
        assert_eq!(hint.as_deref(), Some("the keys of `parity` are: kind, who"));
    }
}
