//! What the clinician thinks → words.

use super::{Consultation, Heed, Patient};
use std::fmt::Write;
use waterjar_core::{ChatReply, Finish, Sex, TokenLogprob};
use waterjar_knowledge::narrative::sentence;
use waterjar_knowledge::{Detail, KnowledgeBase, Place};

/// Reasoning, then the ranked list that agents ask for.
pub(super) fn answer(consultation: &Consultation) -> String {
    let mut text = String::new();
    if let [(first, _), (second, _), ..] = consultation.ranked.as_slice()
        && !consultation.evidence.is_empty()
    {
        let _ = writeln!(text, "I weigh {first} against {second}.");
        for said in &consultation.evidence {
            let _ = writeln!(text, "- The patient says: \"{said}\"");
        }
        let (heed, ignored) = &consultation.ignored;
        for said in ignored {
            let said = said.trim_end_matches('.');
            let _ = match heed {
                Heed::ArguesAway => writeln!(
                    text,
                    "- The patient also says \"{said}\", which could speak for {second}, but many say the same, so I set it aside."
                ),
                _ => writeln!(text, "- The patient also says: \"{said}\""),
            };
        }
        let _ = writeln!(text, "Together this points to {first}.\n");
    }
    let lines: Vec<String> =
        consultation.ranked.iter().zip(1..).map(|((name, p), place)| line(place, name, *p)).collect();
    text + &lines.join("\n")
}

/// Rounded down, so that the confidences never add up to more than one.
fn line(place: usize, name: &str, p: f64) -> String {
    format!("{place}. {name} ({:.2})", (p * 100.0).floor() / 100.0)
}

pub(super) fn thoughts(consultation: &Consultation) -> String {
    let first = consultation.ranked.first().map_or("nothing", |(name, _)| name.as_str());
    match consultation.evidence.first() {
        Some(said) => format!("The telling point is \"{said}\". That makes me think of {first}."),
        None => format!("The picture makes me think of {first}."),
    }
}

/// What a patient of this age and sex is called.
pub(super) fn who(patient: &Patient) -> &'static str {
    match (patient.sex, patient.age) {
        (Sex::F, 0..=17) => "girl",
        (Sex::M, 0..=17) => "boy",
        (Sex::F, _) => "woman",
        (Sex::M, _) => "man",
    }
}

/// Every sentence is kept as it is, so that the prose reads back exactly.
pub(super) fn prose(base: &KnowledgeBase, patient: &Patient) -> String {
    let mut text = format!("I am a {}-year-old {}.", patient.age, who(patient));
    for place in [Place::Symptoms, Place::Antecedents] {
        for seen in &patient.findings {
            let Some(finding) = base.finding(&seen.finding).filter(|it| it.kind.place() == place) else { continue };
            let _ = write!(text, " {}", sentence(finding, seen));
            if let Detail::Multi(words) = &finding.detail {
                let values: Vec<&str> =
                    seen.values.iter().map(|value| words.get(value).map_or(value.as_str(), String::as_str)).collect();
                let _ = write!(text, " {}.", values.join(", "));
            }
        }
    }
    text
}

/// Ends before the first of the stop sequences.
pub(super) fn stop(reply: &mut ChatReply, stops: &[String]) {
    let end = stops.iter().filter(|stop| !stop.is_empty()).filter_map(|stop| reply.text.find(stop.as_str())).min();
    if let Some(end) = end {
        reply.text.truncate(end);
    }
}

/// Four letters to the token, as usage is counted.
pub(super) fn cut(reply: &mut ChatReply, max_tokens: Option<u32>) {
    let most = max_tokens.map_or(usize::MAX, |tokens| tokens as usize * 4);
    if reply.text.len() > most {
        let end = (0..=most).rev().find(|&at| reply.text.is_char_boundary(at)).unwrap_or(0);
        reply.text.truncate(end);
        reply.finish = Finish::Length;
    }
}

/// A word with the space after it is a token. The numbers only have to be valid and always the same.
pub(super) fn logprobs(text: &str, top: u8) -> Vec<TokenLogprob> {
    let tokens = text.split_inclusive(char::is_whitespace);
    tokens
        .map(|token| {
            let logprob = -0.01 * (1 + token.len() % 20) as f64;
            let others = (1..top).map(|n| (format!("{n}?"), logprob - f64::from(n)));
            let own = (top > 0).then(|| (token.to_owned(), logprob));
            TokenLogprob { token: token.to_owned(), logprob, top: own.into_iter().chain(others).collect() }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn confidences_never_add_up_to_more_than_one() {
        assert_eq!(line(1, "Angina", 0.999), "1. Angina (0.99)");
        assert_eq!(line(2, "Angina", 0.0), "2. Angina (0.00)");
    }

    #[test]
    fn a_reply_is_cut_at_the_limit_between_letters() {
        let mut reply = ChatReply::text("äöüß and more");
        cut(&mut reply, Some(1));
        assert_eq!((reply.text.as_str(), reply.finish), ("äö", Finish::Length));
        let mut reply = ChatReply::text("1. Angina\n2. Asthma");
        stop(&mut reply, &["\n2.".to_owned()]);
        assert_eq!((reply.text.as_str(), reply.finish), ("1. Angina", Finish::Stop));
    }

    #[test]
    fn tokens_put_together_are_the_text() {
        let tokens = logprobs("1. Angina (0.62)\n2. Asthma (0.1)", 2);
        assert_eq!(tokens.iter().map(|it| it.token.as_str()).collect::<String>(), "1. Angina (0.62)\n2. Asthma (0.1)");
        assert!(tokens.iter().all(|it| it.top.len() == 2 && it.top[0].0 == it.token));
    }
}
