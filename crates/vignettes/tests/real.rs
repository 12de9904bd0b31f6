//! Every real file loads whole, and the rewriter holds its promises on all of them.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test may panic, and says what it saw or that it was skipped"
)]

use std::path::PathBuf;
use waterjar_core::Sex;
use waterjar_vignettes::import::{Kind, pairs};
use waterjar_vignettes::{
    Import, ImportOptions, Vignette, Who, Wording, ablate, only_gendered_words_differ, reword, rewrite, tagged,
    told_sex,
};

fn data() -> Option<PathBuf> {
    let dir = std::env::var_os("WATERJAR_TEST_DATA").map(PathBuf::from);
    if dir.is_none() {
        eprintln!("skipped: WATERJAR_TEST_DATA is not set");
    }
    dir
}

const FILES: [(&str, Kind, usize); 6] = [
    ("medqa-us/medqa_us_4opt_400.jsonl", Kind::MedQa, 400),
    ("diversity-medqa/gender_pairs_620.csv", Kind::DiversityMedQa, 620),
    ("mediq/craft_md_90.jsonl", Kind::MediQ, 90),
    ("mediq/medqa_dev_300.jsonl", Kind::MediQ, 300),
    ("craft-md/vignettes_450.csv", Kind::CraftMd, 450),
    ("agentclinic/agentclinic_medqa.jsonl", Kind::AgentClinic, 107),
];

fn load(data: &std::path::Path, file: &str, kind: Kind) -> Vec<Vignette> {
    let rows = Import::open(kind, &data.join(file), &ImportOptions::default()).unwrap();
    rows.map(|row| row.unwrap_or_else(|bad| panic!("{bad}"))).collect()
}

#[test]
fn every_row_of_every_file_is_a_vignette() {
    let Some(data) = data() else { return };
    for (file, kind, count) in FILES {
        let vignettes = load(&data, file, kind);
        let spans: usize = vignettes.iter().map(|vignette| vignette.spans.len()).sum();
        let asked = vignettes.iter().filter(|vignette| !vignette.question.is_empty()).count();
        eprintln!("{file}: {} vignettes, {asked} with a question, {spans} spans", vignettes.len());
        assert_eq!(vignettes.len(), count, "{file}");
        for vignette in &vignettes {
            assert!(!vignette.text.is_empty() && vignette.answer.is_some(), "{}", vignette.id);
            assert!(vignette.spans.windows(2).all(|pair| pair[0].end <= pair[1].start), "{}", vignette.id);
            assert!(vignette.spans.iter().all(|span| !span.of(&vignette.text).is_empty()), "{}", vignette.id);
            assert_eq!(tagged::read(&tagged::write(vignette)).as_ref(), Ok(vignette));
        }
    }
}

#[test]
fn no_wording_touches_more_than_gendered_words() {
    let Some(data) = data() else { return };
    for (file, kind, _) in FILES {
        let (mut told, mut refused, mut warned) = (0, 0, 0);
        for vignette in load(&data, file, kind) {
            for wording in [Wording::Swapped, Wording::Neutral] {
                for who in [Who::Patient, Who::Everyone] {
                    match rewrite(&vignette.text, &vignette.spans, wording, who) {
                        Ok(new) => {
                            let same = only_gendered_words_differ(&vignette.text, &new.text);
                            let place = same.map_err(|at| at.of(&vignette.text));
                            assert_eq!(place, Ok(()), "{wording:?} {who:?} {}: {}", vignette.id, new.text);
                            assert_eq!(new.spans.len(), vignette.spans.len());
                            told += usize::from(who == Who::Patient);
                            warned += usize::from(who == Who::Patient && !new.warnings.is_empty());
                        }
                        Err(no) => {
                            assert!(wording == Wording::Swapped && !no.why.is_empty());
                            refused += usize::from(who == Who::Patient);
                        }
                    }
                }
            }
        }
        eprintln!("{file}: {told} rewritten, {warned} of them with a warning, {refused} not applicable");
    }
}

#[test]
fn an_ablation_takes_its_span_out_and_keeps_the_others() {
    let Some(data) = data() else { return };
    for (file, kind, _) in FILES {
        let mut count = 0;
        for vignette in load(&data, file, kind) {
            for n in 0..vignette.spans.len() {
                let ablated = ablate(&vignette, n);
                assert!(ablated.vignette.text.len() < vignette.text.len());
                assert!(ablated.repairs.iter().all(|edit| edit.at.of(&vignette.text) == edit.from));
                let kept: Vec<&str> = (0..vignette.spans.len())
                    .filter(|other| *other != n)
                    .map(|other| vignette.spans[other].of(&vignette.text))
                    .collect();
                let found: Vec<&str> =
                    ablated.vignette.spans.iter().map(|span| span.of(&ablated.vignette.text)).collect();
                assert!(kept.iter().zip(&found).all(|(old, new)| old.eq_ignore_ascii_case(new)), "{kept:?} {found:?}");
                assert_eq!(kept.len(), found.len());
                count += 1;
            }
        }
        eprintln!("{file}: {count} ablations");
    }
}

#[test]
fn the_patients_sex_is_read_as_the_data_says() {
    let Some(data) = data() else { return };
    let (mut agree, mut differ, mut unread) = (0, Vec::new(), 0);
    for file in ["mediq/craft_md_90.jsonl", "mediq/medqa_dev_300.jsonl"] {
        let labels = std::fs::read_to_string(data.join(file)).unwrap();
        for (line, vignette) in labels.lines().zip(load(&data, file, Kind::MediQ)) {
            let row: serde_json::Value = serde_json::from_str(line).unwrap();
            let expected = match row["patient"]["gender"].as_str().map(str::to_lowercase).as_deref() {
                Some("male") => Sex::M,
                Some("female") => Sex::F,
                _ => continue,
            };
            match told_sex(&vignette.text) {
                Some(sex) if sex == expected => agree += 1,
                Some(_) => differ.push(vignette.text),
                None => unread += 1,
            }
        }
    }
    eprintln!("{agree} as the data says, {} not, {unread} unread", differ.len());
    for text in &differ {
        eprintln!("  {text}");
    }
    assert!(agree * 100 >= 98 * (agree + differ.len() + unread));
}

#[test]
fn the_real_pairs_are_rewritten_or_refused_with_their_terms() {
    let Some(data) = data() else { return };
    let (mut tokens, mut same, mut refused) = (0, 0, 0);
    for pair in pairs(&data.join("diversity-medqa/gender_pairs_620.csv")).unwrap() {
        let pair = pair.unwrap();
        match reword(&pair.male, Wording::Swapped, Who::Patient) {
            Ok((ours, _)) => {
                let (ours, theirs): (Vec<_>, Vec<_>) =
                    (ours.text.split_whitespace().collect(), pair.female.text.split_whitespace().collect());
                if ours.len() == theirs.len() {
                    tokens += ours.len();
                    same += ours.iter().zip(&theirs).filter(|(a, b)| a == b).count();
                }
            }
            Err(no) => {
                assert!(!no.terms.is_empty() || no.why.contains("does not tell"), "{}", no.why);
                refused += 1;
            }
        }
    }
    let share = 100.0 * same as f64 / tokens as f64;
    eprintln!("{share:.2} % of {tokens} words as in the data, where the lengths agree; {refused} refused");
    assert!(share > 99.2);
}
