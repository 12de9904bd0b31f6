//! Other names for what patterns look for: a marker's old name, a drug's brand.

use super::catalog::Pattern;
use waterjar_charts::boards::Formulary;

const MARKERS: &[(&str, &[&str])] = &[
    ("HER2", &["HER-2", "HER2/neu", "ERBB2", "c-erbB-2"]),
    ("EGFR", &["HER1", "ERBB1"]),
    ("BRAF", &["B-RAF"]),
    ("ALK", &["EML4-ALK"]),
    ("MSI-high", &["MSI-H", "microsatellite instability-high"]),
    ("dMMR", &["MMR-deficient", "MMR deficiency"]),
    ("BRCA1", &["BRCA-1"]),
    ("BRCA2", &["BRCA-2"]),
    ("PD-L1", &["CD274"]),
];

/// The same pattern with another name in it, for each thing it names that has one.
pub(super) fn of_pattern(pattern: &Pattern) -> Vec<Pattern> {
    let text = pattern.as_str();
    let mut others = Vec::new();
    for (name, synonyms) in MARKERS {
        if text.contains(name) {
            others.push((*name, synonyms.iter().map(|it| regex::escape(it)).collect::<Vec<_>>()));
        }
    }
    if let Ok(formulary) = Formulary::get() {
        for (name, drug) in formulary.drugs().filter(|(name, _)| text.contains(*name)) {
            let synonyms: Vec<String> = drug.brands.iter().chain(&drug.synonyms).map(|it| regex::escape(it)).collect();
            if !synonyms.is_empty() {
                others.push((name, synonyms));
            }
        }
    }
    let renamed = others.iter().map(|(name, synonyms)| text.replace(name, &format!("(?:{})", synonyms.join("|"))));
    // A name inside a character class would make no pattern; then there is nothing to look for.
    renamed.filter_map(|text| Pattern::new(&text).ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_is_found_by_its_other_name() {
        let pattern = Pattern::new(r"(?i)HER2[- :]+positive").unwrap();
        let others = of_pattern(&pattern);
        assert_eq!(others.len(), 1);
        assert!(others[0].is_match("The tumor is ERBB2-positive.").unwrap());
        assert!(!others[0].is_match("The tumor is HER2-positive.").unwrap(), "that is the pattern's own");
    }
}
