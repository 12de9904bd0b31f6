//! Starting the program in a directory of its own, and one finished run that tests share.

use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::UNIX_EPOCH;

/// Three subjects that are quick to train, on few patients.
pub const SMALL: &str = r#"# A study for tests.
[study]
name = "small"
seed = 7

[[suite]]
kind = "einstellung"
patients = 3600
pairs = 40
gap = 0.7
max_edits = 2

[[subject]]
agent = "plain"
model = "gestalt"

[[subject]]
agent = "plain"
model = "symptoms-only"

[[subject]]
agent = "plain"
model = "reference"
"#;

/// The same with two subjects that need no training, for tests that start it often.
pub fn quick() -> String {
    let (head, subjects) = SMALL.split_once("[[subject]]").unwrap();
    let (_, subjects) = subjects.split_once("[[subject]]").unwrap();
    format!("{head}[[subject]]{subjects}").replace("symptoms-only", "prior")
}

/// A directory to work in, gone with the test.
pub struct Desk {
    dir: tempfile::TempDir,
}

pub struct Ended {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Desk {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().unwrap() }
    }

    /// With `small.toml` on it.
    pub fn with_study(text: &str) -> Self {
        let desk = Self::new();
        desk.write("small.toml", text);
        desk
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    pub fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.path(name), content).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }

    pub fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).unwrap()
    }

    pub fn lines(&self, name: &str) -> Vec<Value> {
        objects(&self.read(name))
    }

    /// What lies on the desk, hidden files too.
    pub fn names(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = entries.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// `waterjar` with these words, here.
    pub fn waterjar(&self, words: &str) -> Ended {
        self.waterjar_with(&[], words)
    }

    /// The same with these variables set.
    pub fn waterjar_with(&self, variables: &[(&str, &str)], words: &str) -> Ended {
        let output = assert_cmd::cargo::cargo_bin_cmd!("waterjar")
            .current_dir(self.dir.path())
            // Nothing is left in the home of whoever runs the tests.
            .env("WATERJAR_CACHE", self.dir.path().join(".cache"))
            .envs(variables.iter().copied())
            .args(words.split_whitespace())
            .output()
            .unwrap();
        Ended {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// What a terminal of so many columns shows of it, talk too; `None` where there is none to be had.
    pub fn in_terminal(&self, columns: usize, words: &str) -> Option<String> {
        let line = format!("stty cols {columns} rows 50; exec '{}' {words}", program().display());
        let output = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .current_dir(self.dir.path())
            .env("SHELL", "/bin/sh")
            .env("WATERJAR_CACHE", self.dir.path().join(".cache"))
            .stdin(Stdio::null())
            .output();
        // Elsewhere `script` is another program.
        let output = output.ok().filter(|it| cfg!(target_os = "linux") && !it.stdout.is_empty());
        if output.is_none() {
            eprintln!("skipped: no terminal can be made with `script`");
        }
        Some(String::from_utf8(output?.stdout).unwrap().replace('\r', ""))
    }

    /// The same where it must go well.
    pub fn done(&self, words: &str) -> Ended {
        let ended = self.waterjar(words);
        assert_eq!(ended.code, Some(0), "waterjar {words}\n{}", ended.stderr);
        ended
    }

    /// The shared run to write to, as `run`.
    pub fn with_shared_run() -> Self {
        let desk = Self::new();
        let to = desk.path("run");
        fs::create_dir(&to).unwrap();
        for entry in fs::read_dir(shared_run()).unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), to.join(entry.file_name())).unwrap();
        }
        desk
    }
}

impl Ended {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}:\n{}", self.stdout))
    }

    /// What a run with `--json` printed of the subject in this place.
    pub fn value(&self, at: usize, metric: &str) -> Option<f64> {
        self.json()["results"][at]["metrics"][metric]["value"].as_f64()
    }
}

/// A JSON object a line.
pub fn objects(lines: &str) -> Vec<Value> {
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn program() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_waterjar"))
}

pub fn quickstart() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../studies/quickstart.toml")
}

/// The words that make the shared run in `DIR`.
pub fn run_quickstart(dir: &str) -> String {
    let few = "--set suite.einstellung.patients=3600 --set suite.einstellung.pairs=40 --set suite.parity.items=6";
    // Of this seed every reader that is trained is right on all controls, and the one by frequency on none.
    format!("run {} --set study.seed=6 --out {dir} {few}", quickstart().display())
}

/// The quickstart on few patients, made once for all tests of this build. Only for looking: copy it to change it.
pub fn shared_run() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("shared-run");
    fs::create_dir_all(&root).unwrap();
    // Each test is a process of its own.
    let lock = File::create(root.join("lock")).unwrap();
    lock.lock().unwrap();
    let built = fs::metadata(program()).unwrap().modified().unwrap();
    let built = built.duration_since(UNIX_EPOCH).unwrap().as_nanos().to_string();
    let (run, done) = (root.join("run"), root.join("done"));
    if fs::read_to_string(&done).ok().as_ref() != Some(&built) {
        let _ = fs::remove_dir_all(&run);
        Desk::new().done(&run_quickstart(&run.to_string_lossy()));
        fs::write(done, built).unwrap();
    }
    run
}

/// The files that must be the same whatever happened on the way.
pub const FILES: [&str; 4] = ["metrics.json", "variants.jsonl", "responses.jsonl", "verdicts.jsonl"];

pub fn files(dir: &Path) -> Vec<(&'static str, String)> {
    FILES.iter().map(|name| (*name, fs::read_to_string(dir.join(name)).unwrap())).collect()
}

/// The same bytes, without printing them all where they differ.
pub fn assert_same(one: &[(&str, String)], other: &[(&str, String)]) {
    for ((name, a), (_, b)) in one.iter().zip(other) {
        assert!(a == b, "{name} differs: {} and {} bytes", a.len(), b.len());
    }
}

pub fn result<'a>(metrics: &'a Value, subject: &str) -> &'a Value {
    let results = metrics["results"].as_array().unwrap();
    results.iter().find(|result| result["subject"] == subject).unwrap_or_else(|| panic!("no {subject}"))
}

/// The folder with real data, or a word that the test is skipped.
pub fn test_data() -> Option<PathBuf> {
    let data = std::env::var_os("WATERJAR_TEST_DATA").map(PathBuf::from);
    if data.is_none() {
        eprintln!("skipped: WATERJAR_TEST_DATA is not set");
    }
    data
}
