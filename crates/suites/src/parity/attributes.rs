//! What else must not matter, by the names a study gives it: `age`, or `age=34`.

use waterjar_vignettes::attributes::Attribute;

/// The role of its variant, `age` or `age_34`, and the attribute; the error says what may be written.
pub(super) fn named(written: &str) -> Result<(String, Attribute), String> {
    if let Some(usual) = Attribute::usual().into_iter().find(|it| it.name() == written) {
        return Ok((written.to_owned(), usual));
    }
    let attribute: Attribute = written.parse().map_err(|error| format!("{error}, or the name alone"))?;
    let role: String = attribute.to_string().to_lowercase().replace(|c: char| !c.is_alphanumeric(), "_");
    Ok((role, attribute))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_attribute_goes_by_its_name_or_with_a_value() {
        assert_eq!(named("age").map(|(role, _)| role).as_deref(), Ok("age"));
        assert_eq!(named("race=East Asian").map(|(role, _)| role).as_deref(), Ok("race_east_asian"));
        assert!(named("height").unwrap_err().contains("age=78"));
    }
}
