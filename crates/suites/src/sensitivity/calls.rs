//! Which sections of a chart a tool-using agent read, from the trajectory it left with its answer.

use std::collections::BTreeMap;
use waterjar_charts::Section;
use waterjar_core::{Member, Ruling};

const PREFIX: &str = "calls.";
/// Calls for something that is no section.
const OTHER: &str = "other";

/// Every name a call can be counted under, in the order of a chart.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    Section::ALL.into_iter().map(Section::name).chain([OTHER])
}

/// What a ruling keeps of a trajectory: `calls.biomarkers`. Nothing where no tool was used.
pub(super) fn parts(member: &Member) -> BTreeMap<String, f64> {
    let record = member.conclusion().and_then(|it| it.record.as_ref());
    let steps = record.and_then(|it| it.get("trajectory")).and_then(serde_json::Value::as_array);
    let mut parts = BTreeMap::new();
    for step in steps.into_iter().flatten() {
        let asked = step.get("section").and_then(serde_json::Value::as_str).unwrap_or_default();
        let section = asked.parse::<Section>().map_or(OTHER, Section::name);
        *parts.entry(format!("{PREFIX}{section}")).or_default() += 1.0;
    }
    parts
}

/// Calls of one answer by section.
pub(super) fn of_ruling(ruling: &Ruling) -> BTreeMap<&'static str, f64> {
    names().filter_map(|name| Some((name, *ruling.parts.get(&format!("{PREFIX}{name}"))?))).collect()
}
