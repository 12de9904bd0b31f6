//! What treatments are called: the names of the formulary, classes of drugs by any of theirs, and treatments in general.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use waterjar_charts::boards::Formulary;

pub(super) struct Table {
    /// A name in lower case, and what the table calls those who bear it; the longest first.
    pub names: Vec<(String, Vec<String>)>,
    pub drugs: BTreeMap<String, Vec<String>>,
    pub classes: BTreeMap<String, String>,
}

pub(super) static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut table = Table { names: Vec::new(), drugs: BTreeMap::new(), classes: BTreeMap::new() };
    let Ok(formulary) = Formulary::get() else { return table };
    let all = formulary.drugs().map(|(name, _)| name).chain(formulary.treatments().map(|(name, _)| name));
    let mut names: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for name in all {
        for called in formulary.names(name) {
            names.entry(called.to_lowercase()).or_default().push(name.to_lowercase());
        }
        let drugs = formulary.drugs_of(name).into_iter().map(str::to_lowercase).collect();
        table.drugs.insert(name.to_lowercase(), drugs);
    }
    for (name, drug) in formulary.drugs() {
        let class = drug.class.to_lowercase();
        // A class may be recommended without a drug.
        for called in [class.clone(), format!("{class}s")] {
            let of = names.entry(called).or_default();
            if !of.contains(&class) {
                of.push(class.clone());
            }
        }
        table.classes.insert(name.to_lowercase(), class);
    }
    for (class, called) in
        CLASSES.iter().flat_map(|(class, called)| called.iter().map(move |it| (class, it.to_lowercase())))
    {
        for called in [called.clone(), format!("{called}s")] {
            names.entry(called).or_default().push(class.to_lowercase());
        }
    }
    for general in GENERAL {
        names.entry((*general).to_owned()).or_default();
    }
    table.names = names.into_iter().collect();
    table.names.sort_by_key(|(called, _)| std::cmp::Reverse(called.len()));
    table
});

/// With the drugs of regimens, and their classes.
pub(super) fn with_parts(names: &BTreeSet<String>) -> BTreeSet<String> {
    let parts = names.iter().filter_map(|name| TABLE.drugs.get(name)).flatten().cloned();
    let mut all: BTreeSet<String> = names.iter().cloned().chain(parts).collect();
    let classes: Vec<String> = all.iter().filter_map(|name| TABLE.classes.get(name)).cloned().collect();
    all.extend(classes);
    all
}

/// What classes of drugs are called beside their name in the table.
const CLASSES: &[(&str, &[&str])] = &[
    (
        "CAR T-cell therapy",
        &["CAR T", "CAR-T", "CAR T cell", "CAR T-cell", "CAR-T cell", "chimeric antigen receptor T cells"],
    ),
    (
        "PD-1 inhibitor",
        &[
            "anti-PD-1",
            "anti-PD1",
            "PD1 inhibitor",
            "PD-1 blockade",
            "PD-1 antibody",
            "checkpoint inhibitor",
            "checkpoint blockade",
            "immunotherapy",
        ],
    ),
    ("PARP inhibitor", &["PARPi", "PARP inhibition"]),
    (
        "HER2 antibody",
        &[
            "anti-HER2",
            "HER2-directed therapy",
            "HER2-directed treatment",
            "HER2-targeted therapy",
            "HER2 targeted therapy",
            "HER2 blockade",
        ],
    ),
    ("BRAF inhibitor", &["BRAF inhibition", "BRAF/MEK inhibitor", "BRAF/MEK inhibition", "BRAF-directed therapy"]),
    ("MEK inhibitor", &["BRAF/MEK inhibitor", "BRAF/MEK inhibition"]),
    ("EGFR kinase inhibitor", &["EGFR TKI", "EGFR inhibitor", "EGFR tyrosine kinase inhibitor"]),
    ("ALK inhibitor", &["ALK TKI", "ALK tyrosine kinase inhibitor"]),
    ("covalent BTK inhibitor", &["BTK inhibitor", "BTKi"]),
    ("VEGF antibody", &["anti-VEGF"]),
    ("platinum", &["platinum-based"]),
];

/// Treatments in general. Nothing is required of them, but what is said of them is not said of another.
const GENERAL: &[&str] = &[
    "chemotherapy",
    "endocrine therapy",
    "hormone therapy",
    "hormonal therapy",
    "systemic therapy",
    "targeted therapy",
    "imaging",
    "transfusion",
    "steroids",
    "aspirin",
    "delay",
    "smoking",
];
