//! What a command works on: a study file, or the directory of a run that remembers its study.

use crate::catalog::Parts;
use crate::cli::PassArgs;
use crate::clock;
use crate::embedders;
use crate::lock::{self, Declared, Held, Lock, token_path};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_core::Registration;
use waterjar_engine::run::{FIRST_ASKED, REGISTRATION, SOURCES};
use waterjar_engine::{Asks, EngineError, Plan, PlannedSuite, RunDir, StudyFile};
use waterjar_store::{Mode, Server, Store};

pub struct Target {
    pub plan: Plan,
    pub dir: RunDir,
    /// Whether the study's lock held.
    pub held: Held,
    /// When it was declared, and what was changed since; nothing where nobody did.
    registration: Option<Registration>,
    /// Where relative paths of a study start that lies in no file of its own.
    folder: Option<String>,
}

/// Where the study file lay when the run was started: relative paths in it start there.
const FOLDER: &str = "study_folder";
const REGISTERED: &str = "registered";
/// The lock as it was when the run was started, in its directory.
const LOCK: &str = "study.lock";
/// The day on which the run was started.
pub const STARTED: &str = "started";

impl Target {
    /// `sets` change the study before it is read.
    /// Only models that may have to be asked are opened.
    pub async fn resolve(target: &Path, out: Option<&Path>, sets: &[String], asks: Asks) -> Result<Self> {
        if target.is_dir() {
            return Self::of_run(target, out, sets, asks).await;
        }
        let study = StudyFile::read(target, sets)?;
        let mut plan = study.resolve_for(&Parts, asks)?;
        let declared = Declared::read(&Lock::path(target)?)?;
        // Hashing reads every case once more, which only a study with a lock has to wait for.
        let held = declared.as_ref().map_or(Held::NotLocked, |it| it.held(&Lock::of(&study, &plan)));
        plan.registered = held == Held::Yes;
        let registration = declared.map(|it| it.registration(&held)).transpose()?;
        let dir = run_dir(&plan.name, out);
        Ok(Self { plan, dir, held, registration, folder: None })
    }

    /// The study of a run with the next edition of its letters, apart from all earlier ones.
    pub async fn fresh(args: &PassArgs, asks: Asks) -> Result<Self> {
        let last = RunDir::new(&args.target);
        if !args.target.is_dir() {
            let error = EngineError::file(&args.target, "is no run");
            return Err(error.with_hint("--fresh makes the next edition of a run: name its directory").into());
        }
        let Remembered { text, folder, .. } = Remembered::of(&last).await?;
        let path = last.file("study.toml");
        let study = StudyFile::parse(&path, text.clone(), &args.set)?;
        let asked = std::path::absolute(last.file("variants.jsonl")).context("the current directory is gone")?;
        let mut sets = args.set.clone();
        let mut next = 0;
        for table in study.suites.iter().map(|it| it.get_ref()) {
            if table.get("kind").and_then(|it| it.as_str()) != Some("consult") {
                continue;
            }
            let name = table.get("name").and_then(|it| it.as_str()).unwrap_or("consult");
            let edition = table.get("edition").and_then(|it| it.as_integer()).unwrap_or(1);
            next = next.max(edition + 1);
            let mut apart = table.get("apart_from").and_then(|it| it.as_array()).cloned().unwrap_or_default();
            apart.push(asked.to_string_lossy().into_owned().into());
            sets.push(format!("suite.{name}.edition={}", edition + 1));
            sets.push(format!("suite.{name}.apart_from={}", toml::Value::Array(apart)));
        }
        if next == 0 {
            let error = EngineError::file(&args.target, "has no suite of letters");
            return Err(error.with_hint("only the suite `consult` has editions").into());
        }
        let plan = StudyFile::parse(&path, text, &sets)?.from_folder(folder.clone()).resolve_for(&Parts, asks)?;
        let beside = || format!("{}-edition-{next}", args.target.display().to_string().trim_end_matches('/'));
        let dir = args.out.clone().unwrap_or_else(|| beside().into());
        if dir == args.target {
            return Err(EngineError::file(&dir, "is the last edition").with_hint("choose another --out").into());
        }
        Ok(Self { plan, dir: RunDir::new(dir), held: Held::NotLocked, registration: None, folder: Some(folder) })
    }

    async fn of_run(target: &Path, out: Option<&Path>, sets: &[String], asks: Asks) -> Result<Self> {
        if out.is_some_and(|out| out != target) {
            let error = EngineError::file(target, "is a run already, so --out has no meaning");
            return Err(error.with_hint("leave --out away, or name the study file").into());
        }
        let dir = RunDir::new(target);
        let remembered = Remembered::of(&dir).await?;
        Self::remembered(dir, remembered, sets, asks)
    }

    /// The study of a run with another text, where that asks the same. Whom it adds was not declared.
    pub async fn with_study(run: &Path, change: impl FnOnce(String) -> Result<String>) -> Result<Self> {
        let dir = RunDir::new(run);
        let mut remembered = Remembered::of(&dir).await?;
        let path = dir.file("study.toml");
        let asked = |text: &str| StudyFile::parse(&path, text.to_owned(), &[]).map(|study| lock::asked(&study));
        let before = asked(&remembered.text)?;
        remembered.text = change(remembered.text)?;
        let added = lock::differences(&before, &asked(&remembered.text)?);
        if let Some(registration) = &mut remembered.registration
            && registration.undeclared.is_empty()
        {
            registration.deviations.extend(added);
        }
        Self::remembered(dir, remembered, &[], Asks::Nobody)
    }

    /// What its lock says nothing of.
    pub fn undeclared(&self) -> &[String] {
        self.registration.as_ref().map_or(&[], |it| &it.undeclared)
    }

    fn remembered(dir: RunDir, remembered: Remembered, sets: &[String], asks: Asks) -> Result<Self> {
        let Remembered { text, folder, registered, registration, sources } = remembered;
        let path = dir.file("study.toml");
        let kept: Vec<String> = sets.iter().filter(|set| !is_bound(set)).cloned().collect();
        let kept = StudyFile::parse(&path, text.clone(), &kept)?.text;
        let study = StudyFile::parse(&path, text, sets)?.from_folder(folder).kept_by(&dir, sources);
        let mut plan = study.resolve_for(&Parts, asks)?;
        plan.text = kept;
        let set = || sets.iter().map(|it| format!("a later pass with --set {it}")).collect();
        let registration = registration.map(|it| Registration { deviations: set(), ..it.clone() }.and(it));
        let as_declared = registration.as_ref().is_none_or(|it| it.deviations.is_empty());
        plan.registered = registered && sets.is_empty() && as_declared;
        let held = if plan.registered { Held::Yes } else { Held::NotLocked };
        Ok(Self { plan, dir, held, registration, folder: None })
    }

    /// A benchmark cut short is another than was declared. Of a study that nobody declared it says nothing.
    pub fn cut_to(mut self, limit: Option<u64>) -> Self {
        let (Some(limit), Some(registration)) = (limit, &mut self.registration) else { return self };
        let is_cut = |planned: &PlannedSuite| planned.suite().quota().families.is_none_or(|wanted| wanted > limit);
        if self.plan.suites.iter().any(is_cut) {
            let deviation = format!("number of families (--limit {limit})");
            registration.deviations.push(deviation.clone());
            self.held = self.held.but_for(deviation);
            self.plan.registered = false;
        }
        self
    }

    /// On a server where one is named, else where it is or would be.
    pub async fn open_at(&mut self, study: &Path, store: Option<&str>) -> Result<Store> {
        let Some(url) = store else { return self.open(study).await };
        let server = Server::parse(url).map_err(EngineError::from)?;
        let server = match server.run() {
            Some(_) => server,
            None => server.with_run(&file_name(&self.plan.name)).map_err(EngineError::from)?,
        };
        let new = self.dir.keep_on(&server)?;
        let opened = self.open(study).await;
        if opened.is_err() && new {
            self.dir.forget_server();
        }
        opened
    }

    /// Opens the run for writing and notes where its study lay.
    pub async fn open(&mut self, study: &Path) -> Result<Store> {
        let store = self.dir.open(&self.plan, concat!("waterjar ", env!("CARGO_PKG_VERSION"))).await?;
        embedders::keep_with(&self.dir, &mut self.plan);
        if store.meta(STARTED).await.map_err(EngineError::from)?.is_none() {
            store.put_meta(STARTED, &clock::today()).await.map_err(EngineError::from)?;
        }
        self.keep_registration(&store).await?;
        if let Some(folder) = &self.folder {
            store.put_meta(FOLDER, folder).await.map_err(EngineError::from)?;
        } else if study.is_file() {
            let folder = study.parent().filter(|it| !it.as_os_str().is_empty()).unwrap_or(Path::new("."));
            let folder = std::path::absolute(folder).context("the current directory is gone")?;
            store.put_meta(FOLDER, &folder.to_string_lossy()).await.map_err(EngineError::from)?;
            let registered = if self.plan.registered { "yes" } else { "no" };
            store.put_meta(REGISTERED, registered).await.map_err(EngineError::from)?;
            if self.plan.registered {
                let lock = Lock::path(study)?;
                std::fs::copy(&lock, self.dir.file(LOCK)).context("the lock cannot be kept with the run")?;
                let token = token_path(&lock);
                if token.exists() {
                    std::fs::copy(token, self.dir.file("study.tsr"))
                        .context("the lock's token cannot be kept with the run")?;
                }
            }
        }
        Ok(store)
    }

    /// What was declared only after somebody was asked is not registered, nor what an earlier start deviated from.
    async fn keep_registration(&mut self, store: &Store) -> Result<()> {
        let Some(registration) = self.registration.take() else { return Ok(()) };
        let kept = store.meta(REGISTRATION).await.map_err(EngineError::from)?;
        let earlier = kept.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default();
        let first_asked = store.meta(FIRST_ASKED).await.map_err(EngineError::from)?;
        if !registration.is_before(first_asked.as_deref()) {
            self.plan.registered = false;
        }
        let registration = registration.and(earlier);
        if !registration.deviations.is_empty() {
            self.plan.registered = false;
            if self.held == Held::Yes {
                self.held = Held::No(registration.deviations.clone());
            }
        }
        let text = serde_json::to_string(&registration).context("a registration is texts")?;
        store.put_meta(REGISTRATION, &text).await.map_err(EngineError::from)?;
        self.registration = Some(registration);
        Ok(())
    }
}

/// A bound that a run is asked about changes nothing in it: it holds for this command, and the next one measures by the run's own.
fn is_bound(set: &str) -> bool {
    set.trim_start().starts_with("bounds.")
}

/// What a run remembers.
struct Remembered {
    /// Its study.
    text: String,
    /// Where that lay.
    folder: String,
    /// Whether it was declared.
    registered: bool,
    registration: Option<Registration>,
    /// The fingerprints of its suites' sources.
    sources: BTreeMap<String, String>,
}

impl Remembered {
    async fn of(dir: &RunDir) -> Result<Self> {
        let store = Store::open(dir.database(), Mode::Read).await.map_err(EngineError::from)?;
        let identity = store.identity().await.map_err(EngineError::from)?;
        let folder = store.meta(FOLDER).await.map_err(EngineError::from)?.unwrap_or_default();
        let registered = store.meta(REGISTERED).await.map_err(EngineError::from)?.as_deref() == Some("yes");
        let registration = store.meta(REGISTRATION).await.map_err(EngineError::from)?;
        let sources = store.meta(SOURCES).await.map_err(EngineError::from)?;
        store.close().await;
        let mut registration: Option<Registration> = registration.and_then(|it| serde_json::from_str(&it).ok());
        if let Some(registration) = registration.as_mut().filter(|it| it.undeclared.is_empty()) {
            // Earlier versions did not note what the lock says nothing of, and kept the lock.
            let lock = Declared::read(&dir.file(LOCK)).ok().flatten();
            registration.undeclared = lock.iter().flat_map(Declared::undeclared).map(str::to_owned).collect();
        }
        Ok(Self {
            text: identity.map(|identity| identity.study_text).unwrap_or_default(),
            folder,
            registered,
            registration,
            sources: sources.and_then(|it| serde_json::from_str(&it).ok()).unwrap_or_default(),
        })
    }
}

/// Where a study is carried out: `runs/NAME` unless told otherwise.
pub fn run_dir(study: &str, out: Option<&Path>) -> RunDir {
    RunDir::new(out.map_or_else(|| Path::new("runs").join(file_name(study)), Path::to_owned))
}

/// A study may be called anything; its directory may not.
fn file_name(study: &str) -> String {
    let name: String = study.chars().map(|c| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '-' }).collect();
    // `.` and `..` are directories already, and not ours.
    if name.chars().all(|c| c == '.') { name.replace('.', "-") } else { name }
}
