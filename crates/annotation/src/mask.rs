//! A model that introduces itself in its answer would lift the blind: names are masked in everything raters see.

use regex::{Regex, RegexBuilder};
use waterjar_engine::PlannedSubject;

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

/// Words of a model's name that anybody may say: masked, they would take words from patients.
const COMMON: &str = "agent answer assistant base baseline care center centre chat clinic clinical clinician consult department diagnose diagnosis \
    diagnostic doctor emergency expert fast fine flash free general health heart home hospital house instruct large latest local \
    medic medical medicine medium mine mini model nurse other ours patient physician plain preview server service small symptoms \
    team test think thinking tuned turbo ultra university version vision ward";

pub struct Mask(Regex);

impl Mask {
    /// Built-in readers are called by plain words and never introduce themselves: theirs stay. Every other model may say its name, whether
    /// it is a vendor's or one's own. What the study calls a subject the model does not know, unless it is the model's name.
    pub fn of(subjects: &[PlannedSubject]) -> Self {
        let others = subjects.iter().filter(|it| !it.built_in);
        let names = others.flat_map(|it| [it.model.as_str()].into_iter().chain(with_model(it)));
        Self::new(names)
    }

    fn new<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let telling = |name: &&str| name.chars().any(|c| c.is_ascii_digit()) || name.contains(['-', '/', '.']);
        let names: Vec<&str> = names.filter(|name| is_name(name)).collect();
        let models: Vec<&str> = names.iter().flat_map(|name| model_in(name)).filter(telling).collect();
        let words = models.iter().flat_map(|part| part.split(|c: char| !c.is_alphabetic()));
        let words = words.filter(|word| word.chars().count() >= 4 && !is_common(word));
        let mut patterns: Vec<String> = names.iter().chain(&models).map(|part| loosely(part)).collect();
        patterns.extend(words.map(|word| format!("{}{TAIL}", regex::escape(word))));
        patterns.extend(
            KNOWN.iter().map(|name| if name.is_ascii() { format!("{name}{TAIL}") } else { (*name).to_owned() }),
        );
        patterns.retain(|pattern| !pattern.is_empty());
        // The longest first: of alternatives the first that fits is taken.
        patterns.sort_by_key(|pattern| std::cmp::Reverse(pattern.len()));
        patterns.dedup();
        // Edges of Latin words only: in 我是Claude there is one before the C. There are no spaces around Chinese ones.
        let (latin, other): (Vec<String>, Vec<String>) = patterns.into_iter().partition(|pattern| pattern.is_ascii());
        let pattern = format!(r"(?-u:\b)(?:{})(?-u:\b)|(?:{})", latin.join("|"), other.join("|"));
        Self(RegexBuilder::new(&pattern).case_insensitive(true).build().expect("names are escaped, ours are patterns"))
    }

    pub fn mask(&self, text: &str) -> String {
        self.0.replace_all(&narrow(text), "▮▮▮").into_owned()
    }

    pub fn hides(&self, text: &str) -> bool {
        self.0.is_match(&narrow(text))
    }
}

/// The subject's name where it holds the model's: `plain@hospital-llm-7b`.
fn with_model(subject: &PlannedSubject) -> Option<&str> {
    Some(subject.id.as_str()).filter(|id| !subject.model.is_empty() && id.contains(&subject.model))
}

/// A word anybody may say gives nobody away, and a single letter is no name.
fn is_name(name: &str) -> bool {
    name.chars().filter(|c| c.is_alphanumeric()).count() > 1 && !is_common(name)
}

fn is_common(word: &str) -> bool {
    let word = word.to_lowercase();
    COMMON.split(' ').any(|common| common == word)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_models_are_masked_and_plain_words_stay() {
        let mask = Mask::new(["plain@openai/gpt-5.2-mini", "ecr@local/meditron-70b"].into_iter());
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

    #[test]
    fn a_model_of_ones_own_is_masked_by_its_name_and_not_by_words_of_every_day() {
        let names = ["hospital-llm-7b", "plain@hospital-llm-7b", "asclepius-8b", "Panacea", "神农", "mine", "x", ""];
        let mask = Mask::new(names.into_iter());
        for (text, masked) in [
            ("I am hospital-llm-7b.", "I am ▮▮▮."),
            ("I, Hospital LLM 7B, would refer.", "I, ▮▮▮, would refer."),
            ("plain@hospital-llm-7b says no", "▮▮▮ says no"),
            ("Asclepius here: go to hospital.", "▮▮▮ here: go to hospital."),
            ("As PANACEA I refer; no panacean cure.", "As ▮▮▮ I refer; no panacean cure."),
            ("我是神农，建议就诊。", "我是▮▮▮，建议就诊。"),
            ("A friend of mine took the x-ray to the hospital.", "A friend of mine took the x-ray to the hospital."),
        ] {
            assert_eq!(mask.mask(text), masked);
        }
        assert!(mask.hides("Asclepius") && !mask.hides("anna"));
    }
}
