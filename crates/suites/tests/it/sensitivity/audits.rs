//! What the audit finds in a changed chart: nothing changed, something was missed, nobody would believe it.

use waterjar_charts::boards::{Board, boards, claims};
use waterjar_charts::render;
use waterjar_core::Seed;
use waterjar_suites::sensitivity::audit::{Auditor, Finder, NoOp, VariantAudit, no_op};
use waterjar_suites::sensitivity::catalog::Catalog;

fn board(id: &str) -> Board {
    boards(Seed(7)).unwrap().map(|it| it.unwrap()).find(|board| board.id == id).unwrap()
}

fn audit(entry: &str, board: &Board, text: &str) -> VariantAudit {
    let catalog = Catalog::ours();
    let entry = catalog.entry(entry).unwrap();
    let made = entry.mutate(text).unwrap();
    Auditor::new(&catalog).audit(entry, &made, &claims(&board.facts)).unwrap()
}

#[test]
fn a_flip_that_reached_every_mention_is_clean() {
    let board = board("breast-01");
    let found = audit("her2-lost-breast", &board, &render(&board.chart).text);
    assert!(found.is_clean(), "{found:#?}");
    assert!(found.edited >= 5, "{}", found.edited);
}

#[test]
fn a_planted_mention_under_another_name_is_found() {
    let board = board("breast-01");
    let text = format!("{}\n2025-06-01 [Note] Outside slides: ERBB2-positive.\n", render(&board.chart).text.trim_end());
    let found = audit("her2-lost-breast", &board, &text);
    assert_eq!(found.residue.len(), 1, "{found:#?}");
    assert_eq!(found.residue[0].by, Finder::Synonym);
    assert!(found.residue[0].said.contains("ERBB2-positive"));
    assert_eq!(found.residue[0].line, text.lines().count());
}

#[test]
fn a_mention_that_only_the_boards_own_claims_know_is_found() {
    let board = board("breast-01");
    let text =
        format!("{}\n2025-06-01 [Note] HER2 status: positive, as before.\n", render(&board.chart).text.trim_end());
    let found = audit("her2-lost-breast", &board, &text);
    assert_eq!(found.residue.iter().map(|it| it.by).collect::<Vec<_>>(), [Finder::Claim], "{found:#?}");
}

#[test]
fn a_stage_in_words_the_edits_do_not_know_is_found() {
    let board = board("pancreatic-01");
    let packet = render(&board.chart).text;
    assert!(audit("spread-pancreatic", &board, &packet).is_clean());
    let text = format!("{}\n2025-06-01 [Note] Tumor registry: stage group IB.\n", packet.trim_end());
    let found = audit("spread-pancreatic", &board, &text);
    assert_eq!(found.residue.iter().map(|it| it.by).collect::<Vec<_>>(), [Finder::Claim], "{found:#?}");
}

#[test]
fn a_curative_operation_in_a_metastatic_chart_is_incoherent() {
    let board = board("pancreatic-03");
    let found = audit("resection-inserted", &board, &render(&board.chart).text);
    assert_eq!(found.incoherent, ["a curative operation is put into a metastatic chart"]);
    assert!(found.residue.iter().any(|it| it.said.contains("not resectable")));
}

#[test]
fn an_entry_that_tells_of_a_day_after_its_own_is_incoherent() {
    let text = "- id: x\n  family: D\n  applicability: {}\n  mutation: { replace: 'planned', with: 'done 2024-05-02' }\n  \
                expected_change: { must_drop: [cystectomy] }\n  scoring_rule: x\n";
    let catalog = Catalog::parse("x", text).unwrap();
    let chart = "== Procedures ==\nplanned\n\n== Chronology ==\n2024-03-09 [Note] planned\n2024-06-01 [Note] planned\n";
    let made = catalog.entries[0].mutate(chart).unwrap();
    let found = Auditor::new(&catalog).audit(&catalog.entries[0], &made, &[]).unwrap();
    assert_eq!(found.incoherent, ["the entry of 2024-03-09 tells what happens on 2024-05-02"]);
}

#[test]
fn a_drug_that_needs_the_lost_marker_makes_the_change_incoherent() {
    for (entry, id) in [("her2-lost-breast", "breast-06"), ("er-lost", "breast-02")] {
        let board = board(id);
        let found = audit(entry, &board, &render(&board.chart).text);
        assert!(!found.incoherent.is_empty(), "{entry} on {id}: {found:#?}");
    }
}

#[test]
fn a_detail_with_commas_goes_with_its_marker() {
    let board = board("ovarian-03");
    let catalog = Catalog::ours();
    let made = catalog.entry("folr-lost").unwrap().mutate(&render(&board.chart).text).unwrap();
    let told = made.text.lines().filter(|line| line.to_lowercase().contains("folate receptor alpha"));
    for line in told {
        assert!(!line.contains("2+ or more"), "{line}");
    }
}

#[test]
fn a_change_of_letters_is_not_a_change() {
    let catalog = |with: &str| {
        let text = format!(
            "- id: x\n  family: C\n  applicability: {{ positive: ['HER2'] }}\n  mutation: {{ type: replace, pattern: 'HER2: positive', \
             replacement: '{with}' }}\n  expected_change: {{ must_drop: [trastuzumab] }}\n  scoring_rule: x\n"
        );
        Catalog::parse("x", &text).unwrap()
    };
    let check = |chart: &str, with: &str, expected: Option<NoOp>| {
        let catalog = catalog(with);
        let made = catalog.entries[0].mutate(chart).unwrap();
        assert_eq!(no_op(chart, &made), expected, "{chart} → {}", made.text);
    };
    check("HER2 is positive.", "HER2: negative", Some(NoOp::Textual));
    check("HER2: positive.", "HER2 - POSITIVE", Some(NoOp::Semantic));
    check("HER2: positive.", "HER2: negative", None);
}

/// One entry, one mutation, on one board.
fn changed(board: &Board, family: &str, positive: &str, replace: &str, with: &str) -> VariantAudit {
    let text = format!(
        "- id: x\n  family: {family}\n  applicability: {{ positive: ['{positive}'] }}\n  mutation: {{ replace: '{replace}', with: '{with}' }}\n  \
         expected_change: {{ must_drop: [x] }}\n  scoring_rule: x\n"
    );
    let catalog = Catalog::parse("x", &text).unwrap();
    let made = catalog.entries[0].mutate(&render(&board.chart).text).unwrap();
    Auditor::new(&catalog).audit(&catalog.entries[0], &made, &[]).unwrap()
}

#[test]
fn a_pregnancy_that_stands_still_or_is_scanned_is_not_believed() {
    let found = changed(
        &board("breast-01"),
        "pregnancy",
        "pregnant",
        "(?i)(?:negative \\()?not pregnant\\)?",
        "pregnant, 14 weeks",
    );
    let told = found.incoherent.join("; ");
    assert!(
        told.contains("a CT or PET of 2025-04-28") && told.contains("at 14 weeks on 2025-04-26 and still on"),
        "{told}"
    );
}

#[test]
fn what_was_two_weeks_ago_is_not_so_for_years() {
    let found = changed(
        &board("colorectal-06"),
        "anticoagulation",
        "anticoag",
        "(?i)no anticoagulant|not anticoagulated",
        "on apixaban, with a major bleed two weeks ago",
    );
    assert!(found.incoherent.iter().any(|why| why.starts_with("`two weeks ago` is told on")), "{:?}", found.incoherent);
}

#[test]
fn nobody_begins_an_ace_inhibitor_in_a_pregnancy() {
    let found =
        changed(&board("breast-03"), "organ", "pregnant", "No other chronic illness is known", "Ramipril was begun");
    assert_eq!(found.incoherent, ["a drug that harms an unborn child is begun in a pregnancy"]);
}

#[test]
fn the_new_fact_is_nothing_left_behind() {
    let board = board("breast-01");
    let found = changed(&board, "A", "HER2", "(?i)HER2(: |-| is | )positive(?: \\([^)]*\\))?", "HER2${1}negative");
    assert_eq!(found.residue, [], "the name of the gene is in the new fact too");
    let found = changed(&board, "A", "(?i)HER2(?:: |-| is | )positive", "HER2: positive[^\\n]*", "HER2: negative");
    assert!(!found.residue.is_empty(), "what the pattern still finds is the old fact");
}
