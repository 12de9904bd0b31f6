//! The closed lists the rules look words up in.

pub(crate) mod bound;
pub(crate) mod function;
pub(crate) mod gendered;
pub(crate) mod names;
pub(crate) mod verbs;

/// Writes `new` the way `old` is written: small, Capitalised or UPPER.
pub(crate) fn cased_like(old: &str, new: &str) -> String {
    let mut letters = old.chars().filter(|letter| letter.is_alphabetic());
    let first_is_upper = letters.next().is_some_and(char::is_uppercase);
    let mut rest = letters.peekable();
    let shouts = first_is_upper && rest.peek().is_some() && rest.all(char::is_uppercase);
    if shouts {
        new.to_uppercase()
    } else if first_is_upper {
        capitalised(new)
    } else {
        new.to_owned()
    }
}

pub(crate) fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}
