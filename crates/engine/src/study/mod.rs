//! The study file as somebody wrote it. It may be wrong; only what `resolve` makes of it travels on.

mod places;
mod sets;
mod written;

pub use written::{Bound, Endpoints, Privacy, Programs, StopRule, StudyHead, SubjectEntry, schema};

use crate::gateway::{GatewaySettings, Prices};
use crate::plan::suggest;
use crate::{Asks, EngineError, RunDir};
use places::{Origin, Places};
use sets::Sets;
use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use toml::Spanned;
use waterjar_core::{Kept, SourceError, in_plain_words};
use written::Written;

#[derive(Clone, Debug)]
pub struct StudyFile {
    pub path: PathBuf,
    /// Where relative paths start; beside the file unless the run lies elsewhere.
    folder: Option<PathBuf>,
    /// The run that was made of it, and the fingerprints of its suites' sources.
    run: Option<(RunDir, BTreeMap<String, String>)>,
    /// As written, or as `--set` changed it.
    pub text: String,
    /// What `--set` changed.
    sets: Sets,
    /// What the spans below are places in: the file, so that a line in a message is a line of the file.
    spanned: String,
    pub study: StudyHead,
    pub suites: Vec<Spanned<toml::Table>>,
    pub subjects: Vec<Spanned<SubjectEntry>>,
    pub bounds: BTreeMap<String, Spanned<Bound>>,
    pub stopping: BTreeMap<String, Spanned<StopRule>>,
    /// Models that need more than their name.
    pub models: BTreeMap<String, Spanned<toml::Table>>,
    pub gateway: GatewaySettings,
    /// Prices that go before the list's.
    pub prices: Prices,
    pub privacy: Privacy,
}

impl StudyFile {
    /// `sets` are `key=value` from the command line, such as `study.seed=8` or `suite.einstellung.pairs=50`.
    pub fn read(path: &Path, sets: &[String]) -> Result<Self, EngineError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            if error.kind() == ErrorKind::InvalidData {
                return EngineError::from(SourceError::unreadable(path, &error));
            }
            let unreadable = EngineError::file(path, format!("cannot be read: {error}"));
            let kept = path.join("study.toml");
            match (path.is_dir(), kept.is_file()) {
                (false, _) if may_be_run(path) => unreadable.with_hint(
                    "name a study file, such as studies/quickstart.toml, or the directory of a run, such as runs/quickstart",
                ),
                (false, _) => unreadable.with_hint("name a study file, such as studies/quickstart.toml"),
                (true, false) => unreadable.with_hint("this is a directory: name a study file"),
                (true, true) => unreadable.with_hint(format!("this is a run; its study is {}", kept.display())),
            }
        })?;
        Self::parse(path, text, sets)
    }

    pub fn parse(path: &Path, text: String, sets: &[String]) -> Result<Self, EngineError> {
        let sets = Sets::new(sets);
        let origin = Origin { path, text: &text, sets: &sets };
        let whole = || path.display().to_string();
        let in_file = |error: toml::de::Error| {
            syntax(error.span().map_or_else(whole, |span| origin.line(span.start)), &text, &error)
        };
        let (written, changed) = if sets.is_empty() {
            (toml::from_str::<Written>(&text).map_err(in_file)?, text.clone())
        } else {
            let changed = sets.applied_to(toml::from_str(&text).map_err(in_file)?)?.to_string();
            let written = toml::from_str::<Written>(&changed).map_err(|error| {
                syntax(error.span().map_or_else(whole, |span| origin.of(&changed, &span)), &changed, &error)
            })?;
            (written.placed_in(&Places::of(&text)), changed)
        };
        let file = Self {
            path: path.to_owned(),
            folder: None,
            run: None,
            text: changed,
            sets,
            spanned: text,
            study: written.study,
            suites: written.suite,
            subjects: written.subject,
            bounds: written.bounds,
            stopping: written.stopping,
            models: written.models,
            gateway: GatewaySettings { budget: written.budget, limits: written.limits, retry: written.retry },
            prices: written.prices,
            privacy: written.privacy,
        };
        file.check()?;
        Ok(file)
    }

    /// For a study that was moved: relative paths start where it lay.
    #[must_use]
    pub fn from_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into());
        self
    }

    /// For a study that a run was made of: what the run keeps comes before what lies elsewhere. `sources` are the fingerprints of its
    /// suites' sources.
    #[must_use]
    pub fn kept_by(mut self, run: &RunDir, sources: BTreeMap<String, String>) -> Self {
        self.run = Some((run.clone(), sources));
        self
    }

    /// What the run keeps of a suite. Whoever makes variants needs the source itself.
    pub(crate) fn kept(&self, table: &toml::Table, asks: Asks) -> Option<Kept> {
        let (run, sources) = self.run.as_ref()?;
        let named = |key: &str| table.get(key).and_then(toml::Value::as_str);
        let suite = named("name").or_else(|| named("kind"))?;
        let makes = [Asks::Everybody, Asks::Writers].contains(&asks);
        Some(Kept { folder: run.inputs(suite), source: sources.get(suite).filter(|_| !makes).cloned() })
    }

    /// The folder that relative paths in the study start from.
    pub fn folder(&self) -> &Path {
        let folder = self.folder.as_deref().or_else(|| self.path.parent());
        folder.filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
    }

    fn check(&self) -> Result<(), EngineError> {
        let whole = || self.path.display().to_string();
        let head = |key: &str| self.set_of(&["study", key]).unwrap_or_else(whole);
        if self.study.name.trim().is_empty() {
            return Err(EngineError::study(head("name"), "the study has an empty name"));
        }
        if self.study.repeats == 0 {
            return Err(EngineError::study(head("repeats"), "repeats is 0, so nothing would be asked"));
        }
        if let Err(problem) = self.gateway.check() {
            // `budget.usd: …` stands under `usd` in `[budget]`.
            let key = problem.split(':').next().and_then(|path| path.split_once('.'));
            let place = key.map_or_else(whole, |(section, key)| self.place_of_table(section, key));
            return Err(EngineError::study(place, problem));
        }
        if let Err(problem) = self.prices.check() {
            let name = problem.split(": ").next().unwrap_or_default();
            let place = self.place_of_table("prices", &format!("\"{name}\""));
            return Err(EngineError::study(place, format!("[prices] {problem}")));
        }
        if self.suites.is_empty() {
            return Err(EngineError::study(whole(), "there is no suite")
                .with_hint("add a table such as:\n\n  [[suite]]\n  kind = \"einstellung\"\n"));
        }
        if self.subjects.is_empty() {
            return Err(EngineError::study(whole(), "there is no subject")
                .with_hint("add a table such as:\n\n  [[subject]]\n  agent = \"plain\"\n  model = \"gestalt\"\n"));
        }
        Ok(())
    }
}

/// Nothing is there, and nothing in the name says that a file was meant.
fn may_be_run(path: &Path) -> bool {
    !path.exists() && path.extension().is_none_or(|it| it != "toml")
}

fn syntax(place: String, text: &str, error: &toml::de::Error) -> EngineError {
    let (problem, hint) = suggest::unknown_field(&in_plain_words(error.message()));
    let in_quotes = error.message().split('`').nth(1).and_then(|field| unquoted(text, field));
    let error = EngineError::study(place, problem);
    match in_quotes.or(hint) {
        Some(hint) => error.with_hint(hint),
        None => error,
    }
}

/// `einstellung.bias_trap_rate = { … }` without quotes is a table in a table, where a name with a dot was meant.
fn unquoted(text: &str, field: &str) -> Option<String> {
    let table: toml::Table = toml::from_str(text).ok()?;
    let sections = ["bounds", "stopping"].into_iter().filter_map(|section| table.get(section)?.as_table());
    let found = sections.flatten().find_map(|(suite, of_suite)| Some((suite, of_suite.get(field)?)));
    let (suite, mut of_figure) = found.filter(|(_, of_figure)| of_figure.is_table())?;
    let mut name = format!("{suite}.{field}");
    // What is a table in it is another part of the name.
    let deeper = |it: &toml::Table| it.iter().find(|(_, value)| value.is_table()).map(|(part, _)| part.clone());
    while let Some(part) = of_figure.as_table().and_then(deeper) {
        of_figure = of_figure.get(part.as_str())?;
        name = format!("{name}.{part}");
    }
    Some(format!("put the name in quotes: \"{name}\""))
}
