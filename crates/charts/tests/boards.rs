//! The synthetic tumor boards: enough of them, long and short, true to their facts, and the same for the same seed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use waterjar_charts::advice::{Advisor, Reading, cancer_of};
use waterjar_charts::boards::{
    Board, Cancer, ConsensusClass, FactKey, Formulary, NOTICE, Pregnancy, Surgery, TreatmentKind, boards, claims, ids,
};
use waterjar_charts::{Section, read, render};
use waterjar_core::{Seed, Timing};

fn made(seed: u64) -> Vec<Board> {
    boards(Seed(seed)).unwrap().collect::<Result<_, _>>().unwrap()
}

static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| made(7));

#[test]
fn there_are_at_least_sixty_cases_over_at_least_eight_cancers() {
    let ids: BTreeSet<_> = ids().unwrap().into_iter().collect();
    let cancers: BTreeSet<_> = BOARDS.iter().map(|board| board.facts.cancer).collect();
    assert_eq!((ids.len(), BOARDS.len()), (63, 63));
    assert_eq!(cancers.len(), Cancer::ALL.len());
}

#[test]
fn a_chart_tells_its_cancer_and_one_about_another_cancer_none_of_ours() {
    for board in BOARDS.iter() {
        assert_eq!(cancer_of(&render(&board.chart).text), Some(board.facts.cancer), "{}", board.id);
    }
    let other =
        "Endometrial carcinoma, stage IB. Family history: mother with colon cancer. Endometrial cancer, grade 2.";
    assert_eq!(cancer_of(other), None);
}

fn adjuvant_advice(text: &str) -> Vec<String> {
    let advice = Advisor::Guideline.recommend(&Reading::of(text)).unwrap().recommendations;
    advice.into_iter().filter(|it| it.timing == Timing::Adjuvant).map(|it| it.treatment).collect()
}

#[test]
fn nothing_adjuvant_is_advised_where_the_disease_has_spread_or_grew_under_treatment() {
    let resected = "Lung adenocarcinoma of the left lower lobe. She underwent lobectomy and recovered well.";
    assert_eq!(adjuvant_advice(&format!("{resected} Stage IIB.")), ["cisplatin", "pembrolizumab"]);
    for told in [
        "Lung cancer, stage IV.",
        "Staged T4 N3 M1a (IVA).",
        "FNA: metastatic non-small cell carcinoma.",
        "Progressed on docetaxel.",
    ] {
        assert_eq!(adjuvant_advice(&format!("{resected} {told}")), Vec::<String>::new(), "{told}");
    }
}

#[test]
fn packets_are_between_five_and_eighty_thousand_characters_with_a_spread() {
    for seed in [7, 8, 9] {
        let lengths: BTreeSet<_> = made(seed).iter().map(|board| render(&board.chart).text.chars().count()).collect();
        let (shortest, longest) = (lengths.first().unwrap(), lengths.last().unwrap());
        assert!(*shortest >= 5_000 && *longest <= 80_000, "{shortest} {longest}");
        let between = |low, high| lengths.range(low..high).count();
        assert!(
            between(0, 12_000) >= 8 && between(12_000, 30_000) >= 15 && between(45_000, 80_001) >= 5,
            "{lengths:?}"
        );
    }
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let text = |boards: &[Board]| boards.iter().map(|board| render(&board.chart).text).collect::<Vec<_>>();
    assert_eq!(text(&made(7)), text(&BOARDS));
    let other = text(&made(8));
    assert!(text(&BOARDS).iter().zip(&other).all(|(one, other)| one != other));
    // A case does not depend on those before it.
    let alone = boards(Seed(7)).unwrap().nth(40).unwrap().unwrap();
    assert_eq!(alone.chart, BOARDS[40].chart);
}

#[test]
fn every_packet_is_read_back_exactly_and_says_what_it_is() {
    for board in &*BOARDS {
        let packet = render(&board.chart);
        let (chart, located) = read(&packet.text).unwrap();
        assert_eq!((chart, located), (board.chart.clone(), packet), "{}", board.id);
        assert_eq!(board.chart.notice.as_deref(), Some(NOTICE));
        assert_eq!(board.chart.blocks.len(), Section::ALL.len(), "{}", board.id);
        let dates: Vec<_> = board.chart.entries.iter().map(|entry| entry.date).collect();
        assert!(dates.is_sorted(), "{}", board.id);
    }
}

/// The text of each section: its block and its entries.
fn sections(board: &Board) -> BTreeMap<Section, String> {
    let packet = render(&board.chart);
    Section::ALL.into_iter().map(|section| (section, packet.section_text(section))).collect()
}

#[test]
fn each_key_fact_stands_in_at_least_three_sections() {
    let mut checked = 0;
    for board in &*BOARDS {
        let sections = sections(board);
        for claim in claims(&board.facts) {
            let found: Vec<_> = sections
                .iter()
                .filter(|(_, text)| !claim.mentions(text).is_empty())
                .map(|(section, _)| section.name())
                .collect();
            assert!(found.len() >= 3, "{}: {} only in {found:?}", board.id, claim.fact);
            checked += 1;
        }
    }
    assert!(checked > 63 * 10, "{checked}");
}

#[test]
fn no_packet_states_the_opposite_of_a_fact() {
    for seed in [7, 8] {
        for board in made(seed) {
            let text = render(&board.chart).text;
            for claim in claims(&board.facts) {
                if let Some(range) = claim.denials(&text).into_iter().next() {
                    let from = text.floor_char_boundary(range.start.saturating_sub(80));
                    let to = text.ceil_char_boundary((range.end + 60).min(text.len()));
                    panic!("{} (seed {seed}): {} is denied: …{}…", board.id, claim.fact, &text[from..to]);
                }
            }
        }
    }
}

#[test]
fn the_search_for_the_opposite_finds_it_where_it_is() {
    let board = |id: &str| BOARDS.iter().find(|board| board.id == id).unwrap();
    let denied = |id: &str, fact: &str, text: &str| {
        let all = claims(&board(id).facts);
        let claim =
            all.iter().find(|claim| claim.fact.to_string() == fact).unwrap_or_else(|| panic!("{id} has no {fact}"));
        assert!(!claim.denials(text).is_empty(), "{id}, {fact}: {text}");
    };
    denied("breast-01", "biomarker HER2", "The tumor is HER2-negative.");
    denied("breast-02", "biomarker ER", "ER: NEGATIVE (0 %)");
    denied("breast-02", "biomarker PR", "a triple-negative tumor");
    denied("breast-02", "stage", "This is stage IIA disease.");
    denied("breast-02", "stage", "No distant spread has been found.");
    denied("breast-02", "line 2", "Letrozole and palbociclib (first-line): response maintained");
    denied("breast-02", "allergy sulfonamides", "NKDA");
    denied("breast-03", "pregnancy", "She is not pregnant.");
    denied("breast-03", "biomarker BRCA1/2", "BRCA1/2: pathogenic germline variant");
    denied("breast-04", "surgery", "Left lumpectomy with sentinel node biopsy is planned for May.");
    denied("breast-04", "anticoagulation", "She takes no anticoagulant.");
    denied("breast-01", "anticoagulation", "She is on Eliquis (apixaban).");
    denied("lung-01", "biomarker EGFR", "EGFR is wild-type.");
    denied("lung-01", "biomarker ALK", "The tumor is ALK-rearranged.");
    denied("lung-01", "biomarker PD-L1", "PD-L1: TPS 1 %");
    denied("lung-03", "renal function", "eGFR 88");
    denied("lung-03", "renal function", "Kidney function is good.");
    denied("lung-03", "comorbidity hearing loss", "no hearing loss");
    denied("lung-05", "line 1", "treatment-naive");
    denied("colorectal-03", "biomarker MMR", "microsatellite stable");
    denied("prostate-03", "biomarker BRCA2", "Germline testing found no BRCA2 variant.");
    denied("cll-02", "biomarker del(17p)", "FISH found no del(17p).");
    denied("cll-02", "biomarker IGHV", "IGHV is mutated.");
    denied("cll-01", "performance status", "ECOG 2");
    denied("cll-01", "no allergy", "He is allergic to penicillin.");
    denied("cll-01", "no earlier line", "Ibrutinib stopped because of progression");
}

#[test]
fn facts_are_said_in_many_words() {
    // The stage of one patient, in the sentences that tell it.
    for board in &*BOARDS {
        let text = render(&board.chart).text;
        let all = claims(&board.facts);
        let stage = all.iter().find(|claim| claim.fact == FactKey::Stage).unwrap();
        let around: BTreeSet<_> = stage
            .mentions(&text)
            .into_iter()
            .map(|range| {
                let from = text[..range.start].rfind(['\n', '.', ':']).map_or(0, |at| at + 1);
                let to = text[range.end..].find(['\n', '.']).map_or(text.len(), |at| range.end + at);
                text[from..to].trim().to_owned()
            })
            .collect();
        assert!(around.len() >= 5, "{}: {around:?}", board.id);
    }
}

#[test]
fn every_consensus_names_treatments_of_the_table_and_has_all_it_needs() {
    let formulary = Formulary::get().unwrap();
    for board in &*BOARDS {
        let count = |class| board.consensus.iter().filter(|item| item.class == class).count();
        assert!(count(ConsensusClass::Strong) >= 1, "{}", board.id);
        assert!(count(ConsensusClass::Tacit) >= 1, "{}", board.id);
        assert!(count(ConsensusClass::Refusal) >= 2, "{}", board.id);
        let all: Vec<&str> = board.consensus.iter().flat_map(|item| item.treatment.split(" | ")).collect();
        let names: BTreeSet<&str> = all.iter().copied().collect();
        assert_eq!(names.len(), all.len(), "{}: a treatment comes twice", board.id);
        for treatment in all {
            assert!(formulary.kind(treatment).is_some(), "{}: {treatment}", board.id);
            for drug in formulary.drugs_of(treatment) {
                assert!(
                    formulary.drug(drug).is_some_and(|drug| !drug.class.is_empty() && !drug.route.is_empty()),
                    "{drug}"
                );
            }
        }
        assert!(board.consensus.iter().all(|item| !item.reason.is_empty()), "{}", board.id);
        let refused: BTreeSet<_> = board
            .consensus
            .iter()
            .filter(|item| item.class == ConsensusClass::Refusal)
            .map(|item| item.treatment.as_str())
            .collect();
        for item in board.consensus.iter().filter(|item| item.class == ConsensusClass::Strong) {
            let drugs: Vec<&str> = item.treatment.split(" | ").flat_map(|name| formulary.drugs_of(name)).collect();
            assert!(
                !drugs.iter().any(|drug| refused.contains(drug)),
                "{}: {} holds a refused drug",
                board.id,
                item.treatment
            );
        }
    }
}

#[test]
fn no_name_means_two_drugs() {
    let formulary = Formulary::get().unwrap();
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    let names = formulary.drugs().map(|(name, _)| name);
    for name in names {
        for called in formulary.names(name) {
            if let Some(other) = owners.insert(called.to_lowercase(), name) {
                panic!("`{called}` is both {other} and {name}");
            }
        }
    }
    assert!(owners.len() > 200);
    assert!(formulary.treatments().all(|(name, _)| formulary.drug(name).is_none()));
    assert_eq!(formulary.kind("FOLFOX"), Some(TreatmentKind::Regimen));
    assert_eq!(formulary.drugs_of("FOLFOX"), ["fluorouracil", "leucovorin", "oxaliplatin"]);
    assert!(formulary.names("pembrolizumab").contains(&"Keytruda"));
}

/// A packet that named what the board will say would be no test.
#[test]
fn packets_do_not_give_the_consensus_away() {
    let formulary = Formulary::get().unwrap();
    for board in &*BOARDS {
        let text = render(&board.chart).text.to_lowercase();
        let mut known: BTreeSet<&str> =
            board.facts.lines.iter().flat_map(|line| &line.drugs).map(String::as_str).collect();
        known.extend(board.facts.allergies.iter().map(|allergy| allergy.substance.as_str()));
        known.extend(board.facts.anticoagulation.iter().map(|taken| taken.drug.as_str()));
        for item in &board.consensus {
            for drug in formulary.drugs_of(&item.treatment) {
                let part_of_known = known.iter().any(|known| known.contains(drug)) || drug == "allopurinol";
                for name in formulary.names(drug).into_iter().filter(|name| !part_of_known && name.len() > 3) {
                    assert!(!text.contains(&name.to_lowercase()), "{}: the packet names {name}", board.id);
                }
            }
        }
    }
}

#[test]
fn every_kind_of_fact_is_there_to_be_changed() {
    let count = |holds: &dyn Fn(&Board) -> bool| BOARDS.iter().filter(|board| holds(board)).count();
    assert!(count(&|board| matches!(board.facts.surgery, Surgery::Done { .. })) >= 8);
    assert!(count(&|board| matches!(board.facts.surgery, Surgery::Planned { .. })) >= 8);
    assert!(count(&|board| !board.facts.lines.is_empty()) >= 15);
    assert!(count(&|board| !board.facts.allergies.is_empty()) >= 8);
    assert!(count(&|board| board.facts.egfr < 60) >= 8);
    assert!(count(&|board| board.facts.anticoagulation.is_some()) >= 5);
    assert!(count(&|board| matches!(board.facts.pregnancy, Pregnancy::Pregnant { .. })) >= 2);
    assert!(count(&|board| board.facts.performance >= 2) >= 2);
    assert!(count(&|board| board.facts.biomarkers.iter().any(|marker| marker.positive)) >= 40);
}
