//! A model that introduces itself in its answer would lift the blind: names are masked in everything raters see.

use regex::{Regex, RegexBuilder};
use waterjar_engine::PlannedSubject;

/// Models people know by name, and who makes them. Names that are words of every day are taken only with what makes them names: `Phi-4`,
/// `Meta AI`, `Command R+`.
const KNOWN: &[&str] = &[
    "chatgpt",
    r"gpt-?[0-9o][0-9A-Za-z.\-]*",
    // One letter before it is a blood test: sGPT.
    "[a-z]{3,12}gpt",
    r"o[134]-(?:mini|preview|pro)",
    "openai",
    "claude",
    r"(?:opus|sonnet|haiku)[ -]?[0-9](?:\.[0-9])?",
    "anthropic",
    "(?:med-?)?gemini",
    "(?:med)?gemma",
    "med-?palm",
    "palm-2",
    "deepmind",
    "google[ -](?:ai|bard|assistant)",
    r"(?:[a-z]{2,8}-?)?llama",
    "meta[ -]?ai",
    // With a capital or a maker: a patient may be a copilot, PHI is a figure of the prostate, an arm on command rises.
    "(?:microsoft|github|dragon|bing) copilot",
    "(?-i:Copilot)",
    r"(?-i:[Pp]hi)[ -]?[1-5](?:\.[0-9])?",
    "command-r(?:7b)?",
    "(?-i:Command) ?R(?:7b)?",
    "command-a",
    "(?-i:Cohere)",
    "aya[ -](?:expanse|vision|23|101)",
    "(?-i:Perplexity)",
    "openevidence",
    "palmyra",
    "meditron",
    "(?:bio-?|med-?|clinical-?)?mistral",
    "mixtral",
    "(?:mini|code|dev|magi)stral",
    "pixtral",
    "(?:med-?)?qwen",
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
    "bytedance",
    "hunyuan",
    "tencent",
    "baidu",
    "baichuan",
    "minimax",
    "internlm",
    "huatuo",
    "pangu",
    "iflytek",
    "nemotron",
    r"(?:amazon )?nova[ -](?:pro|lite|micro|premier)",
    "biomedlm",
    "openbiollm",
    "clinical ?camel",
    "medalpaca",
    "gatortron",
    "hippocratic ai",
    "watsonx",
    "vicuna",
    "wizardlm",
    "exaone",
    "dbrx",
    "jamba",
    r"(?:aloe|apollo|falcon|granite|hermes|jurassic|olmo|orca|solar|yi|zephyr)-[0-9]+",
    "通义千问",
    "文心一言",
    "智谱",
    "豆包",
    "百川",
    "华佗",
    "深度求索",
    "月之暗面",
    "讯飞星火",
    "科大讯飞",
    "混元",
    "盘古大模型",
    "书生·浦语",
];

/// Firms that anybody may speak of, where they are said to have made who speaks: whole words, for metastases make much, and a capital where
/// they are words of every day.
const MAKERS: &str = r"((?:made|built|created|developed|trained|designed|provided|operated) by |由)(?:(?:google|microsoft|amazon|nvidia|ibm|samsung|(?-i:Meta|Apple|Writer))(?-u:\b)|谷歌|微软|百度|腾讯|阿里巴巴|阿里|字节跳动|华为)";

/// What may stand behind such a name: `Claude Opus 4.7`, `gemini-pro`, `Qwen3`, `DeepSeek R1`, `Palmyra-Med`.
const TAIL: &str = r"(?:[ _-](?:opus|sonnet|haiku|pro|flash|ultra|nano|max|plus|turbo|mini|instruct|chat|medical|med|fin|distill|large|small|medium))*(?:[ _-]?v?[0-9](?:[0-9A-Za-z.\-]*[0-9A-Za-z])?| [rvk][0-9][0-9A-Za-z.\-]*)?";

/// What is joined to any name: `-R1`, `-v2`, `_8b`, `-VL`, `+`. A word is none: `-based`.
const JOINED: &str = r"(?:[-_](?:[a-z]{0,8}[0-9][0-9a-z]*(?:\.[0-9]+)*|[a-z]{1,2}))*(?-u:\b)\+?";

/// Words of a model's name that anybody may say: masked, they would take words from patients.
const COMMON: &str = "agent answer assistant base baseline care center centre chat clinic clinical clinician consult department diagnose diagnosis \
    diagnostic doctor emergency expert fast fine flash free general health heart home hospital house instruct large latest local \
    medic medical medicine medium mine mini model nurse other ours patient physician plain preview server service small symptoms \
    team test think thinking tuned turbo ultra university version vision ward";

pub struct Mask {
    names: Regex,
    makers: Regex,
}

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
        let pattern = format!(r"(?-u:\b)(?:{}){JOINED}|(?:{})", latin.join("|"), other.join("|"));
        let built = |pattern: &str| {
            let built = RegexBuilder::new(pattern).case_insensitive(true).build();
            built.expect("names are escaped, ours are patterns")
        };
        Self { names: built(&pattern), makers: built(MAKERS) }
    }

    pub fn mask(&self, text: &str) -> String {
        let without_names = self.names.replace_all(&narrow(text), "▮▮▮").into_owned();
        self.makers.replace_all(&without_names, "$1▮▮▮").into_owned()
    }

    pub fn hides(&self, text: &str) -> bool {
        self.names.is_match(&narrow(text))
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
            ("Copilot, OpenEvidence or Palmyra-Med", "▮▮▮, ▮▮▮ or ▮▮▮"),
            ("I am Meta AI; a meta-analysis says no.", "I am ▮▮▮; a meta-analysis says no."),
            ("Phi-4, phi-3.5-mini and Command R+ agree.", "▮▮▮, ▮▮▮ and ▮▮▮ agree."),
            ("BioMistral-7B and PMC-LLaMA, MedGPT", "▮▮▮ and ▮▮▮, ▮▮▮"),
            ("As DeepSeek-R1, or DeepSeek R1 0528", "As ▮▮▮, or ▮▮▮ 0528"),
            ("Meditron-70b-v2 and Qwen-VL", "▮▮▮ and ▮▮▮"),
            ("A Claude-based reader", "A ▮▮▮-based reader"),
            ("a model trained by Google; I googled it", "a model trained by ▮▮▮; I googled it"),
            ("我是由百度开发的助手，患者在百度上查过", "我是由▮▮▮开发的助手，患者在百度上查过"),
            ("Aloe vera, sGPT 45 U/l, at her command", "Aloe vera, sGPT 45 U/l, at her command"),
            ("hydroxyapatite phi, a solar burn", "hydroxyapatite phi, a solar burn"),
            ("由Google开发, made by Meta.", "由▮▮▮开发, made by ▮▮▮."),
            ("pressure created by metastases", "pressure created by metastases"),
            ("evidence provided by meta-analyses", "evidence provided by meta-analyses"),
            ("Education provided by writer", "Education provided by writer"),
            ("He is a copilot; PHI 35, PSA 6.1", "He is a copilot; PHI 35, PSA 6.1"),
            ("follows command R more than L, in perplexity", "follows command R more than L, in perplexity"),
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
