//! The study of a run, with a subject that answers elsewhere.

use anyhow::{Result, bail};
use std::collections::BTreeSet;
use toml::Value;
use waterjar_engine::plan::ELSEWHERE;

/// Adds the subject, or the suites it has not answered before. What the study asks stays as it is.
pub fn with_subject(text: String, subject: &str, model: &str, suites: &BTreeSet<String>) -> Result<String> {
    let mut table: toml::Table = toml::from_str(&text)?;
    let all = table.get("suite").and_then(Value::as_array).map_or(0, Vec::len);
    let subjects = table.get_mut("subject").and_then(Value::as_array_mut).into_iter().flatten();
    for known in subjects.filter_map(Value::as_table_mut) {
        let text_of = |key: &str| known.get(key).and_then(Value::as_str).unwrap_or_default();
        let name = format!("{}@{}", text_of("agent"), text_of("model"));
        if known.get("name").and_then(Value::as_str).unwrap_or(&name) != subject {
            continue;
        }
        if text_of("agent") != ELSEWHERE {
            bail!("the run asks `{subject}` itself; choose another name with --subject");
        }
        let Some(named) = known.get_mut("suites").and_then(Value::as_array_mut) else { return Ok(text) };
        let before = named.len();
        for suite in suites {
            if !named.iter().any(|it| it.as_str() == Some(suite)) {
                named.push(suite.clone().into());
            }
        }
        let is_new = named.len() > before;
        return Ok(if is_new { table.to_string() } else { text });
    }
    let mut entry = toml::Table::from_iter([
        ("agent".to_owned(), ELSEWHERE.into()),
        ("model".to_owned(), model.into()),
        ("name".to_owned(), subject.into()),
    ]);
    if suites.len() < all {
        entry.insert("suites".to_owned(), suites.iter().cloned().collect::<Vec<_>>().into());
    }
    Ok(format!("{}\n\n[[subject]]\n{entry}", text.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STUDY: &str = "# Ours.\n[study]\nname = \"x\"\n[[suite]]\nkind = \"a\"\n[[suite]]\nkind = \"b\"\n\
                         [[subject]]\nagent = \"plain\"\nmodel = \"gestalt\"\n";

    fn add(text: &str, suites: &[&str]) -> Result<String> {
        let suites = suites.iter().map(|it| (*it).to_owned()).collect();
        with_subject(text.to_owned(), "inspect:a/b", "a/b", &suites)
    }

    #[test]
    fn a_subject_is_added_once_and_comments_stay() {
        let once = add(STUDY, &["a"]).unwrap();
        assert!(once.starts_with("# Ours.") && once.contains("suites = [\"a\"]"), "{once}");
        assert_eq!(add(&once, &["a"]).unwrap(), once);
        let both: toml::Table = toml::from_str(&add(&once, &["b"]).unwrap()).unwrap();
        assert_eq!(both["subject"][1]["suites"].as_array().unwrap().len(), 2);
    }

    #[test]
    fn a_subject_that_the_run_asks_is_left_alone() {
        let study = STUDY.replace("\"gestalt\"", "\"gestalt\"\nname = \"inspect:a/b\"");
        assert!(add(&study, &["a"]).unwrap_err().to_string().contains("asks `inspect:a/b` itself"));
    }
}
