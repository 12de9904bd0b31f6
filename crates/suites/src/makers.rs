//! Who made a model: a judge must not grade its own family.

use std::sync::Arc;
use waterjar_core::{ChatModel, SubjectId};

/// Words in a model's name, and whose they are. What none of them fits goes by the vendor it is asked at.
const MAKERS: &[(&str, &str)] = &[
    ("claude", "anthropic"),
    ("gpt", "openai"),
    ("/o1", "openai"),
    ("/o3", "openai"),
    ("/o4", "openai"),
    ("gemini", "google"),
    ("gemma", "google"),
    ("grok", "xai"),
    ("qwen", "alibaba"),
    ("qwq", "alibaba"),
    ("llama", "meta"),
    ("mistral", "mistral"),
    ("mixtral", "mistral"),
    ("deepseek", "deepseek"),
    ("kimi", "moonshot"),
    ("glm", "zhipu"),
];

/// The judges that may judge a subject's answers.
pub(crate) fn of_other_makers<'a>(
    judges: &'a [Arc<dyn ChatModel>],
    subject: &SubjectId,
) -> Vec<&'a Arc<dyn ChatModel>> {
    let own = maker_of(subject.as_str());
    judges.iter().filter(|judge| maker_of(judge.id().as_str()) != own).collect()
}

/// Of a model or of a subject, `plain@openai/gpt-5`.
pub(crate) fn maker_of(name: &str) -> String {
    let model = name.rsplit_once('@').map_or(name, |(_, model)| model).to_lowercase();
    let known = MAKERS.iter().find(|(word, _)| model.contains(word)).map(|(_, maker)| *maker);
    known.unwrap_or_else(|| model.split('/').next().unwrap_or_default()).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_belongs_to_its_maker_wherever_it_is_asked() {
        for (name, maker) in [
            ("plain@openai/gpt-5", "openai"),
            ("openrouter/anthropic/claude-sonnet-4-5", "anthropic"),
            ("react@vllm/Qwen3-32B", "alibaba"),
            ("plain@guideline", "guideline"),
            ("local/our-own", "local"),
        ] {
            assert_eq!(maker_of(name), maker);
        }
    }
}
