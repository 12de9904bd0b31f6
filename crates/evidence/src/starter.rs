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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Query;
    use crate::words::{analyzer, terms};
    use std::collections::{BTreeMap, BTreeSet, HashSet};
    use tantivy::tokenizer::TextAnalyzer;
    use waterjar_knowledge::{Condition, Finding, KnowledgeBase};

    fn base() -> KnowledgeBase {
        waterjar_knowledge::starter::base().unwrap()
    }

    /// Every condition with its article.
    fn pairs(base: &KnowledgeBase) -> Vec<(&Condition, Article)> {
        let mut all: BTreeMap<_, _> = starter_articles().unwrap().into_iter().map(|it| (it.id.clone(), it)).collect();
        base.conditions().iter().map(|it| (it, all.remove(it.id.as_str()).expect("each condition has one"))).collect()
    }

    /// A finding is named where one sentence holds the words of its id, or most words of what the patient says.
    fn names(analyzer: &mut TextAnalyzer, article: &Article, finding: &Finding) -> bool {
        let id = finding.id.as_str().trim_start_matches("family_").trim_start_matches("fam_").replace('_', " ");
        let (id, said) = (terms(analyzer, &id), terms(analyzer, &finding.present));
        article.text.split(['.', ';', ':']).any(|sentence| {
            let words: HashSet<String> = terms(analyzer, sentence).into_iter().collect();
            let shared = |wanted: &[String]| wanted.iter().filter(|word| words.contains(*word)).count();
            shared(&id) == id.len() || (said.len() > 1 && shared(&said) * 5 >= said.len() * 3)
        })
    }

    #[test]
    fn every_condition_has_one_article_and_every_article_a_condition() {
        let conditions: BTreeSet<String> = base().conditions().iter().map(|it| it.id.to_string()).collect();
        let articles = starter_articles().unwrap();
        assert_eq!(articles.len(), conditions.len());
        for article in &articles {
            assert_eq!(article.condition.as_ref().map(ToString::to_string), Some(article.id.clone()));
        }
        assert_eq!(articles.into_iter().map(|it| it.id).collect::<BTreeSet<_>>(), conditions);
        let files = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/articles")).unwrap();
        let files: BTreeSet<String> = files.map(|it| it.unwrap().file_name().into_string().unwrap()).collect();
        let expected = conditions.iter().map(|id| format!("{id}.md")).chain(["README.md".into()]).collect();
        assert_eq!(files, expected);
    }

    #[test]
    fn an_article_has_its_name_three_paragraphs_and_the_agreed_length() {
        for (condition, article) in pairs(&base()) {
            assert_eq!(article.title, condition.name);
            assert_eq!(article.text.split("\n\n").count(), 3, "{}", article.id);
            let words = article.text.split_whitespace().count();
            assert!((110..=190).contains(&words), "{}: {words} words", article.id);
        }
    }

    #[test]
    fn an_article_names_at_least_ten_of_its_findings() {
        let (base, mut analyzer) = (base(), analyzer());
        for (condition, article) in pairs(&base) {
            let own = condition.findings.keys().filter_map(|id| base.finding(id));
            let (named, missing): (Vec<_>, Vec<_>) = own.partition(|finding| names(&mut analyzer, &article, finding));
            let missing: Vec<_> = missing.iter().map(|it| it.id.as_str()).collect();
            assert!(named.len() >= 10, "{} names {} findings, but not {missing:?}", article.id, named.len());
        }
    }

    #[test]
    fn an_article_tells_its_condition_from_its_main_rivals() {
        let base = base();
        for (condition, article) in pairs(&base) {
            let last = article.text.rsplit("\n\n").next().unwrap().to_lowercase();
            for rival in condition.rivals.iter().take(2) {
                let name = base.condition(rival).unwrap().name.to_lowercase();
                assert!(last.contains(&name), "{}: nothing about {name}", article.id);
            }
            assert!(last.contains("argue") || last.contains("exclude") || last.contains("unlikely"), "{}", article.id);
        }
    }

    #[test]
    fn an_article_holds_no_probabilities() {
        for article in starter_articles().unwrap() {
            let text = article.text.to_lowercase();
            for word in ["%", "per cent", "percent", "probab", "times as "] {
                assert!(!text.contains(word), "{}: {word}", article.id);
            }
        }
    }

    #[test]
    fn the_article_of_a_condition_is_found_by_its_name() {
        let index = starter().unwrap();
        for condition in base().conditions() {
            let found = index.find(&Query::condition(&condition.name), 3).unwrap();
            assert_eq!(found[0].condition.as_ref(), Some(&condition.id));
        }
    }

    #[test]
    fn the_article_of_a_condition_is_found_by_what_its_patients_say() {
        let (base, index) = (base(), starter().unwrap());
        let mut first = 0;
        for condition in base.conditions() {
            let mut own: Vec<_> = condition.findings.iter().collect();
            own.sort_by(|a, b| b.1.p.total_cmp(&a.1.p).then(a.0.cmp(b.0)));
            let said: Vec<_> = own.iter().take(10).map(|(id, _)| base.finding(id).unwrap().present.as_str()).collect();
            let found = index.find(&Query::text(said.join(" ")), 5).unwrap();
            let place = found.iter().position(|it| it.condition.as_ref() == Some(&condition.id));
            assert!(
                place.is_some(),
                "{} is not among {:?}",
                condition.id,
                found.iter().map(|it| &it.id).collect::<Vec<_>>()
            );
            first += usize::from(place == Some(0));
        }
        assert!(first * 10 >= base.conditions().len() * 9, "only {first} come first");
    }
}
