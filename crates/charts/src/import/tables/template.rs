//! How a row becomes words: `{A|B}` is the first filled column, `[ … ]` is left out unless all in it is filled.
//!
//! `{codes:A}` looks the value up in the layout's codes or in a lookup table of that name; `{pad2:A}` writes `3` as `03`, and
//! `{day:A}` leaves the clock out of a timestamp.

use std::collections::{BTreeMap, HashMap};

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Template {
    parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Words(String),
    Field(Vec<Reference>),
    Optional(Template),
}

#[derive(Clone, Debug, PartialEq)]
struct Reference {
    lookup: Option<String>,
    /// A place in [`Columns`].
    column: usize,
}

/// The columns a table's templates ask for: each once, in the order they were first named.
#[derive(Clone, Debug, Default)]
pub(super) struct Columns {
    pub names: Vec<String>,
    places: HashMap<String, usize>,
}

impl Columns {
    pub fn place(&mut self, name: &str) -> usize {
        let name = name.trim();
        *self.places.entry(name.to_ascii_lowercase()).or_insert_with(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }
}

/// What codes mean, by the name of the table.
pub(super) type Lookups = BTreeMap<String, HashMap<String, String>>;

impl Template {
    pub fn read(text: &str, columns: &mut Columns) -> Result<Self, String> {
        let mut rest = text;
        let template = parts(&mut rest, columns, false).map_err(|problem| format!("`{text}`: {problem}"))?;
        if rest.is_empty() { Ok(template) } else { Err(format!("`{text}`: a `]` without its `[`")) }
    }

    /// The same words for every row.
    pub fn literal(words: &str) -> Self {
        Self { parts: vec![Part::Words(words.to_owned())] }
    }

    pub fn fill(&self, row: &[String], lookups: &Lookups) -> String {
        let mut text = String::new();
        self.fill_into(row, lookups, &mut text);
        text
    }

    /// False where a field stayed empty.
    fn fill_into(&self, row: &[String], lookups: &Lookups, text: &mut String) -> bool {
        let mut whole = true;
        for part in &self.parts {
            match part {
                Part::Words(words) => text.push_str(words),
                Part::Field(references) => {
                    let before = text.len();
                    references.iter().find(|reference| reference.fill_into(row, lookups, text));
                    whole &= text.len() > before;
                }
                Part::Optional(inner) => {
                    let before = text.len();
                    if !inner.fill_into(row, lookups, text) {
                        text.truncate(before);
                    }
                }
            }
        }
        whole
    }

    /// The alternatives of every field that must be there: one of each has to be a column of the file.
    pub fn required(&self) -> impl Iterator<Item = Vec<usize>> {
        self.parts.iter().filter_map(|part| match part {
            Part::Field(references) => Some(references.iter().map(|reference| reference.column).collect()),
            _ => None,
        })
    }

    /// Every lookup with the column whose values it needs.
    pub fn lookups(&self) -> Vec<(&str, usize)> {
        let mut found = Vec::new();
        for part in &self.parts {
            match part {
                Part::Optional(inner) => found.extend(inner.lookups()),
                Part::Field(references) => {
                    found.extend(references.iter().filter_map(|it| Some((it.lookup.as_deref()?, it.column))));
                }
                Part::Words(_) => {}
            }
        }
        found
    }
}

impl Reference {
    /// Writes the value or what it means; false where it is empty or means nothing.
    fn fill_into(&self, row: &[String], lookups: &Lookups, text: &mut String) -> bool {
        let value = row[self.column].trim();
        if value.is_empty() {
            return false;
        }
        match self.lookup.as_deref() {
            None => text.push_str(value),
            Some(PAD) => {
                for _ in value.len()..2 {
                    text.push('0');
                }
                text.push_str(value);
            }
            Some(DAY) => text.push_str(value.split(['T', ' ']).next().unwrap_or_default()),
            Some(lookup) => match lookups.get(lookup).and_then(|table| table.get(value)) {
                Some(meaning) => text.push_str(meaning),
                None => return false,
            },
        }
        true
    }
}

const PAD: &str = "pad2";
const DAY: &str = "day";

/// Names that are no lookup but a way of writing.
pub(super) const WAYS: [&str; 2] = [PAD, DAY];

fn parts(rest: &mut &str, columns: &mut Columns, inside: bool) -> Result<Template, String> {
    let mut parts = Vec::new();
    while let Some(at) = rest.find(['{', '[', ']']) {
        if at > 0 {
            parts.push(Part::Words(rest[..at].to_owned()));
        }
        let mark = rest.as_bytes()[at];
        if mark == b']' && !inside {
            *rest = &rest[at..];
            return Ok(Template { parts });
        }
        *rest = &rest[at + 1..];
        match mark {
            b']' => return Ok(Template { parts }),
            b'[' => parts.push(Part::Optional(self::parts(rest, columns, true)?)),
            _ => {
                let (field, after) = rest.split_once('}').ok_or("a `{` without its `}`")?;
                *rest = after;
                parts.push(Part::Field(references(field, columns)));
            }
        }
    }
    if inside {
        return Err("a `[` without its `]`".to_owned());
    }
    if !rest.is_empty() {
        parts.push(Part::Words(std::mem::take(rest).to_owned()));
    }
    Ok(Template { parts })
}

fn references(field: &str, columns: &mut Columns) -> Vec<Reference> {
    let reference = |written: &str, columns: &mut Columns| match written.split_once(':') {
        Some((lookup, column)) => Reference { lookup: Some(lookup.trim().to_owned()), column: columns.place(column) },
        None => Reference { lookup: None, column: columns.place(written) },
    };
    field.split('|').map(|written| reference(written, columns)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(template: &str, expected: &str) {
        let mut columns = Columns::default();
        let template = Template::read(template, &mut columns).unwrap();
        let row: Vec<String> = columns.names.iter().map(|name| value(name).to_owned()).collect();
        let lookups = Lookups::from([("codes".to_owned(), HashMap::from([("1".to_owned(), "one".to_owned())]))]);
        assert_eq!(template.fill(&row, &lookups), expected);
    }

    fn value(column: &str) -> &str {
        match column {
            "A" => "alpha",
            "N" => "1",
            "X" => "9",
            "T" => "2024-03-09T11:00:00Z",
            _ => "",
        }
    }

    #[test]
    fn fields_take_the_first_filled_column() {
        check("{A} b", "alpha b");
        check("{E|A}", "alpha");
        check("{E}", "");
    }

    #[test]
    fn brackets_vanish_unless_all_in_them_is_filled() {
        check("{A}[ ({N})]", "alpha (1)");
        check("{A}[ ({E}, {N})]", "alpha");
        check("[{A}[ and {E}]]", "alpha");
    }

    #[test]
    fn codes_are_looked_up_and_an_unknown_one_falls_through() {
        check("{codes:N}", "one");
        check("{codes:X|X}", "9");
        check("{pad2:N}-{pad2:X}", "01-09");
        check("{day:T}", "2024-03-09");
    }

    #[test]
    fn unbalanced_templates_are_refused() {
        for text in ["{A", "[{A}", "{A}]"] {
            assert!(Template::read(text, &mut Columns::default()).is_err(), "{text}");
        }
    }
}
