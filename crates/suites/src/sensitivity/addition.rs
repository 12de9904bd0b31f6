//! What a key wants to come: alternatives, of which one may be that something is left out.

use super::names::to_be_absent;

/// `INR monitoring | no fluoropyrimidine`
pub(super) struct Addition<'a> {
    pub comes: Vec<&'a str>,
    /// Without the `no`.
    pub goes: Vec<&'a str>,
}

impl<'a> Addition<'a> {
    pub fn of(item: &'a str) -> Self {
        let (goes, comes): (Vec<&str>, Vec<&str>) = item.split('|').partition(|one| to_be_absent(one).is_some());
        Self { comes, goes: goes.into_iter().filter_map(to_be_absent).collect() }
    }

    /// `add INR monitoring, or leave out fluoropyrimidine`
    pub fn in_words(&self) -> String {
        let comes = (!self.comes.is_empty()).then(|| format!("add {}", listed(&self.comes, "or")));
        let goes = (!self.goes.is_empty()).then(|| format!("leave out {}", listed(&self.goes, "or")));
        comes.into_iter().chain(goes).collect::<Vec<_>>().join(", or ")
    }
}

/// `a, b or c`
pub(super) fn listed(items: &[&str], word: &str) -> String {
    let items: Vec<&str> = items.iter().map(|it| it.trim()).collect();
    match items.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} {word} {last}", rest.join(", ")),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(item: &str, words: &str) {
        assert_eq!(Addition::of(item).in_words(), words);
    }

    #[test]
    fn alternatives_are_told_in_words() {
        check("platinum", "add platinum");
        check("FOLFOX|CAPOX", "add FOLFOX or CAPOX");
        check("FOLFOX | CAPOX | FOLFIRI", "add FOLFOX, CAPOX or FOLFIRI");
        check("INR monitoring | no fluoropyrimidine", "add INR monitoring, or leave out fluoropyrimidine");
        check("no fluoropyrimidine", "leave out fluoropyrimidine");
        // Words that are looked for as they stand.
        check("no adjuvant treatment | active surveillance", "add no adjuvant treatment or active surveillance");
    }
}
