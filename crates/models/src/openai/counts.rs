//! What was used, in the words of many vendors.

use crate::wire::count_at;
use serde::Deserialize;
use serde_json::Value;
use waterjar_core::Usage;

#[derive(Clone, Copy, Default, Deserialize)]
pub(super) struct Counts {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    total_tokens: Option<u64>,
    completion_tokens_details: Option<Answered>,
    prompt_tokens_details: Option<Asked>,
    /// DeepSeek.
    prompt_cache_hit_tokens: Option<u64>,
    /// Moonshot.
    cached_tokens: Option<u64>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Answered {
    reasoning_tokens: Option<u64>,
}

#[derive(Clone, Copy, Default, Deserialize)]
struct Asked {
    cached_tokens: Option<u64>,
}

impl Counts {
    /// Whatever is not a count counts as nothing.
    pub fn of(body: &Value) -> Self {
        let count = |pointer| Some(count_at(body, pointer));
        Self {
            prompt_tokens: count("/usage/prompt_tokens"),
            completion_tokens: count("/usage/completion_tokens"),
            total_tokens: count("/usage/total_tokens"),
            completion_tokens_details: Some(Answered {
                reasoning_tokens: count("/usage/completion_tokens_details/reasoning_tokens"),
            }),
            prompt_tokens_details: Some(Asked { cached_tokens: count("/usage/prompt_tokens_details/cached_tokens") }),
            prompt_cache_hit_tokens: count("/usage/prompt_cache_hit_tokens"),
            cached_tokens: count("/usage/cached_tokens"),
        }
    }

    pub fn usage(self) -> Usage {
        // No reply has four billion tokens; a broken count must not overflow a sum.
        let count = |count: Option<u64>| count.unwrap_or(0).min(u32::MAX.into());
        let (input, answered) = (count(self.prompt_tokens), count(self.completion_tokens));
        let reasoning = count(self.completion_tokens_details.and_then(|it| it.reasoning_tokens));
        // xAI counts reasoning beside the completion; its total gives it away.
        let beside = reasoning > 0 && count(self.total_tokens) == input + answered + reasoning;
        let cached = [
            self.prompt_tokens_details.and_then(|it| it.cached_tokens),
            self.prompt_cache_hit_tokens,
            self.cached_tokens,
        ];
        Usage {
            input,
            output: if beside { answered + reasoning } else { answered },
            cached_input: cached.into_iter().map(count).max().unwrap_or(0).min(input),
            reasoning,
        }
    }
}
