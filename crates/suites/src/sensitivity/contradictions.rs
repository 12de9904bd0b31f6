//! Whether our keys ask for what the case itself forbids: over every board and every intervention that applies to it.

use super::catalog::{Catalog, Entry};
use super::mutate::Applies;
use super::names::to_be_absent;
use super::treatments::Named;
use waterjar_charts::advice::{Reading, avoided};
use waterjar_charts::boards::{Board, ConsensusClass, Formulary, boards};
use waterjar_charts::render;
use waterjar_core::Seed;

/// What is wrong with a key, for one case whose changed chart is `text`.
fn contradictions(entry: &Entry, board: &Board, text: &str) -> Vec<String> {
    let asked = entry.shift.must_add.iter().flat_map(|it| it.split('|')).map(str::trim);
    let asked = asked.filter(|it| to_be_absent(it).is_none());
    let mut found: Vec<String> = asked.flat_map(|one| against(one, entry, board, text)).collect();
    if !may_move(entry, board) {
        found.push("must drop only what the list never had".to_owned());
    }
    found.into_iter().map(|problem| format!("{} {}: {problem}", board.id, entry.id)).collect()
}

/// What of the case speaks against an alternative that the key accepts.
fn against(asked: &str, entry: &Entry, board: &Board, text: &str) -> Vec<String> {
    let refused = board.consensus.iter().filter(|it| it.class == ConsensusClass::Refusal);
    // A class may come without the one drug of it that must not.
    let refused = refused.filter(|it| !entry.shift.must_drop.contains(&it.treatment));
    let refused = refused.filter(|it| {
        let same = Named::in_text(asked).is(&it.treatment) || Named::in_text(&it.treatment).is(asked);
        same && !turned_over(entry, &it.reason)
    });
    let mut found: Vec<String> =
        refused.map(|it| format!("accepts {asked}, and the list refuses {}: {}", it.treatment, it.reason)).collect();
    let formulary = Formulary::get().unwrap();
    let avoided = avoided(&Reading::of(text)).unwrap();
    let drugs = formulary.drugs_of(asked);
    let of_class: Vec<&str> = formulary.drugs().filter(|(_, drug)| drug.class == asked).map(|(drug, _)| drug).collect();
    let is_avoided = match drugs.is_empty() {
        true => !of_class.is_empty() && of_class.iter().all(|drug| avoided.contains(*drug)),
        false => drugs.iter().any(|drug| avoided.contains(*drug)),
    };
    if is_avoided {
        found.push(format!("accepts {asked}, which must not be given to this patient"));
    }
    found
}

/// A refusal that rests on the marker that is changed, or on the drug that must go, is no refusal any more.
fn turned_over(entry: &Entry, reason: &str) -> bool {
    let marker = entry.changes.as_deref().and_then(|it| it.strip_prefix("biomarker "));
    let by_marker = match marker {
        Some("MMR") => reason.contains("mismatch repair") || reason.contains("microsatellite"),
        Some(marker) => reason.contains(marker),
        None => false,
    };
    let because = Named::in_text(reason);
    let by_drug = entry.shift.must_drop.iter().flat_map(|it| it.split('|')).any(|gone| because.is(gone));
    by_marker || by_drug
}

/// Where nothing but a drop is declared, the board must have had something of it.
fn may_move(entry: &Entry, board: &Board) -> bool {
    let shift = &entry.shift;
    if !(shift.must_add.is_empty() && shift.timing.is_empty() && shift.rationale.is_empty()) {
        return true;
    }
    let had = board.consensus.iter().filter(|it| it.class != ConsensusClass::Refusal);
    let had: Vec<Named> = had.map(|it| Named::in_text(&it.treatment)).collect();
    shift.must_drop.iter().flat_map(|it| it.split('|')).any(|gone| had.iter().any(|named| named.is(gone)))
}

fn found(catalog: &Catalog, is_for: impl Fn(&Board) -> bool) -> Vec<String> {
    let mut found = Vec::new();
    for board in boards(Seed(7)).unwrap().map(|it| it.unwrap()).filter(is_for) {
        let text = render(&board.chart).text;
        for entry in &catalog.entries {
            if entry.applies(Some(board.facts.cancer.name()), &text) == Applies::Yes {
                found.extend(contradictions(entry, &board, &entry.mutate(&text).unwrap().text));
            }
        }
    }
    found
}

#[test]
fn no_key_asks_for_what_its_case_forbids() {
    assert_eq!(found(&Catalog::ours(), |_| true), Vec::<String>::new());
}

#[test]
fn what_may_be_absent_in_our_keys_is_known_by_that_name() {
    let catalog = Catalog::ours();
    let asked = catalog.entries.iter().flat_map(|entry| &entry.shift.must_add).flat_map(|it| it.split('|'));
    let absent: Vec<&str> = asked.map(str::trim).filter(|it| it.starts_with("no ")).collect();
    assert_eq!(absent, ["no fluoropyrimidine"]);
    assert!(absent.iter().all(|it| to_be_absent(it).is_some()));
    assert_eq!(to_be_absent("no adjuvant treatment"), None, "words that are looked for as they stand");
}

/// An entry of one insertion on one board.
fn check(board: &str, insert: &str, expected: &str, problem: &str) {
    let text = format!(
        "- id: x\n  family: B\n  applicability: {{}}\n  mutation: {{ insert: '{insert}' }}\n  expected_change: {expected}\n  scoring_rule: x\n"
    );
    let told = found(&Catalog::parse("x", &text).unwrap(), |it| it.id == board);
    assert!(told.iter().any(|it| it.contains(problem)), "{board} {expected}: {told:?}");
}

#[test]
fn a_key_that_asks_for_what_its_case_forbids_is_found() {
    check("melanoma-02", "x", "{ must_add: [lifileucel | dabrafenib] }", "the list refuses dabrafenib");
    check("breast-03", "x", "{ must_add: [pembrolizumab | paclitaxel] }", "the list refuses pembrolizumab");
    check("breast-03", "x", "{ must_add: [olaparib] }", "must not be given");
    check("breast-04", "x", "{ must_drop: [pembrolizumab] }", "never had");
    let allergy = "{date+3} [Allergy] Allergic to paclitaxel: anaphylaxis";
    check("ovarian-02", allergy, "{ must_add: [docetaxel | gemcitabine] }", "accepts docetaxel");
    check("bladder-02", "x", "{ must_add: [cisplatin] }", "reduced kidney function");
}
