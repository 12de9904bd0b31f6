//! Links between the documents.

use super::{files, read, root};
use std::collections::BTreeSet;
use std::path::{Component, Path, PathBuf};

#[test]
fn every_link_leads_somewhere() {
    let mut dead = Vec::new();
    let pages = ["docs", "crates", "benches", "deploy", "studies"].into_iter().flat_map(|folder| files(folder, ".md"));
    for page in pages.chain(["README.md".to_owned(), "CHANGELOG.md".to_owned()]) {
        let text = without_code(&read(&page));
        dead.extend(
            links(&text).iter().filter_map(|link| problem(&page, link).map(|why| format!("{page}: {link}: {why}"))),
        );
    }
    assert!(dead.is_empty(), "{}", dead.join("\n"));
}

/// The book holds what is below `docs` and nothing else, so its own pages are told apart from what the repository alone has.
#[test]
fn the_summary_names_pages_that_are_there() {
    let summary = read("docs/SUMMARY.md");
    let pages: Vec<String> = links(&summary).into_iter().filter(|link| !link.is_empty()).collect();
    assert!(pages.len() > 20, "{pages:?}");
    let mut seen = BTreeSet::new();
    for page in pages {
        assert!(root().join("docs").join(&page).is_file(), "{page}");
        assert!(seen.insert(page.clone()), "{page} is there twice");
    }
}

/// Pages that are a README of the repository.
#[test]
fn every_page_that_is_another_file_is_there() {
    let mut found = 0;
    for page in files("docs", ".md") {
        let text = read(&page);
        let Some(file) = text.trim().strip_prefix("{{#include ").and_then(|rest| rest.strip_suffix("}}")) else {
            continue;
        };
        let file = plain(&root().join(&page).parent().unwrap().join(file)).unwrap();
        assert!(Path::new("/").join(&file).is_file(), "{page}: {}", file.display());
        found += 1;
    }
    assert!(found > 20, "{found}");
}

/// Why it leads nowhere.
fn problem(page: &str, link: &str) -> Option<String> {
    // Others' pages come and go; a test without a network cannot tell.
    if ["http://", "https://", "mailto:"].iter().any(|start| link.starts_with(start)) {
        return None;
    }
    let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
    let file = if file.is_empty() { PathBuf::from(page) } else { Path::new(page).parent()?.join(file) };
    let Some(file) = plain(&file) else { return Some("it leaves the repository".to_owned()) };
    let path = root().join(&file);
    if !path.exists() {
        return Some("there is no such file".to_owned());
    }
    let is_page = file.extension().is_some_and(|it| it == "md");
    let told = (!anchor.is_empty() && is_page).then(|| shown(&file.to_string_lossy()))?;
    (!anchors(&told).contains(anchor)).then(|| "there is no such heading".to_owned())
}

/// A page with what it includes.
fn shown(page: &str) -> String {
    let text = read(page);
    let folder = Path::new(page).parent().unwrap_or(Path::new(""));
    let included = text.lines().filter_map(|line| line.trim().strip_prefix("{{#include ")?.strip_suffix("}}"));
    let more: String =
        included.filter_map(|file| plain(&folder.join(file))).map(|file| read(&file.to_string_lossy())).collect();
    format!("{text}\n{more}")
}

/// Without `..` in it; `None` where it leaves the repository.
fn plain(path: &Path) -> Option<PathBuf> {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => plain.pop().then_some(())?,
            Component::Normal(part) => plain.push(part),
            _ => {}
        }
    }
    Some(plain)
}

fn without_code(page: &str) -> String {
    let mut is_code = false;
    let mut text = String::new();
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            // What stands between backticks is no link.
            text.extend(line.split('`').enumerate().map(|(at, part)| if at % 2 == 0 { part } else { "" }));
            text.push('\n');
        }
    }
    text
}

/// What stands in `](…)`.
fn links(text: &str) -> Vec<String> {
    let target = |rest: &str| rest.split([')', ' ']).next().unwrap_or_default().to_owned();
    text.split("](").skip(1).map(target).collect()
}

/// What mdBook and GitHub call the headings of a page.
fn anchors(page: &str) -> BTreeSet<String> {
    let headings = page.lines().filter_map(|line| line.strip_prefix('#').map(|rest| rest.trim_start_matches('#')));
    let anchor = |heading: &str| {
        let kept = heading.trim().chars().filter(|it| it.is_alphanumeric() || [' ', '-', '_'].contains(it));
        kept.collect::<String>().to_lowercase().replace(' ', "-")
    };
    headings.map(anchor).collect()
}
