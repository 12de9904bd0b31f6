//! `waterjar evolve`: grow the memory of a study's ECR agent from training cases.

use super::calls::Calls;
use crate::catalog::{Parts, suite_kind};
use crate::cli::EvolveArgs;
use crate::exit::Exit;
use crate::library::Library;
use crate::output::Output;
use crate::readers::{RULES, Readers, agent_for};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::sync::Arc;
use toml::Spanned;
use waterjar_agents::AgentOpening;
use waterjar_agents::ecr;
use waterjar_agents::ecr::evolve::{Evolution, EvolveError, Step, Training};
use waterjar_agents::ecr::memory::{Manifest, Origin};
use waterjar_agents::ecr::reasoner::Critic;
use waterjar_core::{
    Case, CaseId, CaseSource, ChatModel, Expectation, Facts, ModelError, Seed, Suite, SuiteContext, Variant, VariantId,
    Varied, counted,
};
use waterjar_engine::gateway::Purpose;
use waterjar_engine::plan::SubjectMaker;
use waterjar_engine::study::SubjectEntry;
use waterjar_engine::{EngineError, Stop, StudyFile, VendorModel};
use waterjar_knowledge::KnowledgeBase;
use waterjar_knowledge::simulate::Simulated;
use waterjar_suites::{Knows, Opened, Opening};

pub async fn run(args: EvolveArgs, out: &Output) -> Result<Exit> {
    let study = StudyFile::read(&args.study, &args.set)?;
    let lesson = Lessons::of(&study, &args)?;
    out.say(&format!("{} → {}", lesson.source.name(), lesson.folder.display()));
    let stop = super::passes::stop_on_interrupt();
    let grown = lesson.grow(&study, &stop, out).await?;
    let Some(manifest) = grown else {
        out.say("stopped; the same command goes on where it stopped");
        return Ok(Exit::Stopped);
    };
    if args.json {
        out.json(&manifest.counts)?;
    } else {
        out.print(&told(&manifest));
    }
    Ok(Exit::Done)
}

fn told(manifest: &Manifest) -> String {
    let counts = &manifest.counts;
    format!(
        "{} training cases: {} right at once, {} after a critic's word, {} given up\n\
         memory: {} illness graphs with {} features, {} exemplars",
        counts.cases,
        counts.at_once,
        counts.after_feedback,
        counts.discarded,
        counts.conditions,
        counts.features,
        counts.exemplars
    )
}

/// What a model said, beside the memory's own files.
const CALLS: &str = "calls.sqlite";

/// Where training cases come from, who learns, and where the memory goes.
struct Lessons {
    suite: Arc<dyn Suite>,
    base: Arc<KnowledgeBase>,
    source: Arc<dyn CaseSource>,
    /// Cases the suite could make tests of are left out; simulated ones are made for training alone.
    simulated: bool,
    pipeline: ecr::pipeline::Pipeline,
    critic: Arc<dyn Critic>,
    mind: Mind,
    folder: PathBuf,
    origin: Origin,
}

/// Who thinks.
enum Mind {
    /// The agent's rules; the reader gives their first sight.
    Rules(Arc<dyn ChatModel>),
    Vendor(VendorModel),
}

impl Lessons {
    fn of(study: &StudyFile, args: &EvolveArgs) -> Result<Self> {
        let place = study.path.display().to_string();
        let written = learner(study, args.subject.as_deref()).map_err(|problem| EngineError::study(&place, problem))?;
        let entry = written.get_ref();
        let seed = Seed(study.study.seed);
        let folder = study.folder();
        let Opened { suite, source, knows, .. } = open_suite(study, seed)?;
        let Knows::Conditions { base, judge } = knows else {
            return Err(EngineError::study(&place, "illness graphs are grown from patients with diagnoses")
                .with_hint("name a study with the suite `einstellung`")
                .into());
        };
        let mut settings = entry.settings.clone();
        let memory = settings.remove("memory");
        let memory = memory.as_ref().and_then(toml::Value::as_str).map(|it| folder.join(it));
        let out = args.out.clone().or(memory).ok_or_else(|| {
            EngineError::study(&place, "nothing says where the memory goes")
                .with_hint("name it with --out, or as `memory` of the subject")
        })?;
        let readers = Readers::new(Arc::clone(&base), seed, judge);
        let (mind, identity) = mind(study, written, &readers)?;
        let rules = matches!(mind, Mind::Rules(_));
        let library = Library { base: &base, privacy: study.privacy, rehearsing: false };
        let opening =
            AgentOpening { settings: &settings, rules, seed, folder, asked: true, base: &base, library: &library };
        let pipeline = ecr::pipeline(&opening).map_err(|problem| EngineError::study(&place, problem))?;
        let critic = ecr::critic(&opening, &pipeline);
        let simulated = source.name() == base.name;
        let source: Arc<dyn CaseSource> = match simulated {
            // A stream of chance of its own: neither the tests' patients nor those the readers were trained on.
            true => {
                let seed = Seed(seed.rank("evolve", &base.name) as u64);
                Arc::new(Simulated::for_training(Arc::clone(&base), seed, u64::from(args.per_condition)))
            }
            false => source,
        };
        let reasoner = [
            pipeline.reasoner.fingerprint(),
            critic.fingerprint(),
            identity,
            pipeline.settings.fingerprint(),
            pipeline.evidence.fingerprint(),
        ];
        let origin = Origin {
            seed: study.study.seed,
            source: source.name().to_owned(),
            source_fingerprint: blake3::hash(source.fingerprint().as_bytes()).to_hex().to_string(),
            reasoner: reasoner.join(" | "),
            embedder: pipeline.likeness.embedder(),
            per_condition: args.per_condition,
        };
        Ok(Self { suite, base, source, simulated, pipeline, critic, mind, folder: out, origin })
    }

    /// `None` when it was stopped. What was learnt by then is in the journal.
    async fn grow(self, study: &StudyFile, stop: &Stop, out: &Output) -> Result<Option<Manifest>> {
        let Self { suite, base, source, simulated, pipeline, critic, mind, folder, origin } = self;
        let seed = Seed(origin.seed);
        let mut evolution = Evolution::open(&folder, origin, pipeline, critic).await?;
        if evolution.cases() > 0 {
            out.say(&format!("going on after {}", counted(evolution.cases() as u64, "case", "cases")));
        }
        let (model, calls) = match mind {
            Mind::Rules(model) => (model, None),
            Mind::Vendor(vendor) => {
                vendor.notes.iter().for_each(|note| out.warn(&format!("{}: {note}", vendor.model.id())));
                let calls = Calls::open(&folder.join(CALLS), study, &vendor, out).await?;
                (Arc::clone(&calls.model), Some(calls))
            }
        };
        let lessons = async {
            for case in source.cases() {
                if stop.is_requested() {
                    return Ok(false);
                }
                let case = case.map_err(EngineError::from)?;
                if !simulated && may_be_tested(suite.as_ref(), seed, &case).await? {
                    continue;
                }
                let Some(training) = training(suite.as_ref(), &base, &case, simulated) else { continue };
                let learning = Purpose::subject(training.id.as_str()).scope(evolution.learn(&*model, &training));
                let step = learning.await.map_err(|error| stopped(model.as_ref(), error))?;
                // A vendor's model takes its time, so every case is told; rules take none, so only what went wrong is.
                if let Some(told) = told_of(&step, calls.is_some()) {
                    out.say(&format!("{}: {}: {told}", training.id, training.condition));
                }
            }
            anyhow::Ok(true)
        };
        let learnt = lessons.await;
        // However it ended, what was learnt is in the journal. The folder is a memory when all is learnt, and not before.
        let done = matches!(learnt, Ok(true)) && evolution.cases() > 0;
        let saved = done.then(|| evolution.save()).transpose();
        if let Some(calls) = calls {
            calls.close(out).await?;
        }
        match (learnt?, saved?) {
            (false, _) => Ok(None),
            (true, Some(manifest)) => Ok(Some(manifest)),
            (true, None) => {
                let problem = "holds no case to learn from: the suite could make a test of every one";
                let error = EngineError::study(source.name(), problem);
                Err(error.with_hint("use another source, or a suite that makes tests of fewer cases").into())
            }
        }
    }
}

fn told_of(step: &Step, in_full: bool) -> Option<String> {
    match step {
        Step::Discarded { reason } => Some(format!("given up: {reason}")),
        Step::Learnt { rounds: 0 } if in_full => Some("right at once".to_owned()),
        Step::Learnt { rounds } if in_full => Some(format!("right after {rounds} rounds with a critic")),
        Step::Learnt { .. } | Step::Known | Step::Enough => None,
    }
}

/// The model of the subject that learns, and what changes whenever it would answer differently.
fn mind(study: &StudyFile, written: &Spanned<SubjectEntry>, readers: &Readers) -> Result<(Mind, String), EngineError> {
    let model = &written.get_ref().model;
    let place = study.place_of_key(written.span(), "model");
    agent_for(ecr::ID, model).map_err(|problem| EngineError::study(&place, problem))?;
    if model == RULES {
        let reader = readers.model(RULES).map_err(|problem| EngineError::Model { model: model.clone(), problem })?;
        return Ok((Mind::Rules(reader), readers.fingerprint(RULES)));
    }
    let vendor = study.vendor(&Parts, model, place.clone())?;
    let vendor = vendor.ok_or_else(|| EngineError::study(place, format!("no model is called `{model}`")))?;
    let identity = vendor.wherever().to_string();
    Ok((Mind::Vendor(vendor), identity))
}

/// Why no further case was tried.
fn stopped(model: &dyn ChatModel, error: EvolveError) -> anyhow::Error {
    let model = model.id().to_string();
    match error {
        EvolveError::Model(ModelError::Budget(problem)) => EngineError::Budget(problem).into(),
        EvolveError::Model(error) if error.may_pass() => {
            EngineError::Outage { model, times: 1, problem: error.to_string() }.into()
        }
        EvolveError::Model(error) => EngineError::Model { model, problem: error.to_string() }.into(),
        other => other.into(),
    }
}

/// Whether the suite can make a test of the case. Where a model writes the tests, every case that qualifies counts as one: asking the
/// author to find out would cost as much as the benchmark.
async fn may_be_tested(suite: &dyn Suite, seed: Seed, case: &Case) -> Result<bool> {
    if suite.screen(case).is_err() {
        return Ok(false);
    }
    if suite.roles().author.is_some() {
        return Ok(true);
    }
    let context = SuiteContext::new(seed);
    let varied = suite.vary(&context, case).await.map_err(EngineError::from)?;
    Ok(matches!(varied, Varied::Family(_)))
}

/// The subject that was named; else the first ECR subject with a memory, else the first.
fn learner<'a>(study: &'a StudyFile, named: Option<&str>) -> Result<&'a Spanned<SubjectEntry>, String> {
    let mut entries = study.subjects.iter().filter(|it| it.get_ref().agent == ecr::ID);
    if let Some(named) = named {
        let mut names = entries.clone().map(|it| it.get_ref().name());
        return entries.find(|it| it.get_ref().name() == named).ok_or_else(|| {
            let names: Vec<String> = names.by_ref().collect();
            format!("no subject `{named}` has `agent = \"ecr\"`; those that have are: {}", names.join("; "))
        });
    }
    let remembers = |it: &&Spanned<SubjectEntry>| it.get_ref().settings.contains_key("memory");
    let learner = entries.clone().find(remembers).or_else(|| entries.next());
    learner.ok_or_else(|| "no subject has `agent = \"ecr\"`, so there is nobody to learn".to_owned())
}

fn open_suite(study: &StudyFile, seed: Seed) -> Result<Opened> {
    let place = study.path.display().to_string();
    let table = study.suites.first().context("a study needs a [[suite]]")?.get_ref();
    let kind = table.get("kind").and_then(toml::Value::as_str).unwrap_or_default();
    let known = suite_kind(kind).ok_or_else(|| EngineError::study(&place, format!("no suite is called `{kind}`")))?;
    let opening = Opening { table, seed, folder: study.folder(), kept: None };
    Ok((known.open)(&opening).map_err(|error| EngineError::study(&place, error.to_string()))?)
}

fn training(suite: &dyn Suite, base: &KnowledgeBase, case: &Case, simulated: bool) -> Option<Training> {
    let condition = &case.facts.as_ref()?.condition;
    // Simulated patients are numbered in every stream, so the stream is part of their name.
    let id = if simulated { format!("evolve/{}", case.id) } else { case.id.to_string() };
    let prompt = suite.ask(&as_it_is(case));
    // A simulated patient is nobody a test could be made of.
    let patient = case.facts.as_ref().filter(|_| !simulated).map(Facts::patient);
    Some(Training { id, prompt, condition: base.condition(condition)?.name.clone(), patient })
}

/// The case under no intervention, to be asked as tests are.
fn as_it_is(case: &Case) -> Variant {
    let condition = case.facts.as_ref().map(|facts| facts.condition.clone());
    Variant {
        id: VariantId::new(case.id.as_str()),
        family: waterjar_core::FamilyId::new(case.id.as_str()),
        case: CaseId::new(case.id.as_str()),
        text: case.text.clone(),
        facts: None,
        intervention: None,
        expectation: Expectation::Names { condition: condition.unwrap_or_else(|| "".into()) },
        strata: Default::default(),
        record: serde_json::Value::Null,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn the_subject_with_a_memory_learns() {
        let text = "[study]\nname = \"a\"\nseed = 1\n[[suite]]\nkind = \"einstellung\"\n[[subject]]\nagent = \"plain\"\nmodel = \"gestalt\"\n\
            [[subject]]\nagent = \"ecr\"\nmodel = \"rules\"\nname = \"without\"\n\
            [[subject]]\nagent = \"ecr\"\nmodel = \"rules\"\nname = \"with\"\nmemory = \"m\"\n";
        let study = StudyFile::parse(Path::new("a.toml"), text.to_owned(), &[]).unwrap();
        assert_eq!(learner(&study, Some("without")).unwrap().get_ref().name.as_deref(), Some("without"));
        assert!(learner(&study, Some("plain@gestalt")).unwrap_err().contains("without; with"));
        assert_eq!(learner(&study, None).unwrap().get_ref().name.as_deref(), Some("with"));
    }
}
