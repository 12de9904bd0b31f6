//! A suite's table in the study file → the suite, its source of cases and the knowledge both rest on.

use crate::consult::{self, Consult};
use crate::einstellung::{Einstellung, Published, Settings};
use crate::parity::{self, Parity, Vignettes};
use crate::sensitivity::catalog::{Catalog, OURS};
use crate::sensitivity::{self, Cases, Known, Sensitivity};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use waterjar_consultations::Language;
use waterjar_core::{Away, CaseSource, Kept, Seed, SourceError, Suite, in_plain_words};
use waterjar_knowledge::{
    BaseError, KnowledgeBase, Reading, ddxplus, jsonl::JsonLines, lint::lint, simulate::Simulated, starter,
};

/// What a suite is opened from.
pub struct Opening<'a> {
    /// The suite's table as written.
    pub table: &'a toml::Table,
    pub seed: Seed,
    /// Relative paths start here: the folder of the study file.
    pub folder: &'a Path,
    /// What a run keeps of it, where one was made before.
    pub kept: Option<&'a Kept>,
}

impl Opening<'_> {
    /// The file that the study names under a key: the run's own where it keeps one.
    fn file(&self, key: &str, named: &Path) -> PathBuf {
        let kept = self.kept.map(|kept| kept.file(key, named)).filter(|file| file.exists());
        kept.unwrap_or_else(|| self.folder.join(named))
    }

    /// The source without its cases, where they are not needed any more.
    fn away(&self, name: &str) -> Option<Arc<dyn CaseSource>> {
        let fingerprint = self.kept?.source.clone()?;
        Some(Arc::new(Away { name: name.to_owned(), fingerprint }))
    }
}

pub struct Opened {
    pub suite: Arc<dyn Suite>,
    pub source: Arc<dyn CaseSource>,
    pub knows: Knows,
    /// Files beside the source that judging needs, by the key of the study that names them.
    pub leans_on: BTreeMap<&'static str, PathBuf>,
}

impl Opened {
    fn new(suite: Arc<dyn Suite>, source: Arc<dyn CaseSource>, knows: Knows) -> Self {
        Self { suite, source, knows, leans_on: BTreeMap::new() }
    }
}

/// What built-in readers for the suite rest on.
pub enum Knows {
    /// Knows nothing where the source brings finished pairs. `judge` is how the suite's rule judge reads a patient.
    Conditions { base: Arc<KnowledgeBase>, judge: Reading },
    /// Charts speak for themselves.
    Treatments,
    /// Vignettes do too.
    Vignettes,
    /// Letters in a language; nothing is known of conditions that come as bare names.
    Letters { language: Arc<Language>, base: Arc<KnowledgeBase> },
}

#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    #[error("{0}")]
    Settings(String),
    #[error(transparent)]
    Source(#[from] SourceError),
    #[error(transparent)]
    Base(#[from] BaseError),
}

pub fn einstellung(opening: &Opening<'_>) -> Result<Opened, OpenError> {
    let settings = Settings::deserialize(opening.table.clone()).map_err(|error| OpenError::Settings(told(&error)))?;
    if let Some(problem) = settings.problem() {
        return Err(OpenError::Settings(problem));
    }
    let judge = settings.judge_reading();
    let finished = match settings.source.split_once(':') {
        Some(("medeinst", path)) => Some(Published::open(&settings.source, &opening.folder.join(path))?),
        Some(("staged", path)) => Some(Published::open_staged(&settings.source, &opening.folder.join(path))?),
        _ => None,
    };
    if let Some(source) = finished {
        let suite = Arc::new(Einstellung::of_pairs(settings, source.conditions()));
        let knows = Knows::Conditions { base: Arc::new(KnowledgeBase::nothing()), judge };
        return Ok(Opened::new(suite, Arc::new(source), knows));
    }
    let (base, Read::Here(source) | Read::Away(source)) = source(opening, Wanted::of(&settings))?;
    let suite = Arc::new(Einstellung::new(settings, base.clone()));
    Ok(Opened::new(suite, source, Knows::Conditions { base, judge }))
}

pub fn sensitivity(opening: &Opening<'_>) -> Result<Opened, OpenError> {
    let settings = sensitivity::Settings::deserialize(opening.table.clone());
    let settings = settings.map_err(|error| OpenError::Settings(told(&error)))?;
    if let Some(problem) = settings.problem() {
        return Err(OpenError::Settings(problem));
    }
    let mut leans_on = BTreeMap::new();
    let catalog = match settings.catalog.as_str() {
        OURS => Catalog::ours(),
        path => {
            let file = opening.file("catalog", Path::new(path));
            leans_on.insert("catalog", file.clone());
            Catalog::open(&file)?
        }
    };
    let (known, source): (_, Arc<dyn CaseSource>) = match settings.source.split_once(':') {
        None if settings.source == sensitivity::BOARDS => {
            (Known::of_boards(opening.seed)?, Arc::new(sensitivity::Boards::new(opening.seed, &catalog.hash)))
        }
        Some(("charts", path)) => {
            let scrub = settings.scrub.then_some(opening.seed);
            let consensus = settings.consensus.as_ref().map(|file| opening.file("consensus", file));
            leans_on.extend(consensus.clone().map(|file| ("consensus", file)));
            // Another list makes another benchmark: which charts are kept, and what they are held against.
            let list = consensus.as_deref().map(hash_of).transpose()?.unwrap_or_default();
            let made_of = format!("{}{list}", catalog.hash);
            let known = |cases: &Cases<'_>| consensus.as_ref().map(|file| Known::of_file(file, cases)).transpose();
            match opening.away(&settings.source) {
                Some(source) => (known(&Cases::Any(scrub))?.unwrap_or_default(), source),
                None => {
                    let path = opening.folder.join(path);
                    let charts = sensitivity::Charts::open(&settings.source, &path, scrub, &made_of)?;
                    let ids = if consensus.is_some() { charts.ids()? } else { BTreeMap::new() };
                    (known(&Cases::These(&ids))?.unwrap_or_default(), Arc::new(charts))
                }
            }
        }
        _ => {
            let problem = format!("source: `{}` is not a source; write \"boards\" or \"charts:PATH\"", settings.source);
            return Err(OpenError::Settings(problem));
        }
    };
    let suite = Arc::new(Sensitivity::new(settings, catalog, known));
    Ok(Opened { leans_on, ..Opened::new(suite, source, Knows::Treatments) })
}

fn hash_of(path: &Path) -> Result<String, SourceError> {
    let bytes = std::fs::read(path).map_err(|error| SourceError::unreadable(path, &error))?;
    Ok(blake3::hash(&bytes).to_hex().to_string())
}

pub fn parity(opening: &Opening<'_>) -> Result<Opened, OpenError> {
    let settings = parity::Settings::deserialize(opening.table.clone());
    let settings = settings.map_err(|error| OpenError::Settings(told(&error)))?;
    let suite = Parity::new(settings.clone()).map_err(OpenError::Settings)?;
    let source = match opening.away(&settings.source) {
        Some(source) => source,
        None => Arc::new(Vignettes::open(&settings, opening.folder, opening.seed)?),
    };
    Ok(Opened::new(Arc::new(suite), source, Knows::Vignettes))
}

pub fn consult(opening: &Opening<'_>) -> Result<Opened, OpenError> {
    let settings = consult::Settings::deserialize(opening.table.clone());
    let settings = settings.map_err(|error| OpenError::Settings(told(&error)))?;
    if let Some(problem) = settings.problem() {
        return Err(OpenError::Settings(problem));
    }
    let language = Language::named(&settings.language);
    let language = Arc::new(language.map_err(|error| OpenError::Settings(format!("language: {error}")))?);
    let files: Vec<PathBuf> = settings.apart_from.iter().map(|it| opening.folder.join(it)).collect();
    let earlier = consult::Earlier::open(files.iter().map(PathBuf::as_path))?;
    let words = format!("{} {}", language.fingerprint, earlier.fingerprint());
    let in_language = |source: Arc<dyn CaseSource>| Arc::new(consult::InLanguage { source, words });
    let of_words = match settings.source.split_once(':') {
        Some(("dx", path)) => Some(consult::Dx::open(&settings.source, &opening.folder.join(path))?),
        Some(("vignettes", source)) => {
            let wanted = parity::Settings { source: source.to_owned(), ..parity::Settings::default() };
            Some(consult::Dx::of_vignettes(&settings.source, &parity::load(&wanted, opening.folder)?)?)
        }
        _ => None,
    };
    if let Some(source) = of_words {
        let suite = Consult::of_names(settings, Arc::clone(&language), source.diseases(&language)).apart_from(earlier);
        let base = Arc::new(KnowledgeBase::nothing());
        return Ok(Opened::new(Arc::new(suite), in_language(Arc::new(source)), Knows::Letters { language, base }));
    }
    let wanted = Wanted {
        source: &settings.source,
        knowledge: settings.knowledge.as_deref(),
        patients: settings.patients,
        sources: "\"starter\", \"base:FOLDER\", \"ddxplus:FILE_OR_FOLDER\", \"jsonl:FILE\", \"dx:FILE\" or \"vignettes:SOURCE\"",
    };
    let (base, source) = source(opening, wanted)?;
    let source: Arc<dyn CaseSource> = match source {
        Read::Here(source) => in_language(source),
        // It has the fingerprint it had with its words.
        Read::Away(source) => source,
    };
    let suite = Consult::new(settings, Arc::clone(&language), Arc::clone(&base)).apart_from(earlier);
    Ok(Opened::new(Arc::new(suite), source, Knows::Letters { language, base }))
}

/// The message, after the key it is about where it does not name one itself.
fn told(error: &toml::de::Error) -> String {
    let message = in_plain_words(error.message());
    let whole = error.to_string();
    match whole.rsplit_once("in `").and_then(|(_, rest)| rest.split_once('`')) {
        Some((key, _)) if !message.starts_with("unknown field") => format!("{key}: {message}"),
        _ => message,
    }
}

type Sourced = (Arc<KnowledgeBase>, Read);

/// Simulated patients and those of DDXPlus are always here: their knowledge is needed anyhow.
enum Read {
    Here(Arc<dyn CaseSource>),
    /// A run is there and its cases are not needed any more.
    Away(Arc<dyn CaseSource>),
}

/// What a study says of patients who come with facts.
struct Wanted<'a> {
    source: &'a str,
    knowledge: Option<&'a Path>,
    patients: u64,
    /// What may be named, for whoever named something else.
    sources: &'a str,
}

impl<'a> Wanted<'a> {
    fn of(settings: &'a Settings) -> Self {
        Self {
            source: &settings.source,
            knowledge: settings.knowledge.as_deref(),
            patients: settings.patients,
            sources: "\"starter\", \"base:FOLDER\", \"ddxplus:FILE_OR_FOLDER\", \"jsonl:FILE\", \"medeinst:FILE\" or \"staged:FILE\"",
        }
    }
}

fn source(opening: &Opening<'_>, wanted: Wanted<'_>) -> Result<Sourced, OpenError> {
    let at = |path: &Path| opening.folder.join(path);
    let knowledge = wanted.knowledge.map(at);
    let simulated = |base: Arc<KnowledgeBase>| -> Sourced {
        let source = Simulated::for_test(Arc::clone(&base), opening.seed, wanted.patients);
        (base, Read::Here(Arc::new(source)))
    };
    match wanted.source.split_once(':').unwrap_or((wanted.source, "")) {
        (starter::NAME, "") => Ok(simulated(Arc::new(starter::base()?))),
        ("base", folder) => Ok(simulated(Arc::new(own_base(&at(Path::new(folder)))?))),
        ("ddxplus", path) => {
            let source = ddxplus_source(&at(Path::new(path)), knowledge.as_deref())?.named(wanted.source);
            Ok((Arc::clone(source.base()), Read::Here(Arc::new(source))))
        }
        ("jsonl", path) => {
            let base = Arc::new(knowledge.map_or_else(|| Ok(starter::base()?), |folder| own_base(&folder))?);
            let source = match opening.away(wanted.source) {
                Some(source) => Read::Away(source),
                None => Read::Here(Arc::new(JsonLines::open(wanted.source, &at(Path::new(path)), Arc::clone(&base))?)),
            };
            Ok((base, source))
        }
        _ => Err(OpenError::Settings(format!("source: `{}` is not a source; write {}", wanted.source, wanted.sources))),
    }
}

/// A base of one's own must hold to what ours holds to.
fn own_base(folder: &Path) -> Result<KnowledgeBase, OpenError> {
    let base = starter::read_folder(folder)?;
    let complaints = lint(&base);
    if complaints.is_empty() {
        return Ok(base);
    }
    let problem = format!("the knowledge base has {} faults:\n  {}", complaints.len(), complaints.join("\n  "));
    Err(SourceError::at(folder, problem)
        .with_hint("the format is described in crates/knowledge/starter/README.md")
        .into())
}

/// A folder that holds everything, or a patients file and the folder with its knowledge files.
pub fn ddxplus_source(path: &Path, knowledge: Option<&Path>) -> Result<ddxplus::Ddxplus, SourceError> {
    match knowledge {
        Some(knowledge) => ddxplus::open_files(knowledge, path),
        None if path.is_dir() => ddxplus::open(path),
        None if !path.exists() => Err(SourceError::at(path, "is not there").with_hint(
            "name a folder that holds the patients and the knowledge files, or a patients file beside `knowledge`",
        )),
        None => Err(SourceError::at(path, "is not a folder")
            .with_hint("name the folder with the knowledge files as `knowledge`, or a folder that holds everything")),
    }
}
