//! Reading the fields of a map, with every complaint kept and its line.

use super::pattern::Pattern;
use super::yaml::{Node, Value};

/// What is wrong, line by line.
#[derive(Debug, Default)]
pub(super) struct Complaints(pub Vec<(u64, String)>);

impl Complaints {
    pub fn add(&mut self, line: u64, problem: impl Into<String>) {
        self.0.push((line, problem.into()));
    }

    /// A pattern, or a complaint about it.
    pub fn pattern(&mut self, line: u64, text: &str) -> Option<Pattern> {
        if text.trim().is_empty() {
            self.add(line, "an empty pattern");
            return None;
        }
        match Pattern::new(text) {
            Ok(pattern) => match pattern.is_catastrophic() {
                Some(why) => {
                    self.add(line, format!("the pattern `{}` would need too many steps: {why}", short(text)));
                    None
                }
                None => Some(pattern),
            },
            Err(problem) => {
                self.add(line, format!("the pattern `{}` is none: {problem}", short(text)));
                None
            }
        }
    }

    pub fn patterns(&mut self, node: Option<&Node>) -> Vec<Pattern> {
        let texts = node.map(|node| self.texts(node)).unwrap_or_default();
        texts.into_iter().filter_map(|(line, text)| self.pattern(line, &text)).collect()
    }

    /// A text, or a list of texts.
    pub fn texts(&mut self, node: &Node) -> Vec<(u64, String)> {
        match &node.value {
            Value::Nothing => Vec::new(),
            Value::Text(text) => vec![(node.line, text.clone())],
            Value::List(list) => list.iter().flat_map(|node| self.texts(node)).collect(),
            Value::Map(_) => {
                self.add(node.line, "a text or a list of texts was expected here");
                Vec::new()
            }
        }
    }

    /// A text, where a list would be more than can be meant.
    pub fn one(&mut self, node: &Node, what: &str) -> Option<(u64, String)> {
        let texts = self.texts(node);
        if texts.len() > 1 {
            self.add(
                node.line,
                format!("a mutation has one `{what}`; write a mutation for each of the {}", texts.len()),
            );
        }
        texts.into_iter().next()
    }

    /// Texts of which none is empty, nor one of its alternatives.
    pub fn words(&mut self, node: Option<&Node>) -> Vec<String> {
        let mut words = Vec::new();
        for (line, text) in node.map(|node| self.texts(node)).unwrap_or_default() {
            if text.split('|').any(|one| one.trim().is_empty()) {
                self.add(line, format!("`{}` has an empty word in it", short(&text)));
            }
            words.push(text);
        }
        words
    }

    pub fn strings(&mut self, node: Option<&Node>) -> Vec<String> {
        node.map(|node| self.texts(node)).unwrap_or_default().into_iter().map(|(_, text)| text).collect()
    }
}

/// A map whose keys are taken one by one; what is left over in the end is unknown.
pub(super) struct Fields<'a> {
    pub line: u64,
    pairs: Vec<(u64, &'a str, &'a Node)>,
    known: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub fn of(node: &'a Node) -> Option<Self> {
        let Value::Map(pairs) = &node.value else { return None };
        let line = pairs.first().map_or(node.line, |(key, _)| key.line);
        let pairs = pairs.iter().map(|(key, node)| (key.line, key.name.as_str(), node)).collect();
        Some(Self { line, pairs, known: Vec::new() })
    }

    /// The first of the names that is there. A key without a value is not there.
    pub fn take(&mut self, names: &[&'static str]) -> Option<&'a Node> {
        self.known.extend(names.first());
        let at = self.pairs.iter().position(|(_, key, _)| names.contains(key))?;
        let (_, _, node) = self.pairs.remove(at);
        (!matches!(node.value, Value::Nothing)).then_some(node)
    }

    /// A field without which `of` is not complete.
    pub fn needed(&mut self, complaints: &mut Complaints, names: &[&'static str], of: &str) -> Option<&'a Node> {
        let found = self.take(names);
        if found.is_none() {
            complaints.add(self.line, format!("`{}` has no `{}`", short(of), names[0]));
        }
        found
    }

    pub fn text(&mut self, complaints: &mut Complaints, names: &[&'static str]) -> Option<String> {
        let node = self.take(names)?;
        match &node.value {
            Value::Text(text) => Some(text.clone()),
            _ => {
                complaints.add(node.line, format!("`{}` is one text", names[0]));
                None
            }
        }
    }

    /// A field that was taken before.
    pub fn knows(&mut self, name: &'static str) {
        self.known.push(name);
    }

    pub fn finish(self, complaints: &mut Complaints, of: &str) {
        for (line, key, _) in self.pairs {
            let known = self.known.join(", ");
            complaints.add(line, format!("{of} has no field `{}`; it has: {known}", short(key)));
        }
    }
}

/// As much of a text as a message can bear.
pub(super) fn short(text: &str) -> String {
    const MOST: usize = 120;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
