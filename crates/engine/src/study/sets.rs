//! `--set key=value`: what the command line changes in a study before it is read.

use crate::EngineError;

/// As they were typed; a later one goes over an earlier one.
#[derive(Clone, Debug)]
pub(super) struct Sets(Vec<String>);

impl Sets {
    pub fn new(sets: &[String]) -> Self {
        Self(sets.to_vec())
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The last that changed such a key, as a place: `--set study.seed=8`.
    pub fn last(&self, is_it: impl Fn(&[&str]) -> bool) -> Option<String> {
        let changed_it = |set: &&String| {
            let path = set.split_once('=').and_then(|(key, _)| key_path(key.trim()));
            path.is_some_and(|path| is_it(&path))
        };
        self.0.iter().rev().find(changed_it).map(|set| format!("--set {set}"))
    }

    /// `suite.KEY` sets the key in every suite, `suite.NAME.KEY` in the one of that name or kind.
    pub fn applied_to(&self, mut table: toml::Table) -> Result<toml::Table, EngineError> {
        for set in &self.0 {
            apply(set, &mut table)?;
        }
        Ok(table)
    }
}

fn apply(set: &str, table: &mut toml::Table) -> Result<(), EngineError> {
    let bad = |problem: &str| {
        EngineError::study(format!("--set {set}"), problem).with_hint(
            "write --set study.seed=8, --set suite.pairs=50, --set suite.einstellung.pairs=50 or --set 'models.\"openai/gpt-5\".temperature=0'",
        )
    };
    let (key, value) = set.split_once('=').ok_or_else(|| bad("there is no `=`"))?;
    let value = parse_value(value.trim());
    let path = key_path(key.trim()).ok_or_else(|| bad("a quote in the key is not closed"))?;
    match path.as_slice() {
        ["suite", key] => each_suite(table, None, key, &value).map_err(|problem| bad(&problem))?,
        ["suite", name, key] => each_suite(table, Some(name), key, &value).map_err(|problem| bad(&problem))?,
        [section, key] => {
            let section = table.entry(*section).or_insert_with(|| toml::Table::new().into());
            let section = section.as_table_mut().ok_or_else(|| bad("that is not a table of single values"))?;
            section.insert((*key).to_owned(), value);
        }
        [section @ ("models" | "prices" | "bounds" | "stopping"), name, key] => {
            let section = table.entry(*section).or_insert_with(|| toml::Table::new().into());
            let named = section.as_table_mut().map(|it| it.entry(*name).or_insert_with(|| toml::Table::new().into()));
            let named = named.and_then(toml::Value::as_table_mut).ok_or_else(|| bad("that is not a table"))?;
            named.insert((*key).to_owned(), value);
        }
        _ => return Err(bad("the key has the wrong number of parts")),
    }
    Ok(())
}

fn each_suite(table: &mut toml::Table, name: Option<&str>, key: &str, value: &toml::Value) -> Result<(), String> {
    let suites = table.get_mut("suite").and_then(toml::Value::as_array_mut).ok_or("the study has no suite")?;
    let mut found = false;
    for suite in suites.iter_mut().filter_map(toml::Value::as_table_mut) {
        let called = |key: &str| suite.get(key).and_then(toml::Value::as_str);
        if name.is_none_or(|name| called("name") == Some(name) || called("kind") == Some(name)) {
            suite.insert(key.to_owned(), value.clone());
            found = true;
        }
    }
    if found { Ok(()) } else { Err(format!("no suite is called `{}`", name.unwrap_or_default())) }
}

/// The parts of a key, as TOML has them: in `models."openai/gpt-5.4".temperature` the quoted dot is no end.
fn key_path(key: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = key;
    loop {
        let (part, after) = match rest.strip_prefix(['"', '\'']) {
            Some(quoted) => quoted.split_once(&rest[..1])?,
            None => rest.split_at(rest.find('.').unwrap_or(rest.len())),
        };
        parts.push(part);
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None if after.is_empty() => return Some(parts),
            None => return None,
        }
    }
}

/// `50`, `0.2`, `true`, `["a"]` as TOML reads them; anything else is a string.
fn parse_value(text: &str) -> toml::Value {
    let line = format!("value = {text}");
    let parsed = toml::from_str::<toml::Table>(&line).ok().and_then(|mut table| table.remove("value"));
    parsed.unwrap_or_else(|| toml::Value::String(text.to_owned()))
}
