use super::*;
use crate::ecr::reasoner::stages::Status;
use crate::ecr::sample::{likeness, origin};

fn lesson(number: u32, facts: &[(&str, Status)]) -> JournalEntry {
    let case = format!("t-{number}");
    let narrative = format!("Narrative {number}");
    let facts =
        facts.iter().map(|(content, status)| Fact { content: (*content).to_owned(), status: *status }).collect();
    let exemplar = Exemplar {
        case: case.clone(),
        narrative: narrative.clone(),
        label: "Gout".to_owned(),
        path: vec!["Because.".to_owned()],
        pivots: vec!["a hot toe".to_owned()],
    };
    let lesson = Lesson {
        condition: "Gout".to_owned(),
        facts,
        pivots: vec!["a hot toe".to_owned()],
        ignored: Vec::new(),
        misleading: Vec::new(),
        exemplar,
    };
    JournalEntry {
        case,
        narrative: narrative_hash(&narrative),
        patient: Some(narrative_hash(&format!("Patient {number}"))),
        condition: "Gout".to_owned(),
        rounds: 0,
        outcome: Learning::Learnt { lesson: Box::new(lesson) },
    }
}

async fn grown(entries: &[JournalEntry]) -> Memory {
    let mut memory = Memory::default();
    for entry in entries {
        if let Learning::Learnt { lesson } = &entry.outcome {
            memory.learn(lesson, &likeness()).await.unwrap();
        }
    }
    memory
}

fn entries() -> Vec<JournalEntry> {
    vec![
        lesson(1, &[("a hot toe", Status::Present), ("fever", Status::Absent)]),
        lesson(2, &[("A hot toe!", Status::Present), ("beer", Status::Present)]),
    ]
}

#[tokio::test]
async fn facts_that_say_the_same_are_one_feature() {
    let memory = grown(&entries()).await;
    let graph = memory.illness("Gout").unwrap();
    let counts: Vec<_> =
        graph.features.iter().map(|it| (it.content.as_str(), it.present, it.denied, it.decisive)).collect();
    assert_eq!(counts, [("a hot toe", 2, 0, 1), ("beer", 1, 0, 0), ("fever", 0, 1, 0)]);
    assert_eq!(graph.share("a hot toe"), 2.5 / 3.0);
    assert_eq!(graph.share("never seen"), 0.5 / 3.0);
}

#[tokio::test]
async fn what_was_only_mentioned_by_the_way_is_dropped() {
    let mut many: Vec<_> = (0..20).map(|number| lesson(number, &[("a hot toe", Status::Present)])).collect();
    many.push(lesson(20, &[("a crooked nose", Status::Present)]));
    let mut memory = grown(&many).await;
    memory.refine();
    let kept: Vec<_> = memory.illness("Gout").unwrap().features.iter().map(|it| it.content.clone()).collect();
    assert_eq!(kept, ["a hot toe"]);
}

#[tokio::test]
async fn the_nearest_exemplars_come_first() {
    let memory = grown(&entries()).await;
    let vector = likeness().fresh("narrative 2").await.unwrap();
    let near: Vec<_> = memory.nearest(&vector, 5).into_iter().map(|(it, _)| it.case.clone()).collect();
    assert_eq!(near, ["t-2", "t-1"]);
    assert_eq!(memory.nearest(&vector, 1).len(), 1);
    assert!(Memory::default().nearest(&vector, 3).is_empty());
}

#[tokio::test]
async fn a_saved_memory_is_loaded_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let memory = grown(&entries()).await;
    let saved = memory.save(folder.path(), origin(), &entries()).unwrap();
    let (loaded, manifest) = Memory::load(folder.path(), &likeness()).await.unwrap();
    assert_eq!(manifest, saved);
    assert_eq!(loaded.illness("Gout"), memory.illness("Gout"));
    assert_eq!(loaded.exemplars(), memory.exemplars());
    assert_eq!(loaded.fingerprint(), manifest.fingerprint());
    assert_eq!((saved.counts.cases, saved.counts.at_once, saved.counts.discarded), (2, 2, 0));
    assert_eq!(manifest.trained_on().knows("Other words", Some("Patient 1")), Some("t-1"));
}

#[tokio::test]
async fn a_changed_file_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    grown(&entries()).await.save(folder.path(), origin(), &entries()).unwrap();
    let path = folder.path().join("illness.jsonl");
    let text = std::fs::read_to_string(&path).unwrap().replace("beer", "wine");
    std::fs::write(&path, text).unwrap();
    let told = Memory::load(folder.path(), &likeness()).await.err().unwrap().to_string();
    assert!(told.contains("illness.jsonl: its content is not what the manifest says"), "{told}");
}

#[tokio::test]
async fn a_changed_manifest_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    grown(&entries()).await.save(folder.path(), origin(), &entries()).unwrap();
    let path = folder.path().join("manifest.json");
    let mut manifest: serde_json::Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    manifest["cases"] = serde_json::json!({});
    std::fs::write(&path, manifest.to_string()).unwrap();
    let told = Memory::load(folder.path(), &likeness()).await.err().unwrap().to_string();
    assert!(told.contains("is not what its seal says"), "{told}");
}

#[test]
fn a_manifest_of_something_else_is_never_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("manifest.json");
    std::fs::write(&path, r#"{"name":"my web app"}"#).unwrap();
    let told = note_origin(folder.path(), &origin()).unwrap_err().to_string();
    assert!(told.contains("not of a memory; choose another --out"), "{told}");
    std::fs::write(&path, r#"{"schema":"waterjar.ecr-memory/1"}"#).unwrap();
    let told = note_origin(folder.path(), &origin()).unwrap_err().to_string();
    assert!(told.contains("`waterjar.ecr-memory/1`, and this program reads"), "{told}");
}

#[test]
fn a_journal_alone_is_no_finished_memory() {
    let folder = tempfile::tempdir().unwrap();
    Journal::open(folder.path()).unwrap();
    let told = Manifest::read(folder.path()).unwrap_err().to_string();
    assert!(told.contains("not grown to its end"), "{told}");
}

#[test]
fn a_case_that_is_there_twice_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let line = serde_json::to_string(&entries()[0]).unwrap();
    std::fs::write(folder.path().join("journal.jsonl"), format!("{line}\n{line}\n")).unwrap();
    let told = Journal::open(folder.path()).err().unwrap().to_string();
    assert!(told.contains("line 2: case `t-1` is there twice"), "{told}");
}

#[tokio::test]
async fn another_version_and_no_memory_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let told = Manifest::read(folder.path()).unwrap_err().to_string();
    assert!(told.contains("is no memory") && told.contains("waterjar evolve"), "{told}");
    std::fs::write(folder.path().join("manifest.json"), r#"{"schema":"waterjar.ecr-memory/9"}"#).unwrap();
    let told = Manifest::read(folder.path()).unwrap_err().to_string();
    assert!(told.contains("`waterjar.ecr-memory/9`, and this program reads"), "{told}");
}

#[test]
fn a_line_cut_off_by_a_kill_is_dropped_and_written_again() {
    let folder = tempfile::tempdir().unwrap();
    let all = entries();
    let (mut journal, _) = Journal::open(folder.path()).unwrap();
    all.iter().for_each(|entry| journal.append(entry).unwrap());
    drop(journal);
    let path = folder.path().join("journal.jsonl");
    let text = std::fs::read_to_string(&path).unwrap();
    // Within a letter: “é” takes two bytes.
    let cut = [&text.as_bytes()[..text.len() - 10], &"é".as_bytes()[..1]].concat();
    std::fs::write(&path, cut).unwrap();
    let (mut journal, found) = Journal::open(folder.path()).unwrap();
    assert_eq!(found, all[..1]);
    journal.append(&all[1]).unwrap();
    drop(journal);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
}

#[test]
fn a_bad_line_in_the_middle_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("journal.jsonl"), "{}\n{}\n").unwrap();
    let told = Journal::open(folder.path()).err().unwrap().to_string();
    assert!(told.contains("line 1"), "{told}");
}

#[test]
fn a_folder_of_another_origin_is_not_gone_on_with() {
    let folder = tempfile::tempdir().unwrap();
    note_origin(folder.path(), &origin()).unwrap();
    note_origin(folder.path(), &origin()).unwrap();
    let told = note_origin(folder.path(), &Origin { seed: 4, ..origin() }).unwrap_err().to_string();
    assert!(told.contains("another seed (`3`, now `4`)"), "{told}");
}
