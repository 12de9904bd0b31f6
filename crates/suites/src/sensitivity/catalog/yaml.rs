//! YAML as a tree that knows its lines, so that everything wrong in a catalog can be told at once.

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_saphyr::Spanned;
use std::fmt;

/// A value and the line it begins on.
#[derive(Clone, Debug)]
pub struct Node {
    pub line: u64,
    pub value: Value,
}

#[derive(Clone, Debug)]
pub enum Value {
    Nothing,
    /// Words, numbers and truth values as they are written.
    Text(String),
    List(Vec<Node>),
    Map(Vec<(Key, Node)>),
}

#[derive(Clone, Debug)]
pub struct Key {
    pub line: u64,
    pub name: String,
}

impl Node {
    /// Every text with what stands for the words.
    pub fn with_words(&self, words: &[(String, String)]) -> Self {
        let value = match &self.value {
            Value::Nothing => Value::Nothing,
            Value::Text(text) => {
                Value::Text(words.iter().fold(text.clone(), |text, (name, word)| text.replace(name, word)))
            }
            Value::List(list) => Value::List(list.iter().map(|node| node.with_words(words)).collect()),
            Value::Map(pairs) => {
                Value::Map(pairs.iter().map(|(key, node)| (key.clone(), node.with_words(words))).collect())
            }
        };
        Self { line: self.line, value }
    }
}

/// The document, or the line and what is wrong with it as YAML.
pub fn load(text: &str) -> Result<Node, (u64, String)> {
    // `no` and `on` are words here.
    let budget = serde_saphyr::budget! { max_nodes: MOST_NODES, max_events: 4 * MOST_NODES };
    let options = serde_saphyr::options! { strict_booleans: true, budget: budget };
    serde_saphyr::from_str_with_options::<Node>(text, options)
        .map_err(|error| (error.location().map_or(1, |it| it.line()), told(&error.to_string())))
}

/// A catalog of ten thousand entries has half a million.
const MOST_NODES: usize = 2_000_000;

/// In our words where the reader's are for programmers.
fn told(message: &str) -> String {
    // The first line tells; the rest draws the place, which is told beside it.
    let first = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
    let first = match first.split_once(": ") {
        Some((place, rest)) if place.starts_with("line ") && place.contains("column") => rest,
        _ => first,
    };
    let first = first.split(" at line ").next().unwrap_or(first);
    if let Some(rest) = first.strip_prefix("duplicate mapping key") {
        let key = rest.split(", set ").next().unwrap_or_default().trim_start_matches(':').trim();
        return format!("the key `{key}` is there twice").replace(" ``", "");
    }
    if first.contains("from_str_multiple") || first.contains("multiple") && first.contains("document") {
        return "there is a second document, after `---`; a catalog is one".to_owned();
    }
    if first.contains("budget") {
        return "this is more than a catalog can hold: it has too many nodes, or aliases that grow beyond all bounds"
            .to_owned();
    }
    first.to_owned()
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let spanned = Spanned::<Value>::deserialize(deserializer)?;
        Ok(Self { line: spanned.referenced.line(), value: spanned.value })
    }
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(AnyValue)
    }
}

struct AnyValue;

impl<'de> Visitor<'de> for AnyValue {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Nothing)
    }

    fn visit_bool<E>(self, it: bool) -> Result<Value, E> {
        Ok(Value::Text(it.to_string()))
    }

    fn visit_i64<E>(self, it: i64) -> Result<Value, E> {
        Ok(Value::Text(it.to_string()))
    }

    fn visit_u64<E>(self, it: u64) -> Result<Value, E> {
        Ok(Value::Text(it.to_string()))
    }

    fn visit_f64<E>(self, it: f64) -> Result<Value, E> {
        Ok(Value::Text(format!("{it:?}")))
    }

    fn visit_str<E>(self, it: &str) -> Result<Value, E> {
        Ok(Value::Text(it.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut nodes = Vec::new();
        while let Some(node) = list.next_element()? {
            nodes.push(node);
        }
        Ok(Value::List(nodes))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut pairs = Vec::new();
        while let Some(key) = map.next_key::<Node>()? {
            let name = match key.value {
                Value::Text(name) => name,
                _ => String::new(),
            };
            pairs.push((Key { line: key.line, name }, map.next_value()?));
        }
        Ok(Value::Map(pairs))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_knows_its_line() {
        let node = load("# a note\n- id: one\n  on: yes\n  list:\n    - 1.0\n    - \"a: b\"\n").unwrap();
        let Value::List(entries) = node.value else { panic!("a list") };
        let Value::Map(pairs) = &entries[0].value else { panic!("a map") };
        let told: Vec<(&str, u64)> = pairs.iter().map(|(key, node)| (key.name.as_str(), node.line)).collect();
        assert_eq!(told, [("id", 2), ("on", 3), ("list", 5)]);
        let Value::List(list) = &pairs[2].1.value else { panic!("a list") };
        assert!(matches!(&list[1].value, Value::Text(text) if text == "a: b"));
        assert_eq!(list[1].line, 6);
    }

    #[test]
    fn what_is_no_yaml_is_told_with_its_line() {
        let (line, problem) = load("a: 1\nb: [1, 2\nc: 3\n").unwrap_err();
        assert!((2..=4).contains(&line), "{line}: {problem}");
        assert_eq!(load("a: 1\na: 2\n").unwrap_err(), (2, "the key `a` is there twice".to_owned()));
        let (_, problem) = load("a: 1\n---\nb: 2\n").unwrap_err();
        assert!(problem.contains("a catalog is one"), "{problem}");
        assert!(!problem.contains("line "), "{problem}");
    }
}
