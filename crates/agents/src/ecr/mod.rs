//! Evidence-based causal reasoning: a graph between the patient and the candidates, an audit of the first impression, and a memory
//! that grows (the ECR agent of MedEinst).

pub mod audit;
pub mod evidence;
pub mod evolve;
pub mod graph;
pub mod lexicon;
pub mod likeness;
pub mod memory;
pub mod pipeline;
pub mod reasoner;
pub mod record;
pub mod settings;

mod lexical;
mod render;
#[cfg(test)]
mod sample;
#[cfg(test)]
mod tests;

pub use lexical::Lexical;
pub use record::Record;
pub use settings::Settings;

use crate::AgentOpening;
use async_trait::async_trait;
use lexicon::Lexicon;
use likeness::Likeness;
use memory::{Memory, TrainedOn};
use pipeline::Pipeline;
use reasoner::model::{ModelCritic, ModelReasoner};
use reasoner::rules::{Rules, RulesCritic};
use reasoner::{Critic, Reasoner, Sight};
use std::sync::Arc;
use waterjar_core::{Agent, AgentError, AgentId, CaseId, ChatModel, Conclusion, Embedder, Form, Prompt};

pub const ID: &str = "ecr";

pub struct Ecr {
    id: AgentId,
    pipeline: Pipeline,
    memory: Memory,
    trained_on: TrainedOn,
}

/// The row of the table of agents.
pub fn open(opening: &AgentOpening) -> Result<Box<dyn Agent>, String> {
    Ok(Box::new(ready(opening)?))
}

fn ready(opening: &AgentOpening) -> Result<Ecr, String> {
    let pipeline = pipeline(opening)?;
    let mut agent = Ecr { id: ID.into(), pipeline, memory: Memory::default(), trained_on: TrainedOn::default() };
    if let Some(folder) = agent.pipeline.settings.memory.as_ref().filter(|_| opening.asked) {
        let folder = opening.folder.join(folder);
        let loaded = now(Memory::load(&folder, &agent.pipeline.likeness));
        let (memory, manifest) = loaded.map_err(|error| format!("memory: {error}"))?;
        let known =
            |graph: &memory::IllnessGraph| agent.pipeline.lexicon.condition_names().any(|it| it == graph.condition);
        if !memory.is_empty() && !memory.illnesses().any(known) {
            let source = manifest.origin.source;
            return Err(format!(
                "memory: it was grown from `{source}` and knows none of the conditions asked about here"
            ));
        }
        (agent.memory, agent.trained_on) = (memory, manifest.trained_on());
    }
    Ok(agent)
}

/// The stages without a memory: what `open` and `waterjar evolve` both start from.
pub fn pipeline(opening: &AgentOpening) -> Result<Pipeline, String> {
    let settings: Settings = opening.settings()?;
    if let Some(problem) = settings.problem() {
        return Err(problem);
    }
    let lexicon = Arc::new(Lexicon::of(opening.base));
    let embedder: Arc<dyn Embedder> = match settings.embedder.as_str() {
        settings::LEXICAL => Arc::new(Lexical),
        name => opening.library.embedder(name).map_err(|problem| format!("embedder: {problem}"))?,
    };
    let likeness = Arc::new(Likeness::new(embedder, Arc::clone(&lexicon), settings.likeness));
    let named = if opening.asked { settings.evidence.as_slice() } else { &[] };
    let evidence = opening.library.open(named, opening.folder);
    let evidence = evidence.map_err(|problem| format!("evidence: {problem}"))?;
    let reasoner: Arc<dyn Reasoner> = match opening.rules {
        true => Arc::new(Rules::new(Arc::clone(&lexicon), Arc::clone(&likeness))),
        false => Arc::new(ModelReasoner),
    };
    Ok(Pipeline { settings, lexicon, likeness, reasoner, evidence })
}

/// Who criticises wrong answers while a memory grows: rules if rules answer, the model if it does.
pub fn critic(opening: &AgentOpening, pipeline: &Pipeline) -> Arc<dyn Critic> {
    match opening.rules {
        true => Arc::new(RulesCritic),
        false => Arc::new(ModelCritic::new(Arc::clone(&pipeline.lexicon))),
    }
}

/// The lexical embedder never waits, so what only embeds is done at the first poll; others are waited for.
fn now<T>(work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    let mut context = std::task::Context::from_waker(std::task::Waker::noop());
    loop {
        if let std::task::Poll::Ready(done) = work.as_mut().poll(&mut context) {
            return done;
        }
        std::thread::yield_now();
    }
}

#[async_trait]
impl Agent for Ecr {
    fn id(&self) -> &AgentId {
        &self.id
    }

    fn fingerprint(&self) -> String {
        let Pipeline { settings, likeness, reasoner, evidence, .. } = &self.pipeline;
        let parts = [
            settings.fingerprint(),
            likeness.embedder(),
            reasoner.fingerprint(),
            evidence.fingerprint(),
            self.memory.fingerprint().to_owned(),
        ];
        parts.join(" | ")
    }

    fn remembers(&self) -> bool {
        !self.trained_on.is_empty()
    }

    fn has_seen(&self, case: &CaseId, text: &str, patient: Option<&str>) -> Option<String> {
        let training = self.trained_on.knows(text, patient)?;
        Some(format!(
            "the memory was grown from the patient of the test case `{case}`, there called `{training}`, so an answer would prove \
             nothing; grow it from other cases"
        ))
    }

    fn may_note(&self) -> bool {
        !self.pipeline.settings.evidence.is_empty()
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        if let Some(case) = self.trained_on.holds(&prompt.text) {
            return Err(AgentError::InvalidOutput(format!(
                "the memory was grown from this very narrative, there called `{case}`; an answer would prove nothing"
            )));
        }
        let sight = Sight { model, prompt, repeat, feedback: &[] };
        let thought = self.pipeline.think(&self.memory, &sight).await?;
        let record = Record::of(&thought, &self.pipeline.settings.weights);
        Ok(Conclusion {
            text: match prompt.form {
                Form::Ranked | Form::Treatments | Form::Advice => record.answer(),
                Form::One | Form::Reasoned => record.audit.diagnosis.clone(),
            },
            reasoning: Some(thought.opinion.reasons.join(" ")),
            record: Some(serde_json::to_value(&record).expect("a record holds nothing JSON cannot")),
        })
    }
}
