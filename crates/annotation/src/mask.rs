//! A model that introduces itself in its answer would lift the blind: names are masked in everything raters see.

use regex::{Regex, RegexBuilder};

/// Families of models people know by name.
const KNOWN: &[&str] = &[
    "chatgpt",
    r"gpt-?[0-9o][\w.\-]*",
    r"o[134]-(?:mini|preview|pro)",
    "openai",
    "claude",
    "anthropic",
    "gemini",
    "gemma",
    "medgemma",
    "med-?palm",
    "deepmind",
    "llama",
    "meditron",
    "mistral",
    "mixtral",
    "qwen",
    "tongyi",
    "deepseek",
    "grok",
    "xai",
    "kimi",
    "moonshot",
    "chatglm",
    r"glm-[\w.]+",
    "zhipu",
    "ernie",
    "doubao",
    "hunyuan",
    "baichuan",
    "huatuo(?:gpt)?",
    "通义千问",
    "文心一言",
    "智谱",
    "豆包",
    "百川",
    "华佗",
];

pub struct Mask(Regex);

impl Mask {
    /// `names` are those of the run's subjects and models. Plain words, as our built-in readers are called, are no giveaway and stay.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let telling = |name: &&str| name.chars().any(|c| c.is_ascii_digit()) || name.contains(['-', '/', '@', '.']);
        let parts = names.flat_map(|name| std::iter::once(name).chain(name.split(['@', '/', ':'])));
        let mut patterns: Vec<String> = parts.filter(telling).map(regex::escape).collect();
        patterns.extend(KNOWN.iter().map(|it| (*it).to_owned()));
        // The longest first: of alternatives the first that fits is taken.
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
        patterns.dedup();
        let pattern = format!(r"(?-u:\b|^)(?:{})(?-u:\b|$)|(?:{})", patterns.join("|"), in_chinese());
        Self(RegexBuilder::new(&pattern).case_insensitive(true).build().expect("names are escaped, ours are patterns"))
    }

    pub fn mask(&self, text: &str) -> String {
        self.0.replace_all(text, "▮▮▮").into_owned()
    }

    pub fn hides(&self, text: &str) -> bool {
        self.0.is_match(text)
    }
}

/// There are no spaces around these.
fn in_chinese() -> String {
    let names: Vec<&str> = KNOWN.iter().copied().filter(|name| !name.is_ascii()).collect();
    names.join("|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_are_masked_and_plain_words_stay() {
        let mask = Mask::new(["plain@openai/gpt-5.2-mini", "ecr@local/meditron-70b", "plain@reference"].into_iter());
        for (text, masked) in [
            ("As GPT-5.2-mini, I would refer.", "As ▮▮▮, I would refer."),
            ("I am Claude, made by Anthropic.", "I am ▮▮▮, made by ▮▮▮."),
            ("我是通义千问，建议就诊。", "我是▮▮▮，建议就诊。"),
            ("local/meditron-70b says no", "▮▮▮ says no"),
            ("The reference range is plain.", "The reference range is plain."),
            ("Claudication after 100 m", "Claudication after 100 m"),
        ] {
            assert_eq!(mask.mask(text), masked);
        }
    }
}
