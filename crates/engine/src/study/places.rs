//! Where something of a study stands: in which line of the file, or in which `--set`.

use super::StudyFile;
use super::sets::Sets;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// A file, and what was set in it from the command line.
pub(super) struct Origin<'a> {
    pub path: &'a Path,
    pub text: &'a str,
    pub sets: &'a Sets,
}

impl Origin<'_> {
    /// `study.toml, line 7`
    pub fn line(&self, at: usize) -> String {
        let line = self.text[..at.min(self.text.len())].matches('\n').count() + 1;
        format!("{}, line {line}", self.path.display())
    }

    /// Where that comes from which stands here in the text that the sets made.
    pub fn of(&self, changed: &str, span: &Range<usize>) -> String {
        let (changed, file) = (Places::of(changed), Places::of(self.text));
        let keys = changed.keys_at(span);
        // A table of the file that lacks something lacks it there, whatever was set in it.
        let set = self.sets.last(|set| keys.starts_with(set));
        set.or_else(|| file.span(&keys).map(|span| self.line(span.start)))
            .or_else(|| self.sets.last(|set| set.starts_with(&keys)))
            .unwrap_or_else(|| self.path.display().to_string())
    }
}

/// The keys of a text and the items of its lists, by their numbers: the way to each, and its place.
pub(super) struct Places(Vec<(Vec<String>, Range<usize>)>);

impl Places {
    /// What is no TOML has none but the whole.
    pub fn of(text: &str) -> Self {
        let mut places = Self(vec![(Vec::new(), 0..0)]);
        if let Ok(table) = DeTable::parse(text) {
            places.note_table(&[], table.get_ref());
        }
        places
    }

    fn note_table(&mut self, way: &[String], table: &DeTable<'_>) {
        for (key, value) in table {
            let way = further(way, key.get_ref().to_string());
            self.0.push((way.clone(), key.span()));
            self.note(way, value);
        }
    }

    fn note(&mut self, way: Vec<String>, value: &Spanned<DeValue<'_>>) {
        match value.get_ref() {
            DeValue::Table(table) => self.note_table(&way, table),
            DeValue::Array(items) => {
                for (number, item) in items.iter().enumerate() {
                    self.note(further(&way, number.to_string()), item);
                }
            }
            _ => {}
        }
        self.0.push((way, value.span()));
    }

    /// Of what stands under these keys.
    pub fn span(&self, keys: &[&str]) -> Option<Range<usize>> {
        self.0.iter().find(|(way, _)| way.as_slice() == keys).map(|(_, span)| span.clone())
    }

    /// Of the innermost thing that begins before this place and ends after it. The whole text has an empty place, and no keys.
    fn keys_at(&self, place: &Range<usize>) -> Vec<&str> {
        let around = self.0.iter().filter(|(_, span)| !place.is_empty() && span.contains(&place.start));
        let innermost = around.max_by_key(|(way, _)| way.len());
        innermost.map(|(way, _)| way.iter().map(String::as_str).collect()).unwrap_or_default()
    }
}

fn further(way: &[String], part: String) -> Vec<String> {
    let mut way = way.to_vec();
    way.push(part);
    way
}

impl StudyFile {
    fn origin(&self) -> Origin<'_> {
        Origin { path: &self.path, text: &self.spanned, sets: &self.sets }
    }

    /// A place in the file, for messages: `study.toml, line 7`.
    pub fn place(&self, span: Range<usize>) -> String {
        self.origin().line(span.start)
    }

    /// The place of what stands under these keys. What the file does not have was set from the command line.
    pub(crate) fn place_of(&self, span: Range<usize>, keys: &[&str]) -> String {
        let set = span.is_empty().then(|| self.set_of(keys)).flatten();
        set.unwrap_or_else(|| self.place(span))
    }

    /// The `--set` that changed what stands under these keys, where one did; the last of them counts.
    pub(crate) fn set_of(&self, keys: &[&str]) -> Option<String> {
        // `bounds."x.y"={…}` and `bounds."x.y".max=…` both change `x.y`, and the former all that is in it.
        self.sets.last(|set| set.starts_with(keys) || keys.starts_with(set))
    }

    /// The place of a key of a suite: in the file, or the `--set` that it came from.
    pub(crate) fn place_of_suite_key(&self, written: &Spanned<toml::Table>, key: &str) -> String {
        let table = written.get_ref();
        let is_called =
            |name: &str| ["name", "kind"].iter().any(|it| table.get(*it).and_then(toml::Value::as_str) == Some(name));
        let set = self.sets.last(|set| match set {
            ["suite", changed] => *changed == key,
            ["suite", name, changed] => is_called(name) && *changed == key,
            _ => false,
        });
        set.unwrap_or_else(|| self.place_of_key(written.span(), key))
    }

    /// The place of a key in a table that begins at `span`; of the table where the key is not found.
    pub fn place_of_key(&self, span: Range<usize>, key: &str) -> String {
        let from = span.start.min(self.spanned.len());
        let mut at = from;
        for line in self.spanned[from..].split_inclusive('\n') {
            let is_key = line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
            if is_key {
                return self.origin().line(at);
            }
            at += line.len();
        }
        self.place(span)
    }

    /// The place of a key in the table `[section]`: the `--set` that it came from, or in the file; of the file where it is not found.
    pub fn place_of_table(&self, section: &str, key: &str) -> String {
        if let Some(set) = self.set_of(&[section, key.trim_matches('"')]) {
            return set;
        }
        let header = format!("[{section}]");
        let mut at = 0;
        for line in self.spanned.split_inclusive('\n') {
            if line.trim_start().starts_with(&header) {
                return self.place_of_key(at..at, key);
            }
            at += line.len();
        }
        self.path.display().to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = r#"[study]
name = "a"

[[suite]]
kind = "b"

[[suite]]
kind = "c"

[bounds]
"x.y" = { max = 1 }
"#;

    /// What stands where these letters are.
    fn check(letters: &str, keys: &[&str], line: usize) {
        let at = FILE.find(letters).unwrap();
        let places = Places::of(FILE);
        assert_eq!(places.keys_at(&(at..at + letters.len())), keys, "{letters}");
        let sets = Sets::new(&[]);
        let origin = Origin { path: Path::new("f"), text: FILE, sets: &sets };
        assert_eq!(origin.of(FILE, &(at..at + letters.len())), format!("f, line {line}"), "{letters}");
    }

    #[test]
    fn what_stands_at_a_place_is_known_by_its_keys() {
        check("[study]", &["study"], 1);
        check("name", &["study", "name"], 2);
        check("\"a\"", &["study", "name"], 2);
        check("[[suite]]", &["suite", "0"], 4);
        check("kind = \"c\"", &["suite", "1", "kind"], 8);
        check("{ max", &["bounds", "x.y"], 11);
        check("1 }", &["bounds", "x.y", "max"], 11);
    }

    #[test]
    fn the_whole_has_no_keys() {
        assert!(Places::of(FILE).keys_at(&(0..0)).is_empty());
        assert_eq!(Places::of("no TOML").span(&[]), Some(0..0));
    }
}
