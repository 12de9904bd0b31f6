//! A plausible clinician: reads the patient, ranks conditions, fills in any schema. Same request, same words, whatever
//! the wire format.

mod auditor;
mod board;
mod causal;
mod fill;
mod instance;
mod letter_judge;
mod letter_lore;
mod letters;
mod patient;
mod persona;
mod ranking;
mod storyteller;
mod team;
mod trap_author;
mod vignette;
mod wording;

pub use fill::minimal;
pub(crate) use instance::type_of;
pub use instance::{Fill, instance};
pub use patient::{Patient, PatientReader};
pub use persona::{Heed, Persona};
pub use ranking::Consultation;
pub(crate) use ranking::gauss;
pub use vignette::{Manner, Style};

use crate::format::{AnswerForm, Asked, ToolChoice};
use crate::patients::starter;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, LazyLock};
use waterjar_core::{ChatReply, Finish, Role, Seed, Tool, ToolCall, Usage};
use waterjar_knowledge::KnowledgeBase;

/// Answers by the name of the schema where a stage is registered, by the patient otherwise. Clones share everything.
#[derive(Clone)]
pub struct Clinician {
    base: Arc<KnowledgeBase>,
    reader: Arc<PatientReader>,
    persona: Persona,
    seed: Seed,
    tools: ToolPolicy,
    cached_share: f64,
    stages: HashMap<String, Stage>,
    texts: Vec<(String, Words)>,
    always: Option<Arc<str>>,
    manner: Manner,
    /// Also where the answer has a form.
    typed: bool,
}

type Stage = Arc<dyn Fn(&Clinician, &Asked) -> Value + Send + Sync>;
type Words = Arc<dyn Fn(&Clinician, &Asked) -> String + Send + Sync>;

/// When a tool that is offered is called. A tool that is forced always is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ToolPolicy {
    Never,
    /// When the last user message names the tool and no result is there yet.
    #[default]
    WhenNamed,
    /// The first tool, until a result is there.
    Always,
    /// The first tool, until so many results are there.
    Times(usize),
}

impl Clinician {
    /// Knows the starter base.
    pub fn new(persona: Persona, seed: Seed) -> Self {
        static READER: LazyLock<Arc<PatientReader>> = LazyLock::new(|| Arc::new(PatientReader::new(&starter())));
        Self::with(starter(), READER.clone(), persona, seed)
    }

    /// Knows another base.
    pub fn of_base(base: Arc<KnowledgeBase>, persona: Persona, seed: Seed) -> Self {
        let reader = Arc::new(PatientReader::new(&base));
        Self::with(base, reader, persona, seed)
    }

    fn with(base: Arc<KnowledgeBase>, reader: Arc<PatientReader>, persona: Persona, seed: Seed) -> Self {
        Self {
            base,
            reader,
            persona,
            seed,
            tools: ToolPolicy::default(),
            cached_share: 0.0,
            stages: HashMap::new(),
            texts: Vec::new(),
            always: None,
            manner: Manner::default(),
            typed: false,
        }
        .working_in_teams()
        .reasoning_causally()
        .auditing()
        .on_boards()
        .telling_vignettes()
        .writing_letters()
    }

    /// Says the same to every question without a schema: the cheapest reply, for benches.
    pub fn always(text: &str) -> Self {
        let mut clinician = Self::new(Persona::default(), Seed(0));
        clinician.always = Some(text.into());
        clinician
    }

    /// Says it also where the answer has a schema: the whole of it where it is one, otherwise in every field that holds words.
    #[must_use]
    pub fn also_typed(mut self) -> Self {
        self.typed = self.always.is_some();
        self
    }

    /// What to answer where the schema (or the forced tool) has this name.
    #[must_use]
    pub fn on(mut self, schema: &str, stage: impl Fn(&Clinician, &Asked) -> Value + Send + Sync + 'static) -> Self {
        self.stages.insert(schema.to_owned(), Arc::new(stage));
        self
    }

    /// What to say where a prompt without a schema contains these words. The first that fits is taken.
    #[must_use]
    pub fn when(
        mut self,
        contains: &str,
        words: impl Fn(&Clinician, &Asked) -> String + Send + Sync + 'static,
    ) -> Self {
        self.texts.push((contains.to_owned(), Arc::new(words)));
        self
    }

    #[must_use]
    pub fn tools(mut self, policy: ToolPolicy) -> Self {
        self.tools = policy;
        self
    }

    /// Which part of the input is reported as read from a cache.
    #[must_use]
    pub fn cached_share(mut self, share: f64) -> Self {
        self.cached_share = share;
        self
    }

    pub fn base(&self) -> &KnowledgeBase {
        &self.base
    }

    pub fn seed(&self) -> Seed {
        self.seed
    }

    /// The patient a text tells of, if it tells of one.
    pub fn patient(&self, text: &str) -> Option<Patient> {
        self.reader.read(text)
    }

    /// What the clinician thinks of the patient a text tells of.
    pub fn consult(&self, text: &str) -> Option<Consultation> {
        let patient = self.patient(text)?;
        Some(ranking::consult(&self.base, &self.persona, self.seed, &patient))
    }

    /// A patient's list of findings as first-person prose that keeps every sentence.
    pub fn narrate(&self, text: &str) -> Option<String> {
        Some(wording::prose(&self.base, &self.patient(text)?))
    }

    pub fn reply(&self, asked: &Asked) -> ChatReply {
        let mut reply = match self.tool_to_call(asked) {
            Some(tool) => self.call(asked, tool),
            None => ChatReply { text: self.text(asked), ..ChatReply::default() },
        };
        if reply.tool_calls.is_empty() {
            wording::stop(&mut reply, &asked.request.sampling.stop);
            wording::cut(&mut reply, asked.request.sampling.max_tokens);
            let top = asked.request.sampling.top_logprobs;
            reply.logprobs = top.map(|top| wording::logprobs(&reply.text, top));
        }
        if asked.request.sampling.reasoning.is_some() {
            reply.reasoning = Some(self.thoughts(asked));
        }
        reply.usage = self.usage(asked, &reply);
        reply
    }

    fn tool_to_call<'a>(&self, asked: &'a Asked) -> Option<&'a Tool> {
        if let Some(forced) = asked.forced_tool() {
            return Some(forced);
        }
        let results = asked.request.messages.iter().filter(|message| message.role == Role::Tool).count();
        let most = if let ToolPolicy::Times(most) = self.tools { most } else { 1 };
        if asked.choice == ToolChoice::Never || results >= most {
            return None;
        }
        match self.tools {
            ToolPolicy::Never => None,
            ToolPolicy::WhenNamed => asked.request.tools.iter().find(|tool| asked.text().contains(tool.name.as_str())),
            ToolPolicy::Always | ToolPolicy::Times(_) => asked.request.tools.first(),
        }
    }

    fn call(&self, asked: &Asked, tool: &Tool) -> ChatReply {
        let arguments = self.filled(asked, &tool.name, &tool.parameters);
        let id = self.seed.rank("call", &format!("{}{arguments}", tool.name));
        let call = ToolCall { id: format!("call_{id:016x}"), name: tool.name.clone(), arguments };
        ChatReply { tool_calls: vec![call], finish: Finish::ToolCalls, ..ChatReply::default() }
    }

    fn text(&self, asked: &Asked) -> String {
        if let Some(schema) = &asked.request.schema {
            return self.filled(asked, &schema.name, &schema.schema).to_string();
        }
        let text = self.prose(asked);
        if asked.form == AnswerForm::JsonObject { json!({ "answer": text }).to_string() } else { text }
    }

    fn prose(&self, asked: &Asked) -> String {
        let fits = |words: &str| asked.text().contains(words) || asked.system().contains(words);
        if let Some((_, words)) = self.texts.iter().find(|(contains, _)| fits(contains)) {
            return words(self, asked);
        }
        if let Some(text) = &self.always {
            return text.to_string();
        }
        if let Some(answer) = self.answer_letter(asked) {
            return answer;
        }
        match self.consult(asked.text()) {
            Some(consultation) => wording::answer(&consultation),
            None => self
                .vignette(asked.text())
                .unwrap_or_else(|| "I need to hear about a patient before I can say what they have.".to_owned()),
        }
    }

    /// The stage of that name, or a valid instance with what the clinician knows filled in.
    fn filled(&self, asked: &Asked, name: &str, schema: &Value) -> Value {
        if let Some(text) = self.always.as_ref().filter(|_| self.typed) {
            return fill::said(text, schema);
        }
        match self.stages.get(name) {
            Some(stage) => stage(self, asked),
            None => fill::plausible(self, asked, schema),
        }
    }

    fn thoughts(&self, asked: &Asked) -> String {
        match self.consult(asked.text()) {
            Some(consultation) => wording::thoughts(&consultation),
            None => "There is no patient in this request; I answer what is asked.".to_owned(),
        }
    }

    fn usage(&self, asked: &Asked, reply: &ChatReply) -> Usage {
        let calls: usize = reply.tool_calls.iter().map(|call| call.name.len() + call.arguments.to_string().len()).sum();
        let tokens = |letters: usize| (letters as u64).div_ceil(4);
        let input = asked.tokens();
        let reasoning = reply.reasoning.as_ref().map_or(0, |text| tokens(text.len()));
        let cached_input = (input as f64 * self.cached_share.clamp(0.0, 1.0)) as u64;
        Usage { input, output: tokens(reply.text.len() + calls) + reasoning, cached_input, reasoning }
    }
}
