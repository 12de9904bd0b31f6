//! Nouns of the pipeline in words.

use waterjar_core::{Audit, FailureMode, Outcome, Ruling, Shift};

/// `must drop osimertinib; must add pembrolizumab`
pub fn shifted(shift: &Shift) -> String {
    let mut parts = Vec::new();
    if !shift.must_drop.is_empty() {
        parts.push(format!("must drop {}", shift.must_drop.join(", ").replace(" | ", " and ")));
    }
    if !shift.must_add.is_empty() {
        parts.push(format!("must add {}", shift.must_add.join(", ").replace(" | ", " or ")));
    }
    for it in &shift.timing {
        let what = it.treatment.as_deref().unwrap_or("the treatment");
        let from = it.from.map(|from| format!(" from {from}")).unwrap_or_default();
        parts.push(format!("timing of {what} must shift{from} to {}", it.to));
    }
    if !shift.rationale.is_empty() {
        parts.push(format!("the rationale must mention {}", shift.rationale.join(", ")));
    }
    parts.join("; ")
}

/// An answer that is compared with another's holds or changes; whether it is right is another question.
pub fn became(ruling: &Ruling) -> &'static str {
    let compared = ruling.parts.keys().any(|part| part.starts_with("flipped."));
    match ruling.outcome {
        Outcome::Right if compared => "holds",
        Outcome::Partly if compared => "holds in part",
        Outcome::Missed if compared => "changed",
        other => other.as_str(),
    }
}

/// `overthinking, says openai/gpt-5: “It is common, so I set it aside.”`
pub fn audited(audit: &Audit) -> String {
    let mode = audit.mode.as_str().replace('_', " ");
    let mentioned = audit.evidence.iter().find_map(|it| it.mentioned.as_deref());
    let plain = |quote: &str| quote.trim_start_matches(['-', '*', '•', ' ']).to_owned();
    match (audit.mode, &audit.quote, mentioned, &audit.failure) {
        (FailureMode::Unaudited, _, _, Some(failure)) => format!("{mode}: {}", failure.detail),
        (FailureMode::NoReasoning, ..) => "no reasoning to look into".to_owned(),
        (FailureMode::Mentioned, _, Some(sentence), _) => {
            format!("{mode}, by rule: “{}”; nobody looked into what was made of it", plain(sentence))
        }
        (_, Some(quote), ..) => format!("{mode}, says {}: “{}”", audit.auditor, plain(quote)),
        (_, None, None, _) => format!("{mode}, by rule: the reasoning speaks of none of the new evidence"),
        (_, None, Some(_), _) => format!("{mode}, says {}", audit.auditor),
    }
}
