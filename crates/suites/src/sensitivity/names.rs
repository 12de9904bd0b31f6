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
    for (class, drug) in MEMBERS.iter().flat_map(|(class, drugs)| drugs.iter().map(move |drug| (class, drug))) {
        let name = drug[0].to_lowercase();
        for called in *drug {
            names.entry(called.to_lowercase()).or_default().push(name.clone());
        }
        table.drugs.insert(name.clone(), vec![name.clone()]);
        table.classes.insert(name, class.to_lowercase());
    }
    for (called, drugs) in BRANDS {
        names.insert(called.to_lowercase(), drugs.iter().map(|drug| (*drug).to_owned()).collect());
    }
    for (class, called) in
        CLASSES.iter().flat_map(|(class, called)| called.iter().map(move |it| (class, it.to_lowercase())))
    {
        for called in [called.clone(), format!("{called}s")] {
            names.entry(called).or_default().push(class.to_lowercase());
        }
    }
    // "PARP-inhibitor"
    let hyphened = names.iter().filter(|(called, _)| called.contains(" inhibitor"));
    let hyphened: Vec<_> =
        hyphened.map(|(called, of)| (called.replace(" inhibitor", "-inhibitor"), of.clone())).collect();
    for (called, of) in hyphened {
        names.entry(called).or_insert(of);
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

/// `no fluoropyrimidine`: what is to be absent, if it is a treatment or a class of the table. Other words are looked for as they stand.
pub(super) fn to_be_absent(wanted: &str) -> Option<&str> {
    let treatment = wanted.trim().strip_prefix("no ")?.trim();
    let name = treatment.to_lowercase();
    TABLE.names.iter().any(|(called, of)| *called == name && !of.is_empty()).then_some(treatment)
}

/// Whether the name, in lower case, is of a class that may be of either kind.
pub(super) fn is_either_btk(called: &str) -> bool {
    let called = called.replace("-inhibitor", " inhibitor");
    EITHER_BTK.iter().any(|it| it.to_lowercase() == called.strip_suffix('s').unwrap_or(&called))
}

pub(super) fn is_btk_drug(name: &str) -> bool {
    TABLE.classes.get(name).is_some_and(|class| class.ends_with("covalent btk inhibitor"))
}

/// Drugs that no board names and answers may: the name, then its brands. Licensed in the United States, the European Union or China.
const MEMBERS: &[(&str, &[&[&str]])] = &[
    (
        "EGFR kinase inhibitor",
        &[
            &["gefitinib", "Iressa"],
            &["afatinib", "Gilotrif", "Giotrif"],
            &["dacomitinib", "Vizimpro"],
            &["icotinib"],
            &["aumolertinib", "almonertinib"],
            &["furmonertinib", "firmonertinib"],
        ],
    ),
    ("ALK inhibitor", &[&["brigatinib", "Alunbrig"], &["ceritinib", "Zykadia"], &["ensartinib", "Ensacove"]]),
    ("MEK inhibitor", &[&["cobimetinib", "Cotellic"]]),
    ("HER2 antibody", &[&["margetuximab", "Margenza"]]),
    ("HER2 antibody-drug conjugate", &[&["disitamab vedotin"]]),
    ("HER2 kinase inhibitor", &[&["lapatinib", "Tykerb", "Tyverb"], &["neratinib", "Nerlynx"], &["pyrotinib"]]),
    (
        "PD-1 inhibitor",
        &[
            &["tislelizumab", "Tevimbra"],
            &["toripalimab", "Loqtorzi"],
            &["retifanlimab", "Zynyz"],
            &["sintilimab"],
            &["camrelizumab"],
            &["penpulimab"],
        ],
    ),
    ("PD-L1 inhibitor", &[&["sugemalimab"], &["cosibelimab", "Unloxcyt"]]),
    ("CTLA-4 inhibitor", &[&["tremelimumab", "Imjudo"]]),
    ("CDK4/6 inhibitor", &[&["dalpiciclib"]]),
    ("estrogen receptor degrader", &[&["imlunestrant", "Inluriyo"]]),
    ("estrogen receptor modulator", &[&["toremifene", "Fareston"]]),
    ("PARP inhibitor", &[&["fuzuloparib"], &["pamiparib"]]),
    ("androgen receptor inhibitor", &[&["rezvilutamide"], &["flutamide"], &["nilutamide", "Nilandron"]]),
    ("covalent BTK inhibitor", &[&["orelabrutinib"]]),
    ("CD20-CD3 bispecific antibody", &[&["mosunetuzumab", "Lunsumio"], &["odronextamab", "Ordspono"]]),
    // It binds what the antibody binds.
    ("VEGF antibody", &[&["aflibercept", "ziv-aflibercept", "Zaltrap"]]),
];

/// Two drugs under one name, or one that the formulary calls otherwise.
const BRANDS: &[(&str, &[&str])] = &[
    ("Opdualag", &["nivolumab", "relatlimab"]),
    ("nivolumab-relatlimab", &["nivolumab", "relatlimab"]),
    ("Phesgo", &["pertuzumab", "trastuzumab"]),
    ("Akeega", &["niraparib", "abiraterone"]),
    ("radium 223", &["radium-223"]),
    ("Ra-223", &["radium-223"]),
];

/// What classes of drugs are called beside their name in the table.
const CLASSES: &[(&str, &[&str])] = &[
    (
        "CAR T-cell therapy",
        &["CAR T", "CAR-T", "CAR T cell", "CAR T-cell", "CAR-T cell", "chimeric antigen receptor T cells"],
    ),
    (
        "CD20-CD3 bispecific antibody",
        &[
            "CD20-CD3 bispecific",
            "CD3-CD20 bispecific",
            "CD20xCD3 bispecific",
            "CD3xCD20 bispecific",
            "CD20/CD3 bispecific",
            "CD3/CD20 bispecific",
        ],
    ),
    (
        "PD-1 inhibitor",
        &[
            "anti-PD-1",
            "anti-PD1",
            "PD1 inhibitor",
            "PD-1 blockade",
            "PD-1 antibody",
            "PD-1 inhibition",
            "checkpoint inhibitor",
            "checkpoint blockade",
            "checkpoint inhibition",
            "ICI",
            "immunotherapy",
        ],
    ),
    ("PD-L1 inhibitor", &["anti-PD-L1", "anti-PDL1", "PDL1 inhibitor", "PD-L1 blockade", "PD-L1 antibody"]),
    ("PD-1 inhibitor", EITHER_CHECKPOINT),
    ("PD-L1 inhibitor", EITHER_CHECKPOINT),
    ("CTLA-4 inhibitor", &["anti-CTLA-4", "anti-CTLA4", "CTLA4 inhibitor", "CTLA-4 blockade"]),
    ("PARP inhibitor", &["PARPi", "PARP inhibition"]),
    ("CDK4/6 inhibitor", &["CDK4/6i", "CDK 4/6 inhibitor", "CDK 4/6i", "CDK4/6 inhibition", "CDK inhibitor"]),
    ("estrogen receptor degrader", &["SERD", "selective estrogen receptor degrader"]),
    ("estrogen receptor modulator", &["SERM", "selective estrogen receptor modulator"]),
    // No drug is of it: what is meant may be any of three classes.
    ("endocrine therapy", &["endocrine therapy", "endocrine treatment", "hormone therapy", "hormonal therapy"]),
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
    (
        "HER2 antibody-drug conjugate",
        &["HER2 ADC", "HER2-directed ADC", "HER2-targeted ADC", "HER2-directed antibody-drug conjugate"],
    ),
    ("HER2 kinase inhibitor", &["HER2 TKI", "HER2-TKI", "HER2 tyrosine kinase inhibitor", "HER2-directed TKI"]),
    ("BRAF inhibitor", &["BRAF inhibition", "BRAF/MEK inhibitor", "BRAF/MEK inhibition", "BRAF-directed therapy"]),
    ("MEK inhibitor", &["BRAF/MEK inhibitor", "BRAF/MEK inhibition"]),
    ("EGFR kinase inhibitor", &["EGFR TKI", "EGFR-TKI", "EGFR inhibitor", "EGFR tyrosine kinase inhibitor"]),
    ("ALK inhibitor", &["ALK TKI", "ALK-TKI", "ALK tyrosine kinase inhibitor"]),
    ("covalent BTK inhibitor", &["covalent BTKi"]),
    // Who names no drug means the first kind.
    ("covalent BTK inhibitor", EITHER_BTK),
    (
        "non-covalent BTK inhibitor",
        &[
            "non-covalent BTKi",
            "noncovalent BTK inhibitor",
            "noncovalent BTKi",
            "reversible BTK inhibitor",
            "reversible BTKi",
            "non-covalent (reversible) BTK inhibitor",
            "non-covalent Bruton tyrosine kinase inhibitor",
        ],
    ),
    ("BCL2 inhibitor", &["BCL-2 inhibitor", "BCL2 inhibition", "BCL-2 inhibition", "BCL2i", "BCL-2i"]),
    (
        "androgen receptor inhibitor",
        &[
            "ARPI",
            "ARSI",
            "androgen receptor pathway inhibitor",
            "androgen receptor signaling inhibitor",
            "androgen receptor signalling inhibitor",
            "androgen receptor antagonist",
            "antiandrogen",
            "anti-androgen",
            "novel hormonal agent",
            "novel hormonal therapy",
        ],
    ),
    ("radioligand", &["radioligand therapy", "PSMA radioligand", "PSMA-targeted radioligand", "PSMA-RLT"]),
    ("VEGF antibody", &["anti-VEGF"]),
    ("platinum", &["platinum-based"]),
];

const EITHER_BTK: &[&str] = &[
    "BTK inhibitor",
    "BTKi",
    "Bruton tyrosine kinase inhibitor",
    "Bruton's tyrosine kinase inhibitor",
    "Bruton’s tyrosine kinase inhibitor",
];

const EITHER_CHECKPOINT: &[&str] = &[
    "PD-1/PD-L1 inhibitor",
    "PD-1/L1 inhibitor",
    "PD-(L)1 inhibitor",
    "PD-1/PD-L1 blockade",
    "PD-(L)1 blockade",
    "anti-PD-1/PD-L1",
    "anti-PD-1/L1",
    "anti-PD-(L)1",
];

/// Treatments in general. Nothing is required of them, but what is said of them is not said of another.
const GENERAL: &[&str] = &[
    "chemotherapy",
    "systemic therapy",
    "targeted therapy",
    "imaging",
    "transfusion",
    "steroids",
    "aspirin",
    "delay",
    "smoking",
];
