//! Which two answers of a family are compared.

/// Two roles of a family, under the name that metrics use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pairing {
    /// `original_swapped`
    pub name: String,
    pub a: String,
    /// The verdict on the pair is in the ruling on this one.
    pub b: String,
}

pub const CONTROL: &str = "control";
pub const SWAPPED: &str = "swapped";
pub const NEUTRAL: &str = "neutral";
/// The control, asked a second time.
pub const AGAIN: &str = "again";

/// As published. `original` is what everybody else calls the control.
pub const PUBLISHED: [&str; 3] = ["original_swapped", "swapped_neutral", "neutral_original"];
/// The control against itself.
pub const FLOOR: &str = "original_again";

impl Pairing {
    /// The published pairings that the roles allow, then the control with every other role.
    pub fn of_roles<'a>(roles: impl IntoIterator<Item = &'a str>) -> Vec<Self> {
        let roles: Vec<&str> = roles.into_iter().collect();
        let pairing = |name: &str, a: &str, b: &str| Self { name: name.to_owned(), a: a.to_owned(), b: b.to_owned() };
        let published = [(CONTROL, SWAPPED), (SWAPPED, NEUTRAL), (CONTROL, NEUTRAL)].into_iter().zip(PUBLISHED);
        let published = published
            .filter(|((a, b), _)| roles.contains(a) && roles.contains(b))
            .map(|((a, b), name)| pairing(name, a, b));
        let others = roles.iter().filter(|role| ![CONTROL, SWAPPED, NEUTRAL].contains(role));
        let others = others.filter(|_| roles.contains(&CONTROL));
        published.chain(others.map(|role| pairing(&format!("original_{role}"), CONTROL, role))).collect()
    }
}

/// In words: `original and swapped`.
pub fn in_words(pairing: &str) -> String {
    match pairing.split_once('_') {
        Some(("original", "again")) => "original, asked twice".to_owned(),
        Some((a, b)) => format!("{a} and {}", b.replace('_', " ")),
        None => pairing.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(roles: &[&str]) -> Vec<String> {
        Pairing::of_roles(roles.iter().copied()).into_iter().map(|it| it.name).collect()
    }

    #[test]
    fn three_wordings_make_the_three_published_pairings() {
        assert_eq!(names(&[CONTROL, SWAPPED, NEUTRAL]), PUBLISHED);
        assert_eq!(names(&[CONTROL, NEUTRAL, AGAIN, "age"]), ["neutral_original", FLOOR, "original_age"]);
        assert!(names(&[SWAPPED, AGAIN]).is_empty());
    }
}
