//! The map of the crates and the edges between them, against the manifests.

use super::{fences, read, root};
use std::collections::{BTreeMap, BTreeSet};

/// Who may use whom.
type Edges = BTreeMap<String, BTreeSet<String>>;

const PAGE: &str = "docs/architecture.md";

/// Every member by the name of its folder, with those of ours that its manifest names. What tests need is no edge.
fn edges_of_manifests() -> Edges {
    let entries = std::fs::read_dir(root().join("crates")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let folders =
        names.map(|name| (format!("crates/{name}"), name)).chain([("python".to_owned(), "python".to_owned())]);
    let of = |(folder, name): (String, String)| {
        let manifest: toml::Table = toml::from_str(&read(&format!("{folder}/Cargo.toml"))).unwrap();
        let used = manifest.get("dependencies").and_then(|it| it.as_table()).map(|it| it.keys()).into_iter().flatten();
        (name, used.filter_map(|it| it.strip_prefix("waterjar-")).map(str::to_owned).collect())
    };
    folders.map(of).collect()
}

/// `a, b → c, d (why)`, a line each; `everything but e` is all the others.
fn edges_of_page(page: &str, known: &Edges) -> Edges {
    let fence = fences(page).into_iter().find(|it| it.text.contains(" → ")).unwrap();
    let mut edges = Edges::new();
    for line in fence.text.lines() {
        let (users, used) = line.split_once(" → ").unwrap_or_else(|| panic!("{PAGE}: no arrow in `{line}`"));
        for user in names(users) {
            let used = match used.strip_prefix("everything but ") {
                None => names(used),
                Some(but) => {
                    let but: BTreeSet<String> = names(but).into_iter().chain([user.clone()]).collect();
                    known.keys().filter(|it| !but.contains(*it)).cloned().collect()
                }
            };
            assert!(edges.insert(user.clone(), used).is_none(), "{PAGE}: `{user}` stands before two arrows");
        }
    }
    edges
}

/// Without what is said of them in brackets.
fn names(list: &str) -> BTreeSet<String> {
    let without = |it: &str| it.split(" (").next().unwrap_or_default().trim().to_owned();
    list.split(", ").map(without).collect()
}

/// What the page lacks, and what it has too much.
fn problems(page: &Edges, manifests: &Edges) -> Vec<String> {
    let pairs = |edges: &Edges| -> BTreeSet<String> {
        edges.iter().flat_map(|(user, used)| used.iter().map(move |it| format!("{user} → {it}"))).collect()
    };
    let (told, true_ones) = (pairs(page), pairs(manifests));
    let missing = true_ones.difference(&told).map(|it| format!("missing: {it}"));
    let too_much = told.difference(&true_ones).map(|it| format!("too much: {it}"));
    missing.chain(too_much).collect()
}

#[test]
fn the_edges_are_those_of_the_manifests() {
    let manifests = edges_of_manifests();
    assert!(manifests.len() > 20, "{manifests:?}");
    let problems = problems(&edges_of_page(&read(PAGE), &manifests), &manifests);
    assert!(problems.is_empty(), "{PAGE}:\n{}", problems.join("\n"));
}

#[test]
fn the_map_has_every_crate() {
    let page = read(PAGE);
    for name in edges_of_manifests().keys() {
        assert!(page.contains(&format!("\n| `{name}` |")), "{PAGE} has no row for `{name}`");
    }
}

#[test]
fn an_edge_that_is_missing_or_too_much_is_told() {
    let uses = |user: &str, used: &[&str]| (user.to_owned(), used.iter().map(|it| (*it).to_owned()).collect());
    let manifests = Edges::from([uses("core", &[]), uses("store", &["core"]), uses("cli", &["core", "store"])]);
    let told = |lines: &str| problems(&edges_of_page(&format!("```\n{lines}\n```\n"), &manifests), &manifests);
    assert_eq!(told("store → core (its nouns)\ncli → everything but nobody"), Vec::<String>::new());
    assert_eq!(told("store → cli\ncli → core, store"), ["missing: store → core", "too much: store → cli"]);
}
