//! `waterjar import inspect`, `lm-eval`, `promptfoo`: answers that another tool recorded, as those of a subject of a run.

use super::places::{Places, Slot};
use super::study;
use crate::cli::RecordedArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::target::Target;
use anyhow::{Context, Result};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use tokio::sync::mpsc;
use waterjar_core::{SourceError, SubjectId};
use waterjar_engine::{Asks, EngineError, export};
use waterjar_exchange::{Recording, inspect, lm_eval, promptfoo};
use waterjar_store::{Mode, NewResponse, Store};

/// Families read at a time.
const PAGE: u32 = 128;
/// Answers read ahead of those being stored.
const AHEAD: usize = 256;

#[derive(Clone, Copy)]
pub enum Tool {
    Inspect,
    LmEval,
    Promptfoo,
}

impl Tool {
    fn name(self) -> &'static str {
        match self {
            Self::Inspect => "inspect",
            Self::LmEval => "lm-eval",
            Self::Promptfoo => "promptfoo",
        }
    }

    fn open(self, path: &std::path::Path, model: Option<&str>) -> Result<Box<dyn Recording>, SourceError> {
        match self {
            Self::Inspect => Ok(Box::new(inspect::Log::open(path)?)),
            Self::LmEval => Ok(Box::new(lm_eval::Samples::open(path)?)),
            Self::Promptfoo => Ok(Box::new(promptfoo::Results::open(path, model)?)),
        }
    }
}

/// Everything is looked at before anything is stored: files with a bad answer leave the run as it was.
pub async fn run(tool: Tool, args: RecordedArgs, out: &Output) -> Result<Exit> {
    if !args.into.is_dir() {
        let error = EngineError::file(&args.into, "is no run");
        return Err(error.with_hint("make one with `waterjar vary STUDY`, and export its questions").into());
    }
    let recordings =
        args.files.iter().map(|path| tool.open(path, args.model.as_deref())).collect::<Result<Vec<_>, _>>();
    let recordings = recordings.map_err(EngineError::from)?;
    let model = model(&recordings, &args)?;
    let subject = SubjectId::new(args.subject.clone().unwrap_or_else(|| format!("{}:{model}", tool.name())));
    let target = Target::resolve(&args.into, None, &[], Asks::Nobody).await?;
    let store = Store::open(target.dir.database(), Mode::Read).await.map_err(EngineError::from)?;
    let places = Places::of(&target.plan, &store).await?;
    let known = answered(&target, &store, &subject).await?;
    store.close().await;
    let reading = Reading { recordings, places, subject: subject.clone(), suite: args.suite, known };
    let found = reading.look(args.replace).map_err(EngineError::from)?;
    let mut target = Target::with_study(&args.into, |text| {
        study::with_subject(text, subject.as_str(), &model, &found.suites(&reading.places))
    })
    .await?;
    for note in reading.recordings.iter().flat_map(|it| it.notes()) {
        out.warn(&note);
    }
    let store = target.open(&args.into).await?;
    let reading = reading.store(&store).await?;
    export::responses(&store, &target.plan.suites, target.plan.repeats, &target.dir.file("responses.jsonl")).await?;
    store.close().await;
    Ok(found.tell(&reading, &args.into, out))
}

/// Files of several models are answers of several subjects.
fn model(recordings: &[Box<dyn Recording>], args: &RecordedArgs) -> Result<String> {
    if let Some(wanted) = &args.model
        && let Some(other) = recordings.iter().filter_map(|it| it.model()).find(|model| model != wanted)
    {
        return Err(EngineError::file(&args.files[0], format!("is not by `{wanted}` but by `{other}`")).into());
    }
    let models: BTreeSet<&str> = recordings.iter().filter_map(|it| it.model()).collect();
    let mut models = models.into_iter();
    match (models.next(), models.next(), &args.subject) {
        (Some(model), None, _) => Ok(model.to_owned()),
        (None, _, Some(subject)) => Ok(subject.clone()),
        (None, _, None) => {
            let error = EngineError::file(&args.files[0], "does not say who answered");
            Err(error.with_hint("name them with --subject").into())
        }
        (Some(one), Some(other), _) => {
            let problem = format!("is one of several files by different models: {one}, {other}");
            Err(EngineError::file(&args.files[0], problem).with_hint("import the files of each model apart").into())
        }
    }
}

/// What the run holds of the subject: the key of each answer, and whether it is one.
type Known = HashMap<Slot, (String, bool)>;

async fn answered(target: &Target, store: &Store, subject: &SubjectId) -> Result<Known> {
    let mut known = Known::new();
    for (at, planned) in target.plan.suites.iter().enumerate() {
        let mut after = Some(0);
        while let Some(position) = after {
            // Which variant of the family it is, the store tells by the order of the family's members.
            let families = store.families_page(planned.id(), position, PAGE).await.map_err(EngineError::from)?;
            let page = store.responses_page(planned.id(), position, PAGE).await.map_err(EngineError::from)?;
            for it in page.items.into_iter().filter(|it| it.response.subject == *subject) {
                let family = families.items.iter().find(|family| family.position == it.position);
                let ord = family.and_then(|it_| it_.variants.iter().position(|v| v.id == it.response.variant));
                if let Some(ord) = ord {
                    let is_answer = it.response.conclusion().is_some();
                    known.insert((at, it.position, ord as u32, it.response.repeat), (it.key, is_answer));
                }
            }
            after = families.next;
        }
    }
    Ok(known)
}

struct Reading {
    recordings: Vec<Box<dyn Recording>>,
    places: Places,
    subject: SubjectId,
    suite: Option<String>,
    known: Known,
}

/// What the files hold.
#[derive(Default)]
struct Found {
    slots: HashMap<Slot, String>,
    /// Answers and failures, by suite.
    counts: BTreeMap<usize, (u64, u64)>,
}

impl Reading {
    fn each(
        &self,
        mut each: impl FnMut(Slot, NewResponse, String) -> Result<(), SourceError>,
    ) -> Result<(), SourceError> {
        for recording in &self.recordings {
            recording.each(&mut |recorded| {
                let place = recorded.place.clone();
                let (slot, new) = self.places.place(recorded, &self.subject, self.suite.as_deref())?;
                each(slot, new, place)
            })?;
        }
        Ok(())
    }

    fn look(&self, replace: bool) -> Result<Found, SourceError> {
        let mut found = Found::default();
        self.each(|slot, new, place| {
            let (variant, repeat) = (&new.response.variant, new.response.repeat + 1);
            if let Some(before) = found.slots.insert(slot, place.clone()) {
                let problem = format!("`{variant}` is answered for the {repeat}. time again; before: {before}");
                return Err(SourceError::new(place, problem).with_hint("leave one of the two away"));
            }
            let is_other = self.known.get(&slot).is_some_and(|(key, is_answer)| *is_answer && *key != new.key);
            if is_other && !replace {
                let problem = format!("the run holds another answer of `{}` to `{variant}`", self.subject);
                return Err(SourceError::new(place, problem)
                    .with_hint("--replace takes the new answers; --subject gives them to another subject"));
            }
            let (answers, failures) = found.counts.entry(slot.0).or_default();
            *(if new.response.conclusion().is_some() { answers } else { failures }) += 1;
            Ok(())
        })?;
        if found.slots.is_empty() {
            return Err(SourceError::new("the files", "hold no answers"));
        }
        Ok(found)
    }

    /// Reads on one thread while another writes.
    async fn store(self, store: &Store) -> Result<Self> {
        let writer = store.writer();
        let (send, mut new) = mpsc::channel::<NewResponse>(AHEAD);
        let reading = Arc::new(self);
        let reader = Arc::clone(&reading);
        let read = tokio::task::spawn_blocking(move || {
            reader.each(|_, new, place| send.blocking_send(new).map_err(|_| SourceError::new(place, "was not stored")))
        });
        let mut stored = Ok(());
        while let Some(new) = new.recv().await {
            stored = writer.response(&new).await;
            if stored.is_err() {
                break;
            }
        }
        drop(new);
        let read = read.await.context("reading ended early")?;
        stored.map_err(EngineError::from)?;
        read.map_err(EngineError::from)?;
        writer.flush().await.map_err(EngineError::from)?;
        Ok(Arc::into_inner(reading).expect("the reader is done"))
    }
}

impl Found {
    fn suites(&self, places: &Places) -> BTreeSet<String> {
        self.counts.keys().map(|at| places.suite(*at).to_string()).collect()
    }

    fn tell(&self, reading: &Reading, run: &std::path::Path, out: &Output) -> Exit {
        let mut is_complete = true;
        for (at, (answers, failures)) in &self.counts {
            let asked = reading.places.asked(*at);
            let missing = asked.saturating_sub(answers + failures);
            is_complete &= missing + failures == 0;
            out.say(&format!(
                "{} {}: {answers} answered, {failures} failed, {missing} missing of {asked}",
                reading.places.suite(*at),
                reading.subject
            ));
        }
        out.say(&format!("next: waterjar judge {0} && waterjar measure {0} && waterjar report {0}", run.display()));
        if is_complete { Exit::Done } else { Exit::MissingAnswers }
    }
}
