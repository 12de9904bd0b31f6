//! How one endpoint departs from the format it speaks. Rows of `vendors.toml` are read into this.

use serde::{Deserialize, Serialize};
use waterjar_core::{ChatRequest, Reasoning, Sampling};

/// The defaults are what most servers that call themselves OpenAI-compatible understand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Dialect {
    pub system_role: SystemRole,
    pub max_tokens: MaxTokens,
    pub temperature: Temperature,
    pub seed: SeedField,
    pub stop: bool,
    pub logprobs: bool,
    /// The best form of structured output to try; an endpoint that refuses it is asked in a plainer one.
    pub structured: Form,
    /// Whether structured output may be asked for in a request that offers tools.
    pub structured_with_tools: bool,
    pub reasoning: ReasoningStyle,
    /// Whether reasoning can be turned off.
    pub reasoning_off: bool,
    /// Whether it thinks where nobody says anything about reasoning. Decides no reply, so it is part of no identity.
    #[serde(skip_serializing)]
    pub thinks: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SystemRole {
    System,
    Developer,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTokens {
    MaxTokens,
    MaxCompletionTokens,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Temperature {
    Always,
    Never,
    /// Taken unless reasoning is asked for.
    UnlessReasoning,
    /// Taken only where reasoning is turned off by name, because the model reasons by itself.
    IfReasoningOff,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeedField {
    No,
    Seed,
    /// Mistral's name for it.
    RandomSeed,
}

/// How structured output is asked for, from strict to plain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The endpoint constrains the answer to the schema.
    Schema,
    /// The endpoint promises JSON; the schema is told in words.
    Object,
    /// A forced call of one tool whose arguments are the answer (older Claude models).
    Tool,
    /// The schema is told in words, nothing is promised.
    Prompt,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReasoningStyle {
    No,
    /// `reasoning_effort`
    Effort,
    /// `thinking: {type}` and `reasoning_effort` (DeepSeek)
    ThinkingEffort,
    /// `thinking: {type}` (Moonshot, Zhipu)
    Thinking,
    /// `enable_thinking` and `thinking_budget` (DashScope)
    EnableThinking,
    /// `chat_template_kwargs` (vLLM, SGLang, llama.cpp)
    TemplateKwargs,
    /// `reasoning: {effort | max_tokens}` (OpenRouter)
    Openrouter,
    /// `thinking: {budget_tokens}` (older Claude models), `thinkingBudget` (Gemini 2.5)
    Budget,
    /// `thinking: {type: adaptive}` and `output_config.effort` (Claude since 4.6)
    Adaptive,
    /// `thinkingLevel` (Gemini since 3)
    Level,
}

impl Default for Dialect {
    fn default() -> Self {
        Self {
            system_role: SystemRole::System,
            max_tokens: MaxTokens::MaxTokens,
            temperature: Temperature::Always,
            seed: SeedField::Seed,
            stop: true,
            logprobs: true,
            structured: Form::Schema,
            structured_with_tools: true,
            reasoning: ReasoningStyle::Effort,
            reasoning_off: true,
            thinks: false,
        }
    }
}

impl Dialect {
    /// Whether it thinks, as far as is known, where nobody says anything about reasoning.
    pub fn thinks_unasked(&self) -> bool {
        let by_itself = !self.reasoning_off || self.temperature == Temperature::IfReasoningOff;
        self.thinks || (by_itself && self.reasoning != ReasoningStyle::No)
    }

    /// The limit that is sent. Endpoints count thinking as output, so what is asked for thinking is added: the answer has the same room
    /// whether or not the model thinks first.
    pub(crate) fn limit(&self, sent: &Sampling) -> Option<u32> {
        let thinking = sent.reasoning.and_then(budget).unwrap_or(0);
        sent.max_tokens.map(|answer| answer.saturating_add(thinking))
    }

    /// What of the request this endpoint cannot do and is therefore not sent, or sent in a coarser way.
    pub fn unsupported(&self, request: &ChatRequest) -> Vec<&'static str> {
        self.admit(&request.sampling).1
    }

    /// The sampling that can be sent, and what of it cannot. Both come from here, so nothing is dropped without being named.
    pub(crate) fn admit(&self, asked: &Sampling) -> (Sampling, Vec<&'static str>) {
        let mut sent = asked.clone();
        let mut lost = Vec::new();
        sent.reasoning = asked.reasoning.and_then(|reasoning| self.admit_reasoning(reasoning, &mut lost));
        if asked.temperature.is_some() && !self.admits_temperature(sent.reasoning) {
            sent.temperature = None;
            lost.push("temperature");
        }
        if asked.seed.is_some() && self.seed == SeedField::No {
            sent.seed = None;
            lost.push("seed");
        }
        if !asked.stop.is_empty() && !self.stop {
            sent.stop.clear();
            lost.push("stop sequences");
        }
        if asked.top_logprobs.is_some() && !self.logprobs {
            sent.top_logprobs = None;
            lost.push("log-probabilities");
        }
        (sent, lost)
    }

    fn admit_reasoning(&self, asked: Reasoning, lost: &mut Vec<&'static str>) -> Option<Reasoning> {
        use ReasoningStyle::*;
        match (asked, self.reasoning) {
            (Reasoning::Off, _) if self.reasoning_off && self.reasoning != No => Some(asked),
            (Reasoning::Off, _) => refuse(lost, "turning reasoning off"),
            (_, No) => refuse(lost, "reasoning"),
            (Reasoning::Tokens(_), Effort | ThinkingEffort | Adaptive | Level) => {
                refuse(lost, "a reasoning budget in tokens")
            }
            (_, Thinking | TemplateKwargs) => {
                lost.push("a level of reasoning (only on or off)");
                Some(asked)
            }
            _ => Some(asked),
        }
    }

    fn admits_temperature(&self, reasoning: Option<Reasoning>) -> bool {
        match self.temperature {
            Temperature::Always => true,
            Temperature::Never => false,
            Temperature::UnlessReasoning => matches!(reasoning, None | Some(Reasoning::Off)),
            Temperature::IfReasoningOff => reasoning == Some(Reasoning::Off),
        }
    }

    /// How this request asks for structured output, if it does.
    pub(crate) fn form(&self, request: &ChatRequest) -> Option<Form> {
        request.schema.as_ref()?;
        let reasons = !matches!(self.admit(&request.sampling).0.reasoning, None | Some(Reasoning::Off));
        // A forced tool leaves no room for other tools, and Claude does not think before one.
        let forced_is_impossible = self.structured == Form::Tool && (reasons || !request.tools.is_empty());
        let not_beside_tools = !self.structured_with_tools && !request.tools.is_empty();
        Some(if forced_is_impossible || not_beside_tools { Form::Prompt } else { self.structured })
    }
}

fn refuse(lost: &mut Vec<&'static str>, what: &'static str) -> Option<Reasoning> {
    lost.push(what);
    None
}

/// An effort as a number of thinking tokens, for endpoints that take only a number. Anthropic's minimum is 1024.
pub(crate) fn budget(reasoning: Reasoning) -> Option<u32> {
    match reasoning {
        Reasoning::Off => None,
        Reasoning::Low => Some(1024),
        Reasoning::Medium => Some(4096),
        Reasoning::High => Some(16384),
        Reasoning::Tokens(tokens) => Some(tokens),
    }
}

/// An effort as a word; a number of tokens has none.
pub(crate) fn effort(reasoning: Reasoning) -> Option<&'static str> {
    match reasoning {
        Reasoning::Low => Some("low"),
        Reasoning::Medium => Some("medium"),
        Reasoning::High => Some("high"),
        Reasoning::Off | Reasoning::Tokens(_) => None,
    }
}

/// Gemini's seed is a signed number of 32 bits and others differ; the same bits are sent to all.
pub(crate) fn portable(seed: u64) -> u64 {
    seed & 0x7fff_ffff
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(dialect: Dialect, sampling: Sampling, lost: &[&str]) {
        let request = ChatRequest { sampling, ..ChatRequest::new("", "", 0) };
        assert_eq!(dialect.unsupported(&request), lost);
    }

    fn hot(reasoning: Option<Reasoning>) -> Sampling {
        Sampling { temperature: Some(0.7), reasoning, ..Sampling::default() }
    }

    #[test]
    fn temperature_is_lost_where_the_model_thinks() {
        let dialect = |temperature| Dialect { temperature, reasoning: ReasoningStyle::Budget, ..Dialect::default() };
        check(dialect(Temperature::UnlessReasoning), hot(None), &[]);
        check(dialect(Temperature::UnlessReasoning), hot(Some(Reasoning::Low)), &["temperature"]);
        check(dialect(Temperature::IfReasoningOff), hot(None), &["temperature"]);
        check(dialect(Temperature::IfReasoningOff), hot(Some(Reasoning::Off)), &[]);
    }

    #[test]
    fn what_is_lost_is_named_and_not_sent() {
        let bare = Dialect {
            seed: SeedField::No,
            stop: false,
            logprobs: false,
            temperature: Temperature::Never,
            reasoning: ReasoningStyle::No,
            ..Dialect::default()
        };
        let asked = Sampling {
            seed: Some(1),
            stop: vec!["x".into()],
            top_logprobs: Some(2),
            max_tokens: Some(9),
            ..hot(Some(Reasoning::High))
        };
        let (sent, lost) = bare.admit(&asked);
        assert_eq!(sent, Sampling { max_tokens: Some(9), ..Sampling::default() });
        assert_eq!(lost, ["reasoning", "temperature", "seed", "stop sequences", "log-probabilities"]);
    }

    #[test]
    fn thinking_takes_no_room_from_the_answer() {
        let limit =
            |reasoning| Dialect::default().limit(&Sampling { max_tokens: Some(500), reasoning, ..Sampling::default() });
        assert_eq!(limit(None), Some(500));
        assert_eq!(limit(Some(Reasoning::Off)), Some(500));
        assert_eq!(limit(Some(Reasoning::Low)), Some(1524));
        assert_eq!(limit(Some(Reasoning::Tokens(3000))), Some(3500));
        assert_eq!(Dialect::default().limit(&Sampling::default()), None);
    }

    #[test]
    fn a_budget_needs_an_endpoint_that_counts() {
        let tokens = Sampling { reasoning: Some(Reasoning::Tokens(2000)), ..Sampling::default() };
        let dialect = |reasoning| Dialect { reasoning, ..Dialect::default() };
        check(dialect(ReasoningStyle::Effort), tokens.clone(), &["a reasoning budget in tokens"]);
        check(dialect(ReasoningStyle::Budget), tokens, &[]);
    }
}
