//! Facts and dates as the words phrases are filled with.

use super::bank::Disease;
use super::cases::{BoardCase, and_list};
use super::facts::*;
use super::labs::creatinine;
use super::phrase::{Values, capital};
use super::story::{Story, month};
use waterjar_core::Sex;

pub(super) fn of(case: &BoardCase, story: &Story, disease: &Disease) -> Values {
    let facts = &case.facts;
    let mut values = Values::default();
    person(&mut values, facts);
    the_disease(&mut values, case, story, disease);
    the_body(&mut values, facts, story);
    surgery(&mut values, facts, story);
    values.set("question", case.plot.question.clone());
    values.set("presentation", case.plot.presentation.clone());
    values
}

fn person(values: &mut Values, facts: &BoardFacts) {
    let words = match facts.sex {
        Sex::F => ["woman", "she", "her", "her", "F"],
        Sex::M => ["man", "he", "his", "him", "M"],
    };
    for (name, word) in ["man", "he", "his", "him", "mf"].into_iter().zip(words) {
        values.set_both(name, word);
    }
    values.flag("female", facts.sex == Sex::F);
    values.set("age", facts.age.to_string());
    values.set("ecog", facts.performance.to_string());
    values.flag("fit", facts.performance < 2);
    let words = match facts.performance {
        0 => "fully active without restriction",
        1 => "up all day, limited only in heavy work",
        2 => "up more than half of the day but unable to work",
        _ => "in bed or a chair for more than half of the day",
    };
    values.set("ps_words", words);
}

fn the_disease(values: &mut Values, case: &BoardCase, story: &Story, disease: &Disease) {
    let facts = &case.facts;
    let words = facts.cancer.stage_words();
    values.set_both("cancer", case.plot.alias.as_ref().unwrap_or(&disease.name));
    values.set_both("histology", &facts.histology);
    values.set_both("site", &facts.site);
    values.set_both("stage", &format!("{words} {}", facts.stage.group));
    if let Some(tnm) = &facts.stage.tnm {
        values.set("tnm", tnm.clone());
    }
    if let Some(initial) = &facts.stage.initial {
        values.set("initial", format!("{words} {initial}"));
        values.set("initial_year", story.diagnosed.year().to_string());
    }
    values.set("diagnosis_month", month(story.diagnosed));
    if let Some(relapse) = story.relapse {
        values.set("relapse_month", month(relapse));
    }
    values.set_both("lesion", &case.plot.lesion);
    values.flag("localized", facts.extent == Extent::Localized);
    values.flag("advanced", facts.extent == Extent::LocallyAdvanced);
    values.flag("systemic", facts.extent == Extent::Systemic);
    values.flag("metastatic", facts.extent == Extent::Metastatic);
    values.flag("marrow", facts.cancer == Cancer::Cll);
    values.flag("nonkeratinizing", facts.histology.contains("nonkeratinizing"));
    values.flag("lowgrade", facts.histology.contains("grade 1"));
    let organs: Vec<String> = facts.metastases.iter().map(|organ| organ_words(organ).to_owned()).collect();
    if !organs.is_empty() {
        values.set("mets", and_list(&organs));
    }
    for organ in &facts.metastases {
        values.flag(&format!("m_{}", organ.replace(' ', "_")), true);
    }
    // A cancer's own organ is never reported as normal.
    values.flag(facts.cancer.name(), true);
}

fn organ_words(organ: &str) -> &str {
    match organ {
        "liver" => "the liver",
        "lung" => "the lungs",
        "brain" => "the brain",
        "adrenal" => "an adrenal gland",
        "pleura" => "the pleura",
        "peritoneum" => "the peritoneum",
        "distant nodes" => "distant lymph nodes",
        other => other,
    }
}

fn the_body(values: &mut Values, facts: &BoardFacts, story: &Story) {
    values.set("egfr", facts.egfr.to_string());
    values.set("creatinine", format!("{:.2}", creatinine(facts.egfr, facts.age, facts.sex)));
    values.flag("renal_normal", facts.egfr >= 60);
    values.flag("renal_reduced", facts.egfr < 60);
    if let Some(taken) = &facts.anticoagulation {
        values.set_both("anticoagulant", &taken.drug);
        values.set("anticoagulant_dose", taken.dose.clone());
        values.set("anticoagulant_reason", taken.reason.clone());
        values.flag("anticoagulated", true);
    }
    let allergies: Vec<_> = facts.allergies.iter().map(|it| format!("{} ({})", it.substance, it.reaction)).collect();
    if !allergies.is_empty() {
        values.set("allergy_list", and_list(&allergies));
        values.flag("allergic", true);
    }
    let others: Vec<_> = facts.comorbidities.iter().map(|it| it.name.clone()).collect();
    if !others.is_empty() {
        values.set("comorbidity_list", and_list(&others));
        values.flag("comorbid", true);
    }
    values.flag("hearing", others.iter().any(|name| name == "hearing loss"));
    values.flag("arrhythmia", others.iter().any(|name| name == "atrial fibrillation"));
    match facts.pregnancy {
        Pregnancy::Male => {}
        Pregnancy::Postmenopausal => values.flag("postmenopausal", true),
        Pregnancy::Excluded => values.flag("not_pregnant", true),
        Pregnancy::Pregnant { weeks } => {
            values.flag("pregnant", true);
            values.set("weeks", weeks.to_string());
            values.set("due", story.due.map(month).unwrap_or_default());
        }
    }
    let contrast = facts.allergies.iter().any(|it| it.substance.contains("contrast"));
    let pregnant = matches!(facts.pregnancy, Pregnancy::Pregnant { .. });
    values.flag("no_contrast", contrast || pregnant || facts.egfr < 45);
}

fn surgery(values: &mut Values, facts: &BoardFacts, story: &Story) {
    if let Some(date) = story.surgery {
        values.set("operation_date", date.to_string());
        values.set("operation_month", month(date));
    }
    match &facts.surgery {
        Surgery::Done { operation, nodes, margins, .. } => {
            values.flag("surgery_done", true);
            values.set("operation", operation.clone());
            values.set("Operation", capital(operation));
            values.set("nodes", nodes.clone());
            values.set("margins", margins.clone());
        }
        Surgery::Planned { operation, .. } => {
            values.flag("surgery_planned", true);
            values.set("operation", operation.clone());
            values.set("Operation", capital(operation));
        }
        Surgery::None { why } => values.flag(
            match why {
                NoSurgery::Unresectable => "unresectable",
                NoSurgery::Undecided => "undecided",
                NoSurgery::NoRole => "no_role",
            },
            true,
        ),
    }
}
