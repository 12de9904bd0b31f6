//! What a model said → the type that was asked for.

use crate::fit::fit;
use crate::relaxed;
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read<T> {
    pub value: T,
    /// The JSON, or a choice in it, had to be put right.
    pub repaired: bool,
}

/// Why it cannot be used, in words that can be told to the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unusable(pub String);

/// Takes the last JSON object or array in the text that follows the schema: models think aloud before they answer, and their drafts look
/// like answers.
pub fn read<T: DeserializeOwned>(text: &str, schema: &Value) -> Result<Read<T>, Unusable> {
    if let Ok(value) = serde_json::from_str::<Value>(text.trim())
        && (value.is_object() || value.is_array())
    {
        return accept(Found { value, repaired: false }, schema);
    }
    let found = all_json(&without_thinking(text));
    let mut problem = None;
    for candidate in found.into_iter().rev() {
        let likely = looks_wanted(&candidate.value, schema);
        match accept(candidate, schema) {
            Ok(read) => return Ok(read),
            // The last one of the right kind was most probably meant; `[1]` in a sentence was not.
            Err(error) if likely && problem.is_none() => problem = Some(error),
            Err(_) => {}
        }
    }
    Err(problem.unwrap_or_else(|| Unusable("there is no JSON in it that follows the schema".to_owned())))
}

struct Found {
    value: Value,
    repaired: bool,
}

fn accept<T: DeserializeOwned>(found: Found, schema: &Value) -> Result<Read<T>, Unusable> {
    let wrapped = unwrapped(&found.value);
    fitted(found, schema).or_else(|error| match wrapped {
        Some(value) => fitted(Found { value, repaired: true }, schema).map_err(|_| error),
        None => Err(error),
    })
}

fn fitted<T: DeserializeOwned>(found: Found, schema: &Value) -> Result<Read<T>, Unusable> {
    let mut value = found.value;
    let changed = fit(&mut value, schema).map_err(Unusable)?;
    // What the schema does not say, the type may still know.
    let value = serde_json::from_value(value).map_err(|error| Unusable(error.to_string()))?;
    Ok(Read { value, repaired: found.repaired || changed })
}

/// `{"answer": {…}}` and `[{…}]`: some models put one thing more around what was asked for.
fn unwrapped(value: &Value) -> Option<Value> {
    let inner = match value {
        Value::Object(fields) if fields.len() == 1 => fields.values().next(),
        Value::Array(items) if items.len() == 1 => items.first(),
        _ => None,
    };
    inner.filter(|inner| inner.is_object() || inner.is_array()).cloned()
}

fn looks_wanted(value: &Value, schema: &Value) -> bool {
    match schema.get("type").and_then(Value::as_str) {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        _ => true,
    }
}

/// Every object and array that is not inside another one.
fn all_json(text: &str) -> Vec<Found> {
    let mut found = Vec::new();
    let mut at = 0;
    // An opening quote that is never closed is read to the end, and a text may be full of them.
    let mut patience = PASSES * text.len();
    while let Some(next) = text[at..].find(relaxed::OPENS) {
        at += next;
        let rest = &text[at..];
        if let Some((value, length)) = strict(rest) {
            found.push(Found { value, repaired: false });
            at += length;
            continue;
        }
        let (value, length) = repaired(rest, &mut patience);
        if let Some(value) = value {
            found.push(Found { value, repaired: true });
            at += length;
        } else {
            at += rest.chars().next().map_or(1, char::len_utf8);
        }
    }
    found
}

/// As many times as the text is long may be read in vain.
const PASSES: usize = 16;

/// The carelessly written JSON at the beginning of the text, and how far was read; nothing when patience is at its end.
fn repaired(text: &str, patience: &mut usize) -> (Option<Value>, usize) {
    let (value, length) = if *patience > 0 { relaxed::parse(text) } else { (None, 0) };
    *patience = patience.saturating_sub(length);
    (value, length)
}

fn strict(text: &str) -> Option<(Value, usize)> {
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<Value>();
    let value = values.next()?.ok()?;
    Some((value, values.byte_offset()))
}

/// The objects and arrays in a text, as `read` finds them: carelessly written ones too, and none that was only thought of.
pub fn values(text: &str) -> Vec<Value> {
    all_json(text).into_iter().map(|found| found.value).collect()
}

/// Without what stands between the tags that reasoning models use. An end without a beginning ends what began before the text; a
/// beginning without an end leaves no answer after it.
pub fn without_thinking(text: &str) -> Cow<'_, str> {
    ["think", "thinking", "reasoning"].into_iter().fold(Cow::Borrowed(text), |text, tag| match untagged(&text, tag) {
        Some(rest) => Cow::Owned(rest),
        None => text,
    })
}

/// `None` where there is no such tag.
fn untagged(text: &str, tag: &str) -> Option<String> {
    // Only ASCII letters change, so places stay the same.
    let lower = text.to_ascii_lowercase();
    let (open, close) = (format!("<{tag}>"), format!("</{tag}>"));
    if !lower.contains(&open) && !lower.contains(&close) {
        return None;
    }
    let mut rest = String::new();
    let mut at = 0;
    loop {
        // A beginning is looked for up to the next end, so that all of the text is gone through once.
        let end = lower[at..].find(&close);
        let begin = lower[at..end.map_or(lower.len(), |end| at + end)].find(&open);
        match (begin, end) {
            (Some(begin), _) => rest.push_str(&text[at..at + begin]),
            (None, Some(_)) => rest.clear(),
            (None, None) => rest.push_str(&text[at..]),
        }
        let Some(end) = end else { return Some(rest) };
        at += end + close.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use schemars::{JsonSchema, schema_for};
    use serde::Deserialize;

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    #[serde(rename_all = "snake_case")]
    enum Stance {
        Correct,
        VeryWrong,
        #[serde(rename = "正确")]
        Zhengque,
    }

    #[derive(Debug, PartialEq, Deserialize, JsonSchema)]
    struct Verdict {
        stance: Stance,
        #[schemars(range(min = 0.0, max = 1.0))]
        confidence: f64,
        #[serde(default)]
        reasons: Vec<String>,
    }

    fn verdict(text: &str) -> Result<Read<Verdict>, Unusable> {
        read(text, &schema_for!(Verdict).to_value())
    }

    fn check(text: &str, stance: Stance, repaired: bool) {
        let read = verdict(text).unwrap_or_else(|Unusable(problem)| panic!("{text}: {problem}"));
        assert_eq!((read.value.stance, read.repaired), (stance, repaired), "{text}");
    }

    fn check_unusable(text: &str, problem: &str) {
        let Unusable(told) = verdict(text).unwrap_err();
        assert!(told.contains(problem), "{text}: {told}");
    }

    #[test]
    fn plain_json_is_read_as_it_is() {
        check(r#"{"stance": "correct", "confidence": 0.8}"#, Stance::Correct, false);
        check(" \n{\"stance\": \"very_wrong\", \"confidence\": 1}\n", Stance::VeryWrong, false);
    }

    #[test]
    fn what_stands_around_the_json_does_not_matter() {
        check("```json\n{\"stance\": \"correct\", \"confidence\": 0.8}\n```", Stance::Correct, false);
        check(
            "Sure [1]! {\"stance\": \"correct\", \"confidence\": 0.8} Hope it helps {smile} [2].",
            Stance::Correct,
            false,
        );
    }

    #[test]
    fn the_last_answer_counts_and_drafts_do_not() {
        let (draft, answer) =
            (r#"{"stance": "correct", "confidence": 1}"#, r#"{"stance": "very_wrong", "confidence": 1}"#);
        check(&format!("<think>{draft}</think>{answer}"), Stance::VeryWrong, false);
        check(&format!("{draft} No, wait: {answer}"), Stance::VeryWrong, false);
        check(&format!("it may be {draft}</think>\n{answer}"), Stance::VeryWrong, false);
        check(&format!("{answer}<THINKING>{draft}</THINKING>"), Stance::VeryWrong, false);
        check_unusable(&format!("<think>{draft}"), "no JSON");
    }

    #[test]
    fn one_that_does_not_follow_the_schema_is_passed_over() {
        check(
            r#"{"stance": "correct", "confidence": 1} or {"stance": "maybe", "confidence": 1}"#,
            Stance::Correct,
            false,
        );
    }

    #[test]
    fn small_slips_in_the_json_are_put_right() {
        check("{'stance': 'correct', 'confidence': .8,}", Stance::Correct, true);
        check("{stance: \"correct\", confidence: 0.8, reasons: [\"a\", \"b\",],} ", Stance::Correct, true);
        check("{\"stance\": \"correct\", // sure\n \"confidence\": +1}", Stance::Correct, true);
        check("{\"stance\": \"correct\", \"confidence\": 1, \"reasons\": [\"line\none\"]}", Stance::Correct, true);
        check(r#"{"stance": "correct", "confidence": 1, "reasons": ["he said "no" twice"]}"#, Stance::Correct, true);
    }

    #[test]
    fn full_width_punctuation_is_read() {
        check("｛“stance”：“正确”，“confidence”：０．９｝", Stance::Zhengque, true);
        check("答案：{\"stance\"：\"正确。\"，\"confidence\"：1}", Stance::Zhengque, true);
    }

    #[test]
    fn choices_may_differ_in_case_width_and_full_stop() {
        for said in ["Correct", "CORRECT.", " correct ", "ｃｏｒｒｅｃｔ", "correct！"] {
            check(&format!("{{\"stance\": \"{said}\", \"confidence\": 1}}"), Stance::Correct, true);
        }
        check(r#"{"stance": "Very wrong", "confidence": 1}"#, Stance::VeryWrong, true);
        check(r#"{"Stance": "very-wrong", "Confidence": 1}"#, Stance::VeryWrong, true);
    }

    #[test]
    fn one_thing_around_the_answer_is_taken_off() {
        check(r#"{"verdict": {"stance": "correct", "confidence": 1}}"#, Stance::Correct, true);
        check(r#"[{"stance": "correct", "confidence": 1}]"#, Stance::Correct, true);
    }

    #[test]
    fn openings_that_are_never_closed_do_not_cost_a_pass_each_and_hide_no_answer() {
        let answer = r#"{"stance": "correct", "confidence": 1}"#;
        let unclosed = "{\"a ".repeat(40_000);
        check(&format!("{answer} {unclosed}"), Stance::Correct, false);
        let mut patience = PASSES * unclosed.len();
        let read = unclosed.match_indices('{').map(|(at, _)| repaired(&unclosed[at..], &mut patience).1);
        // Each opening by itself would be read to the end: 20,000 times the text.
        assert!(read.sum::<usize>() <= (PASSES + 1) * unclosed.len());
    }

    #[test]
    fn what_breaks_the_schema_is_refused_with_the_reason() {
        check_unusable(r#"{"stance": "correctish", "confidence": 1}"#, "stance: \"correctish\" is none of");
        check_unusable(r#"{"stance": "correct", "confidence": 1.5}"#, "confidence: 1.5 is more than 1");
        check_unusable(r#"{"stance": "correct", "confidence": "high"}"#, "confidence: \"high\" is not a number");
        check_unusable(r#"{"stance": "correct"}"#, "`confidence` is missing");
        check_unusable(r#"{"stance": "correct", "confidence": 1, "reasons": [1]}"#, "reasons[0]: 1 is not a string");
        check_unusable(r#"{"stance": "correct", "confidence": 0."#, "no JSON");
        check_unusable("I am sorry, I cannot help with that.", "no JSON");
    }
}
