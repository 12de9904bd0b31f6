//! What one call takes, where only a guess is possible: tokens and seconds.

use super::cast::Part;
use crate::cli::RehearseArgs;
use serde::Serialize;
use waterjar_core::{ChatReply, ChatRequest, Usage};
use waterjar_engine::gateway::{input_tokens, text_tokens};
use waterjar_models::Thinking;

/// Everything that is assumed and not counted. Printed with every estimate.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Assumed {
    /// Seconds until a model begins to answer.
    pub latency: f64,
    pub tokens_per_second: f64,
    /// Of an answer in free text. Structured answers are as long as the simulated ones.
    pub output_tokens: u64,
    /// Before each answer, by models that think and for which the study does not say how much.
    pub thinking_tokens: u64,
    pub letters_per_token: f64,
    /// Calls at once at an endpoint for which the study does not say.
    pub concurrency: u32,
    /// Share of structured answers that are unusable at first.
    pub asked_again: f64,
    /// Share of pairs the committee accepts.
    pub accepted: f64,
}

/// The gateway counts so many letters of a narrow script to the token.
pub const GATEWAY_LETTERS: f64 = 3.0;

impl Assumed {
    pub fn of(args: &RehearseArgs) -> Self {
        Self {
            latency: args.latency,
            tokens_per_second: args.tokens_per_second,
            output_tokens: args.output_tokens,
            thinking_tokens: args.thinking_tokens,
            letters_per_token: args.letters_per_token,
            concurrency: args.concurrency,
            asked_again: args.asked_again,
            accepted: args.accepted,
        }
    }

    pub fn usage(&self, part: &Part, request: &ChatRequest, reply: Option<&ChatReply>) -> Usage {
        let written = reply.map_or(0, |reply| self.written(request, reply));
        let most = request.sampling.max_tokens.or(part.max_tokens).map_or(u64::MAX, u64::from);
        let reasoning = if reply.is_some() { self.thinking(part) } else { 0 };
        let output = written.min(most).saturating_add(reasoning);
        Usage { input: self.scaled(input_tokens(request)), output, cached_input: 0, reasoning }
    }

    /// A schema says how long an answer is, so the simulated one is as long as another; a free text may be any length.
    fn written(&self, request: &ChatRequest, reply: &ChatReply) -> u64 {
        let called: u64 = reply.tool_calls.iter().map(|call| text_tokens(&call.arguments.to_string())).sum();
        if request.schema.is_some() || called > 0 {
            self.scaled(text_tokens(&reply.text) + called)
        } else {
            self.output_tokens
        }
    }

    fn thinking(&self, part: &Part) -> u64 {
        match part.thinking {
            Thinking::No => 0,
            Thinking::Budget(tokens) => tokens.into(),
            Thinking::Unstated => self.thinking_tokens,
        }
    }

    fn scaled(&self, tokens: u64) -> u64 {
        (tokens as f64 * GATEWAY_LETTERS / self.letters_per_token).ceil() as u64
    }

    /// How long a call takes at the endpoint.
    pub fn seconds(&self, output: u64) -> f64 {
        self.latency + output as f64 / self.tokens_per_second
    }
}
