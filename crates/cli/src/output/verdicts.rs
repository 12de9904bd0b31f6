//! What became of a family's answers, in words.

use std::fmt::Write;
use waterjar_core::FamilyVerdict;
use waterjar_views::{audited, became};

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
