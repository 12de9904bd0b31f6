//! A model that introduces itself in its answer would lift the blind: names are masked in everything raters see.

use regex::{Regex, RegexBuilder};

/// Families of models people know by name.
const KNOWN: &[&str] = &[
    "chatgpt",
    r"gpt-?[0-9o][0-9A-Za-z.\-]*",
    r"o[134]-(?:mini|preview|pro)",
    "openai",
    "claude",
    r"(?:opus|sonnet|haiku)[ -]?[0-9](?:\.[0-9])?",
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
    "qwq",
    "tongyi",
    "alibaba",
    "deepseek",
    "grok",
    "xai",
    "kimi",
    "moonshot",
    "chatglm",
    r"glm-[0-9A-Za-z.]+",
    "zhipu",
    "ernie(?: ?bot)?",
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

/// What may stand behind such a name: `Claude Opus 4.7`, `gemini-pro`, `Qwen3`.
const TAIL: &str = r"(?:[ _-](?:opus|sonnet|haiku|pro|flash|ultra|nano|max|plus|turbo|mini|instruct|chat|medical))*(?:[ _-]?v?[0-9](?:[0-9A-Za-z.\-]*[0-9A-Za-z])?)?";

/// Words of a model's name that anybody may say.
const COMMON: &[&str] = &[
    "base", "chat", "clinical", "expert", "fast", "flash", "free", "health", "instruct", "large", "latest", "local",
    "medical", "medium", "mini", "model", "plain", "preview", "small", "think", "thinking", "turbo", "ultra", "vision",
];

pub struct Mask(Regex);

impl Mask {
    /// `names` are those of the run's subjects. Built-in readers have no vendor in theirs; they are called by plain words, which are no
    /// giveaway and stay.
    pub fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let telling = |name: &&str| name.chars().any(|c| c.is_ascii_digit()) || name.contains(['-', '/', '.']);
        let names: Vec<&str> = names.filter(|name| name.contains('/')).collect();
        let models: Vec<&str> = names.iter().flat_map(|name| model_in(name)).filter(telling).collect();
        let words = models.iter().flat_map(|part| part.split(|c: char| !c.is_alphabetic()));
        let words = words.filter(|word| word.chars().count() >= 4 && !COMMON.contains(&word.to_lowercase().as_str()));
        let mut patterns: Vec<String> = names.iter().chain(&models).map(|part| loosely(part)).collect();
        patterns.extend(words.map(|word| format!("{}{TAIL}", regex::escape(word))));
        patterns.extend(KNOWN.iter().filter(|name| name.is_ascii()).map(|name| format!("{name}{TAIL}")));
        // The longest first: of alternatives the first that fits is taken.
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
        patterns.dedup();
        // Edges of Latin words only: in 我是Claude there is one before the C.
        let pattern = format!(r"(?-u:\b)(?:{})(?-u:\b)|(?:{})", patterns.join("|"), in_chinese());
        Self(RegexBuilder::new(&pattern).case_insensitive(true).build().expect("names are escaped, ours are patterns"))
    }

    pub fn mask(&self, text: &str) -> String {
        self.0.replace_all(&narrow(text), "▮▮▮").into_owned()
    }

    pub fn hides(&self, text: &str) -> bool {
        self.0.is_match(&narrow(text))
    }
}

/// The model's name in a subject's, and the same without its vendor.
fn model_in(name: &str) -> impl Iterator<Item = &str> {
    let model = name.rsplit_once('@').map_or(name, |(_, model)| model);
    std::iter::once(model).chain(model.split(['/', ':']))
}

/// With any sign, or none, between its words: `GPT 5.2 mini` for `gpt-5.2-mini`.
fn loosely(name: &str) -> String {
    let words = name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(regex::escape);
    words.collect::<Vec<_>>().join(r"[\s\-_./@:]{0,2}")
}

/// Latin letters and digits of full width, as Chinese texts have them, in their usual width.
fn narrow(text: &str) -> String {
    let narrow = |c: char| match c {
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        c => c,
    };
    text.chars().map(narrow).collect()
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
        let mask =
            Mask::new(["plain@openai/gpt-5.2-mini", "ecr@local/meditron-70b", "plain@symptoms-only"].into_iter());
        for (text, masked) in [
            ("As GPT-5.2-mini, I would refer.", "As ▮▮▮, I would refer."),
            ("As GPT 5.2 mini I refer.", "As ▮▮▮ I refer."),
            ("I am Claude Opus 4.7.", "I am ▮▮▮."),
            ("Meditron thinks so; 5.2 mmol/l.", "▮▮▮ thinks so; 5.2 mmol/l."),
            ("I am Claude, made by Anthropic.", "I am ▮▮▮, made by ▮▮▮."),
            ("我是通义千问，建议就诊。", "我是▮▮▮，建议就诊。"),
            ("local/meditron-70b says no", "▮▮▮ says no"),
            ("Symptoms: only the cough.", "Symptoms: only the cough."),
            ("Claudication after 100 m", "Claudication after 100 m"),
            ("GPT 45 U/l, GOT 30 U/l", "GPT 45 U/l, GOT 30 U/l"),
            ("我是Claude，由Anthropic开发。", "我是▮▮▮，由▮▮▮开发。"),
            ("我是DeepSeek开发的助手", "我是▮▮▮开发的助手"),
            ("我是GPT-4o模型", "我是▮▮▮模型"),
            ("我是meditron-70b。", "我是▮▮▮。"),
            ("我是Ｃｌａｕｄｅ", "我是▮▮▮"),
            ("I am Qwen3, not Llama3 or Grok4.", "I am ▮▮▮, not ▮▮▮ or ▮▮▮."),
            ("ChatGPT4, DeepSeekV3 and ERNIEBot", "▮▮▮, ▮▮▮ and ▮▮▮"),
            ("claude_opus; Sonnet 4.5; QwQ-32B by Alibaba", "▮▮▮; ▮▮▮; ▮▮▮ by ▮▮▮"),
            ("As Claude 3, I", "As ▮▮▮, I"),
        ] {
            assert_eq!(mask.mask(text), masked);
        }
    }
}
