//! What the names of diseases do not show: which mean one disease, which is a form of which, and whom they befall.

use serde::Deserialize;
use std::collections::BTreeMap;
use waterjar_core::Sex;

/// `diseases.toml` of a language: for diseases that come as bare names. Empty where a base knows better.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Kinship {
    /// Names of one disease, the proper one first.
    same: Vec<Vec<String>>,
    /// A disease with its forms.
    forms: BTreeMap<String, Vec<String>>,
    sexes: Sexes,
    /// Words in the names of diseases of children.
    children: Vec<String>,
    /// Names that tell no disease.
    none: Vec<String>,
}

#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Sexes {
    female: Vec<String>,
    male: Vec<String>,
}

impl Kinship {
    /// The name that stands for all names of the disease.
    pub fn proper<'a>(&'a self, name: &'a str) -> &'a str {
        self.class(name).and_then(|it| it.first()).map_or(name, String::as_str)
    }

    /// Every name of the disease, this one first.
    pub fn names(&self, name: &str) -> Vec<String> {
        let others = self.class(name).into_iter().flatten().filter(|it| *it != name).cloned();
        std::iter::once(name.to_owned()).chain(others).collect()
    }

    fn class(&self, name: &str) -> Option<&Vec<String>> {
        self.same.iter().find(|class| class.iter().any(|it| it == name))
    }

    pub fn is_same(&self, a: &str, b: &str) -> bool {
        self.proper(a) == self.proper(b)
    }

    /// Every disease that is spoken of here, by its proper name.
    pub fn all(&self) -> impl Iterator<Item = &str> {
        let formed = self.forms.iter().flat_map(|(whole, forms)| std::iter::once(whole).chain(forms));
        formed.map(|it| self.proper(it)).chain(self.same.iter().filter_map(|it| it.first()).map(String::as_str))
    }

    /// Whether it is a form of the other, or a form of one.
    pub fn is_form_of(&self, name: &str, of: &str) -> bool {
        let forms = self.forms.iter().filter(|(whole, _)| self.is_same(whole, of)).flat_map(|(_, forms)| forms);
        forms.into_iter().any(|form| self.is_same(form, name) || self.is_form_of(name, form))
    }

    /// Whether a name tells a disease at all.
    pub fn is_disease(&self, name: &str) -> bool {
        !self.none.iter().any(|it| it == name)
    }

    /// Whose these names and complaints are, where they are of one sex alone.
    pub fn sex<'a>(&self, texts: impl IntoIterator<Item = &'a str>) -> Option<Sex> {
        let (mut female, mut male) = (false, false);
        for text in texts {
            let holds = |words: &[String]| words.iter().any(|it| text.contains(it.as_str()));
            female |= holds(&self.sexes.female);
            male |= holds(&self.sexes.male);
        }
        match (female, male) {
            (true, false) => Some(Sex::F),
            (false, true) => Some(Sex::M),
            _ => None,
        }
    }

    pub fn is_of_children(&self, name: &str) -> bool {
        self.children.iter().any(|it| name.contains(it.as_str()))
    }

    /// What is wrong with it.
    pub(crate) fn lint(&self) -> Vec<String> {
        let mut found = Vec::new();
        let all: Vec<&String> = self.same.iter().flatten().collect();
        let twice = all.iter().enumerate().filter(|(at, name)| all[..*at].contains(name));
        found.extend(twice.map(|(_, name)| format!("diseases: “{name}” is a name of two diseases")));
        let own = self.forms.keys().filter(|it| self.forms[*it].iter().any(|form| self.is_same(form, it)));
        found.extend(own.map(|it| format!("diseases: “{it}” is a form of itself")));
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_of_a_form_is_a_form_under_any_name() {
        let text = "same = [[\"b\", \"B\"]]\n[forms]\na = [\"B\"]\nb = [\"c\"]";
        let kin: Kinship = toml::from_str(text).expect("it is sound");
        assert!(kin.is_form_of("c", "a") && kin.is_form_of("c", "B") && !kin.is_form_of("a", "c"));
        assert_eq!((kin.proper("B"), kin.names("B")), ("b", vec!["B".to_owned(), "b".to_owned()]));
    }
}
