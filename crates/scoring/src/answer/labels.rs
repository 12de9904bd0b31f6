//! The names conditions go by.

use std::collections::HashMap;
use waterjar_core::ConditionId;

/// A misspelt name is accepted when it is this near …
const NEAR: f64 = 0.88;
/// … and the next condition is this much farther away, so that "stable" never passes for "unstable".
const MARGIN: f64 = 0.06;

#[derive(Clone, Debug, Default)]
pub struct Labels {
    by_name: HashMap<String, ConditionId>,
    /// Sorted, so that ties fall the same way every time.
    names: Vec<(String, ConditionId)>,
}

impl Labels {
    /// Each condition with all its names: the proper one, synonyms, codes. The first to claim a name keeps it.
    pub fn new(conditions: impl IntoIterator<Item = (ConditionId, Vec<String>)>) -> Self {
        let mut labels = Self::default();
        for (condition, names) in conditions {
            let id_as_words = condition.as_str().replace('_', " ");
            for name in names.iter().chain([&id_as_words]) {
                let name = normalised(name);
                if !name.is_empty() && !labels.by_name.contains_key(&name) {
                    labels.by_name.insert(name.clone(), condition.clone());
                    labels.names.push((name, condition.clone()));
                }
            }
        }
        labels.names.sort();
        labels
    }

    pub fn find(&self, words: &str) -> Option<&ConditionId> {
        let name = normalised(words);
        self.by_name
            .get(&name)
            .or_else(|| self.without_brackets(words))
            .or_else(|| self.without_reason(words))
            .or_else(|| self.nearest(&name))
    }

    /// `Pneumonia – fever, cough`: the words before the reason.
    fn without_reason(&self, words: &str) -> Option<&ConditionId> {
        let ends = [" – ", " — ", " - ", ": ", "; ", ", ", " because ", " given ", " due to "];
        let first = ends.iter().filter_map(|end| words.find(end)).min()?;
        self.by_name.get(&normalised(&words[..first]))
    }

    /// `Pulmonary embolism (PE)`: the words before the bracket, or those in it.
    fn without_brackets(&self, words: &str) -> Option<&ConditionId> {
        let (before, rest) = words.split_once('(')?;
        let inside = rest.split(')').next()?;
        self.by_name.get(&normalised(before)).or_else(|| self.by_name.get(&normalised(inside)))
    }

    fn nearest(&self, name: &str) -> Option<&ConditionId> {
        // Short names are abbreviations, and one letter makes another of them.
        if name.chars().count() < 6 {
            return None;
        }
        let mut best: Option<(f64, &ConditionId)> = None;
        let mut second: f64 = 0.0;
        for (known, condition) in &self.names {
            let nearness = strsim::normalized_damerau_levenshtein(name, known);
            match best {
                Some((top, leader)) if nearness <= top => {
                    if leader != condition {
                        second = second.max(nearness);
                    }
                }
                _ => {
                    if let Some((top, leader)) = best
                        && leader != condition
                    {
                        second = second.max(top);
                    }
                    best = Some((nearness, condition));
                }
            }
        }
        best.filter(|(top, _)| *top >= NEAR && top - second >= MARGIN).map(|(_, condition)| condition)
    }
}

/// Lower-case words and numbers, one space between.
fn normalised(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    for c in name.chars() {
        if c.is_alphanumeric() {
            out.extend(c.to_lowercase());
        } else if c == '\'' || c == '’' {
            // Crohn's and Crohns are one name.
        } else if !out.ends_with(' ') && !out.is_empty() {
            out.push(' ');
        }
    }
    out.truncate(out.trim_end().len());
    out
}
