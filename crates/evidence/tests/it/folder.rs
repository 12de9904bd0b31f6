use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use waterjar_evidence::{EvidenceSource, FullText, Query, open_folder};

struct Desk {
    _dir: TempDir,
    texts: PathBuf,
    index: PathBuf,
}

impl Desk {
    fn with(files: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let desk = Self { texts: dir.path().join("texts"), index: dir.path().join("index"), _dir: dir };
        fs::create_dir_all(&desk.texts).unwrap();
        files.iter().for_each(|(name, text)| desk.write(name, text));
        desk
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.texts.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn open(&self) -> FullText {
        open_folder("mine", &self.texts, &self.index).unwrap()
    }

    fn refused(&self) -> String {
        open_folder("mine", &self.texts, &self.index).err().unwrap().to_string()
    }

    fn generations(&self) -> Vec<PathBuf> {
        fs::read_dir(&self.index).unwrap().map(|entry| entry.unwrap().path()).collect()
    }
}

fn ids(index: &FullText, words: &str) -> Vec<String> {
    index.find(&Query::text(words), 9).unwrap().into_iter().map(|it| it.id).collect()
}

fn written(path: &Path) -> std::time::SystemTime {
    fs::metadata(path.join("meta.json")).unwrap().modified().unwrap()
}

#[test]
fn texts_below_the_folder_are_found_by_their_path() {
    let desk = Desk::with(&[
        ("gout.md", "# Gout\nThe big toe swells.\n\n## Care\nColchicine."),
        ("deep/down/sinus.txt", "Green mucus."),
        (".hidden/x.md", "toe"),
        ("table.csv", "toe"),
    ]);
    let index = desk.open();
    assert_eq!(ids(&index, "toe"), ["gout.md#0001"]);
    assert_eq!(ids(&index, "colchicine"), ["gout.md#0002"]);
    assert_eq!(ids(&index, "mucus"), ["deep/down/sinus.txt"]);
    let found = index.find(&Query::text("colchicine"), 1).unwrap();
    assert_eq!((found[0].source.as_str(), found[0].title.as_str()), ("mine", "Gout › Care"));
}

#[test]
fn an_unchanged_folder_is_not_indexed_again() {
    let desk = Desk::with(&[("a.txt", "fever")]);
    let first = desk.open().fingerprint();
    let made = written(&desk.generations()[0]);
    // Written again, with the same content.
    desk.write("a.txt", "fever");
    assert_eq!(desk.open().fingerprint(), first);
    assert_eq!(desk.generations().len(), 1);
    assert_eq!(written(&desk.generations()[0]), made);
}

#[test]
fn a_file_that_changed_came_or_went_is_seen() {
    let desk = Desk::with(&[("a.txt", "fever"), ("b.txt", "rash")]);
    let before = desk.open();
    desk.write("a.txt", "cough");
    desk.write("c.txt", "cough");
    fs::remove_file(desk.texts.join("b.txt")).unwrap();
    let after = desk.open();
    assert_eq!(ids(&after, "cough"), ["a.txt", "c.txt"]);
    assert!(ids(&after, "fever rash").is_empty());
    assert_ne!(before.fingerprint(), after.fingerprint());
    assert_eq!(desk.generations().len(), 1, "the older index is cleared away");
    assert_eq!(ids(&before, "fever rash").len(), 2, "whoever had it open goes on reading it");
}

#[test]
fn an_index_that_was_not_finished_or_is_damaged_is_made_again() {
    let desk = Desk::with(&[("a.txt", "fever")]);
    drop(desk.open());
    let [generation] = desk.generations().try_into().unwrap();
    fs::remove_file(generation.join("manifest.json")).unwrap();
    assert_eq!(ids(&desk.open(), "fever"), ["a.txt"]);
    fs::write(generation.join("meta.json"), "{").unwrap();
    assert_eq!(ids(&desk.open(), "fever"), ["a.txt"]);
}

#[test]
fn what_else_lies_beside_the_index_is_left_alone() {
    let desk = Desk::with(&[("a.txt", "fever")]);
    fs::create_dir_all(desk.index.join("notes")).unwrap();
    fs::write(desk.index.join("notes/keep.txt"), "mine").unwrap();
    desk.open();
    desk.write("a.txt", "cough");
    desk.open();
    assert!(desk.index.join("notes/keep.txt").exists());
}

#[test]
fn what_cannot_be_read_is_told_with_its_name_and_a_remedy() {
    let desk = Desk::with(&[("a.txt", "fever")]);
    fs::write(desk.texts.join("latin.txt"), [0x66, 0xe9, 0x76]).unwrap();
    let told = desk.refused();
    assert!(told.starts_with("mine: ") && told.contains("latin.txt") && told.contains("UTF-8"), "{told}");
    assert!(Desk::with(&[("a.pdf", "x")]).refused().contains("holds no .md or .txt file"));
    let gone = Desk::with(&[]);
    fs::remove_dir(&gone.texts).unwrap();
    assert!(gone.refused().contains("cannot read the folder"), "{}", gone.refused());
    let front = Desk::with(&[("a.md", "+++\ncondition = 3\n+++\nx")]);
    assert!(front.refused().contains("a.md, between the +++ lines"), "{}", front.refused());
}
