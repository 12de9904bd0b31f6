//! The study file as somebody wrote it. It may be wrong; only what `resolve` makes of it travels on.

use crate::gateway::{BudgetSettings, GatewaySettings, LimitSettings, Prices, RetrySettings};
use crate::plan::suggest;
use crate::{Asks, EngineError, RunDir};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use toml::Spanned;
use waterjar_core::Kept;

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
    sets: Vec<String>,
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

/// Where requests may go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Privacy {
    pub endpoints: Endpoints,
    /// Whether models may be programs; where it is left out, unless endpoints must be local.
    pub programs: Option<Programs>,
}

/// What a program does with what it is told nobody knows but who wrote it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Programs {
    Allowed,
    Refused,
}

impl Privacy {
    pub fn allows_programs(self) -> bool {
        match self.programs {
            Some(said) => said == Programs::Allowed,
            None => self.endpoints == Endpoints::Any,
        }
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Endpoints {
    #[default]
    Any,
    /// Loopback and private addresses, whatever else the study says.
    Local,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StudyHead {
    pub name: String,
    pub seed: u64,
    /// How often each question is asked; 1 unless the study says otherwise.
    #[serde(default = "once")]
    pub repeats: u32,
}

#[derive(Clone, Debug, Deserialize)]
pub struct SubjectEntry {
    pub agent: String,
    pub model: String,
    /// `agent@model` unless the study says otherwise: the same agent may be there with several settings.
    pub name: Option<String>,
    /// The suites it answers, by their names; all when left out.
    #[serde(default)]
    pub suites: Option<Vec<String>>,
    /// The rest is for the agent, which refuses what it does not know.
    #[serde(flatten)]
    pub settings: toml::Table,
}

impl SubjectEntry {
    pub fn name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("{}@{}", self.agent, self.model))
    }

    pub fn answers(&self, suite: &str) -> bool {
        self.suites.as_ref().is_none_or(|named| named.iter().any(|name| name == suite))
    }
}

/// What a figure must keep; a broken bound ends the run with exit code 1.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Bound {
    pub max: Option<f64>,
    pub min: Option<f64>,
    /// Only this subject; all but references when left out.
    pub subject: Option<String>,
}

/// When a figure is known well enough: a subject is then asked no more. Declared here, never decided silently.
#[derive(Clone, Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StopRule {
    /// Of the 95 % interval.
    pub half_width: f64,
    /// Families between two looks.
    #[serde(default = "looks")]
    pub every: u64,
    /// Only this subject; all when left out.
    pub subject: Option<String>,
}

fn looks() -> u64 {
    100
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Written {
    study: StudyHead,
    /// What is varied, asked, judged and measured.
    #[serde(default)]
    #[schemars(with = "Vec<serde_json::Value>")]
    suite: Vec<Spanned<toml::Table>>,
    /// Who is asked.
    #[serde(default)]
    #[schemars(with = "Vec<serde_json::Value>")]
    subject: Vec<Spanned<SubjectEntry>>,
    /// What figures must keep, by `suite.metric`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, Bound>")]
    bounds: BTreeMap<String, Spanned<Bound>>,
    /// When figures are known well enough, by `suite.metric`.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, StopRule>")]
    stopping: BTreeMap<String, Spanned<StopRule>>,
    /// Models that need more than their name.
    #[serde(default)]
    #[schemars(with = "BTreeMap<String, serde_json::Value>")]
    models: BTreeMap<String, Spanned<toml::Table>>,
    #[serde(default)]
    budget: BudgetSettings,
    #[serde(default)]
    limits: LimitSettings,
    #[serde(default)]
    retry: RetrySettings,
    #[serde(default)]
    prices: Prices,
    #[serde(default)]
    privacy: Privacy,
}

impl Written {
    /// `--set` changes tables but neither adds nor removes suites and subjects, so each has its place in the file.
    fn placed_as(mut self, original: &Self) -> Self {
        fn place<'a, T: 'a + Clone, U: 'a>(these: impl Iterator<Item = &'a mut Spanned<T>>, those: &[Spanned<U>]) {
            these.zip(those).for_each(|(this, that)| *this = Spanned::new(that.span(), this.get_ref().clone()));
        }
        place(self.suite.iter_mut(), &original.suite);
        place(self.subject.iter_mut(), &original.subject);
        for (key, bound) in &mut self.bounds {
            let span = original.bounds.get(key).map_or(0..0, Spanned::span);
            *bound = Spanned::new(span, bound.get_ref().clone());
        }
        for (key, rule) in &mut self.stopping {
            let span = original.stopping.get(key).map_or(0..0, Spanned::span);
            *rule = Spanned::new(span, rule.get_ref().clone());
        }
        for (id, model) in &mut self.models {
            let span = original.models.get(id).map_or(0..0, Spanned::span);
            *model = Spanned::new(span, model.get_ref().clone());
        }
        self
    }
}

fn once() -> u32 {
    1
}

/// The shape of a study file. What a suite, a subject and a model may say is not known here: whoever knows puts it in.
pub fn schema(generator: &mut SchemaGenerator) -> Schema {
    generator.subschema_for::<Written>()
}

impl StudyFile {
    /// `sets` are `key=value` from the command line, such as `study.seed=8` or `suite.pairs=50`.
    pub fn read(path: &Path, sets: &[String]) -> Result<Self, EngineError> {
        let text = std::fs::read_to_string(path).map_err(|error| {
            let unreadable = EngineError::file(path, format!("cannot be read: {error}"));
            let kept = path.join("study.toml");
            match (path.is_dir(), kept.is_file()) {
                (false, _) => unreadable.with_hint("name a study file, such as studies/quickstart.toml"),
                (true, false) => unreadable.with_hint("this is a directory: name a study file"),
                (true, true) => unreadable.with_hint(format!("this is a run; its study is {}", kept.display())),
            }
        })?;
        Self::parse(path, text, sets)
    }

    pub fn parse(path: &Path, text: String, sets: &[String]) -> Result<Self, EngineError> {
        let read = |text: &str| toml::from_str::<Written>(text).map_err(|error| syntax(path, text, &error));
        let (written, text, spanned) = if sets.is_empty() {
            (read(&text)?, text.clone(), text)
        } else {
            let changed = with_sets(path, &text, sets)?;
            match (read(&changed), read(&text)) {
                (Ok(written), Ok(original)) => (written.placed_as(&original), changed, text),
                // What the file lacks was set.
                (Ok(written), Err(_)) => (written, changed.clone(), changed),
                // It is in the file, or else in what was set.
                (Err(_), Err(error)) => return Err(error),
                (Err(error), Ok(_)) => return Err(error.placed(format!("--set {}", sets.join(" --set ")))),
            }
        };
        let file = Self {
            path: path.to_owned(),
            folder: None,
            run: None,
            text,
            sets: sets.to_vec(),
            spanned,
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

    /// A place in the file, for messages: `study.toml, line 7`.
    pub fn place(&self, span: std::ops::Range<usize>) -> String {
        place(&self.path, &self.spanned, span.start)
    }

    /// The `--set` that changed what stands under these keys, where one did; the last of them counts.
    pub(crate) fn set_of(&self, keys: &[&str]) -> Option<String> {
        // `bounds."x.y"={…}` and `bounds."x.y".max=…` both change `x.y`, and the former all that is in it.
        self.set_where(|path| path.starts_with(keys) || keys.starts_with(path))
    }

    fn set_where(&self, is_it: impl Fn(&[&str]) -> bool) -> Option<String> {
        let changed_it = |set: &&String| {
            let path = set.split_once('=').and_then(|(key, _)| key_path(key.trim()));
            path.is_some_and(|path| is_it(&path))
        };
        self.sets.iter().rev().find(changed_it).map(|set| format!("--set {set}"))
    }

    /// The place of a key of a suite: in the file, or the `--set` that it came from.
    pub(crate) fn place_of_suite_key(&self, written: &Spanned<toml::Table>, key: &str) -> String {
        let table = written.get_ref();
        let is_called =
            |name: &str| ["name", "kind"].iter().any(|it| table.get(*it).and_then(toml::Value::as_str) == Some(name));
        let set = self.set_where(|path| match path {
            ["suite", changed] => *changed == key,
            ["suite", name, changed] => is_called(name) && *changed == key,
            _ => false,
        });
        set.unwrap_or_else(|| self.place_of_key(written.span(), key))
    }

    /// The place of a key in a table that begins at `span`; of the table where the key is not found.
    pub fn place_of_key(&self, span: std::ops::Range<usize>, key: &str) -> String {
        let from = span.start.min(self.spanned.len());
        let mut at = from;
        for line in self.spanned[from..].split_inclusive('\n') {
            let is_key = line.trim_start().strip_prefix(key).is_some_and(|rest| rest.trim_start().starts_with('='));
            if is_key {
                return place(&self.path, &self.spanned, at);
            }
            at += line.len();
        }
        self.place(span)
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

    /// The place of a key in the table `[section]`: the `--set` that it came from, or in the file; of the file where it is not found.
    pub fn place_of_table(&self, section: &str, key: &str) -> String {
        if let Some(set) = self.set_of(&[section, key.trim_matches('"')]) {
            return set;
        }
        let header = format!("[{section}]");
        let mut at = 0;
        for line in self.spanned.split_inclusive('\n') {
            if line.trim_start().starts_with(&header) {
                return self.place_of_key(at..at, key);
            }
            at += line.len();
        }
        self.path.display().to_string()
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

fn place(path: &Path, text: &str, at: usize) -> String {
    let line = text[..at.min(text.len())].matches('\n').count() + 1;
    format!("{}, line {line}", path.display())
}

fn syntax(path: &Path, text: &str, error: &toml::de::Error) -> EngineError {
    let place = error.span().map_or_else(|| path.display().to_string(), |span| place(path, text, span.start));
    let (problem, hint) = suggest::unknown_field(error.message());
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

/// Sets values before the file is read. `suite.KEY` sets the key in every suite, `suite.NAME.KEY` in the one of that
/// name or kind.
fn with_sets(path: &Path, text: &str, sets: &[String]) -> Result<String, EngineError> {
    let mut table: toml::Table = toml::from_str(text).map_err(|error| syntax(path, text, &error))?;
    for set in sets {
        let bad = |problem: &str| {
            EngineError::study(format!("--set {set}"), problem)
                .with_hint(
                "write --set study.seed=8, --set suite.pairs=50, --set suite.einstellung.pairs=50 or --set 'models.\"openai/gpt-5\".temperature=0'",
            )
        };
        let (key, value) = set.split_once('=').ok_or_else(|| bad("there is no `=`"))?;
        let value = parse_value(value.trim());
        let path = key_path(key.trim()).ok_or_else(|| bad("a quote in the key is not closed"))?;
        match path.as_slice() {
            ["suite", key] => each_suite(&mut table, None, key, &value).map_err(|problem| bad(&problem))?,
            ["suite", name, key] => each_suite(&mut table, Some(name), key, &value).map_err(|problem| bad(&problem))?,
            [section, key] => {
                let section = table.entry(*section).or_insert_with(|| toml::Table::new().into());
                let section = section.as_table_mut().ok_or_else(|| bad("that is not a table of single values"))?;
                section.insert((*key).to_owned(), value);
            }
            [section @ ("models" | "prices" | "bounds" | "stopping"), name, key] => {
                let section = table.entry(*section).or_insert_with(|| toml::Table::new().into());
                let named =
                    section.as_table_mut().map(|it| it.entry(*name).or_insert_with(|| toml::Table::new().into()));
                let named = named.and_then(toml::Value::as_table_mut).ok_or_else(|| bad("that is not a table"))?;
                named.insert((*key).to_owned(), value);
            }
            _ => return Err(bad("the key has the wrong number of parts")),
        }
    }
    Ok(table.to_string())
}

fn each_suite(table: &mut toml::Table, name: Option<&str>, key: &str, value: &toml::Value) -> Result<(), String> {
    let suites = table.get_mut("suite").and_then(toml::Value::as_array_mut).ok_or("the study has no suite")?;
    let mut found = false;
    for suite in suites.iter_mut().filter_map(toml::Value::as_table_mut) {
        let called = |key: &str| suite.get(key).and_then(toml::Value::as_str);
        if name.is_none_or(|name| called("name") == Some(name) || called("kind") == Some(name)) {
            suite.insert(key.to_owned(), value.clone());
            found = true;
        }
    }
    if found { Ok(()) } else { Err(format!("no suite is called `{}`", name.unwrap_or_default())) }
}

/// The parts of a key, as TOML has them: in `models."openai/gpt-5.4".temperature` the quoted dot is no end.
fn key_path(key: &str) -> Option<Vec<&str>> {
    let mut parts = Vec::new();
    let mut rest = key;
    loop {
        let (part, after) = match rest.strip_prefix(['"', '\'']) {
            Some(quoted) => quoted.split_once(&rest[..1])?,
            None => rest.split_at(rest.find('.').unwrap_or(rest.len())),
        };
        parts.push(part);
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None if after.is_empty() => return Some(parts),
            None => return None,
        }
    }
}

/// `50`, `0.2`, `true`, `["a"]` as TOML reads them; anything else is a string.
fn parse_value(text: &str) -> toml::Value {
    let line = format!("value = {text}");
    let parsed = toml::from_str::<toml::Table>(&line).ok().and_then(|mut table| table.remove("value"));
    parsed.unwrap_or_else(|| toml::Value::String(text.to_owned()))
}
