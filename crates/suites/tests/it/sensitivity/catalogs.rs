//! Catalogs: everything wrong is told at once, ours covers its families, published ones load as they are.

use std::collections::BTreeSet;
use waterjar_charts::{boards::boards, render};
use waterjar_core::Seed;
use waterjar_suites::sensitivity::catalog::{Catalog, FamilyOf};
use waterjar_suites::sensitivity::mutate::Applies;

pub const PUBLISHED: &str = include_str!("../../fixtures/published.yaml");

#[test]
fn every_fault_of_a_catalog_is_told_at_once_with_its_line() {
    let text = r#"- id: one
  family: Z
  applicability: { cancer_types: [lung], positive: ['(unclosed'] }
  mutation: { type: replace, pattern: 'a' }
  expected_change: { must_drop: [osimertinib] }
  scoring_rule: { 1.0: yes }
- id: two
  family: A
  applicability: { positive: ['(?:(?!x)a|a)*b'] }
  mutation: { type: swap, pattern: 'a' }
  expected_change: {}
- id: two
  family: B
  applicability: { positivity: x }
  mutation: { type: insert }
  expected_change: { timing_must_shift: soon }
  scoring_rule: x
"#;
    let faults = Catalog::parse("test.yaml", text).unwrap_err().faults;
    let told = |line: u64, words: &str| {
        assert!(
            faults.iter().any(|(at, problem)| *at == line && problem.contains(words)),
            "{line}: {words} in {faults:#?}"
        );
    };
    told(2, "no family is called `Z`");
    told(3, "unclosed group");
    told(4, "no `replacement`");
    told(9, "too many steps");
    told(10, "no mutation is called `swap`");
    told(11, "expects nothing");
    told(7, "has no `scoring_rule`");
    told(14, "no field `positivity`");
    told(15, "no `text`");
    told(16, "no shift of timing");
    assert!(faults.is_sorted(), "in the order of the file");
}

/// An entry with one thing about it changed.
fn entry(id: &str, applies: &str, mutation: &str, expected: &str) -> String {
    format!(
        "- id: {id}\n  family: A\n  applicability: {applies}\n  mutation: {mutation}\n  expected_change: {expected}\n  scoring_rule: x\n"
    )
}

#[test]
fn what_would_go_wrong_without_a_word_is_a_fault_with_its_line() {
    let (applies, mutation, expected) =
        ("{ positive: ['HER2'] }", "{ replace: 'HER(2)', with: '$1' }", "{ must_drop: [trastuzumab] }");
    assert!(Catalog::parse("x", &entry("x", applies, mutation, expected)).is_ok());
    let tagged = "{ insert: '{date+30} {labs} [Note] x', after: 'HER2' }";
    assert!(Catalog::parse("x", &entry("x", applies, tagged, expected)).is_ok());
    let check = |text: String, line: u64, words: &str| {
        let faults = Catalog::parse("x", &text).unwrap_err();
        let told = faults.faults.iter().any(|(at, problem)| *at == line && problem.contains(words));
        assert!(told, "{words}: {faults}");
        assert_eq!(faults.faults.len(), 1, "{faults}");
        assert!(faults.to_string().starts_with("the catalog has a fault:"), "{faults}");
    };
    check(entry("control", applies, mutation, expected), 1, "what the unchanged chart is called");
    check(entry("''", applies, mutation, expected), 1, "without an `id`");
    check(entry(&"x".repeat(200), applies, mutation, expected), 1, "at most 100 letters");
    check(entry("x", "{ cancer_types: [breats] }", mutation, expected), 3, "no cancer is called `breats`");
    check(entry("x", "{ positive: [''] }", mutation, expected), 3, "an empty pattern");
    check(entry("x", "{ positive: ['(?s)(?=.*BRCA1)HER2'] }", mutation, expected), 3, "`.{0,200}`");
    check(entry("x", applies, "{ replace: ['HER2', 'ER'], with: 'x' }", expected), 4, "one `pattern`");
    check(entry("x", applies, "{ insert: ['a', 'b'] }", expected), 4, "one `text`");
    check(entry("x", applies, "{ replace: 'HER(2)', with: '$1x' }", expected), 4, "write `${1}`");
    check(entry("x", applies, "{ replace: 'HER(2)', with: '$7' }", expected), 4, "no group `7`");
    check(entry("x", applies, "{ replace: 'HER(2)', with: '${foo}' }", expected), 4, "no group `foo`");
    check(entry("x", applies, "{ replace: 'x*', with: 'y' }", expected), 4, "where nothing stands");
    check(entry("x", applies, "{ delete: 'x?' }", expected), 4, "where nothing stands");
    check(entry("x", applies, mutation, "{ must_drop: [''] }"), 5, "empty word");
    check(entry("x", applies, "{ replace: 'HER(2)', with: '{datum}' }", expected), 4, "nobody fills `{datum}`");
    check(entry("x", applies, "{ replace: 'HER(2)', with: '{date-10}' }", expected), 4, "nobody fills `{date-10}`");
    check(entry("x", applies, "{ insert: '{date+999999999} x' }", expected), 4, "no day");
    check(entry("x", applies, "{ replace: 'HER(2)', with: '${1' }", expected), 4, "never closed");
    check(entry("x", applies, "{ insert: '${1} x', after: 'HER(2)' }", expected), 4, "has no groups");
    let fan = "{ replace: 'e(?s:(.{0,900})(.{0,900})\\1QQ|)', with: 'E' }";
    check(entry("x", applies, fan, expected), 4, "again and again");
    check(entry("x", "{ positive: ['(?s)[a-z].{0,5000}\\x00'] }", mutation, expected), 3, "2,000 letters");
    check(entry("x", applies, "{ replace: '(?s).*zzz|e', with: 'E' }", expected), 4, "every place");
    check(entry("x", "{ positive: ['(?=.*a)*b'] }", mutation, expected), 3, "repeat");
    check(entry("x", applies, mutation, "{ must_add: ['a | '] }"), 5, "empty word");
    let both = "{ must_drop: [PD-1 inhibitor], must_add: [FOLFOX | pembrolizumab] }";
    check(entry("x", applies, mutation, both), 5, "`pembrolizumab` may come and holds `PD-1 inhibitor`");
}

#[test]
fn entries_share_what_differs_in_a_word() {
    let text = "- id: one\n  family: A\n  applicability: { positive: ['{gene} mutated'] }\n  words: { gene: EGFR }\n  mutation: &lost\n    - { \
                replace: '{gene} mutated', with: '{gene} wild-type' }\n  expected_change: { must_drop: [osimertinib] }\n  scoring_rule: \
                x\n- id: two\n  family: A\n  applicability: {}\n  words: { gene: KRAS }\n  mutation: *lost\n  expected_change: { \
                must_drop: [sotorasib] }\n  scoring_rule: x\n";
    let catalog = Catalog::parse("x", text).unwrap();
    let chart = "EGFR mutated, KRAS mutated, {gene} mutated";
    assert_eq!(catalog.entries[0].mutate(chart).unwrap().text, chart.replacen("EGFR mutated", "EGFR wild-type", 1));
    assert_eq!(catalog.entries[1].mutate(chart).unwrap().text, chart.replacen("KRAS mutated", "KRAS wild-type", 1));
}

#[test]
fn our_catalog_covers_every_family_and_every_entry_applies_to_some_board() {
    let catalog = Catalog::ours();
    assert!(catalog.entries.len() >= 20, "{}", catalog.entries.len());
    let families: BTreeSet<FamilyOf> = catalog.entries.iter().map(|entry| entry.family).collect();
    assert_eq!(families, FamilyOf::ALL.into_iter().collect());
    let charts: Vec<(String, String)> = boards(Seed(7))
        .unwrap()
        .map(|board| board.unwrap())
        .map(|board| (board.facts.cancer.name().to_owned(), render(&board.chart).text))
        .collect();
    for entry in &catalog.entries {
        let applies = |(cancer, text): &(String, String)| entry.applies(Some(cancer), text) == Applies::Yes;
        assert!(charts.iter().any(applies), "{} applies to no board", entry.id);
    }
}

#[test]
fn a_key_takes_no_answer_away_for_what_the_chart_does_not_say() {
    let catalog = Catalog::ours();
    let check = |id: &str, cancer: &str, text: &str, expected: bool| {
        let entry = catalog.entry(id).unwrap();
        assert_eq!(entry.applies(Some(cancer), text) == Applies::Yes, expected, "{id}: {text}");
    };
    // Cisplatin is none only where the kidneys are told to be poor.
    for (kidneys, poor) in [
        ("", false),
        ("eGFR 85", false),
        ("eGFR 52 mL/min", false),
        ("creatinine clearance 85", false),
        ("eGFR 105", false),
        ("eGFR 42 mL/min", true),
        ("Creatinine clearance of 38", true),
        ("eGFR 28 mL/min/1.73 m2", true),
        ("eGFR 28.4 mL/min/1.73m²", true),
        ("eGFR < 30", true),
        // The digits of a unit, of a day or of a stage are no value.
        ("eGFR (mL/min/1.73 m2): 84", false),
        ("eGFR (mL/min/1.73 m2): 36", true),
        ("eGFR [mL/min/1.73_m2] 36", true),
        ("eGFR (2024-03-28): 84 mL/min", false),
        ("eGFR on 3/28/2024: 84", false),
        ("eGFR on 3/28/2024: 36", true),
        ("eGFR of 28.3.2024: 84", false),
        ("eGFR (28 Mar 2024): 84", false),
        ("eGFR (28 Mar 2024): 36", true),
        ("eGFR on March 28, 2024: 84", false),
        ("eGFR on March 28, 2024 (mL/min/1.73 m2): 36", true),
        ("eGFR 4 weeks ago 84", false),
        ("eGFR category G2, 84", false),
        ("eGFR >45", false),
        ("eGFR >= 45", false),
        ("eGFR >=45 mL/min", false),
        ("Creatinine clearance (24 h urine): 84 mL/min", false),
        ("Creatinine clearance (24 h urine): 36 mL/min", true),
        // Nor are those of a month's day, of a time, of a visit or of a formula.
        ("eGFR (28-Mar-2024): 84", false),
        ("eGFR (28-Mar-2024): 36", true),
        ("eGFR (March 28): 84", false),
        ("eGFR on March 28 was 84", false),
        ("eGFR on 28 March: 84", false),
        ("eGFR (2024-03-28 10:30): 84", false),
        ("eGFR at 10:30: 84", false),
        ("eGFR at 10:30: 36", true),
        ("eGFR (cycle 2): 84", false),
        ("eGFR (cycle 2) 36", true),
        ("eGFR (C2D1): 84", false),
        ("eGFR (day 12): 84", false),
        ("eGFR on day 12: 36", true),
        ("eGFR (CKD-EPI 2021): 84", false),
        ("eGFR (CKD-EPI 2021): 36", true),
        ("eGFR (CKD-EPI 2021) 36 mL/min", true),
        // A day may lack its year, stand in other signs, or be today.
        ("eGFR on 28 March: 36", true),
        ("eGFR 28 March was 84", false),
        ("eGFR 28 March was 36", true),
        ("eGFR 28 March 84", false),
        ("eGFR on 28th March: 84", false),
        ("eGFR on the 28th of March: 36", true),
        ("eGFR on 3 May: 36", true),
        ("eGFR 28-Mar: 84", false),
        ("eGFR 28-MAR-2024: 84", false),
        ("eGFR 28-MAR-2024: 36", true),
        ("eGFR 3/28: 84", false),
        ("eGFR 28/3: 36", true),
        ("eGFR 2024/03/28: 36", true),
        ("eGFR 03/2024: 84", false),
        ("eGFR as of 28 March is 84 mL/min/1.73 m2", false),
        ("eGFR on 28 March (mL/min/1.73 m2): 36", true),
        ("eGFR on 28 March at 10:30: 84", false),
        ("eGFR today 84", false),
        ("eGFR today 36", true),
        ("eGFR Monday 36", true),
        ("eGFR this week 36", true),
        ("eGFR last visit 36", true),
        ("eGFR day +28: 84", false),
        ("eGFR normal on 28 March, ECOG 1", false),
        ("eGFR on 28 March, 3 cycles given", false),
        ("eGFR 36 March", true),
        ("eGFR 28 (March), 84 (April)", true),
        ("eGFR 28. May need dialysis", true),
        ("eGFR 28 May be falling", true),
        ("eGFR 28 on 28 March", true),
        ("eGFR 84 on 28 March", false),
        ("eGFR on 2 Jan: 36, on 5 Feb: 84", true),
        ("CrCl on 28 March: 36", true),
        ("eGFR 36: 25 mg/m2", true),
        ("eGFR 36, 2024-03-28", true),
    ] {
        let text = format!("Planned for radical cystectomy. {kidneys}");
        check("operated-bladder", "bladder", &text, !poor);
        check("operated-bladder-kidneys", "bladder", &text, poor);
    }
    for (kidneys, good) in [
        ("eGFR 84", true),
        ("eGFR (mL/min/1.73 m2): 84", true),
        ("eGFR (2024-03-28): 84", true),
        ("eGFR (28 Mar 2024): 36", false),
        ("eGFR (mL/min/1.73 m2): 36", false),
        ("eGFR on 3/28/70: 36", false),
        ("eGFR 75 weeks ago", false),
        ("eGFR (28-Mar-2024): 84", true),
        ("eGFR (March 28): 84", true),
        ("eGFR (2024-03-28 10:30): 84", true),
        ("eGFR at 10:30: 84", true),
        ("eGFR (cycle 2): 84", true),
        ("eGFR (day 12): 84", true),
        ("eGFR (CKD-EPI 2021): 84", true),
        ("eGFR (CKD-EPI 2021): 36", false),
        ("eGFR >90 mL/min", true),
        ("eGFR on 28 March: 84", true),
        ("eGFR on 28 March: 36", false),
        ("eGFR (28 March): 84", true),
        ("eGFR 3/28/2024: 84", true),
        ("eGFR 3/28/2024: 36", false),
        ("eGFR 3/28: 84", true),
        ("eGFR today 84", true),
        ("eGFR today 36", false),
        ("eGFR 28 March 84", false),
        ("eGFR 84 Mar 2024", true),
    ] {
        check("renal-cisplatin-bladder", "bladder", &format!("Planned for radical cystectomy. {kidneys}"), good);
    }
    // A PARP inhibitor after abiraterone is none only without the variant.
    let text = "Treatment-naive. The cancer has spread to bone.";
    check("abiraterone-failed", "prostate", text, true);
    check("abiraterone-failed", "prostate", &format!("{text} BRCA2: pathogenic germline variant"), false);
}

#[test]
fn kidneys_that_fail_change_the_value_and_neither_unit_nor_day() {
    let catalog = Catalog::ours();
    let entry = catalog.entry("renal-cisplatin-bladder").unwrap();
    let check = |told: &str, expected: &str| {
        let text = entry.mutate(&format!("== Facts ==\n{told}\n")).unwrap().text;
        assert!(text.lines().any(|line| line == expected), "{told}: {text}");
    };
    check("eGFR 84 mL/min/1.73 m2", "eGFR 28 mL/min/1.73 m2");
    check("eGFR (mL/min/1.73 m2): 84", "eGFR (mL/min/1.73 m2): 28");
    check("eGFR 103.5", "eGFR 28");
    check("eGFR (2024-03-28): 84", "eGFR (2024-03-28): 28");
    for before in [
        "(28 Mar 2024):",
        "(28-Mar-2024):",
        "(March 28):",
        "on March 28 was",
        "(2024-03-28 10:30):",
        "2024-03-28 10:30",
        "at 10:30:",
        "(cycle 2):",
        "(day 12):",
        "on day 12",
        "(CKD-EPI 2021):",
        "(CKD-EPI 2021)",
        "on 28 March:",
        "(28 March):",
        "on the 28th of March:",
        "28-MAR-2024:",
        "3/28/2024:",
        "3/28:",
        "2024/03/28:",
        "today",
        "this week",
        "on 28 March at 10:30:",
    ] {
        check(&format!("eGFR {before} 84 mL/min"), &format!("eGFR {before} 28 mL/min"));
    }
    for behind in ["(2024-03-28)", "at 10:30", "mL/min (CKD-EPI 2021)", "on March 28"] {
        check(&format!("eGFR 84 {behind}"), &format!("eGFR 28 {behind}"));
    }
    check("eGFR >90 mL/min", "eGFR 28 mL/min");
    check("eGFR >= 90 mL/min", "eGFR 28 mL/min");
    check("eGFR: ≥90", "eGFR: 28");
    for before in [
        "Creatinine",
        "Creatinine:",
        "Creatinine of",
        "Cr",
        "Cr on 28 March",
        "Serum creatinine was",
        "Creatinine today",
        "Creatinine on 2 Jan:",
        "Creatinine (2 Jan):",
        "Creatinine (mg/dL):",
        "Creatinine 2.1.2024:",
        "Creatinine on 3/28/2024:",
        "Creatinine on 3/28 was",
        "Creatinine (2024-01-02 10:30):",
        "Creatinine on Jan 2, 2024:",
    ] {
        check(&format!("{before} 1.4 mg/dL"), &format!("{before} 2.31 mg/dL"));
    }
    for another in ["Creatinine normal, potassium 4.1", "Creatinine clearance 85.5", "Creatinine on 2.1.2024 normal"] {
        check(another, another);
    }
}

#[test]
fn changing_one_marker_takes_no_other_with_it() {
    const MARKERS: [&str; 8] = ["EGFR", "ALK", "ROS1", "KRAS", "NRAS", "BRAF", "HER2", "PD-L1"];
    let catalog = Catalog::ours();
    for board in boards(Seed(7)).unwrap().map(|board| board.unwrap()) {
        let text = render(&board.chart).text;
        for entry in catalog
            .entries
            .iter()
            .filter(|it| it.family == FamilyOf::BiomarkerFlip || it.family == FamilyOf::BiomarkerStrip)
        {
            if entry.applies(Some(board.facts.cancer.name()), &text) != Applies::Yes {
                continue;
            }
            for edit in entry.mutate(&text).unwrap().edits {
                let named = MARKERS.iter().filter(|marker| edit.removed.contains(**marker)).count();
                assert!(named <= 1, "{} {}: {:?}", board.id, entry.id, edit);
            }
        }
    }
}

#[test]
fn entries_in_the_published_form_load_as_they_are_and_run_on_a_packet_with_such_tags() {
    let catalog = Catalog::parse("published", PUBLISHED).unwrap();
    let board = boards(Seed(7)).unwrap().map(|it| it.unwrap()).find(|board| board.id == "breast-01").unwrap();
    let text = render(&board.chart).text;
    for entry in &catalog.entries {
        assert_eq!(entry.applies(Some("breast"), &text), Applies::Yes, "{}", entry.id);
        let made = entry.mutate(&text).unwrap();
        assert_eq!(made.edits.len(), 1, "{}", entry.id);
        assert!(made.text.len() > text.len());
    }
    let surgery = catalog.entry("D_mastectomy_before_systemic").unwrap();
    assert_eq!(surgery.shift.timing.len(), 1);
    assert_eq!(surgery.scoring.len(), 3);
    assert_eq!(surgery.applies(Some("lung"), &text), Applies::OtherCancer);
}

#[test]
fn a_catalog_has_a_hash_of_its_bytes() {
    let (ours, again) = (Catalog::ours(), Catalog::ours());
    assert_eq!(ours.hash, again.hash);
    assert_ne!(ours.hash, Catalog::parse("published", PUBLISHED).unwrap().hash);
}
