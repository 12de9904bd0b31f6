//! Names that fit several conditions, such as stroke, as answers to a pair.

use crate::audit_bench::{Bench, judged, said};
use crate::sample::{Pair, base};
use waterjar_core::{ConditionId, Expectation, Outcome, Variant};

/// A pair whose diagnoses are of our choosing.
struct Asked(Bench);

impl Asked {
    async fn new() -> Self {
        Self(Bench::new().await)
    }

    /// What becomes of the answers to the control, which is the first of the two, and to the trap, which is the second.
    async fn outcomes(&self, (from, to): (&str, &str), control: &str, trap: &str) -> (Outcome, Outcome) {
        let bench = &self.0;
        let (from, to) = (ConditionId::from(from), ConditionId::from(to));
        let of = |variant: &Variant, expectation| Variant { expectation, ..variant.clone() };
        let pair = Pair {
            control: of(&bench.pair.control, Expectation::Names { condition: from.clone() }),
            trap: of(&bench.pair.trap, Expectation::Flips { from, to }),
            sham: None,
        };
        let verdict = judged(&bench.suite, &pair, said(control), said(trap), None).await.unwrap();
        let outcome = |role: &str| verdict.ruling(role).unwrap().outcome;
        (outcome("control"), outcome("trap"))
    }

    async fn check(&self, pair: (&str, &str), says: &str, expected: (Outcome, Outcome)) {
        assert_eq!(self.outcomes(pair, says, says).await, expected, "{pair:?}: {says}");
    }
}

#[tokio::test]
async fn a_stroke_is_the_one_the_pair_is_about() {
    let asked = Asked::new().await;
    for says in ["Stroke", "Acute ischemic stroke.", "1. Ischaemic stroke (0.7)\n2. Migraine (0.2)", "CVA", "I63.9"] {
        asked.check(("vestibular_neuritis", "posterior_stroke"), says, (Outcome::Missed, Outcome::Right)).await;
        asked.check(("posterior_stroke", "vestibular_neuritis"), says, (Outcome::Right, Outcome::Trapped)).await;
        asked.check(("ischaemic_stroke", "bells_palsy"), says, (Outcome::Right, Outcome::Trapped)).await;
    }
}

#[tokio::test]
async fn a_stroke_is_neither_of_two_strokes() {
    let asked = Asked::new().await;
    let pair = ("posterior_stroke", "ischaemic_stroke");
    asked.check(pair, "Ischaemic stroke", (Outcome::Missed, Outcome::Missed)).await;
    asked.check(pair, "Stroke (posterior circulation)", (Outcome::Right, Outcome::Trapped)).await;
    asked.check(pair, "Anterior circulation stroke", (Outcome::Missed, Outcome::Right)).await;
}

#[tokio::test]
async fn a_wide_name_of_other_conditions_is_missed() {
    let asked = Asked::new().await;
    asked.check(("gout", "septic_arthritis"), "Stroke", (Outcome::Missed, Outcome::Missed)).await;
    asked.check(("migraine", "tension_headache"), "Headache", (Outcome::Missed, Outcome::Missed)).await;
}

#[tokio::test]
async fn what_was_read_as_one_of_two_rivals_is_neither() {
    let asked = Asked::new().await;
    for (pair, says) in [
        (("unstable_angina", "stable_angina"), "Angina pectoris"),
        (("cystitis", "pyelonephritis"), "Urinary tract infection (UTI)"),
        (("pneumonia", "acute_bronchitis"), "Chest infection"),
        (("tuberculosis", "pneumonia"), "Lung infection"),
        (("deep_vein_thrombosis", "superficial_thrombophlebitis"), "Leg vein thrombosis"),
        (("allergic_conjunctivitis", "bacterial_conjunctivitis"), "Pink eye"),
    ] {
        asked.check(pair, says, (Outcome::Missed, Outcome::Missed)).await;
    }
}

#[tokio::test]
async fn what_names_one_of_the_two_by_its_kind_is_right() {
    let asked = Asked::new().await;
    for (pair, says) in [
        (("myocardial_infarction", "aortic_dissection"), "Acute coronary syndrome"),
        (("crohn_disease", "coeliac_disease"), "Inflammatory bowel disease (IBD)"),
        (("viral_gastroenteritis", "clostridioides_colitis"), "1. Gastroenteritis\n2. Food poisoning"),
        (("strep_pharyngitis", "infectious_mononucleosis"), "Acute tonsillitis"),
        (("gout", "septic_arthritis"), "Crystal arthropathy"),
        (("iron_deficiency_anaemia", "hypothyroidism"), "Anemia"),
        (("vestibular_neuritis", "posterior_stroke"), "Peripheral vertigo"),
    ] {
        asked.check(pair, says, (Outcome::Right, Outcome::Trapped)).await;
    }
}

#[tokio::test]
async fn a_wide_name_of_another_kind_or_cause_is_not_the_one_the_pair_is_about() {
    let asked = Asked::new().await;
    for (pair, says) in [
        (("viral_gastroenteritis", "appendicitis"), "Gastroenteritis (Clostridioides difficile colitis)"),
        (("strep_pharyngitis", "peritonsillar_abscess"), "Tonsillitis, likely infectious mononucleosis"),
        (("iron_deficiency_anaemia", "hypothyroidism"), "Anaemia due to chronic kidney disease"),
        (("iron_deficiency_anaemia", "hypothyroidism"), "Anaemia due to hypothyroidism"),
        (("vestibular_neuritis", "posterior_stroke"), "Central vertigo (H81.4)"),
        (("ischaemic_stroke", "bells_palsy"), "Stroke (haemorrhagic)"),
        (("bacterial_conjunctivitis", "anterior_uveitis"), "Viral conjunctivitis (pink eye)"),
        (("bacterial_conjunctivitis", "anterior_uveitis"), "Conjunctivitis, viral"),
    ] {
        asked.check(pair, says, (Outcome::Missed, Outcome::Missed)).await;
    }
    // The other diagnosis of the pair, beside a wide name of the one.
    let pair = ("strep_pharyngitis", "infectious_mononucleosis");
    asked.check(pair, "Tonsillitis, likely infectious mononucleosis", (Outcome::Missed, Outcome::Right)).await;
    let pair = ("viral_gastroenteritis", "clostridioides_colitis");
    asked.check(pair, "Gastroenteritis (C. difficile colitis)", (Outcome::Missed, Outcome::Right)).await;
}

#[tokio::test]
async fn words_that_change_nothing_leave_a_wide_name_the_one_the_pair_is_about() {
    let asked = Asked::new().await;
    for (pair, says) in [
        (
            ("ischaemic_stroke", "bells_palsy"),
            "Acute ischaemic stroke, likely cardioembolic, due to atrial fibrillation",
        ),
        (("ischaemic_stroke", "bells_palsy"), "1. Stroke (left-sided; I63.9) – sudden weakness, facial droop"),
        (("pyelonephritis", "renal_colic"), "Urinary tract infection (UTI), uncomplicated, due to E. coli"),
        (("viral_gastroenteritis", "appendicitis"), "Acute gastroenteritis, most likely due to norovirus"),
        (("viral_gastroenteritis", "appendicitis"), "Gastroenteritis: vomiting, diarrhoea, no rebound"),
        (("deep_vein_thrombosis", "cellulitis"), "Venous thromboembolism (DVT)"),
        (("myocardial_infarction", "aortic_dissection"), "Acute coronary syndrome (NSTEMI)"),
        (("panic_attack", "hyperthyroidism"), "Anxiety disorder, severe (F41.9)"),
    ] {
        asked.check(pair, says, (Outcome::Right, Outcome::Trapped)).await;
    }
}

#[tokio::test]
async fn what_a_clinician_writes_beside_a_wide_name_leaves_it_the_one_the_pair_is_about() {
    let asked = Asked::new().await;
    let stroke = ("ischaemic_stroke", "bells_palsy");
    let coronary = ("myocardial_infarction", "aortic_dissection");
    for (pair, says) in [
        (stroke, "Acute ischemic stroke (left MCA territory)"),
        (stroke, "Acute ischemic stroke, likely left MCA territory"),
        (stroke, "Acute ischemic stroke due to large vessel occlusion"),
        (stroke, "Acute ischemic stroke due to new-onset AFib"),
        (stroke, "Acute ischemic stroke: atrial fibrillation with sudden hemiparesis"),
        (stroke, "Stroke – atrial fibrillation, sudden hemiparesis"),
        (stroke, "Acute ischemic stroke (e.g., posterior circulation)"),
        (stroke, "Left MCA territory infarction (stroke)"),
        (coronary, "Acute coronary syndrome (inferior STEMI)"),
        (coronary, "ACS (chest pain)"),
        (coronary, "ACS, likely anterior STEMI"),
        (coronary, "ACS (differential: aortic dissection)"),
        (coronary, "ACS (e.g., unstable angina)"),
        (coronary, "ACS (less likely: unstable angina)"),
        (coronary, "ACS due to CAD"),
        (coronary, "Non-ST elevation myocardial infarction (ACS)"),
        (("stable_angina", "gerd"), "Angina pectoris due to coronary artery disease"),
        (("pneumonia", "pulmonary_embolism"), "LRTI (bacterial pneumonia)"),
        (("crohn_disease", "coeliac_disease"), "IBD, likely Crohn's"),
        (("viral_gastroenteritis", "appendicitis"), "Gastroenteritis due to viral infection"),
        (("bacterial_conjunctivitis", "anterior_uveitis"), "Conjunctivitis due to bacterial infection"),
        (("iron_deficiency_anaemia", "hypothyroidism"), "Anemia (low iron)"),
        (("common_cold", "influenza"), "Upper respiratory infection: influenza, COVID-19 and strep excluded"),
        (("cystitis", "renal_colic"), "Acute uncomplicated cystitis (UTI)"),
        (("asthma_exacerbation", "copd_exacerbation"), "Asthma exacerbation triggered by viral URI"),
    ] {
        asked.check(pair, says, (Outcome::Right, Outcome::Trapped)).await;
    }
    for says in ["Acute coronary syndrome, possibly aortic dissection", "ACS (possible aortic dissection)"] {
        asked.check(coronary, says, (Outcome::Missed, Outcome::Missed)).await;
    }
}

#[tokio::test]
async fn every_condition_goes_by_its_own_name_whatever_it_is_a_form_of() {
    let (asked, base) = (Asked::new().await, base());
    for condition in base.conditions() {
        for rival in condition.rivals.iter().filter_map(|id| base.condition(id)) {
            let pair = (condition.id.as_str(), rival.id.as_str());
            let outcomes = asked.outcomes(pair, &condition.name, &rival.name).await;
            assert_eq!(outcomes, (Outcome::Right, Outcome::Right), "{pair:?}");
        }
    }
}
