//! Who the patient is.

use super::super::draft::{Draft, label};
use super::json::{concept, joined, list, string};
use serde_json::Value;

pub(super) fn describe(patient: &Value, draft: &mut Draft) {
    let is_former = |name: &&Value| matches!(string(name, "/use"), "maiden" | "old");
    let (former, current): (Vec<_>, Vec<_>) = list(patient, "name").partition(is_former);
    draft.state(label::NAME, &joined(current.into_iter().map(full_name)));
    draft.state(label::FORMER_NAME, &joined(former.into_iter().map(full_name)));
    draft.state(label::SEX, string(patient, "/gender"));
    draft.state(label::BORN, string(patient, "/birthDate"));
    draft.state(label::DIED, string(patient, "/deceasedDateTime").split('T').next().unwrap_or_default());
    draft.state("Marital status", &concept(patient.get("maritalStatus")));
    for (address, number) in list(patient, "address").zip(1..) {
        draft.state(&numbered(label::ADDRESS, number), &full_address(address));
    }
    for (contact, number) in list(patient, "telecom").zip(1..) {
        let label = if string(contact, "/system") == "email" { label::EMAIL } else { label::PHONE };
        draft.state(&numbered(label, number), string(contact, "/value"));
    }
    for identifier in list(patient, "identifier") {
        let kind = concept(identifier.get("type"));
        let label = if kind.is_empty() || kind == "Medical Record Number" { label::RECORD } else { &kind };
        draft.state(label, string(identifier, "/value"));
    }
    for extension in list(patient, "extension") {
        extended(extension, draft);
    }
    draft.state("Language", &joined(list(patient, "communication").map(|each| concept(each.get("language")))));
}

/// The first of a kind has no number.
fn numbered(label: &str, number: usize) -> String {
    if number == 1 { label.to_owned() } else { format!("{label} {number}") }
}

fn full_name(name: &Value) -> String {
    let words = |key| list(name, key).filter_map(Value::as_str);
    let family = [string(name, "/family")].into_iter().filter(|word| !word.is_empty());
    let parts: Vec<_> = words("prefix").chain(words("given")).chain(family).chain(words("suffix")).collect();
    if parts.is_empty() { string(name, "/text").to_owned() } else { parts.join(" ") }
}

fn full_address(address: &Value) -> String {
    let lines = list(address, "line").filter_map(Value::as_str).map(str::to_owned);
    let town = ["/city", "/district", "/state"].map(|pointer| string(address, pointer).to_owned());
    let code = [string(address, "/postalCode"), string(address, "/country")].map(str::to_owned);
    let text = joined(lines.chain(town).chain(code));
    if text.is_empty() { string(address, "/text").to_owned() } else { text }
}

/// The extensions of US Core and Synthea that say something of the person.
fn extended(extension: &Value, draft: &mut Draft) {
    let url = string(extension, "/url");
    let text = || {
        let texts = list(extension, "extension").map(|inner| (string(inner, "/url"), string(inner, "/valueString")));
        texts.into_iter().find(|(url, _)| *url == "text").map(|(_, text)| text.to_owned()).unwrap_or_default()
    };
    match url.rsplit('/').next().unwrap_or_default() {
        "us-core-race" => draft.state("Race", &text()),
        "us-core-ethnicity" => draft.state("Ethnicity", &text()),
        "us-core-birthsex" => draft.state("Sex at birth", string(extension, "/valueCode")),
        "patient-mothersMaidenName" => draft.state("Mother's maiden name", string(extension, "/valueString")),
        "patient-birthPlace" => {
            draft.state(label::BIRTHPLACE, &full_address(extension.get("valueAddress").unwrap_or(&Value::Null)));
        }
        _ => {}
    }
}
