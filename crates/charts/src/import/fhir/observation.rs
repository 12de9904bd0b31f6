//! Observations: labs, vitals, biomarkers, stages, answers.

use super::super::classify;
use super::super::draft::{Headline, Item};
use super::collect::Taken;
use super::json::{concept, concepts, date, joined, list, notes, number, quantity, sentence, string};
use serde_json::Value;

pub(super) fn observation(resource: &Value) -> Taken {
    let name = concept(resource.get("code"));
    let value = value(resource);
    if name.is_empty() && value.is_empty() {
        return Taken::Skipped("says nothing".to_owned());
    }
    let category =
        list(resource, "category").map(|each| string(each, "/coding/0/code").to_owned() + &concept(Some(each)));
    let code = string(resource, "/code/coding/0/code");
    let (section, tag) = classify::observation(&name, &joined(category), code);
    let shown = if value.is_empty() { name.clone() } else { format!("{name}: {value}") };
    let range = joined(list(resource, "referenceRange").map(range));
    let reference = if range.is_empty() { String::new() } else { format!(" (reference {range})") };
    let status =
        Some(string(resource, "/status")).filter(|status| !matches!(*status, "final" | "amended" | "corrected"));
    let text = sentence(
        &format!("{shown}{reference}"),
        &[
            ("", &concepts(resource, "interpretation")),
            ("method ", &concept(resource.get("method"))),
            ("site ", &concept(resource.get("bodySite"))),
            ("note: ", &notes(resource)),
            ("status ", status.unwrap_or_default()),
        ],
    );
    let date = date(resource, &["effective", "effectiveInstant", "issued"]).to_owned();
    let headline = Some(Headline { name, text: shown });
    Taken::Items(vec![Item { date, tag: tag.to_owned(), section, text, headline }])
}

/// The value, whatever its type, and the components' values.
fn value(resource: &Value) -> String {
    let whole = single(resource);
    let parts = list(resource, "component").map(|part| {
        let (name, value) = (concept(part.get("code")), single(part));
        if value.is_empty() { name } else { format!("{name} {value}") }
    });
    joined([whole].into_iter().chain(parts))
}

fn single(holder: &Value) -> String {
    let Some(object) = holder.as_object() else { return String::new() };
    for (key, value) in object {
        let Some(kind) = key.strip_prefix("value") else { continue };
        return match kind {
            "Quantity" => quantity(value),
            "CodeableConcept" => concept(Some(value)),
            "Integer" => number(value),
            "Boolean" => if value.as_bool() == Some(true) { "yes" } else { "no" }.to_owned(),
            "Range" => range(value),
            "Ratio" => {
                let side = |key: &str| value.get(key).map(quantity).unwrap_or_default();
                format!("{}:{}", side("numerator"), side("denominator"))
            }
            "Period" => format!("{} to {}", string(value, "/start"), string(value, "/end")),
            _ => value.as_str().unwrap_or_default().to_owned(),
        };
    }
    concept(holder.get("dataAbsentReason"))
}

fn range(value: &Value) -> String {
    let side = |key: &str| value.get(key).map(quantity).unwrap_or_default();
    match (side("low"), side("high"), string(value, "/text")) {
        (low, high, _) if !low.is_empty() && !high.is_empty() => format!("{low} to {high}"),
        (low, _, _) if !low.is_empty() => format!("from {low}"),
        (_, high, _) if !high.is_empty() => format!("up to {high}"),
        (_, _, text) => text.to_owned(),
    }
}
