//! `waterjar report`

use crate::sample::Desk;
use waterjar_core::metric::Share;
use waterjar_core::{FamilyId, Metric, Shares, SuiteId};
use waterjar_store::{Mode, Store};

#[test]
fn tables_are_written_beside_the_page() {
    let desk = Desk::with_shared_run();
    let ended = desk.done("report run --format csv,latex,markdown");
    for (name, says) in [
        ("einstellung.csv", "plain@gestalt"),
        ("einstellung.tex", "\\begin{tabular}"),
        ("einstellung.tex", "\\caption{Suite einstellung, study "),
        ("einstellung.tex", "\\label{tab:einstellung-results-1}"),
        ("einstellung.md", "| plain@gestalt"),
    ] {
        assert!(desk.read(&format!("run/{name}")).contains(says), "{name}:\n{}", desk.read(&format!("run/{name}")));
        assert!(ended.stderr.contains(&format!("wrote run/{name}")), "{}", ended.stderr);
    }
    assert_eq!(ended.stdout, "");
}

/// In the column of `baseline_accuracy`.
fn is_bold(table: &str, subject: &str) -> bool {
    let row = table.lines().find(|line| line.starts_with(&format!("| {subject} "))).unwrap();
    row.split('|').nth(4).unwrap().contains("**")
}

/// Everybody was asked everything, so that the order of the figures is that of the test.
#[test]
fn bold_are_the_best_and_whom_compare_does_not_tell_from_it() {
    let desk = Desk::with_shared_run();
    desk.done("report run --format markdown");
    let table = desk.read("run/einstellung.md");
    let results = desk.json("run/metrics.json")["results"].as_array().unwrap().clone();
    let rate = |it: &serde_json::Value| it["metrics"]["baseline_accuracy"]["value"].as_f64().unwrap();
    let of_suite = |it: &&serde_json::Value| it["suite"] == "einstellung" && it["reference"].is_null();
    let competing: Vec<&serde_json::Value> = results.iter().filter(of_suite).collect();
    let most = competing.iter().map(|it| rate(it)).fold(0.0, f64::max);
    let best = competing.iter().find(|it| rate(it) == most).unwrap()["subject"].as_str().unwrap();
    assert!(is_bold(&table, best), "{table}");
    let compared = desk.done(&format!("compare run --against {best} --metric baseline_accuracy --json")).json();
    assert_eq!(compared.as_array().unwrap().len(), competing.len() - 1);
    for it in compared.as_array().unwrap() {
        let is_told = it["holm_p"].as_f64().unwrap() < 0.05;
        assert_eq!(is_bold(&table, it["subject"].as_str().unwrap()), !is_told, "{it}\n{table}");
    }
    assert!(table.contains("\nBold: the best of its column, and whoever the exact paired test"), "{table}");
}

/// Six families tell two subjects apart, and would not if the test of a third were corrected for.
#[test]
fn who_has_too_few_cases_to_be_ranked_costs_the_best_no_mark() {
    let desk = Desk::with_shared_run();
    of_accuracy(&desk, &[("plain@gestalt", 20, 20), ("plain@logit", 14, 20), ("plain@neighbours", 4, 4)]);
    desk.done("report run --format markdown");
    let table = desk.read("run/einstellung.md");
    for (subject, marked) in [("plain@gestalt", true), ("plain@logit", false), ("plain@neighbours", false)] {
        assert_eq!(is_bold(&table, subject), marked, "{subject}: {table}");
    }
}

/// As if nothing were known of `run` but on how many controls, of the same so many, these were right.
fn of_accuracy(desk: &Desk, subjects: &[(&str, usize, usize)]) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let store = Store::open(desk.path("run/run.sqlite"), Mode::Existing).await.unwrap();
        for mut result in store.results(&SuiteId::from("einstellung")).await.unwrap() {
            result.metrics.clear();
            let mut shares = Shares::default();
            if let Some((_, right, n)) = subjects.iter().find(|(subject, ..)| *subject == result.subject.as_str()) {
                let value = Some(*right as f64 / *n as f64);
                let metric = Metric { value, n: *n as u64, ..Metric::default() };
                result.metrics.insert("baseline_accuracy".to_owned(), metric);
                for at in 0..*n {
                    let part = if at < *right { 1.0 } else { 0.0 };
                    let family = FamilyId::new(format!("f{at}"));
                    shares.push("baseline_accuracy", &Share::new(family, part, 1.0));
                }
            }
            store.replace_result(&result, &shares).await.unwrap();
        }
        store.close().await;
    });
}

#[test]
fn the_page_is_written_again_the_same() {
    let desk = Desk::with_shared_run();
    let before = desk.read("run/report.html");
    std::fs::remove_file(desk.path("run/report.html")).unwrap();
    desk.done("report run");
    assert!(desk.read("run/report.html") == before);
}

#[test]
fn the_page_needs_nothing_from_outside() {
    let page = Desk::with_shared_run().read("run/report.html");
    for outside in ["<link ", "src=\"http", "href=\"http", "@import", "url(http"] {
        assert!(!page.contains(outside), "{outside}");
    }
    for told in ["plain@gestalt", "plain@reference", "not for patient care"] {
        assert!(page.contains(told), "{told}");
    }
}

#[test]
fn fewer_families_make_a_smaller_page() {
    let desk = Desk::with_shared_run();
    let all = desk.read("run/report.html").len();
    desk.done("report run --families 2");
    assert!(desk.read("run/report.html").len() < all / 2);
}

#[test]
fn every_figure_is_a_file_with_its_numbers_beside_it() {
    let desk = Desk::with_shared_run();
    let ended = desk.done("report run --figures svg,png");
    assert!(ended.stderr.contains("figures to run/figures"), "{}", ended.stderr);
    let names = desk.names("run/figures");
    let ids: std::collections::BTreeSet<&str> =
        names.iter().filter_map(|name| name.rsplit_once('.').map(|it| it.0)).collect();
    assert!(ids.contains("einstellung-trap-rates") && ids.contains("parity-sts-1"), "{names:?}");
    for id in ids {
        let svg = desk.read(&format!("run/figures/{id}.svg"));
        assert!(svg.starts_with("<svg ") && svg.contains("<title>"), "{id}");
        let (suite, _) = id.split_once('-').unwrap();
        assert!(svg.contains(&format!(">Suite {suite} ·")), "{id} does not say where it is from");
        let csv = desk.read(&format!("run/figures/{id}.csv"));
        assert!(csv.starts_with("panel,row,column,value,low,high,n\n") && csv.lines().count() > 1, "{id}: {csv}");
        let png = std::fs::read(desk.path(&format!("run/figures/{id}.png"))).unwrap();
        assert!(png.starts_with(b"\x89PNG") && png.len() > 2_000, "{id}: {} bytes", png.len());
    }
    // The numbers are those of the run, to a millionth.
    let rates = desk.read("run/figures/einstellung-trap-rates.csv");
    let metrics = desk.json("run/metrics.json");
    let rate = metrics["results"][0]["metrics"]["bias_trap_rate"]["value"].as_f64().unwrap();
    let mut written = rates.lines().skip(1).filter_map(|line| line.split(',').nth(3)?.parse::<f64>().ok());
    assert!(written.any(|it| (it - rate).abs() < 1e-6), "{rates}\n{rate}");
    let digits = |field: &str| field.split_once('.').map_or(0, |(_, after)| after.len());
    assert!(rates.lines().flat_map(|line| line.split(',').skip(3)).all(|field| digits(field) <= 6), "{rates}");
}
