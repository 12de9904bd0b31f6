//! `waterjar evolve`: grow the memory of a study's ECR agent from training cases.

use crate::catalog::suite_kind;
use crate::cli::EvolveArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::readers::{RULES, Readers};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::sync::Arc;
use waterjar_agents::AgentOpening;
use waterjar_agents::ecr;
use waterjar_agents::ecr::evolve::{Evolution, Step, Training};
use waterjar_agents::ecr::memory::{Manifest, Origin};
use waterjar_agents::ecr::reasoner::rules::RulesCritic;
use waterjar_core::{
    Case, CaseId, CaseSource, ChatModel, Expectation, Seed, Suite, SuiteContext, Variant, VariantId, Varied,
};
use waterjar_engine::plan::SubjectMaker;
use waterjar_engine::study::SubjectEntry;
use waterjar_engine::{EngineError, Stop, StudyFile};
use waterjar_knowledge::KnowledgeBase;
use waterjar_knowledge::simulate::Simulated;
use waterjar_suites::{Knows, Opened, Opening};

pub async fn run(args: EvolveArgs, out: &Output) -> Result<Exit> {
    let study = StudyFile::read(&args.study, &args.set)?;
    let lesson = Lessons::of(&study, &args)?;
    out.say(&format!("{} → {}", lesson.source.name(), lesson.folder.display()));
    let stop = super::passes::stop_on_interrupt();
    let grown = lesson.grow(&stop, out).await?;
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

/// Where training cases come from, who learns, and where the memory goes.
struct Lessons {
    suite: Arc<dyn Suite>,
    base: Arc<KnowledgeBase>,
    source: Arc<dyn CaseSource>,
    /// Cases the suite could make tests of are left out; simulated ones are made for training alone.
    simulated: bool,
    pipeline: ecr::pipeline::Pipeline,
    model: Arc<dyn ChatModel>,
    folder: PathBuf,
    origin: Origin,
}

impl Lessons {
    fn of(study: &StudyFile, args: &EvolveArgs) -> Result<Self> {
        let place = study.path.display().to_string();
        let entry = learner(study).ok_or_else(|| {
            EngineError::study(&place, "no subject has `agent = \"ecr\"`, so there is nobody to learn")
        })?;
        if entry.model != RULES {
            let problem = format!("`ecr@{}`: only `model = \"{RULES}\"` can be evolved for now", entry.model);
            return Err(EngineError::study(&place, problem).into());
        }
        let seed = Seed(study.study.seed);
        let folder = study.folder();
        let Opened { suite, source, knows } = open_suite(study, seed)?;
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
        let opening = AgentOpening { settings: &settings, rules: true, seed, folder, base: &base };
        let pipeline = ecr::pipeline(&opening).map_err(|problem| EngineError::study(&place, problem))?;
        let readers = Readers::new(Arc::clone(&base), seed, judge);
        let model = readers.model(RULES).map_err(|problem| EngineError::Model { model: RULES.to_owned(), problem })?;
        let simulated = source.name() == base.name;
        let source: Arc<dyn CaseSource> = match simulated {
            // A stream of chance of its own: neither the tests' patients nor those the readers were trained on.
            true => {
                let seed = Seed(seed.rank("evolve", &base.name) as u64);
                Arc::new(Simulated::for_training(Arc::clone(&base), seed, u64::from(args.per_condition)))
            }
            false => source,
        };
        let origin = Origin {
            seed: study.study.seed,
            source: source.name().to_owned(),
            source_fingerprint: blake3::hash(source.fingerprint().as_bytes()).to_hex().to_string(),
            reasoner: format!(
                "{} | {} | {} | {}",
                pipeline.reasoner.fingerprint(),
                readers.fingerprint(RULES),
                pipeline.settings.fingerprint(),
                pipeline.evidence.fingerprint()
            ),
            embedder: pipeline.likeness.embedder(),
            per_condition: args.per_condition,
        };
        Ok(Self { suite, base, source, simulated, pipeline, model, folder: out, origin })
    }

    /// `None` when it was stopped. What was learnt by then is in the journal.
    async fn grow(self, stop: &Stop, out: &Output) -> Result<Option<Manifest>> {
        let Self { suite, base, source, simulated, pipeline, model, folder, origin } = self;
        let seed = Seed(origin.seed);
        let mut evolution = Evolution::open(&folder, origin, pipeline, Arc::new(RulesCritic)).await?;
        if evolution.cases() > 0 {
            out.say(&format!("going on after {} cases", evolution.cases()));
        }
        for case in source.cases() {
            if stop.is_requested() {
                evolution.save()?;
                return Ok(None);
            }
            let case = case.map_err(EngineError::from)?;
            if !simulated && may_be_tested(suite.as_ref(), seed, &case).await? {
                continue;
            }
            let Some(training) = training(suite.as_ref(), &base, &case, simulated) else { continue };
            if let Step::Discarded { reason } = evolution.learn(&*model, &training).await? {
                out.say(&format!("{}: {}: {reason}", training.id, training.condition));
            }
        }
        let manifest = evolution.save()?;
        if manifest.counts.cases == 0 {
            let problem = "holds no case to learn from: the suite could make a test of every one";
            return Err(EngineError::study(source.name(), problem)
                .with_hint("narrow `gap`, or use another source")
                .into());
        }
        Ok(Some(manifest))
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
    let context = SuiteContext { seed, author: None, judges: Vec::new(), auditor: None };
    let varied = suite.vary(&context, case).await.map_err(EngineError::from)?;
    Ok(matches!(varied, Varied::Family(_)))
}

/// The first ECR subject that names a memory, else the first.
fn learner(study: &StudyFile) -> Option<&SubjectEntry> {
    let mut entries = study.subjects.iter().map(|it| it.get_ref()).filter(|it| it.agent == ecr::ID);
    let remembers = |it: &&SubjectEntry| it.settings.contains_key("memory");
    entries.clone().find(remembers).or_else(|| entries.next())
}

fn open_suite(study: &StudyFile, seed: Seed) -> Result<Opened> {
    let place = study.path.display().to_string();
    let table = study.suites.first().context("a study needs a [[suite]]")?.get_ref();
    let kind = table.get("kind").and_then(toml::Value::as_str).unwrap_or_default();
    let known = suite_kind(kind).ok_or_else(|| EngineError::study(&place, format!("no suite is called `{kind}`")))?;
    let opening = Opening { table, seed, folder: study.folder() };
    Ok((known.open)(&opening).map_err(|error| EngineError::study(&place, error.to_string()))?)
}

fn training(suite: &dyn Suite, base: &KnowledgeBase, case: &Case, simulated: bool) -> Option<Training> {
    let condition = &case.facts.as_ref()?.condition;
    // Simulated patients are numbered in every stream, so the stream is part of their name.
    let id = if simulated { format!("evolve/{}", case.id) } else { case.id.to_string() };
    let prompt = suite.ask(&as_it_is(case));
    Some(Training { id, prompt, condition: base.condition(condition)?.name.clone() })
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
        assert_eq!(learner(&study).unwrap().name.as_deref(), Some("with"));
    }
}
