//! The keys of a study, against the pages that say what each is for.

use super::{read, schema};
use serde_json::Value;
use std::collections::BTreeSet;

const PAGE: &str = "docs/study-file.md";

/// The keys of a table, but for those that every table of its sort has.
fn keys(table: &Value, but: &[&str]) -> BTreeSet<String> {
    let keys = table["properties"].as_object().unwrap_or_else(|| panic!("no keys in {table}")).keys();
    keys.filter(|it| !but.contains(&it.as_str())).cloned().collect()
}

/// What stands below a heading, up to the next.
fn section<'a>(page: &'a str, heading: &str) -> &'a str {
    let (_, rest) = page.split_once(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{PAGE} has no `{heading}`"));
    rest.split("\n#").next().unwrap_or(rest)
}

/// The keys in the first column of the tables; one row may tell of several.
fn rows(section: &str) -> BTreeSet<String> {
    let first = section.lines().filter_map(|line| line.strip_prefix("| `")?.split(" | ").next());
    first.flat_map(|cell| cell.split(", ")).map(|key| key.trim_matches('`').to_owned()).collect()
}

/// Whether a page names it: between backticks, or in a study before a `=`.
fn names(page: &str, key: &str) -> bool {
    let is_set = |rest: &str| rest.trim_start().starts_with('=');
    let begins = |before: &str| before.is_empty() || before.ends_with(['\n', ' ', '{', '`']);
    page.contains(&format!("`{key}`"))
        || page.match_indices(key).any(|(at, _)| begins(&page[..at]) && is_set(&page[at + key.len()..]))
}

#[test]
fn every_key_of_a_suite_has_its_row_and_every_row_its_key() {
    let (schema, page) = (schema(), read(PAGE));
    let kinds = schema["properties"]["suite"]["items"]["oneOf"].as_array().unwrap();
    assert!(kinds.len() >= 4, "{}", kinds.len());
    for suite in kinds {
        let kind = suite["properties"]["kind"]["const"].as_str().unwrap();
        let told = rows(section(&page, &format!("## `[[suite]] kind = \"{kind}\"`")));
        assert_eq!(told, keys(suite, &["kind"]), "{PAGE}, `{kind}`: on the page, and in the program");
    }
}

#[test]
fn every_key_of_an_agent_is_told() {
    let (schema, page) = (schema(), read(PAGE));
    let agents = schema["properties"]["subject"]["items"]["oneOf"].as_array().unwrap();
    assert!(agents.len() >= 9, "{}", agents.len());
    for subject in agents {
        let agent = subject["properties"]["agent"]["const"].as_str().unwrap();
        let own = keys(subject, &["agent", "model", "name", "suites"]);
        if agent == "ecr" {
            assert_eq!(rows(section(&page, "### `agent = \"ecr\"`")), own, "{PAGE}: on the page, and in the program");
            continue;
        }
        // The page sends readers there.
        let file = format!("crates/agents/src/{agent}/README.md");
        for key in own {
            assert!(names(&read(&file), &key), "{file} does not tell of `{key}`");
        }
    }
}

#[test]
fn every_other_key_is_on_the_page() {
    let (schema, page) = (schema(), read(PAGE));
    for table in ["study", "bounds", "stopping", "models", "budget", "limits", "retry", "prices", "privacy"] {
        let table_of = &schema["properties"][table];
        let named = &table_of["additionalProperties"];
        for key in keys(if named.is_object() { named } else { table_of }, &[]) {
            assert!(names(&page, &key), "{PAGE} does not tell of `{key}` in [{table}]");
        }
    }
}

#[test]
fn a_key_without_a_row_is_found() {
    let page = "\n## one\n\n| key | default |\n|---|---|\n| `a` | 1 |\n| `b`, `c` | – |\n\n## two\n| `d` | 1 |\n";
    assert_eq!(Vec::from_iter(rows(section(page, "## one"))), ["a", "b", "c"]);
    assert!(names("max_tokens = 5", "max_tokens") && names("{ max = 1, min=2 }", "min") && names("the `a`", "a"));
    assert!(!names("max_tokens = 5", "tokens") && !names("a word", "a"));
}
