//! What somebody probably meant who wrote a name that nothing is called by.

/// The known name that is nearest to what was asked, whatever its capitals. Two letters may be missing, too many, changed or swapped, or a third
/// of them where that is more; of four letters or fewer only one, and of one letter none: nobody mistakes `nope` for `top3`.
/// `None` where nothing is so near: a wrong guess helps less than none.
pub fn meant<'a>(asked: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let asked = folded(asked);
    let most = match asked.chars().count() {
        0 | 1 => 0,
        2..=4 => 1,
        letters => (letters / 3).max(2),
    };
    known
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(&asked, &folded(name)), name))
        .filter(|(slips, _)| *slips <= most)
        // By name among equals, because a hash table has no order.
        .min()
        .map(|(_, name)| name)
}

/// The known name that a name of a drug, or a like long word, is a misspelling of: one letter is wrong, or two of eight and more. Where nobody
/// asked for one of the known names, [`meant`] would take too many strangers for slips.
pub fn misspelt<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = folded(word);
    let most = if word.chars().count() < 8 { 1 } else { 2 };
    let near = known.into_iter().map(|name| (strsim::damerau_levenshtein(&word, &folded(name)), name));
    // Few slips are in the first letter, and many names of drugs differ in little else.
    let is_slip = |(slips, name): &(usize, &str)| *slips == 1 || folded(name).chars().next() == word.chars().next();
    near.filter(|(slips, _)| (1..=most).contains(slips)).filter(is_slip).min().map(|(_, name)| name)
}

/// As the hint of an error.
pub fn did_you_mean<'a>(asked: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    meant(asked, known).map(|name| format!("did you mean `{name}`?"))
}

/// The work grows with the square of the length, and a broken file can hold anything.
const LONGEST: usize = 200;

fn folded(name: &str) -> String {
    name.chars().take(LONGEST).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(asked: &str, known: &[&str], expected: Option<&str>) {
        assert_eq!(meant(asked, known.iter().copied()), expected, "{asked}");
    }

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_a_stranger_is_not() {
        check("gestallt", &["logit", "gestalt"], Some("gestalt"));
        check("banana", &["logit", "gestalt"], None);
        check("Bronchitus", &["Bronchitis", "Bronchiolitis", "GERD"], Some("Bronchitis"));
        check("Sarcoidosis", &["Bronchitis", "Bronchiolitis", "GERD"], None);
    }

    #[test]
    fn a_name_of_a_drug_is_misspelt_by_a_letter_or_two() {
        let known = ["trastuzumab", "lobectomy", "afatinib", "FOLFOX"];
        for (word, expected) in [
            ("trastuzumb", Some("trastuzumab")),
            ("Trastuzamub", Some("trastuzumab")),
            ("rastuzumab", Some("trastuzumab")),
            ("folfx", Some("FOLFOX")),
            ("trastuzumab", None),
            ("pertuzumab", None),
            ("colectomy", None),
            ("FOLFIRI", None),
        ] {
            assert_eq!(misspelt(word, known), expected, "{word}");
        }
    }

    #[test]
    fn capitals_are_no_difference() {
        check("gerd", &["Bronchitis", "GERD"], Some("GERD"));
        check("CASE", &["case", "cases"], Some("case"));
    }

    #[test]
    fn short_names_are_near_only_with_most_of_their_letters_right() {
        check("pears", &["pairs", "gap"], Some("pairs"));
        check("ulr", &["url", "key"], Some("url"));
        check("nope", &["top3", "css"], None);
        check("a", &["b"], None);
        check("", &["b", "GERD"], None);
        check("", &[], None);
    }

    #[test]
    fn among_names_as_near_the_first_of_the_alphabet_is_meant() {
        check("group_9", &["group_2", "group_1"], Some("group_1"));
    }

    #[test]
    fn of_long_texts_the_beginning_counts() {
        let long = "x".repeat(100_000);
        check(&long, &["x", &format!("{long}y")], Some(&format!("{long}y")));
    }
}
