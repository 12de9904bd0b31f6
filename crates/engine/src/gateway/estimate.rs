//! How many tokens a call will use, guessed before it is made.

use std::sync::atomic::{AtomicU64, Ordering};
use waterjar_core::{ChatReply, ChatRequest};

/// Learns from replies how long a model usually answers.
#[derive(Debug)]
pub(super) struct Estimator {
    output: AtomicU64,
    /// The longest reply so far.
    longest: AtomicU64,
}

/// Until the first reply.
const TYPICAL_OUTPUT: u64 = 800;
/// What a vendor adds around each message.
const PER_MESSAGE: u64 = 8;

impl Default for Estimator {
    fn default() -> Self {
        Self::knowing(TYPICAL_OUTPUT)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Tokens {
    pub input: u64,
    pub output: u64,
}

impl Estimator {
    /// Replies are usually so long.
    pub fn knowing(output: u64) -> Self {
        Self { output: AtomicU64::new(output.max(16)), longest: AtomicU64::new(0) }
    }

    /// What the call will hardly exceed: the limit, or else twice what is usual and no less than there was before.
    pub fn at_most(&self, request: &ChatRequest, limit: Option<u32>) -> Tokens {
        let guess = || (2 * self.usual()).max(self.longest.load(Ordering::Relaxed));
        Tokens { input: input_tokens(request), output: limit.map_or_else(guess, u64::from) }
    }

    /// What the call will probably use, input and output together.
    pub fn typical(&self, request: &ChatRequest, limit: Option<u32>) -> u64 {
        input_tokens(request) + self.usual().min(limit.map_or(u64::MAX, u64::from))
    }

    pub fn learn(&self, output: u64) {
        let usual = self.usual();
        // A moving average over about sixteen replies. Two at once may overwrite each other; it is a guess either way.
        self.output.store((15 * usual + output).div_ceil(16).max(16), Ordering::Relaxed);
        self.longest.fetch_max(output, Ordering::Relaxed);
    }

    /// The first reply weighs more: a long one is probably what is usual.
    pub fn learn_first(&self, output: u64) {
        self.learn(output);
        self.output.fetch_max(output, Ordering::Relaxed);
    }

    fn usual(&self) -> u64 {
        self.output.load(Ordering::Relaxed)
    }
}

/// English has about four letters a token and Chinese about one; rounded up, because too little would overrun a budget.
pub fn input_tokens(request: &ChatRequest) -> u64 {
    let said: u64 = request.messages.iter().map(|message| PER_MESSAGE + text_tokens(&message.content)).sum();
    let calls = request.messages.iter().flat_map(|message| &message.tool_calls);
    let called: u64 = calls.map(|call| PER_MESSAGE + json_tokens(&call.arguments)).sum();
    let tools: u64 = request
        .tools
        .iter()
        .map(|tool| PER_MESSAGE + text_tokens(&tool.description) + json_tokens(&tool.parameters))
        .sum();
    let schema = request.schema.as_ref().map_or(0, |schema| json_tokens(&schema.schema));
    said + called + tools + schema
}

/// Of a reply whose endpoint does not count.
pub(super) fn reply_tokens(reply: &ChatReply) -> u64 {
    let called: u64 = reply.tool_calls.iter().map(|call| PER_MESSAGE + json_tokens(&call.arguments)).sum();
    text_tokens(&reply.text) + reply.reasoning.as_deref().map_or(0, text_tokens) + called
}

/// Of a text by itself, counted as [`input_tokens`] counts.
pub fn text_tokens(text: &str) -> u64 {
    // Checked many bytes at a time; counting them one by one shows in a run of short answers.
    let narrow = if text.is_ascii() { text.len() } else { text.bytes().filter(u8::is_ascii).count() };
    let wide = if narrow == text.len() { 0 } else { text.chars().count() - narrow };
    (wide + narrow.div_ceil(3)) as u64
}

fn json_tokens(json: &serde_json::Value) -> u64 {
    match json {
        serde_json::Value::String(text) => 1 + text_tokens(text),
        serde_json::Value::Array(items) => 2 + items.iter().map(json_tokens).sum::<u64>(),
        serde_json::Value::Object(fields) => {
            2 + fields.iter().map(|(key, value)| 2 + text_tokens(key) + json_tokens(value)).sum::<u64>()
        }
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::request;
    use super::*;

    #[test]
    fn the_guess_follows_the_text_and_what_the_model_usually_says() {
        let estimator = Estimator::default();
        let short = estimator.at_most(&request("chest pain"), None);
        assert!(estimator.at_most(&request(&"chest pain ".repeat(100)), None).input > short.input + 300);
        assert_eq!(text_tokens("胸痛三天"), 4);
        assert_eq!(short.output, 2 * TYPICAL_OUTPUT);
        for _ in 0..200 {
            estimator.learn(40);
        }
        let learnt = estimator.at_most(&request("chest pain"), None).output;
        assert!((80..=120).contains(&learnt), "{learnt}");
        assert_eq!(estimator.at_most(&request("chest pain"), Some(5_000)).output, 5_000);
        assert!(estimator.typical(&request("chest pain"), Some(5_000)) < 200);
        estimator.learn(900);
        assert_eq!(estimator.at_most(&request("chest pain"), None).output, 900);
    }
}
