//! Which real items belong to one sex, by hand, against what the rules refuse.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and says what it saw or that it was skipped"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use waterjar_vignettes::import::Kind;
use waterjar_vignettes::{Import, ImportOptions, NotApplicable, Vignette, Who, Wording, reword};

/// File, id, and `bound`, `free` or `unclear`. Looked through were all items with one of some 150 words that may speak of a sex, chosen
/// wider than the rules' own; of the others what is refused must be nothing.
const LABELS: &str = include_str!("fixtures/sex_bound.tsv");

fn kind(file: &str) -> Kind {
    match file.split('/').next().unwrap() {
        "medqa-us" => Kind::MedQa,
        "diversity-medqa" => Kind::DiversityMedQa,
        "mediq" => Kind::MediQ,
        "craft-md" => Kind::CraftMd,
        "agentclinic" => Kind::AgentClinic,
        other => panic!("{other}"),
    }
}

fn items(data: &Path, file: &str) -> Vec<Vignette> {
    Import::open(kind(file), &data.join(file), &ImportOptions::default()).unwrap().map(Result::unwrap).collect()
}

/// A text that tells no sex has no swap either, and that is another matter.
fn is_bound(refused: &NotApplicable) -> bool {
    !refused.terms.is_empty()
}

#[test]
fn real_items_of_one_sex_are_refused_and_others_are_not() {
    let Some(data) = std::env::var_os("WATERJAR_TEST_DATA").map(PathBuf::from) else {
        eprintln!("skipped: WATERJAR_TEST_DATA is not set");
        return;
    };
    let mut labels: BTreeMap<&str, BTreeMap<&str, &str>> = BTreeMap::new();
    for line in LABELS.lines() {
        let cells: Vec<&str> = line.split('\t').collect();
        labels.entry(cells[0]).or_default().insert(cells[1], cells[2]);
    }
    let (mut refused_rightly, mut passed, mut refused_wrongly, mut seen) = (0, Vec::new(), Vec::new(), 0);
    for (file, labels) in &labels {
        for vignette in items(&data, file) {
            let refused = reword(&vignette, Wording::Swapped, Who::Patient).err();
            let label = labels.get(vignette.id.as_str());
            seen += usize::from(label.is_some());
            match (label.copied(), refused) {
                (Some("bound"), Some(_)) => refused_rightly += 1,
                (Some("bound"), None) => passed.push(format!("{file} {}", vignette.id)),
                (Some("unclear"), _) | (_, None) => {}
                (_, Some(no)) if !is_bound(&no) => {}
                (_, Some(no)) => refused_wrongly.push(format!("{file} {}: {}", vignette.id, no.why)),
            }
        }
    }
    assert_eq!(seen, LABELS.lines().count(), "every label has its item");
    let share = |part: usize, other: usize| 100.0 * part as f64 / (part + other) as f64;
    let (recall, precision) = (share(refused_rightly, passed.len()), share(refused_rightly, refused_wrongly.len()));
    eprintln!("recall {recall:.1} %, precision {precision:.1} %: {refused_rightly} refused rightly");
    eprintln!("passed: {passed:#?}\nrefused wrongly: {refused_wrongly:#?}");
    assert!(passed.is_empty(), "every item of one sex is refused");
    assert!(precision >= 97.0);
}
