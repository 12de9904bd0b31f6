//! tree → mutations.

use super::Pattern;
use super::entry::{Mutation, Place};
use super::fields::{Complaints, Fields, short};
use super::yaml::{Node, Value};
use regex::Regex;
use std::sync::LazyLock;

pub(super) fn mutations(node: &Node, complaints: &mut Complaints) -> Vec<Mutation> {
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
    let written = Written::of(&mut fields, complaints);
    let made = match written.kind.to_lowercase().as_str() {
        "replace" => written.replace(complaints),
        "delete" => written.delete(complaints),
        "insert" => written.insert(complaints),
        "" => {
            complaints.add(written.line, "a mutation without a `type`: replace, delete or insert");
            None
        }
        other => {
            let problem = format!("no mutation is called `{other}`; there are: replace, delete, insert");
            complaints.add(written.line, problem);
            None
        }
    };
    fields.finish(complaints, "a mutation");
    made
}

/// A mutation of any kind, as far as its fields go.
struct Written<'a> {
    line: u64,
    kind: String,
    pattern: Option<&'a Node>,
    before: Option<&'a Node>,
    with: Option<String>,
}

impl<'a> Written<'a> {
    fn of(fields: &mut Fields<'a>, complaints: &mut Complaints) -> Self {
        // Short form: `replace: pattern`, `delete: pattern`, `insert: text`.
        let short = ["replace", "delete", "insert"].into_iter().find_map(|kind| Some((kind, fields.take(&[kind])?)));
        let kind = match short {
            Some((kind, _)) => kind.to_owned(),
            None => fields.text(complaints, &["type", "kind", "operation"]).unwrap_or_default(),
        };
        let pattern = match short {
            Some(("insert", _)) | None => fields.take(&["pattern", "after"]),
            Some((_, node)) => Some(node),
        };
        let before = fields.take(&["before"]);
        let with = match short {
            Some(("insert", node)) => complaints.one(node, "text").map(|(_, text)| text),
            _ => fields.text(complaints, &["replacement", "with", "text"]),
        };
        Self { line: fields.line, kind, pattern, before, with }
    }

    fn replace(&self, complaints: &mut Complaints) -> Option<Mutation> {
        let pattern = self.needed_pattern(complaints);
        if self.with.is_none() {
            complaints.add(self.line, "a mutation `replace` has no `replacement`");
        }
        let (pattern, with) = pattern.zip(self.with.clone())?;
        places(self.line, &with, true, complaints);
        somewhere(self.line, &pattern, complaints);
        groups(self.line, &pattern, &with, complaints);
        Some(Mutation::Replace { pattern, with })
    }

    fn delete(&self, complaints: &mut Complaints) -> Option<Mutation> {
        let pattern = self.needed_pattern(complaints)?;
        somewhere(self.line, &pattern, complaints);
        Some(Mutation::Delete { pattern })
    }

    /// After what is found, before it, or at the end where neither is told.
    fn insert(&self, complaints: &mut Complaints) -> Option<Mutation> {
        let at = match (self.pattern, self.before) {
            (Some(node), _) => pattern(node, complaints).map(Place::After),
            (None, Some(node)) => pattern(node, complaints).map(Place::Before),
            (None, None) => Some(Place::End),
        };
        match &self.with {
            Some(text) => places(self.line, text, false, complaints),
            None => complaints.add(self.line, "a mutation `insert` has no `text`"),
        }
        at.zip(self.with.clone()).map(|(at, text)| Mutation::Insert { text, at })
    }

    fn needed_pattern(&self, complaints: &mut Complaints) -> Option<Pattern> {
        if self.pattern.is_none() {
            complaints.add(self.line, format!("a mutation `{}` has no `pattern`", self.kind));
        }
        pattern(self.pattern?, complaints)
    }
}

fn pattern(node: &Node, complaints: &mut Complaints) -> Option<Pattern> {
    let (line, text) = complaints.one(node, "pattern")?;
    complaints.pattern(line, &text)
}

/// What is found in no text at all is found between all letters.
fn somewhere(line: u64, pattern: &Pattern, complaints: &mut Complaints) {
    if pattern.is_match("") == Ok(true) {
        let told = short(pattern.as_str());
        complaints
            .add(line, format!("the pattern `{told}` is found where nothing stands, so it would change every place"));
    }
}

/// Everything in braces is filled by somebody: a day, a word of the entry, or it is the tag of a section.
fn places(line: u64, with: &str, has_groups: bool, complaints: &mut Complaints) {
    static PLACE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(\$?)\{([^{}\n]*)\}|(\$\{)").expect("a constant"));
    /// A hundred years.
    const LATEST: u32 = 36_525;
    for found in PLACE.captures_iter(with) {
        if found.get(3).is_some() {
            complaints.add(line, "`${` is never closed; `$$` is the sign itself");
            continue;
        }
        let name = &found[2];
        let days = name.strip_prefix("date+").filter(|it| !it.is_empty() && it.chars().all(|it| it.is_ascii_digit()));
        match days {
            _ if !found[1].is_empty() && has_groups => {}
            _ if !found[1].is_empty() => {
                complaints.add(line, format!("what is inserted has no groups, so nobody fills `${{{}}}`", short(name)));
            }
            Some(days) if days.parse::<u32>().is_ok_and(|days| days <= LATEST) => {}
            Some(_) => complaints.add(line, format!("`{{{}}}` is no day that anybody lives to see", short(name))),
            None if name == "date" || name.parse::<waterjar_charts::Section>().is_ok() => {}
            None => complaints.add(
                line,
                format!(
                    "nobody fills `{{{}}}`; there are: {{date}}, {{date+30}} and the names of `words`",
                    short(name)
                ),
            ),
        }
    }
}

/// Every `$1` and `${name}` of a replacement is a group of the pattern.
fn groups(line: u64, pattern: &Pattern, with: &str, complaints: &mut Complaints) {
    static GROUP: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\$(?:\$|(\w+)|\{([^}]*)\})").expect("a constant"));
    for found in GROUP.captures_iter(with) {
        let Some(name) = found.get(1).or(found.get(2)).map(|it| it.as_str()) else { continue };
        if !pattern.has_group(name) {
            let digits: String = name.chars().take_while(char::is_ascii_digit).collect();
            let meant = match digits.is_empty() || digits == name {
                true => String::new(),
                false => format!("; if group {digits} is meant, write `${{{digits}}}`"),
            };
            complaints.add(line, format!("the pattern has no group `{name}`{meant}; `$$` is the sign itself"));
        }
    }
}
