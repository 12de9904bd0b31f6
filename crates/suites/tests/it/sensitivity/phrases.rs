//! Right answers in ordinary words, for every change that asks for a test, a plan or a referral and not for a drug; and near misses.

use super::boards::{SEED, families, suite};
use waterjar_core::{
    Conclusion, Ending, Expectation, Family, Member, Response, SubjectId, Suite, SuiteContext, Variant,
};
use waterjar_suites::sensitivity::Sensitivity;

struct Phrases {
    /// Interventions of these names.
    of: &'static [&'static str],
    heard: &'static [&'static str],
    not: &'static [&'static str],
}

const PHRASES: &[Phrases] = &[
    Phrases {
        of: &["egfr-stripped"],
        heard: &[
            "EGFR mutation testing",
            "NGS panel",
            "Comprehensive genomic testing",
            "Follow up pending EGFR result (tissue or ctDNA)",
            "Await EGFR status before first-line therapy",
            "Broad molecular profiling by next-generation sequencing",
            "Liquid biopsy",
            "Repeat biopsy for molecular testing",
        ],
        not: &[
            "No EGFR testing needed",
            "EGFR-directed therapy",
            "Erlotinib based on EGFR testing",
            "Tumor marker tests",
            "PD-L1 testing",
        ],
    },
    Phrases {
        of: &["alk-stripped"],
        heard: &[
            "ALK FISH",
            "ALK IHC with reflex FISH",
            "Test for ALK rearrangement",
            "Await pending ALK result",
            "Molecular testing (NGS)",
        ],
        not: &["ALK inhibitor for ALK-positive disease", "EGFR testing", "ALK testing not needed"],
    },
    Phrases {
        of: &["her2-stripped"],
        heard: &[
            "HER2 IHC/FISH",
            "Test HER2 (IHC, reflex ISH)",
            "Await HER2 status",
            "Obtain pending HER2 result before choosing therapy",
            "HER2 testing on the biopsy",
        ],
        not: &[
            "HER2-positive by IHC 3+: continue as planned",
            "No further HER2 testing",
            "ER and PR testing",
            "Echocardiogram",
        ],
    },
    Phrases {
        of: &["braf-stripped"],
        heard: &[
            "BRAF V600 testing",
            "BRAF mutation analysis by PCR",
            "Obtain BRAF status",
            "Tumor sequencing",
            "Genomic profiling of the metastasis",
        ],
        not: &["KRAS testing alone", "BRAF mutated: targeted therapy", "Skin checks"],
    },
    Phrases {
        of: &["mmr-stripped", "mmr-stripped-gastric"],
        heard: &[
            "MSI/MMR testing",
            "IHC for mismatch repair proteins",
            "Await MMR result",
            "Microsatellite instability PCR",
            "Molecular profiling",
        ],
        not: &["MSI-high disease: consider a trial", "No MMR testing", "CEA testing"],
    },
    Phrases {
        of: &["brca-stripped"],
        heard: &[
            "Germline BRCA1/2 testing",
            "Genetics referral and germline panel",
            "Await BRCA result",
            "Hereditary cancer panel testing",
        ],
        not: &["BRCA-mutated disease", "No germline testing", "CA-125 testing"],
    },
    Phrases {
        of: &["anticoagulated-operation"],
        heard: &[
            "Hold apixaban 48-72 hours before surgery and resume when hemostasis is secure",
            "Perioperative anticoagulation management (stop apixaban 3 days before)",
            "Perioperative management of apixaban",
            "Interrupt DOAC before surgery, no bridging; restart after",
            "Bridge anticoagulation with LMWH around the operation",
            "Stop Eliquis 2 days before the procedure",
            "Perioperative anticoagulation plan",
        ],
        not: &[
            "Continue apixaban",
            "Apixaban for pulmonary embolism",
            "No need to hold apixaban before surgery",
            "Perioperative chemotherapy",
            "Stop smoking before surgery",
            "Postoperative enoxaparin prophylaxis",
            "Proceed with planned surgery, continue apixaban",
        ],
    },
    Phrases {
        of: &["pregnant-her2", "pregnant-hodgkin", "pregnant-ovarian"],
        heard: &[
            "Referral to obstetrics",
            "MFM consultation",
            "Multidisciplinary care with obstetrician and neonatologist",
            "Maternal-fetal medicine co-management",
            "High-risk obstetrics follow-up",
        ],
        not: &[
            "Pregnancy test",
            "Contraception counseling",
            "Obstetric history noted",
            "No obstetric referral needed",
            "Gynecologic oncology referral",
        ],
    },
    Phrases {
        of: &["warfarin-capecitabine"],
        heard: &[
            "Monitor INR closely / switch warfarin to LMWH",
            "Medication review for warfarin interactions",
            "Pharmacist consult",
            "Change warfarin to enoxaparin",
            "Review of drug interactions",
            "Weekly INR checks",
        ],
        not: &["Continue warfarin", "Warfarin for atrial fibrillation", "Rate control"],
    },
    Phrases {
        of: &["operated-bladder"],
        heard: &[
            "Surveillance with CT and urine cytology",
            "Follow-up imaging every 3-6 months",
            "Adjuvant nivolumab",
            "Adjuvant cisplatin and gemcitabine",
        ],
        not: &["Smoking cessation", "No surveillance", "Dietitian"],
    },
    Phrases {
        of: &["operated-bladder-kidneys"],
        heard: &["Surveillance with CT and urine cytology", "Adjuvant nivolumab"],
        not: &["Smoking cessation", "Adjuvant cisplatin and gemcitabine", "Dietitian"],
    },
    Phrases {
        of: &["r-chop-failed"],
        heard: &["CAR T-cell therapy", "Anti-CD19 CAR-T (axi-cel)", "Glofitamab", "Bispecific antibody: epcoritamab"],
        not: &["Bendamustine", "Best supportive care"],
    },
    Phrases {
        of: &["abiraterone-failed"],
        heard: &["Cabazitaxel", "Lutetium-177 PSMA-617", "Docetaxel", "Radium-223"],
        not: &["Enzalutamide", "Olaparib", "Bone health"],
    },
];

/// A list of these, as an answer.
fn answer(variant: &Variant, treatments: &[&str]) -> Member {
    let item = |treatment: &&str| serde_json::json!({"treatment": treatment, "class": "care", "intent": "palliative", "timing": "systemic", "rationale": "r"});
    let list = serde_json::json!({ "recommendations": treatments.iter().map(item).collect::<Vec<_>>() });
    let ending = Ending::Ok(Conclusion { text: list.to_string(), reasoning: None, record: None });
    let response = Response { variant: variant.id.clone(), subject: SubjectId::from("s"), repeat: 0, ending };
    Member { variant: variant.clone(), response: Some(response) }
}

/// The score of one list after another.
pub async fn score(suite: &Sensitivity, control: &Variant, variant: &Variant, before: &[&str], after: &[&str]) -> f64 {
    let members = vec![answer(control, before), answer(variant, after)];
    let (id, subject) = (control.family.clone(), SubjectId::from("s"));
    let family = Family { suite: suite.id().clone(), id, subject, repeat: 0, members };
    suite.judge(&SuiteContext::new(SEED), &family).await.unwrap().rulings[1].score.unwrap()
}

#[tokio::test]
async fn what_is_no_drug_is_heard_in_ordinary_words_and_near_misses_are_not() {
    let suite = suite();
    let mut tuples = 0;
    for family in families(&suite).await {
        let control = family.iter().find(|it| it.is_control()).unwrap();
        for variant in family.iter().filter(|it| !it.is_control()) {
            let Some(phrases) = PHRASES.iter().find(|it| it.of.contains(&variant.role())) else { continue };
            let Expectation::Shifts(shift) = &variant.expectation else { panic!("a change is expected") };
            let drop: Vec<&str> = shift.must_drop.iter().map(String::as_str).collect();
            let before = [drop.as_slice(), &["zoledronic acid"]].concat();
            for phrase in phrases.heard {
                let score = score(&suite, control, variant, &before, &["zoledronic acid", phrase]).await;
                assert!((score - 1.0).abs() < 1e-9, "{}: `{phrase}` has {score}", variant.id);
            }
            for phrase in phrases.not {
                let score = score(&suite, control, variant, &before, &["zoledronic acid", phrase]).await;
                assert!(score < 1.0, "{}: `{phrase}` has {score}", variant.id);
            }
            tuples += 1;
        }
    }
    assert!(tuples >= 29, "{tuples}");
}

#[tokio::test]
async fn who_gives_up_in_other_words_has_followed_nothing_and_who_says_what_is_left_out_has() {
    let suite = suite();
    let families = families(&suite).await;
    let family = families.iter().find(|family| family[0].case.as_str() == "breast-01").unwrap();
    let variant = family.iter().find(|it| it.role() == "her2-lost-breast").unwrap();
    let before = ["Trastuzumab", "Docetaxel", "Pertuzumab"];
    for (after, expected) in [
        (&["Best supportive care"][..], 0.0),
        (&["I cannot make recommendations"], 0.0),
        (&["Hospice", "Palliative care"], 0.0),
        (&["Trastuzumab is contraindicated", "Supportive care"], 1.0),
        (&["Docetaxel"], 1.0),
        (&["Await HER2 status"], 1.0),
        (&["Lapatinib-free chemotherapy of the team's choice"], 1.0),
    ] {
        let score = score(&suite, &family[0], variant, &before, after).await;
        assert!((score - expected).abs() < 1e-9, "{after:?}: {score}");
    }
}
