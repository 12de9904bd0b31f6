//! What may stand after the dot in the name of a metric: `bias_trap_rate.edits_1`.

/// The figures there can be of one metric. A name that is none of them never has a value, whoever is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strata {
    /// There is a figure of everything, without a dot.
    pub whole: bool,
    /// `blindness`, `original_swapped`
    pub names: Vec<String>,
    /// Strata of the variants, whose values only the cases tell: `edits` for `edits_1`.
    pub keys: Vec<&'static str>,
}

impl Strata {
    /// One figure, which is not broken down.
    pub fn none() -> Self {
        Self { whole: true, ..Self::default() }
    }

    /// The parts of a whole that has no figure of its own.
    pub fn named(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    /// Which of the keys it is a value of.
    pub fn key_of(&self, stratum: &str) -> Option<&'static str> {
        self.keys.iter().find(|key| value_of(key, stratum).is_some_and(|value| !value.is_empty())).copied()
    }

    pub fn holds(&self, stratum: &str) -> bool {
        self.names.iter().any(|name| name == stratum) || self.key_of(stratum).is_some()
    }
}

fn value_of<'a>(key: &str, stratum: &'a str) -> Option<&'a str> {
    stratum.strip_prefix(key)?.strip_prefix('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stratum_is_a_name_or_the_value_of_a_key() {
        let strata = Strata { keys: vec!["edits", "medical_knowledge"], ..Strata::named(["D"]) };
        for known in ["D", "edits_1", "medical_knowledge_low"] {
            assert!(strata.holds(known), "{known}");
        }
        for unknown in ["", "d", "edits", "edits_", "edist_1", "medical_low"] {
            assert!(!strata.holds(unknown), "{unknown}");
        }
        assert_eq!(strata.key_of("edits_1"), Some("edits"));
        assert_eq!(strata.key_of("D"), None);
    }
}
