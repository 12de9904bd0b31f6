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

/// serde's "unknown field `x`, expected one of `a`, `b`" → what is wrong, and what may have been meant.
pub fn unknown_field(message: &str) -> (String, Option<String>) {
    unknown_field_beside(message, &[])
}

/// `others` are keys of the table that somebody else reads.
pub fn unknown_field_beside(message: &str, others: &[&str]) -> (String, Option<String>) {
    match field_and_known(message) {
        Some((field, known)) => {
            let known: Vec<&str> = others.iter().copied().chain(known).collect();
            (format!("there is no key `{field}`"), Some(hint(field, "keys here", known)))
        }
        None => (message.trim().to_owned(), None),
    }
}

/// A key of a suite is told with the suite it is unknown to: `--set suite.KEY` is of every suite, and some may have it.
pub fn unknown_field_of(suite: &str, message: &str) -> Option<(String, String)> {
    let (field, known) = field_and_known(message)?;
    let problem = format!("there is no key `{field}` in suite `{suite}`");
    Some((problem, hint(field, &format!("keys of `{suite}`"), known)))
}

fn field_and_known(message: &str) -> Option<(&str, Vec<&str>)> {
    let mut quoted = message.strip_prefix("unknown field")?.split('`').skip(1).step_by(2);
    Some((quoted.next()?, quoted.collect()))
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
        let (problem, hint) =
            unknown_field_of("parity", "unknown field `pairs`, expected one of `kind`, `who`").unwrap();
        assert_eq!(problem, "there is no key `pairs` in suite `parity`");
        assert_eq!(hint, "the keys of `parity` are: kind, who");
        assert_eq!(unknown_field_of("parity", "who: nobody is `me`"), None);
    }
}
