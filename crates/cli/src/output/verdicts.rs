//! What became of a family's answers, in words.

use std::fmt::Write;
use waterjar_core::{Audit, FailureMode, FamilyVerdict, Outcome, Ruling};

/// One line per subject, and below it what went wrong where somebody looked into it.
pub fn answers(verdicts: &[&FamilyVerdict]) -> String {
    let mut out = String::new();
    for verdict in verdicts {
        let repeat = if verdict.repeat > 0 { format!(" (repeat {})", verdict.repeat) } else { String::new() };
        let _ = writeln!(out, "{}{repeat}", verdict.subject);
        for ruling in &verdict.rulings {
            let _ = writeln!(out, "  {}: {}, {}", ruling.role, became(ruling), ruling.reason);
            if let Some(audit) = &ruling.audit {
                let _ = writeln!(out, "    {}", audited(audit));
            }
        }
    }
    out
}

/// An answer that is compared with another's holds or changes; whether it is right is another question.
fn became(ruling: &Ruling) -> &'static str {
    let compared = ruling.parts.keys().any(|part| part.starts_with("flipped."));
    match ruling.outcome {
        Outcome::Right if compared => "holds",
        Outcome::Partly if compared => "holds in part",
        Outcome::Missed if compared => "changed",
        other => outcome(other),
    }
}

fn outcome(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Right => "right",
        Outcome::Partly => "partly",
        Outcome::Trapped => "trapped",
        Outcome::Missed => "missed",
        Outcome::Missing => "missing",
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
