//! Conditions, procedures, visits, allergies, and what else happens to a patient.

use super::super::draft::{Headline, Item};
use super::collect::Taken;
use super::json::{concept, concepts, date, joined, list, notes, sentence, string};
use crate::Section;
use serde_json::Value;

pub(super) fn condition(resource: &Value) -> Taken {
    let name = concept(resource.get("code"));
    if name.is_empty() {
        return Taken::Skipped("names no condition".to_owned());
    }
    let certainty = concept(resource.get("verificationStatus"));
    let certainty = if certainty == "confirmed" { "" } else { &certainty };
    let text = sentence(
        &name,
        &[
            ("", &concept(resource.get("clinicalStatus"))),
            ("", certainty),
            ("", &concept(resource.get("severity"))),
            ("site ", &concepts(resource, "bodySite")),
            ("until ", day(date(resource, &["abatement"]))),
            ("", string(resource, "/onsetString")),
            ("note: ", &notes(resource)),
        ],
    );
    let when = date(resource, &["onset", "recordedDate", "assertedDate"]).to_owned();
    let mut items = vec![item(&when, "Condition", text, Some((&name, name.clone())))];
    for stage in list(resource, "stage") {
        items.extend(staged(stage, &name, &when));
    }
    Taken::Items(items)
}

/// What a condition says of its stage. Stages that are observations of their own come as such.
fn staged(stage: &Value, name: &str, when: &str) -> Option<Item> {
    let summary = concept(stage.get("summary"));
    let assessed = joined(list(stage, "assessment").map(|each| string(each, "/display").to_owned()));
    let told = [summary, assessed].into_iter().find(|text| !text.is_empty())?;
    let kind = concept(stage.get("type"));
    let text = sentence(&told, &[("", &kind), ("of ", name)]);
    Some(item(when, "Stage", text, Some(("stage", told))))
}

pub(super) fn procedure(resource: &Value) -> Taken {
    let name = concept(resource.get("code"));
    if name.is_empty() {
        return Taken::Skipped("names no procedure".to_owned());
    }
    let status = Some(string(resource, "/status")).filter(|status| *status != "completed").unwrap_or_default();
    let text = sentence(
        &name,
        &[
            ("", status),
            ("site ", &concepts(resource, "bodySite")),
            ("reason: ", &reasons(resource)),
            ("outcome: ", &concept(resource.get("outcome"))),
            ("complication: ", &concepts(resource, "complication")),
            ("note: ", &notes(resource)),
        ],
    );
    let when = date(resource, &["performed", "performedString"]);
    Taken::Items(vec![item(when, "Procedure", text, Some((&name, name.clone())))])
}

pub(super) fn encounter(resource: &Value) -> Taken {
    let kind = concepts(resource, "type");
    let class = match string(resource, "/class/code") {
        "AMB" => "ambulatory",
        "EMER" => "emergency",
        "IMP" | "ACUTE" | "NONAC" => "inpatient",
        "HH" => "at home",
        "VR" => "virtual",
        other => other,
    };
    let name = if kind.is_empty() { "Encounter" } else { &kind };
    let text = sentence(name, &[("", class), ("reason: ", &reasons(resource))]);
    Taken::Items(vec![item(date(resource, &["period"]), "Encounter", text, None)])
}

pub(super) fn allergy(resource: &Value) -> Taken {
    let name = concept(resource.get("code"));
    if name.is_empty() {
        return Taken::Skipped("names no substance".to_owned());
    }
    let reactions = joined(list(resource, "reaction").map(|reaction| {
        let severity = string(reaction, "/severity");
        let seen = concepts(reaction, "manifestation");
        if severity.is_empty() { seen } else { format!("{seen} ({severity})") }
    }));
    let text = sentence(
        &name,
        &[
            ("", &reactions),
            ("criticality ", string(resource, "/criticality")),
            ("", &concept(resource.get("clinicalStatus"))),
            ("note: ", &notes(resource)),
        ],
    );
    let headline = sentence(&name, &[("", &reactions)]);
    Taken::Items(vec![item(date(resource, &["recordedDate", "onset"]), "Allergy", text, Some((&name, headline)))])
}

pub(super) fn immunization(resource: &Value) -> Taken {
    let name = concept(resource.get("vaccineCode"));
    let status = Some(string(resource, "/status")).filter(|status| *status != "completed").unwrap_or_default();
    Taken::Items(vec![item(date(resource, &["occurrence"]), "Immunization", sentence(&name, &[("", status)]), None)])
}

pub(super) fn care_plan(resource: &Value) -> Taken {
    let kinds = concepts(resource, "category");
    let name = [string(resource, "/title"), &kinds].into_iter().find(|text| !text.is_empty()).unwrap_or("Care plan");
    let activities = joined(list(resource, "activity").map(|each| concept(each.pointer("/detail/code"))));
    let text = sentence(name, &[("", &activities), ("", string(resource, "/status"))]);
    Taken::Items(vec![item(date(resource, &["period", "created"]), "Care plan", text, None)])
}

pub(super) fn imaging(resource: &Value) -> Taken {
    let procedures = concepts(resource, "procedureCode");
    let told = [string(resource, "/description"), &procedures].into_iter().find(|text| !text.is_empty());
    let series = joined(list(resource, "series").map(|each| {
        let part = |key| concept(each.get(key).map(|coding| serde_json::json!({ "coding": [coding] })).as_ref());
        joined([part("modality"), part("bodySite")].into_iter())
    }));
    let text = sentence(told.unwrap_or("Imaging study"), &[("", &series)]);
    Taken::Items(vec![item(date(resource, &["started"]), "Imaging", text, None)])
}

pub(super) fn family(resource: &Value) -> Taken {
    let conditions = joined(list(resource, "condition").map(|each| concept(each.get("code"))));
    let text = format!("Family history: {}: {conditions}", concept(resource.get("relationship")));
    let entry = item(date(resource, &["date"]), "Family history", text, None);
    Taken::Items(vec![Item { section: Section::Diagnoses, ..entry }])
}

fn reasons(resource: &Value) -> String {
    let referred = list(resource, "reasonReference").map(|each| string(each, "/display").to_owned());
    joined([concepts(resource, "reasonCode")].into_iter().chain(referred))
}

fn day(timestamp: &str) -> &str {
    timestamp.split('T').next().unwrap_or_default()
}

fn item(date: &str, tag: &str, text: String, headline: Option<(&str, String)>) -> Item {
    let headline = headline.map(|(name, text)| Headline { name: name.to_owned(), text });
    Item { date: date.to_owned(), tag: tag.to_owned(), section: Section::of_tag(tag), text, headline }
}
