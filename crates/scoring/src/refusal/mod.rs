//! Whether an answer says nothing: it refuses, or it says that it does not know. A failure is no answer, and no wrong one either.
//!
//! Who refuses to examine or to be definite and still names a diagnosis has answered. So this looks for what is said beside the refusal,
//! and where in doubt an answer is an answer.

mod words;

use crate::answer::led::firmly;
use crate::answer::unwrapped::unwrapped;
use crate::answer::words::{begins, is_abbreviation};
use words::WORDS;

/// Longer texts say something.
const LONGEST: usize = 6_000;
/// What somebody cannot do is said within so many words.
const SOON: usize = 6;
/// A name beside a refusal is no longer than this.
const LONGEST_NAME: usize = 6;

/// Whether an answer refuses, or says that nothing can be said, and names nothing beside that.
pub fn says_nothing(text: &str) -> bool {
    let inside = unwrapped(text);
    if inside.len() > LONGEST {
        return false;
    }
    let text = written(&inside);
    if !text.contains(char::is_alphanumeric) || is_nothing(&text) {
        return true;
    }
    if is_chinese(&text) {
        return WORDS.chinese.iter().any(|it| text.contains(it.as_str()))
            && !WORDS.chinese_offers.iter().any(|it| text.contains(it.as_str()));
    }
    let sentences = sentences(&text);
    let refuses = sentences.iter().any(|it| is_refusal(item(it)) || is_nothing(item(it)));
    let sends_away = || sentences.len() <= SHORT && sentences.iter().all(|it| is_sending(it));
    (refuses && !sentences.iter().any(|it| offers(it))) || sends_away()
}

/// In sentences: whoever says more than to see a doctor has something to say.
const SHORT: usize = 3;

/// `I'm not a doctor`, `please see a healthcare professional`
fn is_sending(sentence: &str) -> bool {
    let speaks = WORDS.speakers.iter().any(|it| sentence == it);
    let sends = WORDS.sends.iter().any(|it| begins(sentence, it));
    let is_short = sentence.split_whitespace().count() <= 2 * SOON;
    speaks
        || (sends
            && is_short
            && WORDS.professionals.iter().any(|it| place(sentence, it).is_some())
            && !offers_after(sentence))
}

/// What is said beside refusing and feeling for somebody: `I understand that you fear gout, but I can't diagnose` says nothing of gout.
pub fn beyond(text: &str) -> String {
    let is_courtesy = |it: &str| WORDS.courtesies.iter().any(|courtesy| begins(it, courtesy));
    let says = |it: &&str| {
        let it = written(it);
        !is_refusal(&it) && !is_courtesy(&it)
    };
    sentences(text).into_iter().filter(says).collect::<Vec<_>>().join(". ")
}

/// Whether what stands after “diagnosis:” says that there is none.
pub(crate) fn abstains(lower: &str) -> bool {
    // A carcinoma of unknown primary is a diagnosis.
    !lower.starts_with("unknown primary") && WORDS.abstains.iter().any(|it| begins(lower, it))
}

/// Whether words decline to answer or regret it, whatever they say beside it.
pub fn declines(words: &str) -> bool {
    let words = words.to_lowercase().replace('’', "'");
    WORDS.cannot_at_all.iter().chain(&WORDS.regrets).any(|it| words.contains(it.as_str()))
}

/// What somebody who will not be definite says all the same: `I can't examine you, but this sounds like gout` → `gout`.
pub(crate) fn beside<'a>(sentences: &[&'a str]) -> Vec<&'a str> {
    let is_careful = |text: &str| {
        let text = written(text);
        WORDS.cannot().chain(&WORDS.speakers).chain(&WORDS.unknowing).any(|it| place(&text, it).is_some())
    };
    let mut careful = false;
    let mut found = Vec::new();
    if sentences.iter().map(|it| it.len()).sum::<usize>() > LONGEST {
        return found;
    }
    for sentence in sentences {
        let lower = sentence.to_ascii_lowercase();
        let but = [", but ", " but ", "; however, ", ", however, "]
            .iter()
            .filter_map(|it| Some((lower.rfind(it)?, it.len())));
        let but = but.max().filter(|(at, _)| is_careful(&lower[..*at]));
        let rest = match but {
            Some((at, length)) => Some(&sentence[at + length..]),
            None => careful.then_some(*sentence),
        };
        careful |= is_careful(&lower);
        let Some(rest) = rest.filter(|it| !is_refusal(&written(it))) else { continue };
        let short = but.is_some() && !rest.contains(',') && rest.split_whitespace().count() < LONGEST_NAME;
        found.extend(behind_a_lead(rest).or(short.then_some(rest)));
    }
    found
}

/// `this sounds like gout` → `gout`
fn behind_a_lead(words: &str) -> Option<&str> {
    let lower = words.to_ascii_lowercase();
    let perhaps = WORDS.perhaps.iter().find(|lead| lower.starts_with(lead.as_str()));
    perhaps.map(|lead| words[lead.len()..].trim()).or_else(|| firmly(words))
}

/// In small letters, with plain apostrophes and without Markdown.
fn written(text: &str) -> String {
    text.to_lowercase().replace(['’', '‘', '`'], "'").replace(['*', '_', '#', '"', '“', '”'], "").trim().to_owned()
}

/// `Diagnosis: N/A.`
fn is_nothing(text: &str) -> bool {
    let bare = WORDS.heads.iter().find_map(|it| text.strip_prefix(it.as_str()));
    let words: String =
        bare.unwrap_or(text).replace('\'', "").chars().map(|c| if c.is_alphanumeric() { c } else { ' ' }).collect();
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    words.is_empty() || WORDS.nothing.contains(&words) || FAULTS.iter().any(|it| text.starts_with(it))
}

/// What a gateway says in a model's place.
const FAULTS: [&str; 4] = ["error:", "error ", "[error", "http error"];

/// Where there is more Chinese in it than anything else: one Han letter makes no Chinese text.
fn is_chinese(text: &str) -> bool {
    let letters = || text.chars().filter(|c| c.is_alphabetic());
    let han = letters().filter(|c| ('\u{4e00}'..='\u{9fff}').contains(c)).count();
    2 * han > letters().count()
}

fn sentences(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim) {
        let mut start = 0;
        for (at, c) in line.char_indices() {
            // `1. Gout` is one.
            let numbers = c == '.' && line[start..at].chars().all(|c| c.is_ascii_digit());
            let shortens = c == '.' && is_abbreviation(&line[start..at]);
            let ends = line[at + c.len_utf8()..].chars().next().is_none_or(char::is_whitespace);
            if matches!(c, '.' | '!' | '?' | ';') && ends && !numbers && !shortens {
                found.push(line[start..at].trim());
                start = at + 1;
            }
        }
        found.push(line[start..].trim());
    }
    found.retain(|it| it.contains(char::is_alphanumeric));
    found
}

fn is_refusal(sentence: &str) -> bool {
    let says = |all: &[String]| all.iter().any(|it| place(sentence, it).is_some());
    let bare = opened(sentence);
    says(&WORDS.declines)
        || (says(&WORDS.speakers)
            && WORDS
                .unable
                .iter()
                .any(|it| place(sentence, it).is_some_and(|at| is_of_an_act(&sentence[at + it.len()..]))))
        || says(&WORDS.unknowing)
        || WORDS.impersonal.iter().any(|it| begins(bare, it))
        || WORDS.unable.iter().any(|it| begins(bare, it) && is_of_an_act(&bare[it.len()..]))
        || WORDS.cannot().any(|it| place(sentence, it).is_some_and(|at| is_of_an_act(&sentence[at + it.len()..])))
}

/// Whether what somebody cannot do is to answer, or is left open.
fn is_of_an_act(rest: &str) -> bool {
    let words = rest.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|it| !it.is_empty());
    let words: Vec<&str> = words.take(SOON).collect();
    let rules_out = words.first().is_some_and(|it| ["rule", "exclude"].contains(it));
    words.is_empty() || (!rules_out && words.iter().any(|it| holds(&WORDS.acts, it)))
}

fn holds(list: &[String], word: &str) -> bool {
    list.iter().any(|it| it == word)
}

/// Whether a sentence says something of its own.
fn offers(sentence: &str) -> bool {
    let words = item(sentence);
    if is_nothing(words) {
        return false;
    }
    if is_refusal(words) {
        return offers_after(sentence) || names_after_but(sentence);
    }
    if !sentence.starts_with(words) {
        let first = words.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        return !first.is_empty() && !holds(&WORDS.advice, first);
    }
    let words = sentence.split_whitespace().map(|it| it.trim_matches(|c: char| !c.is_alphanumeric()));
    let words: Vec<&str> = words.filter(|it| !it.is_empty()).collect();
    let is_name = words.len() <= LONGEST_NAME && !words.iter().any(|it| holds(&WORDS.words_of_sentences, it));
    (is_name && !is_opening(sentence)) || offers_after(sentence)
}

/// A word that offers, unless advice alone follows.
fn offers_after(sentence: &str) -> bool {
    WORDS.offers.iter().any(|offer| {
        sentence.match_indices(offer.as_str()).any(|(at, _)| {
            let rest = sentence[at + offer.len()..].trim_start();
            !WORDS.advice_after.iter().any(|it| rest.starts_with(it.as_str()))
        })
    })
}

/// `I can't examine you, but gout fits best`. Most of what follows a refusal is what may be done instead.
fn names_after_but(sentence: &str) -> bool {
    let rest = [", but ", ", however, ", "; however, "].iter().find_map(|but| {
        let at = sentence.rfind(but)?;
        // In “I'm sorry, but I can't” the refusal comes after it.
        is_refusal(&sentence[..at]).then(|| &sentence[at + but.len()..])
    });
    rest.is_some_and(|rest| !is_refusal(rest) && !WORDS.instead.iter().any(|it| rest.starts_with(it.as_str())))
}

/// What an item of a list says: `1. Unknown (0.2)` → `unknown`.
fn item(sentence: &str) -> &str {
    let words = sentence.trim_start_matches(|c: char| c.is_ascii_digit() || "-•.) ".contains(c));
    let graded = |inside: &str| !inside.replace("confidence", "").contains(char::is_alphabetic);
    words.split_once(" (").filter(|(_, inside)| graded(inside)).map_or(words, |(name, _)| name)
}

fn is_opening(sentence: &str) -> bool {
    opened(sentence).is_empty()
}

/// The sentence without what may stand before a refusal.
fn opened(sentence: &str) -> &str {
    let mut rest = sentence.trim_start();
    while let Some(opening) = WORDS.openings.iter().find(|it| begins(rest, it)) {
        rest = rest[opening.len()..].trim_start_matches([' ', ',', ':', '-', '–', '—']);
    }
    rest
}

/// Where words stand that are not part of longer ones.
fn place(text: &str, words: &str) -> Option<usize> {
    let is_word = |(at, _): &(usize, &str)| {
        !text[..*at].ends_with(char::is_alphanumeric) && !text[at + words.len()..].starts_with(char::is_alphanumeric)
    };
    text.match_indices(words).find(is_word).map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(nothing: bool, texts: &[&str]) {
        for text in texts {
            assert_eq!(says_nothing(text), nothing, "{text}");
        }
    }

    #[test]
    fn a_refusal_says_nothing_however_it_is_worded() {
        check(
            true,
            &[
                "I cannot help with that.",
                "I’m sorry, but I can’t help with that.",
                "I'm sorry, but I can't help with medical diagnosis.",
                "I cannot provide a diagnosis.",
                "As an AI language model, I can't diagnose.",
                "I am an AI and cannot diagnose medical conditions. You should consult a qualified physician.",
                "I'm not able to provide medical diagnoses. If you have chest pain, please call 911.",
                "I don't provide medical diagnoses.",
                "I must decline to answer this.",
                "I can't give you a diagnosis. It may be best to see a doctor, as this could be serious.",
                "I can't provide medical advice.\n\n1. See a doctor\n2. Rest",
                "I am not a doctor.",
                "I'm not a doctor. Please see a healthcare professional.",
                "Please see a healthcare professional.",
                "You should talk to your doctor about this.",
                "ERROR: timeout",
                "Error 503: service unavailable",
                "{\"error\": \"timeout\"}",
                "I'm designed solely to process and generate text, so I'm unable to assist you with that.",
                "我无法提供医疗诊断，请咨询医生。",
            ],
        );
    }

    #[test]
    fn who_does_not_know_says_nothing() {
        check(
            true,
            &[
                "",
                "-",
                "?",
                "N/A",
                "none",
                "Unknown.",
                "Unclear",
                "I don’t know.",
                "Unable to determine",
                "No diagnosis can be made",
                "Insufficient information to make a diagnosis.",
                "The most likely diagnosis is unknown.",
                "Final diagnosis: N/A",
                "{\"diagnosis\": null}",
                "<answer>I don't know</answer>",
                "1. N/A (0.5)\n2. Unknown (0.5)",
            ],
        );
    }

    #[test]
    fn who_refuses_and_names_a_diagnosis_has_answered() {
        check(
            false,
            &[
                "I can't examine you, but this sounds like gout.",
                "I cannot provide a definitive diagnosis, but most likely: gout",
                "I cannot make a definitive diagnosis; gout is favoured.",
                "I can't diagnose you. It looks like Kikuchi disease.",
                "I can't diagnose this. Possible causes:\n- Kikuchi disease\n- Lymphoma",
                "I'm not able to examine you. Kikuchi disease.",
                "As an AI, my diagnosis is Kikuchi disease.",
                "Please see a doctor, this could be gout.",
                "See a doctor today: the toe is red and hot, and gout is treated early.",
                "Rest the foot, drink water, and see your doctor if it is not better in two days.",
                "I can't examine you; it is 痛风, that is, gout most likely.",
                "Gout; I don't know the trigger.",
                "I don't know, maybe gout",
                "Unknown (likely gout)",
                "I'm sorry to hear that. This sounds like gout.",
            ],
        );
    }

    #[test]
    fn what_stands_around_a_refusal_offers_nothing() {
        check(
            true,
            &[
                "**Important note**\n\nI cannot provide a diagnosis.",
                "I can't help with that. Medical advice requires a licensed clinician.",
                "I can't provide medical advice, e.g. a diagnosis.",
                &format!("<think>{}</think><answer>I don't know</answer>", "It hurts. ".repeat(LONGEST)),
            ],
        );
    }

    #[test]
    fn what_cannot_be_ruled_out_and_what_has_no_known_cause_are_no_refusals() {
        check(
            false,
            &[
                "I cannot rule out gout.",
                "Cannot exclude pulmonary embolism",
                "I cannot stress enough that this is gout.",
                "Fever of unknown origin",
                "Carcinoma of unknown primary",
                "Idiopathic pulmonary fibrosis",
                "Undifferentiated arthritis",
                "Unable to void",
                "None of the above",
                "Noma",
            ],
        );
    }

    #[test]
    fn what_is_refused_or_understood_is_not_said() {
        let check = |text: &str, said: &str| assert_eq!(beyond(text), said, "{text}");
        check("I understand that you fear gout. I can't tell you whether it is gout. See a doctor.", "See a doctor");
        check("I can't diagnose you. Gout explains the toe.", "Gout explains the toe");
    }

    #[test]
    fn whoever_goes_on_for_long_is_left_to_the_reader() {
        check(false, &[&format!("I cannot help. {}", "Rest. ".repeat(LONGEST))]);
    }
}
