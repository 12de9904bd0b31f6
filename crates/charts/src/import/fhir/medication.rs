//! Medications ordered, given or reported.

use super::super::draft::{Headline, Item};
use super::collect::Taken;
use super::json::{concept, concepts, date, joined, list, quantity, reference_id, sentence, string};
use crate::Section;
use serde_json::Value;

pub(super) fn medication(kind: &str, resource: &Value) -> Taken {
    let given = kind == "MedicationAdministration";
    let status = Some(string(resource, "/status")).filter(|status| !matches!(*status, "active" | "completed"));
    let rest = sentence(
        "",
        &[
            ("", &dosage(resource)),
            ("for ", &concepts(resource, "reasonCode")),
            ("until ", string(resource, "/effectivePeriod/end").split('T').next().unwrap_or_default()),
            ("stopped: ", &concepts(resource, "statusReason")),
            ("", status.unwrap_or_default()),
        ],
    );
    let date = date(resource, &["effective", "authoredOn", "dateAsserted"]).to_owned();
    let tag = if given { "Administration" } else { "Medication" }.to_owned();
    let name = named(resource);
    let mut item = Item { date, tag, section: Section::Medications, text: rest, headline: None };
    if name.is_empty() {
        let reference = reference_id(string(resource, "/medicationReference/reference"));
        if reference.is_empty() {
            return Taken::Skipped("names no medication".to_owned());
        }
        return Taken::Unnamed { medication: reference.to_owned(), item };
    }
    item.text.insert_str(0, &name);
    item.headline = Some(Headline { text: item.text.clone(), name });
    Taken::Items(vec![item])
}

/// Told in the resource itself: as a concept, as the display of the reference, or as a contained resource.
fn named(resource: &Value) -> String {
    let told = concept(resource.get("medicationCodeableConcept"));
    if !told.is_empty() {
        return told;
    }
    let reference = string(resource, "/medicationReference/reference");
    let contained = reference.strip_prefix('#').and_then(|id| {
        list(resource, "contained").find(|inner| string(inner, "/id") == id).map(|inner| concept(inner.get("code")))
    });
    contained.unwrap_or_else(|| string(resource, "/medicationReference/display").to_owned())
}

fn dosage(resource: &Value) -> String {
    let instruction = |each: &Value| {
        let text = string(each, "/text").to_owned();
        if !text.is_empty() {
            return text;
        }
        // A bare number is a dose in units of the product.
        let dose = each.pointer("/doseAndRate/0/doseQuantity").or_else(|| each.get("dose")).map(quantity);
        let dose = dose.map(|dose| if dose.contains(' ') { dose } else { format!("dose {dose}") });
        let often = concept(each.pointer("/timing/code"));
        joined([dose.unwrap_or_default(), concept(each.get("route")), often].into_iter())
    };
    let ordered = list(resource, "dosageInstruction").chain(resource.get("dosage").into_iter().flat_map(|dosage| {
        // A list in statements, one in administrations.
        dosage.as_array().map_or_else(|| std::slice::from_ref(dosage), Vec::as_slice)
    }));
    joined(ordered.map(instruction))
}
