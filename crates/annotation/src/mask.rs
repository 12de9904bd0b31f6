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

/// What may stand behind such a name: `Claude Opus 4.7`, `Claude 3.5 Sonnet`, `gemini-pro`, `Qwen3`, `DeepSeek R1`, `Palmyra-Med`.
const TAIL: &str = r"(?:[ _-](?:opus|sonnet|haiku|pro|flash|ultra|nano|max|plus|turbo|mini|instruct|chat|medical|med|fin|distill|large|small|medium))*(?:[ _-]?v?[0-9](?:[0-9A-Za-z.\-]*[0-9A-Za-z])?(?:[ _-](?:opus|sonnet|haiku|pro|flash|ultra|nano|turbo|mini)(?-u:\b))*| [rvk][0-9][0-9A-Za-z.\-]*)?";

/// What is joined to any name: `-R1`, `-v2`, `_8b`, `-VL`, `+`. A word is none: `-based`.
const JOINED: &str = r"(?:[-_](?:[a-z]{0,8}[0-9][0-9a-z]*(?:\.[0-9]+)*|[a-z]{1,2}))*(?-u:\b)\+?";

/// Words of a model's name, or of the path to it, that anybody may say: masked, they would take words from patients.
const COMMON: &str = "accounts agent amazon answer assistant audio base baseline board breast cancer care center centre chat clinic \
    clinical clinician code command consult custom deep department deployments diagnose diagnosis diagnostic doctor emergency endpoints \
    experimental expert failure fast fine fireworks flash free general google health heart high home hospital house image instruct large \
    latest light lite local long lung medic medical medicine medium mental meta microsoft mind mine mini model models next nurse oncology \
    online open other ours pain patient physician plain plus premier preview profile publishers radiology reason reasoner reasoning \
    replicate research search server service small solar super symptoms team test text think thinking together triage tumor tumour tuned \
    turbo ultra university version vision voice ward";

/// What stands for a name.
const MASKED: &str = "▮▮▮";

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
        let models: Vec<&str> = names.iter().map(|name| model_in(name)).filter(telling).collect();
        let own: Vec<&str> = models.iter().map(|model| own_name(model)).filter(|own| is_name(own)).collect();
        let words = own.iter().flat_map(|own| words(own)).map(|word| format!("{}{TAIL}", regex::escape(word)));
        let parts = own.iter().copied().chain(models.iter().map(|model| last_in(model)));
        let parts = parts.filter(|part| telling(part) && is_name(part) && !is_version(part));
        let wholes = names.iter().chain(&models).copied().chain(parts);
        let mut patterns: Vec<String> = wholes.chain(models.iter().filter_map(|it| vendor(it))).map(loosely).collect();
        patterns.extend(words);
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
        hidden(&hidden(text, &self.names), &self.makers)
    }

    pub fn hides(&self, text: &str) -> bool {
        self.names.is_match(&plain(text))
    }
}

/// The subject's name where it holds the model's: `plain@hospital-llm-7b`.
fn with_model(subject: &PlannedSubject) -> Option<&str> {
    Some(subject.id.as_str()).filter(|id| !subject.model.is_empty() && id.contains(&subject.model))
}

/// The text with a mask where its plain form fits, but for what the first group takes. All else stays as it was written.
fn hidden(text: &str, pattern: &Regex) -> String {
    let plain = plain(text);
    let (mut hidden, mut rest, mut read) = (String::with_capacity(text.len()), text, 0);
    for found in pattern.captures_iter(&plain) {
        let whole = found.get_match();
        let from = found.get(1).map_or(whole.start(), |kept| kept.end());
        let (before, after) = split_at_sign(rest, plain[read..from].chars().count());
        hidden.push_str(before);
        hidden.push_str(MASKED);
        (_, rest) = split_at_sign(after, plain[from..whole.end()].chars().count());
        read = whole.end();
    }
    hidden + rest
}

fn split_at_sign(text: &str, signs: usize) -> (&str, &str) {
    text.split_at(text.char_indices().nth(signs).map_or(text.len(), |(at, _)| at))
}

/// A word anybody may say gives nobody away, and neither does a number; a single letter is no name.
fn is_name(name: &str) -> bool {
    name.chars().filter(|c| c.is_alphanumeric()).count() > 1
        && name.chars().any(char::is_alphabetic)
        && !is_common(name)
}

/// Which of several models of a name: `7b`, `v2`. Patients have a V2 on their ECG.
fn is_version(name: &str) -> bool {
    name.trim_start_matches(['v', 'V']).starts_with(|c: char| c.is_ascii_digit()) && words(name).next().is_none()
}

/// The words that tell one name from others.
fn words(name: &str) -> impl Iterator<Item = &str> {
    name.split(|c: char| !c.is_alphabetic()).filter(|word| word.chars().count() >= 4 && !is_common(word))
}

fn is_common(word: &str) -> bool {
    let word = word.to_lowercase();
    COMMON.split(' ').any(|common| common == word)
}

/// The model's name in a subject's.
fn model_in(name: &str) -> &str {
    name.rsplit_once('@').map_or(name, |(_, model)| model)
}

/// A model's name without the path to it: `llama-v3:free` of `accounts/fireworks/models/llama-v3:free`.
fn last_in(model: &str) -> &str {
    model.rsplit('/').next().unwrap_or(model)
}

/// The same without its tag: `llama-v3`. What was tuned at OpenAI is called `ft:` and what it was tuned from.
fn own_name(model: &str) -> &str {
    let last = last_in(model);
    let last = last.strip_prefix("ft:").unwrap_or(last);
    last.split(':').next().unwrap_or(last)
}

/// Who made a model, as its path says right before its name: `meta-llama/llama-4`. Further up are services, accounts and regions.
fn vendor(model: &str) -> Option<&str> {
    let (path, _) = model.rsplit_once('/')?;
    let vendor = path.rsplit('/').next()?;
    let is_plain = vendor.chars().all(|c| c.is_alphabetic() || c == '-' || c == '_');
    Some(vendor).filter(|it| is_plain && is_name(it) && words(it).next().is_some())
}

/// With any sign, or none, between its words: `GPT 5.2 mini` for `gpt-5.2-mini`.
fn loosely(name: &str) -> String {
    let mut pattern = String::new();
    for word in name.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        // `GPT 41 U/l` is an enzyme, not gpt-4.1.
        let numbers = pattern.ends_with(|c: char| c.is_ascii_digit()) && word.starts_with(|c: char| c.is_ascii_digit());
        if !pattern.is_empty() {
            pattern += if numbers { r"[\s\-_./@:]{1,2}" } else { r"[\s\-_./@:]{0,2}" };
        }
        pattern += &regex::escape(word);
    }
    pattern
}

/// A text sign for sign in the plain signs that names are looked for in: letters and digits of full width, as Chinese texts have them, in their
/// usual width, every hyphen as `-`, every space as ` `, and `*` for a `_` that joins nothing, which is emphasis.
fn plain(text: &str) -> String {
    let mut plain: Vec<char> = text.chars().map(plain_sign).collect();
    for at in 0..plain.len() {
        let is_letter = |at: Option<usize>| at.and_then(|at| plain.get(at)).is_some_and(char::is_ascii_alphanumeric);
        let is_digit = |at: usize| plain.get(at).is_some_and(char::is_ascii_digit);
        // In `Claude—I mean` it is no hyphen, in `GPT—4` it is.
        let is_break = |c: char| matches!(c, '\u{2014}' | '\u{2015}');
        match plain[at] {
            '_' if !(is_letter(at.checked_sub(1)) && is_letter(Some(at + 1))) => plain[at] = '*',
            c if is_break(c) && (is_digit(at + 1) || (1..=3).all(|more| is_letter(Some(at + more)))) => plain[at] = '-',
            _ => {}
        }
    }
    plain.into_iter().collect()
}

fn plain_sign(sign: char) -> char {
    match sign {
        '０'..='９' | 'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(sign as u32 - 0xfee0).unwrap_or(sign),
        // Hyphens, the figure dash, the en dash, and the minus; what is seen only at the end of a line; those of small and full width.
        '\u{2010}'..='\u{2013}' | '\u{2212}' | '\u{ad}' | '\u{fe58}' | '\u{fe63}' | '\u{ff0d}' => '-',
        '＿' => '_',
        '．' => '.',
        sign if sign.is_whitespace() && !sign.is_control() => ' ',
        sign => sign,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_enzyme_and_the_words_of_a_clinic_are_no_models() {
        let mask = Mask::new(["x@gpt-4.1", "y@local/breast-cancer-board"].into_iter());
        for text in ["GPT 41 U/l", "a breast cancer, told to the board"] {
            assert_eq!(mask.mask(text), text);
        }
        assert_eq!(mask.mask("As GPT 4.1, or gpt-4-1"), "As ▮▮▮, or ▮▮▮");
    }

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
            ("Claude 3.5 Sonnet; Gemini 1.5 Pro, profound", "▮▮▮; ▮▮▮, profound"),
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
    fn names_are_masked_with_whatever_hyphens_and_emphasis_they_are_written() {
        let mask = Mask::new(["plain@local/hospital-llm-7b"].into_iter());
        for hyphen in "\u{2010}\u{2011}\u{2012}\u{2013}\u{2014}\u{2015}\u{2212}\u{fe63}\u{ff0d}".chars() {
            assert_eq!(mask.mask(&format!("I am GPT{hyphen}4.")), "I am ▮▮▮.", "{hyphen:?}");
            assert_eq!(mask.mask(&format!("Hospital{hyphen}LLM{hyphen}7B says")), "▮▮▮ says", "{hyphen:?}");
            let plain = format!("in 3{hyphen}5 days, {hyphen}2");
            assert_eq!(mask.mask(&plain), plain);
        }
        for (text, masked) in [
            ("_Claude_ says, __GPT-4__ too, *Grok*", "_▮▮▮_ says, __▮▮▮__ too, *▮▮▮*"),
            ("_Claude Opus 4.7_; claude_opus_4 and _hospital_llm_7b_", "_▮▮▮_; ▮▮▮ and _▮▮▮_"),
            ("我是_Claude_。", "我是_▮▮▮_。"),
            ("_Symptoms_: snake_case", "_Symptoms_: snake_case"),
            ("I am Claude—I mean no doctor—and say", "I am ▮▮▮—I mean no doctor—and say"),
            ("Claude\u{a0}3.5\u{202f}Sonnet, Meta\u{a0}AI", "▮▮▮, ▮▮▮"),
            ("体温３９度，我是ＧＰＴ－４。", "体温３９度，我是▮▮▮。"),
            ("３ days — made by Google", "３ days — made by ▮▮▮"),
        ] {
            assert_eq!(mask.mask(text), masked);
        }
    }

    #[test]
    fn the_path_to_a_model_and_its_tag_mask_no_words_of_every_day() {
        let mask = Mask::new(
            [
                "plain@accounts/fireworks/models/llama-v3",
                "together/meta-llama/Meta-Llama-3-70B:free",
                "us.anthropic.claude-3-5-sonnet-20241022-v2:0",
                "arn:aws:bedrock:us-east-1:123:inference-profile/amazon.nova-pro-v1:0",
                "ollama/asclepius:8b",
                "ft:gpt-4o-mini:acme::b12",
                "cohere/command-r-plus",
                "local/v2",
                "nousresearch/panacea",
            ]
            .into_iter(),
        );
        for text in [
            "0 of 10 points, 8b, B12, ECG lead V2",
            "Other accounts and models; burnt by fireworks in the east.",
            "Pain together with fever, free of pain, by inference.",
            "A meta-analysis; the Amazon; no arn, no profile, 123",
            "moves at command, plus a cough",
        ] {
            assert_eq!(mask.mask(text), text);
        }
        for (text, masked) in [
            ("I am llama-v3, or Llama V3.", "I am ▮▮▮, or ▮▮▮."),
            ("accounts/fireworks/models/llama-v3", "▮▮▮"),
            ("Meta-Llama-3-70B by Meta-Llama", "▮▮▮ by ▮▮▮"),
            ("Asclepius and Panacea, by NousResearch", "▮▮▮ and ▮▮▮, by ▮▮▮"),
            ("Command R Plus, local/v2, amazon.nova-pro-v1:0", "▮▮▮, ▮▮▮, ▮▮▮"),
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
