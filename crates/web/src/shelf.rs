//! The runs that are served, and what was read of them.

use crate::error::PageError;
use crate::index::Index;
use crate::score::Places;
use crate::summary::Summary;
use async_trait::async_trait;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::{Duration, Instant, SystemTime};
use tokio::sync::Mutex;
use waterjar_core::{Embedder, SuiteId};
use waterjar_engine::{EngineError, Plan, PlannedSuite, RunDir};
use waterjar_report::SuiteSection;
use waterjar_store::{Mode, Ratings, Store, StoreError};
use waterjar_views::OpenRun;

/// Opens the directory of a run. Who puts suites and subjects together does it; no page knows them.
#[async_trait]
pub trait Opens: Send + Sync {
    async fn open(&self, dir: &Path) -> Result<Opened, EngineError>;

    /// What a suite of the run compares texts by, by the name it has there. Looking at a run needs none, and one may be large.
    async fn embedder(&self, run: &Opened, name: &str) -> Result<Arc<dyn Embedder>, EngineError>;

    /// The runs that are there now, where others may have begun some since.
    async fn all(&self) -> Vec<PathBuf> {
        Vec::new()
    }
}

/// Families read for the page of a suite, to show a typical one by way of example.
const AT_HAND: usize = 12;

pub struct Opened {
    pub plan: Plan,
    pub dir: RunDir,
    pub store: Store,
}

pub struct Shelf {
    opens: Arc<dyn Opens>,
    runs: RwLock<BTreeMap<String, Arc<Slot>>>,
    /// When it was last seen what else is there.
    looked: Mutex<Instant>,
}

/// A run by the name it has in addresses.
pub struct Slot {
    pub name: String,
    pub path: PathBuf,
    run: Mutex<Option<Arc<ServedRun>>>,
    ratings: Mutex<Option<Ratings>>,
    /// When there were none, or another server of pages had them.
    without: Mutex<Option<Instant>>,
}

pub struct ServedRun {
    pub name: String,
    pub opened: Opened,
    opens: Arc<dyn Opens>,
    /// By name.
    embedders: Mutex<BTreeMap<String, Arc<dyn Embedder>>>,
    places: Kept<Places>,
    indices: Kept<Index>,
    sections: Kept<SuiteSection>,
    summary: Mutex<Option<(Read, Arc<Summary>)>>,
}

/// What was read of each suite, and when.
type Kept<T> = Mutex<BTreeMap<SuiteId, (Read, Arc<T>)>>;

/// When something was read, and of which state of the files.
struct Read {
    at: Instant,
    stamp: Stamp,
}

/// Of a database: while it is the same, so is what it holds.
#[derive(PartialEq)]
enum Stamp {
    Files(Vec<Option<(SystemTime, u64)>>),
    Server(String),
}

/// How long what was read of a run that is still written may lag behind.
const LAG: Duration = Duration::from_secs(2);
/// Until it is looked again for runs that others began: whoever began one looks for it soon.
const NEWS: Duration = Duration::from_secs(5);
/// Until ratings that were not there are looked for again. Whoever asks for a link that is not there asks for the ratings of every run.
const AGAIN: Duration = Duration::from_secs(5);

impl Shelf {
    /// Runs with the same last part of their path are numbered.
    pub fn new(opens: Box<dyn Opens>, paths: impl IntoIterator<Item = PathBuf>) -> Self {
        let shelf = Self { opens: opens.into(), runs: RwLock::default(), looked: Mutex::new(Instant::now()) };
        paths.into_iter().for_each(|path| shelf.put(path));
        shelf
    }

    fn put(&self, path: PathBuf) {
        let mut runs = self.runs.write().unwrap_or_else(PoisonError::into_inner);
        if runs.values().any(|slot| slot.path == path) {
            return;
        }
        let last = path.canonicalize().unwrap_or_else(|_| path.clone());
        let last = last.file_name().map_or_else(|| "run".to_owned(), |name| name.to_string_lossy().into_owned());
        let taken = |name: &String| runs.contains_key(name);
        let mut names = (2..).map(|number| format!("{last}-{number}"));
        let name = Some(last.clone()).filter(|it| !taken(it)).or_else(|| names.find(|it| !taken(it)));
        let name = name.expect("there is always another number");
        let slot = Slot {
            name: name.clone(),
            path,
            run: Mutex::default(),
            ratings: Mutex::default(),
            without: Mutex::default(),
        };
        runs.insert(name, Arc::new(slot));
    }

    /// Also what others began since the last look.
    pub async fn fresh_slots(&self) -> Vec<Arc<Slot>> {
        let mut looked = self.looked.lock().await;
        if looked.elapsed() > NEWS {
            self.opens.all().await.into_iter().for_each(|path| self.put(path));
            *looked = Instant::now();
        }
        drop(looked);
        self.slots()
    }

    pub fn slots(&self) -> Vec<Arc<Slot>> {
        self.runs.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect()
    }

    /// Copies what people said into the files themselves, where some of it stands beside them.
    pub async fn tidy(&self) {
        for slot in self.slots() {
            if let Some(ratings) = slot.ratings.lock().await.as_ref() {
                ratings.tidy().await;
            }
        }
    }

    /// Leaves one file of ratings behind for each run.
    pub async fn close(&self) {
        for slot in self.slots() {
            if let Some(ratings) = slot.ratings.lock().await.take() {
                ratings.close().await;
            }
        }
    }

    pub fn slot(&self, name: &str) -> Result<Arc<Slot>, PageError> {
        let runs = self.runs.read().unwrap_or_else(PoisonError::into_inner);
        runs.get(name).cloned().ok_or_else(|| PageError::NotFound(format!("No run is called “{name}”.")))
    }

    pub async fn run(&self, name: &str) -> Result<Arc<ServedRun>, PageError> {
        // It may have begun since the list was last seen.
        if self.slot(name).is_err() {
            self.fresh_slots().await;
        }
        let slot = self.slot(name)?;
        let mut held = slot.run.lock().await;
        if let Some(run) = held.as_ref()
            && run.has_its_study().await
        {
            return Ok(Arc::clone(run));
        }
        let opened = self.opens.open(&slot.path).await?;
        let run = Arc::new(ServedRun {
            name: slot.name.clone(),
            opened,
            opens: Arc::clone(&self.opens),
            embedders: Mutex::default(),
            places: Kept::default(),
            indices: Kept::default(),
            sections: Kept::default(),
            summary: Mutex::default(),
        });
        *held = Some(Arc::clone(&run));
        Ok(run)
    }
}

impl Slot {
    /// What people said of the run, where anybody was asked.
    pub async fn ratings(&self) -> Result<Option<Ratings>, PageError> {
        let place = RunDir::new(&self.path).ratings();
        let mut held = self.ratings.lock().await;
        if held.is_some() || !place.is_file() {
            return Ok(held.clone());
        }
        let mut without = self.without.lock().await;
        if without.is_some_and(|since| since.elapsed() < AGAIN) {
            return Ok(None);
        }
        *without = Some(Instant::now());
        let is_on_server = place.extension().is_some_and(|it| it == "postgres");
        match Ratings::open(place, Mode::Existing).await {
            Ok(ratings) => {
                *held = Some(ratings);
                Ok(held.clone())
            }
            // On a server the place says nothing of whether anybody was asked.
            Err(StoreError::Missing { .. }) => Ok(None),
            Err(error) => {
                // There every try waits a while for whoever has them; a file is free as soon as it is.
                if !is_on_server {
                    *without = None;
                }
                Err(error.into())
            }
        }
    }

    /// Made where there are none. One server at a time has them.
    pub async fn ratings_to_write(&self) -> Result<Ratings, PageError> {
        let mut held = self.ratings.lock().await;
        if let Some(ratings) = held.as_ref() {
            return Ok(ratings.clone());
        }
        let ratings = Ratings::open(RunDir::new(&self.path).ratings(), Mode::Create).await?;
        *held = Some(ratings.clone());
        Ok(ratings)
    }
}

impl ServedRun {
    pub fn open(&self) -> OpenRun<'_> {
        OpenRun { plan: &self.opened.plan, dir: &self.opened.dir, store: &self.opened.store }
    }

    pub fn suite(&self, id: &str) -> Result<&PlannedSuite, PageError> {
        let found = self.opened.plan.suites.iter().find(|planned| planned.id().as_str() == id);
        found.ok_or_else(|| {
            let there: Vec<&str> = self.opened.plan.suites.iter().map(|planned| planned.id().as_str()).collect();
            let there = there.join("”, “");
            PageError::NotFound(format!("The run “{}” has no suite “{id}”. What it has: “{there}”.", self.name))
        })
    }

    /// What the families of a suite can be found by: read once, and again when the run has changed.
    pub async fn index(&self, planned: &PlannedSuite) -> Result<Arc<Index>, PageError> {
        let mut indices = self.indices.lock().await;
        if let Some(index) = self.fresh(indices.get(planned.id())).await {
            return Ok(index);
        }
        let read = self.reading().await;
        let index = Arc::new(Index::read(&self.opened.store, planned).await?);
        indices.insert(planned.id().clone(), (read, Arc::clone(&index)));
        Ok(index)
    }

    /// Where the variants of a suite are.
    pub async fn places(&self, planned: &PlannedSuite) -> Result<Arc<Places>, PageError> {
        let mut places = self.places.lock().await;
        if let Some(found) = self.fresh(places.get(planned.id())).await {
            return Ok(found);
        }
        let read = self.reading().await;
        let found = Arc::new(Places::read(&self.opened.store, planned.id()).await?);
        places.insert(planned.id().clone(), (read, Arc::clone(&found)));
        Ok(found)
    }

    /// What suites compare texts by; opened when first needed, and each by itself: one that is refused keeps no other suite from its own.
    pub async fn embedder(&self, name: &str) -> Result<Arc<dyn Embedder>, PageError> {
        let mut embedders = self.embedders.lock().await;
        if let Some(found) = embedders.get(name) {
            return Ok(Arc::clone(found));
        }
        let opened = self.opens.embedder(&self.opened, name).await?;
        embedders.insert(name.to_owned(), Arc::clone(&opened));
        Ok(opened)
    }

    /// The tables and figures of a suite.
    pub async fn section(&self, planned: &PlannedSuite) -> Result<Arc<SuiteSection>, PageError> {
        let mut sections = self.sections.lock().await;
        if let Some(section) = self.fresh(sections.get(planned.id())).await {
            return Ok(section);
        }
        let read = self.reading().await;
        let section = Arc::new(waterjar_views::section(self.open(), planned, AT_HAND).await?);
        sections.insert(planned.id().clone(), (read, Arc::clone(&section)));
        Ok(section)
    }

    /// How far it is.
    pub async fn summary(&self) -> Result<Arc<Summary>, PageError> {
        let mut held = self.summary.lock().await;
        if let Some(summary) = self.fresh(held.as_ref()).await {
            return Ok(summary);
        }
        let read = self.reading().await;
        let summary = Arc::new(Summary::of(self.open()).await?);
        *held = Some((read, Arc::clone(&summary)));
        Ok(summary)
    }

    /// Until another process gives the run another judge or more subjects: then all that was read by the old plan goes with it.
    async fn has_its_study(&self) -> bool {
        match self.opened.store.identity().await {
            Ok(Some(held)) => held.study_text == self.opened.plan.text,
            // A store that cannot say will tell whoever reads next why.
            Ok(None) | Err(_) => true,
        }
    }

    async fn reading(&self) -> Read {
        Read { at: Instant::now(), stamp: self.stamp().await }
    }

    async fn fresh<T>(&self, held: Option<&(Read, Arc<T>)>) -> Option<Arc<T>> {
        let (read, held) = held?;
        (read.at.elapsed() < LAG || read.stamp == self.stamp().await).then(|| Arc::clone(held))
    }

    async fn stamp(&self) -> Stamp {
        // A server that cannot say has changed, as far as we know; whoever reads next will hear why.
        if let Some(stamp) = self.opened.store.stamp().await.unwrap_or_default() {
            return Stamp::Server(stamp);
        }
        let database = self.opened.dir.database();
        let of = |path: &Path| std::fs::metadata(path).and_then(|it| Ok((it.modified()?, it.len()))).ok();
        Stamp::Files(vec![of(&database), of(&database.with_extension("sqlite-wal"))])
    }

    /// Whether another process works on it.
    pub async fn is_running(&self) -> bool {
        Store::in_use(&self.opened.dir.database()).is_some() || self.opened.store.is_planned().await.unwrap_or(false)
    }
}
