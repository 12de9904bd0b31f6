//! tree → entries. The five fields are the paper's; the other names accepted for a key are the likely ones of a catalog written
//! elsewhere.

use super::edits::mutations;
use super::entry::{Entry, FamilyOf, Guard};
use super::expected::shift;
use super::fields::{Complaints, Fields, short};
use super::yaml::{self, Node, Value};
use std::sync::OnceLock;
use waterjar_charts::boards::Cancer;

/// The role of the variant without an intervention.
const UNCHANGED: &str = "control";
const LONGEST_ID: usize = 100;

pub(super) fn entries(text: &str) -> Result<Vec<Entry>, Vec<(u64, String)>> {
    let root = yaml::load(text).map_err(|fault| vec![fault])?;
    let mut complaints = Complaints::default();
    let mut entries: Vec<Entry> = Vec::new();
    for (id, node) in listed(&root, &mut complaints) {
        if let Some(entry) = entry(id, node, &mut complaints) {
            if let Some(twin) = entries.iter().find(|known| known.id == entry.id) {
                complaints.add(entry.line, format!("`{}` is there already, in line {}", short(&entry.id), twin.line));
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
    let node = &filled(node, complaints);
    let Some(mut fields) = Fields::of(node) else {
        complaints.add(node.line, "an intervention is a map of fields");
        return None;
    };
    let line = fields.line;
    let id = id.or_else(|| fields.text(complaints, &["id", "intervention_id", "name"])).unwrap_or_default();
    check_id(&id, line, complaints);
    let family = fields.needed(complaints, &["family"], &id).and_then(|node| family(node, complaints));
    let title = fields.text(complaints, &["title", "description"]).unwrap_or_else(|| id.replace(['-', '_'], " "));
    let applies = fields.needed(complaints, &["applicability", "applies_to"], &id);
    let applies = applies.and_then(|node| applicability(node, complaints));
    let changed = fields.needed(complaints, &["mutation", "mutations"], &id);
    let mutations = changed.map(|node| mutations(node, complaints)).unwrap_or_default();
    let expected = fields.needed(complaints, &["expected_change", "expected"], &id);
    let shift = expected.and_then(|node| shift(node, complaints));
    let scoring = fields.needed(complaints, &["scoring_rule", "scoring"], &id).map(scoring).unwrap_or_default();
    let residue = complaints.patterns(fields.take(&["residue"]));
    let may_stay = complaints.patterns(fields.take(&["may_stay"]));
    let changes = fields.text(complaints, &["changes"]);
    let guards = fields.take(&["guards"]).map(|node| guards(node, complaints)).unwrap_or_default();
    fields.knows("words");
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

fn check_id(id: &str, line: u64, complaints: &mut Complaints) {
    match id.trim() {
        "" => complaints.add(line, "an intervention without an `id`"),
        UNCHANGED => {
            complaints.add(line, format!("`{UNCHANGED}` is what the unchanged chart is called; choose another `id`"));
        }
        long if long.chars().count() > LONGEST_ID => {
            complaints.add(line, format!("an `id` is a name of at most {LONGEST_ID} letters, not `{}`", short(long)));
        }
        _ => {}
    }
}

/// With the words of the entry where their names stand in braces, so that entries can share what differs in a name.
fn filled(node: &Node, complaints: &mut Complaints) -> Node {
    let Value::Map(pairs) = &node.value else { return node.clone() };
    let Some((_, words)) = pairs.iter().find(|(key, _)| key.name == "words") else { return node.clone() };
    let Value::Map(words) = &words.value else {
        complaints.add(words.line, "`words` is a map from a name to a text");
        return node.clone();
    };
    let words: Vec<(String, String)> = words
        .iter()
        .map(|(key, node)| (format!("{{{}}}", key.name), complaints.strings(Some(node)).join(" ")))
        .collect();
    let rest = pairs.iter().filter(|(key, _)| key.name != "words");
    let rest = rest.map(|(key, node)| (key.clone(), node.with_words(&words))).collect();
    Node { line: node.line, value: Value::Map(rest) }
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
    let named = fields.take(&["cancer_types", "cancer_type", "cancers"]).map(|node| complaints.texts(node));
    let named = named.unwrap_or_default().into_iter().filter(|(_, name)| !["any", "all", "*"].contains(&name.trim()));
    let cancers = named.filter_map(|(line, name)| cancer(line, &name, complaints)).collect();
    let positive = fields.take(&["positive", "positive_patterns", "positive_pattern", "patterns", "pattern"]);
    let positive = complaints.patterns(positive);
    let negative = fields.take(&["negative", "negative_patterns", "negative_pattern", "exclude"]);
    let negative = complaints.patterns(negative);
    fields.finish(complaints, "`applicability`");
    Some((cancers, positive, negative))
}

/// As our boards and whoever reads a chart call it; who names another would never find a chart.
fn cancer(line: u64, name: &str, complaints: &mut Complaints) -> Option<String> {
    let told = name.trim().to_lowercase().replace([' ', '-'], "_");
    let told = told.strip_suffix("_cancer").unwrap_or(&told).replace("_and_", "_");
    let known: Vec<&str> = Cancer::ALL.iter().map(|cancer| cancer.name()).collect();
    if known.contains(&told.as_str()) {
        return Some(told);
    }
    complaints.add(line, format!("no cancer is called `{}`; there are: {}, any", short(name), known.join(", ")));
    None
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
