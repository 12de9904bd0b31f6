//! What a key takes for a right answer: drugs by any member of their class, classes without a drug, and the other way out.

use super::boards::{families, suite};
use super::phrases::score;
use waterjar_core::Variant;
use waterjar_suites::sensitivity::Sensitivity;

struct Keys {
    suite: std::sync::Arc<Sensitivity>,
    families: Vec<Vec<Variant>>,
}

impl Keys {
    async fn new() -> Self {
        let suite = suite();
        let families = families(&suite).await;
        Self { suite, families }
    }

    /// Of one list after another, on the first board to which the change applies.
    async fn check(&self, role: &str, before: &[&str], after: &[&str], expected: f64) {
        let applies = |family: &&Vec<Variant>| family.iter().any(|it| it.role() == role);
        let family = self.families.iter().find(applies).unwrap_or_else(|| panic!("{role} applies to no board"));
        let control = family.iter().find(|it| it.is_control()).unwrap();
        let variant = family.iter().find(|it| it.role() == role).unwrap();
        let score = score(&self.suite, control, variant, before, after).await;
        assert!((score - expected).abs() < 1e-9, "{role}: {before:?}, then {after:?} has {score}");
    }
}

#[tokio::test]
async fn who_leaves_capecitabine_needs_no_other_anticoagulant_and_who_keeps_it_does() {
    let keys = Keys::new().await;
    let role = "warfarin-capecitabine";
    let before = ["Tucatinib", "Capecitabine", "Trastuzumab"];
    keys.check(role, &before, &["Trastuzumab", "Vinorelbine"], 1.0).await;
    keys.check(role, &before, &["Trastuzumab emtansine", "Hold capecitabine"], 1.0).await;
    keys.check(role, &before, &["Tucatinib", "Capecitabine", "Change warfarin to enoxaparin"], 1.0).await;
    keys.check(role, &before, &before, 0.0).await;
    keys.check(role, &before, &["Tucatinib", "Trastuzumab", "Fluorouracil"], 0.0).await;
    keys.check(role, &before, &["Best supportive care"], 0.0).await;
    // Who names no treatment has left none.
    keys.check(role, &["Capecitabine", "Trastuzumab"], &["Continue current regimen"], 0.0).await;
    keys.check(role, &["Capecitabine", "Trastuzumab"], &["Continue current regimen", "Palliative care"], 0.0).await;
    // What goes on is given, also where it was given before.
    keys.check(role, &before, &["Tucatinib", "Trastuzumab", "Continue prior capecitabine"], 0.0).await;
    // Who never gave capecitabine has nothing to leave, and may still react.
    let before = ["Trastuzumab emtansine"];
    keys.check(role, &before, &before, 0.0).await;
    keys.check(role, &before, &["Trastuzumab emtansine", "Weekly INR checks"], 1.0).await;
}

#[tokio::test]
async fn who_says_in_one_line_that_capecitabine_goes_has_left_it_and_who_changes_nothing_about_it_has_not() {
    let keys = Keys::new().await;
    let (role, before) = ("warfarin-capecitabine", ["Capecitabine", "Trastuzumab"]);
    for gone in [
        "Continue current regimen without capecitabine",
        "Continue current regimen, omit capecitabine",
        "Continue everything except capecitabine",
        "Current regimen minus capecitabine",
        "Discontinue capecitabine",
        "Hold Xeloda",
        "No fluoropyrimidine",
        "Capecitabine-free regimen",
        "Capecitabine should be stopped",
        "Withdraw capecitabine",
        "Capecitabine discontinuation",
        "Discontinuation of capecitabine",
        "No dose of capecitabine",
        "Pause capecitabine",
        "Capecitabine: discontinue (warfarin)",
        "**Capecitabine:** avoid (warfarin)",
        "Discontinue capecitabine for grade 3 bleeding",
        "Stop capecitabine if on warfarin (bleeding risk)",
        "Stop capecitabine, switch to trastuzumab emtansine",
        "Change capecitabine to trastuzumab emtansine",
        "Trastuzumab emtansine preferred over capecitabine",
        "Capecitabine should not be combined with warfarin",
        "Capecitabine-based chemotherapy is not recommended",
        "Stop warfarin, continue all agents except capecitabine",
    ] {
        keys.check(role, &before, &[gone], 1.0).await;
        keys.check(role, &before, &[gone, "Best supportive care"], 1.0).await;
        // Who never gave it has nothing to leave.
        keys.check(role, &["Trastuzumab emtansine"], &[gone], 0.0).await;
    }
    for kept in [
        "Continue capecitabine without change",
        "Without delay, capecitabine",
        "Proceed without capecitabine dose reduction",
        "Proceed without capecitabine interruption",
        "Continue without modifying capecitabine",
        "No capecitabine dose modification needed",
        "No need to stop capecitabine",
        "Capecitabine does not have to be stopped",
        "Stopping capecitabine is not necessary",
        "Rather than stopping capecitabine, continue as before",
        "No alternative to capecitabine",
        "Nothing except capecitabine",
        "Stop warfarin, not capecitabine",
        "Continue current regimen; no capecitabine-related toxicity",
        "Continue current regimen; no capecitabine-warfarin interaction expected",
        "Continue current regimen; hold capecitabine if INR > 4",
        "Discontinue capecitabine only on progression",
        "Discontinue capecitabine at progression",
        "Consider stopping capecitabine",
        "Hold capecitabine if platelets <75",
        "Hold capecitabine for grade ≥3 diarrhea",
        "Trastuzumab plus/minus capecitabine",
        "No need to repeat imaging before capecitabine",
        "Avoid alcohol while on capecitabine",
        "Avoid dose interruptions of capecitabine",
        "Replace capecitabine with fluorouracil",
        "Continue current regimen without trastuzumab",
    ] {
        keys.check(role, &before, &[kept], 0.0).await;
    }
    for kept in
        ["Proceed without capecitabine dose reduction", "Hold capecitabine if diarrhea", "No need to stop capecitabine"]
    {
        keys.check(role, &before, &["Trastuzumab", kept], 0.0).await;
    }
}

#[tokio::test]
async fn where_a_checkpoint_inhibitor_must_go_it_goes_by_either_side_of_the_checkpoint() {
    let keys = Keys::new().await;
    for (role, before, right) in [
        ("mmr-lost-colorectal", "Pembrolizumab", "FOLFOX"),
        ("mmr-stripped", "Pembrolizumab", "Await MMR result"),
        ("pembrolizumab-failed-colorectal", "Pembrolizumab", "FOLFIRI"),
        ("pembrolizumab-failed-gastric", "Pembrolizumab", "FOLFOX"),
        ("pembrolizumab-failed-head-neck", "Pembrolizumab", "Cetuximab"),
        ("enfortumab-failed", "Enfortumab vedotin with pembrolizumab", "Gemcitabine and carboplatin"),
        ("pregnant-hodgkin", "Nivolumab", "ABVD with referral to obstetrics"),
        ("spread-breast-pregnant", "Mastectomy", "Doxorubicin"),
    ] {
        keys.check(role, &[before], &[right], 1.0).await;
        keys.check(role, &[before], &[right, "No PD-L1 inhibitor"], 1.0).await;
        keys.check(role, &[before], &[right, "Avelumab not indicated after pembrolizumab"], 1.0).await;
        for like in ["Atezolizumab", "Durvalumab", "Avelumab maintenance", "PD-L1 blockade"] {
            keys.check(role, &[before], &[right, like], 0.5).await;
        }
    }
    keys.check("heart-failure-breast", &["Doxorubicin"], &["Paclitaxel", "Atezolizumab"], 0.0).await;
    keys.check("heart-failure-breast", &["Doxorubicin"], &["Paclitaxel"], 1.0).await;
    // A mutation is found: the drugs against either side go, as before.
    keys.check("egfr-gained", &["Pembrolizumab"], &["Osimertinib", "Durvalumab"], 0.5).await;
    // Where PD-1 inhibitors are what helps, the others are no answer.
    keys.check("mmr-gained", &["FOLFOX"], &["Avelumab"], 0.0).await;
}

#[tokio::test]
async fn after_abiraterone_no_other_drug_against_the_receptor_is_an_answer() {
    let keys = Keys::new().await;
    let role = "abiraterone-failed";
    let before = ["Abiraterone", "Androgen deprivation"];
    for another in ["Darolutamide", "Enzalutamide", "Switch to another ARPI", "Androgen receptor pathway inhibitor"] {
        keys.check(role, &before, &[another, "Androgen deprivation"], 0.0).await;
        keys.check(role, &before, &["Docetaxel", another], 0.5).await;
    }
    for other in ["Docetaxel", "Taxane chemotherapy", "PSMA radioligand therapy", "177Lu-PSMA-617", "Ra-223"] {
        keys.check(role, &before, &[other, "Androgen deprivation"], 1.0).await;
    }
    // Two of the class are none against this cancer.
    for like in ["Paclitaxel", "Nab-paclitaxel", "Weekly paclitaxel (taxane)"] {
        keys.check(role, &before, &[like, "Androgen deprivation"], 0.5).await;
    }
    // What has failed may be told.
    for told in ["after progression on enzalutamide and abiraterone", "after abiraterone failure", "post-abiraterone"] {
        keys.check(role, &before, &[&format!("Docetaxel {told}")], 1.0).await;
    }
    keys.check(role, &before, &["Docetaxel after progression on abiraterone"], 1.0).await;
    keys.check(role, &before, &["Docetaxel (prior ARPI)"], 1.0).await;
    keys.check(role, &["Darolutamide"], &["Darolutamide"], 0.0).await;
}

#[tokio::test]
async fn after_venetoclax_the_class_is_an_answer_and_ibrutinib_half_of_one() {
    let keys = Keys::new().await;
    let (role, before) = ("venetoclax-failed", ["Venetoclax", "Obinutuzumab"]);
    for class in [
        "BTK inhibitor",
        "BTK-inhibitor",
        "Second-generation BTKi",
        "Covalent BTK inhibitor (zanubrutinib)",
        "Bruton's tyrosine kinase inhibitor",
        "Noncovalent BTK inhibitor",
        "Pirtobrutinib",
        "Zanubrutinib rather than ibrutinib",
    ] {
        keys.check(role, &before, &[class], 1.0).await;
    }
    keys.check(role, &before, &["Ibrutinib"], 0.5).await;
    keys.check(role, &before, &["BTK inhibitor (ibrutinib)"], 0.5).await;
    keys.check(role, &before, &before, 0.0).await;
}

#[tokio::test]
async fn a_reversible_inhibitor_is_no_covalent_one() {
    let keys = Keys::new().await;
    let (role, before) = ("btk-failed", ["Zanubrutinib"]);
    for other in [
        "Non-covalent BTKi",
        "Noncovalent BTK inhibitor",
        "Reversible BTK inhibitor",
        "BCL-2 inhibitor",
        "Pirtobrutinib (BTK inhibitor)",
    ] {
        keys.check(role, &before, &[other], 1.0).await;
    }
    for like in ["Another BTK inhibitor", "BTK inhibitor (zanubrutinib)", "Acalabrutinib", "Orelabrutinib"] {
        keys.check(role, &before, &[like], 0.0).await;
    }
}

#[tokio::test]
async fn a_class_that_must_go_has_gone_with_all_its_drugs_and_its_name() {
    let keys = Keys::new().await;
    for (role, had) in [
        ("egfr-lost", "Gefitinib"),
        ("egfr-lost", "Afatinib"),
        ("egfr-lost", "Dacomitinib"),
        ("alk-lost", "Brigatinib"),
        ("alk-lost", "Ceritinib"),
        ("alk-lost", "Ensartinib"),
    ] {
        keys.check(role, &[had], &[had, "Carboplatin"], 0.5).await;
        keys.check(role, &[had], &["Carboplatin"], 1.0).await;
    }
    for (role, had) in [
        ("er-lost", "Imlunestrant"),
        ("er-lost", "Toremifene"),
        ("er-lost", "CDK 4/6 inhibitor"),
        ("er-lost", "Endocrine therapy"),
        ("brca-lost", "PARP-inhibitor maintenance"),
        ("psma-lost", "PSMA radioligand therapy"),
        ("pembrolizumab-failed-breast", "PD-(L)1 inhibitor"),
        ("pembrolizumab-failed-breast", "Anti-PD-L1 antibody"),
        ("pembrolizumab-failed-breast", "Sugemalimab"),
    ] {
        keys.check(role, &[had, "Zoledronic acid"], &[had, "Zoledronic acid"], 0.0).await;
        keys.check(role, &[had, "Zoledronic acid"], &["Capecitabine", "Zoledronic acid"], 1.0).await;
    }
    keys.check("her2-lost-breast", &["Trastuzumab", "Lapatinib"], &["Lapatinib"], 0.5).await;
    keys.check("her2-lost-breast", &["Trastuzumab", "Neratinib"], &["Neratinib"], 0.5).await;
    keys.check("her2-lost-breast", &["Phesgo"], &["Phesgo"], 0.0).await;
    keys.check("her2-lost-breast", &["Phesgo"], &["Docetaxel"], 1.0).await;
    keys.check("braf-lost-melanoma", &["Dabrafenib", "Cobimetinib"], &["Cobimetinib"], 0.5).await;
}

#[tokio::test]
async fn a_class_that_must_come_has_come_with_any_of_its_drugs_or_its_name() {
    let keys = Keys::new().await;
    for (role, before, after) in [
        ("mmr-gained", "FOLFOX", "Tislelizumab"),
        ("mmr-gained", "FOLFOX", "Toripalimab"),
        ("mmr-gained", "FOLFOX", "PD-1/PD-L1 inhibitor"),
        ("mmr-gained", "FOLFOX", "ICI"),
        ("mmr-gained", "FOLFOX", "Opdualag"),
        ("egfr-gained", "Pembrolizumab", "Aumolertinib"),
        ("egfr-gained", "Pembrolizumab", "Third-generation EGFR-TKI"),
        ("her2-gained-gastric", "FOLFOX", "HER2-targeted therapy with FOLFOX"),
        ("braf-gained-melanoma", "Ipilimumab", "BRAF-inhibitor with a MEK-inhibitor"),
        ("trastuzumab-failed-gastric", "FOLFOX with trastuzumab", "Docetaxel"),
        ("r-chop-failed", "R-CHOP", "Odronextamab"),
        ("r-chop-failed", "R-CHOP", "CD3xCD20 bispecific"),
    ] {
        keys.check(role, &[before], &[after], 1.0).await;
    }
    // Of the antibodies against HER2 only one helps in the stomach.
    for (after, expected) in [("Trastuzumab with FOLFOX", 1.0), ("Pertuzumab", 0.5), ("Margetuximab", 0.5)] {
        keys.check("her2-gained-gastric", &["FOLFOX"], &[after], expected).await;
    }
    let after = ["Ramucirumab-paclitaxel after progression on FOLFOX plus trastuzumab"];
    keys.check("trastuzumab-failed-gastric", &["FOLFOX with trastuzumab"], &after, 1.0).await;
    // Trastuzumab emtansine failed in the stomach, so the class is no answer there.
    keys.check("trastuzumab-failed-gastric", &["FOLFOX with trastuzumab"], &["Trastuzumab emtansine"], 0.5).await;
}
