//! tree → entries. The five fields are the paper's; the other names accepted for a key are the likely ones of a catalog written
//! elsewhere.

use super::entry::{Entry, FamilyOf, Guard, Mutation, Place};
use super::fields::{Complaints, Fields};
use super::yaml::{self, Node, Value};
use std::sync::OnceLock;
use waterjar_core::{Shift, Timing, TimingShift};

pub(super) fn entries(text: &str) -> Result<Vec<Entry>, Vec<(u64, String)>> {
    let root = yaml::load(text).map_err(|fault| vec![fault])?;
    let mut complaints = Complaints::default();
    let mut entries: Vec<Entry> = Vec::new();
    for (id, node) in listed(&root, &mut complaints) {
        if let Some(entry) = entry(id, node, &mut complaints) {
            if let Some(twin) = entries.iter().find(|known| known.id == entry.id) {
                complaints.add(entry.line, format!("`{}` is there already, in line {}", entry.id, twin.line));
            }
            entries.push(entry);
        }
    }
    if entries.is_empty() && complaints.0.is_empty() {
        complaints.add(1, "the catalog has no interventions");
    }
    complaints.0.sort();
    if complaints.0.is_empty() { Ok(entries) } else { Err(complaints.0) }
}

/// A list of entries, the same under `interventions`, or a map from id to entry.
fn listed<'a>(root: &'a Node, complaints: &mut Complaints) -> Vec<(Option<String>, &'a Node)> {
    match &root.value {
        Value::List(list) => list.iter().map(|node| (None, node)).collect(),
        Value::Map(pairs) => match pairs.iter().find(|(key, _)| key.name == "interventions") {
            Some((_, inner)) => listed(inner, complaints),
            // One entry alone, as papers print it.
            None if pairs.iter().any(|(key, _)| key.name == "mutation") => vec![(None, root)],
            None => pairs.iter().map(|(key, node)| (Some(key.name.clone()), node)).collect(),
        },
        Value::Nothing | Value::Text(_) => {
            complaints.add(root.line, "a list of interventions was expected");
            Vec::new()
        }
    }
}

fn entry(id: Option<String>, node: &Node, complaints: &mut Complaints) -> Option<Entry> {
    let Some(mut fields) = Fields::of(node) else {
        complaints.add(node.line, "an intervention is a map of fields");
        return None;
    };
    let line = fields.line;
    let id = id.or_else(|| fields.text(complaints, &["id", "intervention_id", "name"]));
    if id.is_none() {
        complaints.add(line, "an intervention without an `id`");
    }
    let id = id.unwrap_or_default();
    let missing = |complaints: &mut Complaints, what: &str| complaints.add(line, format!("`{id}` has no `{what}`"));

    let family = match fields.take(&["family"]) {
        Some(node) => family(node, complaints),
        None => {
            missing(complaints, "family");
            None
        }
    };
    let title = fields.text(complaints, &["title", "description"]).unwrap_or_else(|| id.replace(['-', '_'], " "));
    let applies = match fields.take(&["applicability", "applies_to"]) {
        Some(node) => applicability(node, complaints),
        None => {
            missing(complaints, "applicability");
            None
        }
    };
    let mutations = match fields.take(&["mutation", "mutations"]) {
        Some(node) => mutations(node, complaints),
        None => {
            missing(complaints, "mutation");
            Vec::new()
        }
    };
    let shift = match fields.take(&["expected_change", "expected"]) {
        Some(node) => shift(node, complaints),
        None => {
            missing(complaints, "expected_change");
            None
        }
    };
    let scoring = match fields.take(&["scoring_rule", "scoring"]) {
        Some(node) => scoring(node),
        None => {
            missing(complaints, "scoring_rule");
            Vec::new()
        }
    };
    let residue_node = fields.take(&["residue"]);
    let residue = complaints.patterns(residue_node);
    let may_stay_node = fields.take(&["may_stay"]);
    let may_stay = complaints.patterns(may_stay_node);
    let changes = fields.text(complaints, &["changes"]);
    let guards = fields.take(&["guards"]).map(|node| guards(node, complaints)).unwrap_or_default();
    fields.finish(complaints, "an intervention");
    let (cancers, positive, negative) = applies?;
    Some(Entry {
        id,
        family: family?,
        title,
        cancers,
        positive,
        negative,
        mutations,
        shift: shift?,
        scoring,
        residue,
        may_stay,
        changes,
        guards,
        line,
        glance: OnceLock::new(),
    })
}

fn family(node: &Node, complaints: &mut Complaints) -> Option<FamilyOf> {
    let name = complaints.strings(Some(node)).join(" ");
    let family = FamilyOf::named(&name);
    if family.is_none() {
        let known: Vec<&str> = FamilyOf::ALL.iter().map(|family| family.name()).collect();
        complaints.add(node.line, format!("no family is called `{name}`; the families are: {}", known.join(", ")));
    }
    family
}

type Applicability = (Vec<String>, Vec<super::Pattern>, Vec<super::Pattern>);

fn applicability(node: &Node, complaints: &mut Complaints) -> Option<Applicability> {
    let Some(mut fields) = Fields::of(node) else {
        complaints.add(node.line, "`applicability` is a map: cancer_types, positive, negative");
        return None;
    };
    let cancers = fields.take(&["cancer_types", "cancer_type", "cancers"]);
    let cancers =
        complaints.strings(cancers).into_iter().map(|name| name.trim().to_lowercase().replace([' ', '-'], "_"));
    let cancers = cancers.filter(|name| !["any", "all", "*"].contains(&name.as_str())).collect();
    let positive = fields.take(&["positive", "positive_patterns", "positive_pattern", "patterns", "pattern"]);
    let positive = complaints.patterns(positive);
    let negative = fields.take(&["negative", "negative_patterns", "negative_pattern", "exclude"]);
    let negative = complaints.patterns(negative);
    fields.finish(complaints, "`applicability`");
    Some((cancers, positive, negative))
}

fn mutations(node: &Node, complaints: &mut Complaints) -> Vec<Mutation> {
    match &node.value {
        Value::List(list) if list.is_empty() => {
            complaints.add(node.line, "`mutation` is empty");
            Vec::new()
        }
        Value::List(list) => list.iter().flat_map(|node| mutations(node, complaints)).collect(),
        _ => mutation(node, complaints).into_iter().collect(),
    }
}

fn mutation(node: &Node, complaints: &mut Complaints) -> Option<Mutation> {
    let Some(mut fields) = Fields::of(node) else {
        complaints.add(node.line, "a mutation is a map: type, pattern, replacement");
        return None;
    };
    let line = fields.line;
    // Short form: `replace: pattern`, `delete: pattern`, `insert: text`.
    let short = ["replace", "delete", "insert"].into_iter().find_map(|kind| Some((kind, fields.take(&[kind])?)));
    let kind = match short {
        Some((kind, _)) => kind.to_owned(),
        None => fields.text(complaints, &["type", "kind", "operation"]).unwrap_or_default(),
    };
    let pattern_node = match short {
        Some(("insert", _)) | None => fields.take(&["pattern", "after"]),
        Some((_, node)) => Some(node),
    };
    let before_node = fields.take(&["before"]);
    let with = match short {
        Some(("insert", node)) => complaints.strings(Some(node)).into_iter().next(),
        _ => fields.text(complaints, &["replacement", "with", "text"]),
    };
    let pattern = |node: Option<&Node>, complaints: &mut Complaints| match node {
        Some(node) => {
            complaints.texts(node).into_iter().next().and_then(|(line, text)| complaints.pattern(line, &text))
        }
        None => {
            complaints.add(line, format!("a mutation `{kind}` has no `pattern`"));
            None
        }
    };
    let made = match kind.to_lowercase().as_str() {
        "replace" => {
            let pattern = pattern(pattern_node, complaints);
            if with.is_none() {
                complaints.add(line, "a mutation `replace` has no `replacement`");
            }
            pattern.zip(with).map(|(pattern, with)| Mutation::Replace { pattern, with })
        }
        "delete" => pattern(pattern_node, complaints).map(|pattern| Mutation::Delete { pattern }),
        "insert" => {
            let at = match (pattern_node, before_node) {
                (Some(node), _) => pattern(Some(node), complaints).map(Place::After),
                (None, Some(node)) => pattern(Some(node), complaints).map(Place::Before),
                (None, None) => Some(Place::End),
            };
            if with.is_none() {
                complaints.add(line, "a mutation `insert` has no `text`");
            }
            at.zip(with).map(|(at, text)| Mutation::Insert { text, at })
        }
        "" => {
            complaints.add(line, "a mutation without a `type`: replace, delete or insert");
            None
        }
        other => {
            complaints.add(line, format!("no mutation is called `{other}`; there are: replace, delete, insert"));
            None
        }
    };
    fields.finish(complaints, "a mutation");
    made
}

fn shift(node: &Node, complaints: &mut Complaints) -> Option<Shift> {
    let Some(mut fields) = Fields::of(node) else {
        complaints.add(
            node.line,
            "`expected_change` is a map: must_drop, must_add, timing_must_shift, rationale_must_mention",
        );
        return None;
    };
    let must_drop = fields.take(&["must_drop"]);
    let must_drop = complaints.strings(must_drop);
    let must_add = fields.take(&["must_add"]);
    let must_add = complaints.strings(must_add);
    let timing =
        fields.take(&["timing_must_shift", "timing"]).map(|node| timings(node, complaints)).unwrap_or_default();
    let rationale = fields.take(&["rationale_must_mention", "rationale"]);
    let rationale = complaints.strings(rationale);
    fields.finish(complaints, "`expected_change`");
    if must_drop.is_empty() && must_add.is_empty() && timing.is_empty() && rationale.is_empty() {
        complaints.add(node.line, "`expected_change` expects nothing");
    }
    Some(Shift { must_drop, must_add, timing, rationale })
}

fn timings(node: &Node, complaints: &mut Complaints) -> Vec<TimingShift> {
    match &node.value {
        Value::List(list) => list.iter().flat_map(|node| timings(node, complaints)).collect(),
        Value::Text(text) => timing_words(node.line, text, complaints).into_iter().collect(),
        _ => timing_map(node, complaints).into_iter().collect(),
    }
}

/// `adjuvant -> primary`
fn timing_words(line: u64, text: &str, complaints: &mut Complaints) -> Option<TimingShift> {
    if ["false", "no", ""].contains(&text.trim().to_lowercase().as_str()) {
        return None;
    }
    let parts = ["->", "→", " to "].into_iter().find_map(|arrow| text.split_once(arrow));
    let Some((from, to)) = parts else {
        complaints.add(line, format!("`{text}` is no shift of timing: write `adjuvant -> primary`"));
        return None;
    };
    let from = timing(line, from.trim().trim_start_matches("from "), complaints)?;
    Some(TimingShift { treatment: None, from: Some(from), to: timing(line, to, complaints)? })
}

fn timing_map(node: &Node, complaints: &mut Complaints) -> Option<TimingShift> {
    let mut fields = Fields::of(node)?;
    let line = fields.line;
    let treatment = fields.text(complaints, &["treatment"]);
    let from = fields.text(complaints, &["from"]);
    let to = fields.text(complaints, &["to"]);
    fields.finish(complaints, "`timing_must_shift`");
    let from = from.and_then(|text| timing(line, &text, complaints));
    let Some(to) = to else {
        complaints.add(line, "`timing_must_shift` has no `to`");
        return None;
    };
    Some(TimingShift { treatment, from, to: timing(line, &to, complaints)? })
}

/// Ours and other words for them.
fn timing(line: u64, text: &str, complaints: &mut Complaints) -> Option<Timing> {
    let told = text.trim().to_lowercase();
    let known = match told.as_str() {
        "primary" | "upfront" | "definitive" | "curative" => Some(Timing::Definitive),
        "palliative" | "first-line" | "first_line" | "metastatic" => Some(Timing::Systemic),
        "preoperative" | "perioperative" | "induction" => Some(Timing::Neoadjuvant),
        "postoperative" => Some(Timing::Adjuvant),
        other => Timing::ALL.into_iter().find(|timing| timing.name() == other),
    };
    if known.is_none() {
        let names: Vec<&str> = Timing::ALL.iter().map(|timing| timing.name()).collect();
        complaints.add(line, format!("no timing is called `{told}`; there are: {}", names.join(", ")));
    }
    known
}

fn scoring(node: &Node) -> Vec<String> {
    match &node.value {
        Value::Nothing => Vec::new(),
        Value::Text(text) => vec![text.clone()],
        Value::List(list) => list.iter().flat_map(scoring).collect(),
        Value::Map(pairs) => {
            pairs.iter().map(|(key, node)| format!("{}: {}", key.name, scoring(node).join(" "))).collect()
        }
    }
}

fn guards(node: &Node, complaints: &mut Complaints) -> Vec<Guard> {
    let Value::List(list) = &node.value else {
        complaints.add(node.line, "`guards` is a list of maps: when, why");
        return Vec::new();
    };
    let mut guards = Vec::new();
    for node in list {
        let Some(mut fields) = Fields::of(node) else {
            complaints.add(node.line, "a guard is a map: when, why");
            continue;
        };
        let line = fields.line;
        let when = fields.text(complaints, &["when"]);
        let why = fields.text(complaints, &["why"]);
        fields.finish(complaints, "a guard");
        match when.zip(why) {
            Some((when, why)) => {
                guards.extend(complaints.pattern(line, &when).map(|pattern| Guard { pattern, why }));
            }
            None => complaints.add(line, "a guard has `when` and `why`"),
        }
    }
    guards
}
