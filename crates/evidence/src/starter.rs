//! The articles that ship with the program: one for each condition of the starter base. Illustrative, not for patient care.

use crate::{Article, EvidenceError, FullText, articles};
use std::sync::{Arc, OnceLock};

pub(crate) const ID: &str = "starter";

/// The files are part of the program, so it runs anywhere without them.
macro_rules! files {
    ($($name:literal)*) => {
        &[$(($name, include_str!(concat!("../articles/", $name, ".md")))),*]
    };
}

const ARTICLES: &[(&str, &str)] = files!(
    "acute_angle_closure_glaucoma" "acute_bronchitis" "acute_cholecystitis" "acute_heart_failure" "acute_laryngitis"
    "acute_otitis_media" "acute_pancreatitis" "acute_prostatitis" "acute_sinusitis" "adrenal_insufficiency"
    "allergic_conjunctivitis" "allergic_rhinitis" "anterior_uveitis" "aortic_dissection" "appendicitis"
    "asthma_exacerbation" "atrial_fibrillation" "bacterial_conjunctivitis" "bacterial_enteritis"
    "bacterial_meningitis" "bells_palsy" "benign_positional_vertigo" "biliary_colic" "bronchiolitis" "cellulitis"
    "clostridioides_colitis" "cluster_headache" "coeliac_disease" "common_cold" "contact_dermatitis"
    "copd_exacerbation" "crohn_disease" "croup" "cystitis" "deep_vein_thrombosis" "dengue" "depression"
    "diabetic_ketoacidosis" "diverticulitis" "ectopic_pregnancy" "epididymitis" "epiglottitis" "generalised_anxiety"
    "gerd" "giant_cell_arteritis" "gout" "guillain_barre_syndrome" "hyperthyroidism" "hypothyroidism"
    "infectious_mononucleosis" "influenza" "iron_deficiency_anaemia" "irritable_bowel_syndrome" "ischaemic_stroke"
    "lung_cancer" "malaria" "mastoiditis" "meniere_disease" "migraine" "multiple_sclerosis" "myasthenia_gravis"
    "myocardial_infarction" "myocarditis" "otitis_externa" "ovarian_torsion" "panic_attack"
    "pelvic_inflammatory_disease" "peptic_ulcer" "pericarditis" "peritonsillar_abscess" "pertussis" "pleurisy"
    "pneumonia" "pneumothorax" "posterior_stroke" "pseudogout" "psoriasis" "pulmonary_embolism" "pyelonephritis"
    "reactive_arthritis" "renal_colic" "rheumatoid_arthritis" "scabies" "septic_arthritis" "shingles"
    "stable_angina" "strep_pharyngitis" "subarachnoid_haemorrhage" "superficial_thrombophlebitis"
    "supraventricular_tachycardia" "tension_headache" "testicular_torsion" "tuberculosis" "typhoid_fever"
    "ulcerative_colitis" "unstable_angina" "vestibular_neuritis" "viral_gastroenteritis" "viral_hepatitis_a"
    "viral_pharyngitis" "vitamin_b12_deficiency"
);

/// The starter articles, indexed in memory at the first call.
pub fn starter() -> Result<Arc<FullText>, EvidenceError> {
    static BUILT: OnceLock<Result<Arc<FullText>, EvidenceError>> = OnceLock::new();
    BUILT.get_or_init(|| FullText::in_memory(ID, starter_articles()?).map(Arc::new)).clone()
}

/// Each has its condition's id as its own.
pub fn starter_articles() -> Result<Vec<Article>, EvidenceError> {
    let mut all = Vec::with_capacity(ARTICLES.len());
    for (name, text) in ARTICLES {
        for article in articles(&format!("{name}.md"), text).map_err(|problem| problem.at(ID))? {
            all.push(Article { id: article.id.replacen(".md", "", 1), ..article });
        }
    }
    Ok(all)
}
