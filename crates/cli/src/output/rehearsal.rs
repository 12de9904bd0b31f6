//! What a rehearsal found, for people.

use super::{progress, screen, table::aligned};
use crate::commands::{Calls, Figures};
use std::fmt::Write;

pub fn table(figures: &Figures) -> String {
    let mut text = String::new();
    if figures.calls.is_empty() {
        text.push_str("no calls: the study asks built-in models only\n");
    } else {
        text.push_str(&calls(figures));
    }
    line(&mut text, "rehearsed", &rehearsed(figures));
    if let Some((low, high)) = &figures.between {
        line(&mut text, "extent", &extent(low, high));
    }
    line(&mut text, "cost", &cost(figures));
    if let Some(tokens) = tokens(figures) {
        line(&mut text, "tokens", &tokens);
    }
    line(&mut text, "time", &time(figures));
    if !figures.calls.is_empty() {
        line(&mut text, "assumed", &assumed(figures));
    }
    text
}

/// What a run would stumble over.
pub fn warnings(figures: &Figures) -> Vec<String> {
    let mut warnings = Vec::new();
    for model in &figures.total.unpriced {
        warnings.push(format!("no price is known for {model}: its cost is not in the estimate (add it to [prices])"));
    }
    let budget = &figures.budget;
    if let (Some(false), Some(most)) = (budget.usd_enough, budget.usd) {
        warnings.push(format!("the budget of {} is too small: the run would stop (exit 4)", dollars(most)));
    }
    if let (Some(false), Some(most)) = (budget.tokens_enough, budget.tokens) {
        warnings.push(format!("the budget of {} tokens is too small: the run would stop (exit 4)", count(most)));
    }
    warnings
}

fn calls(figures: &Figures) -> String {
    let head = ["role     model", "calls", "input tokens", "output tokens", "USD"];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    rows.extend(figures.calls.iter().map(|it| row(it, it.model.as_ref().map_or("", |model| model.as_str()))));
    // The sums of a single line would repeat it.
    if figures.calls.len() > 1 {
        rows.push(Vec::new());
        rows.extend(figures.roles.iter().map(|it| row(it, "(all)")));
        rows.push(row(&figures.total, "(all)"));
    }
    aligned(&rows) + "\n"
}

fn row(calls: &Calls, model: &str) -> Vec<String> {
    let role = calls.role.map_or("all", |role| role.as_str());
    let usd = match calls.usd {
        Some(usd) => format!("{usd:.2}"),
        None if calls.usd_at_least > 0.0 => format!("{:.2} + ?", calls.usd_at_least),
        None => "?".to_owned(),
    };
    vec![format!("{role:8} {model}"), count(calls.calls), count(calls.input_tokens), count(calls.output_tokens), usd]
}

fn rehearsed(figures: &Figures) -> String {
    let told = figures.suites.iter().map(|scope| {
        let (suite, rehearsed, whole) = (&scope.made.suite, scope.rehearsed, scope.whole);
        if rehearsed.families == whole.families {
            return format!("{suite}: all {} families with {} variants", count(whole.families), count(whole.variants));
        }
        let about = if scope.between.is_some() { "about " } else { "" };
        format!(
            "{suite}: {} of {about}{} families, {} of {about}{} variants; the rest is extrapolated",
            count(rehearsed.families),
            count(whole.families),
            count(rehearsed.variants),
            count(whole.variants)
        )
    });
    let mut lines: Vec<String> = told.collect();
    // As `run` tells it.
    for scope in &figures.suites {
        if let Some(lost) = progress::lost(&scope.made) {
            lines.extend([progress::made(&scope.made), lost]);
        }
    }
    if !figures.built_in.is_empty() {
        lines.push(format!("built in, no calls: {}", figures.built_in.join(", ")));
    }
    lines.join("\n")
}

fn extent(low: &Calls, high: &Calls) -> String {
    format!(
        "{} to {} calls, {} to {}, at 95 %: chance decides how many cases come to something",
        count(low.calls),
        count(high.calls),
        dollars(low.usd_at_least),
        dollars(high.usd_at_least)
    )
}

fn cost(figures: &Figures) -> String {
    let total = &figures.total;
    let mut text = match total.usd {
        Some(usd) => dollars(usd),
        None => {
            let unpriced: Vec<&str> = total.unpriced.iter().map(|model| model.as_str()).collect();
            format!("at least {}: no price is known for {}", dollars(total.usd_at_least), unpriced.join(", "))
        }
    };
    if let Some(most) = figures.budget.usd {
        let _ = write!(text, "; the budget of {} is {}", dollars(most), enough(figures.budget.usd_enough));
    }
    text
}

fn tokens(figures: &Figures) -> Option<String> {
    let most = figures.budget.tokens?;
    let used = figures.total.input_tokens.saturating_add(figures.total.output_tokens);
    let enough = enough(figures.budget.tokens_enough);
    Some(format!("{}; the budget of {} is {enough}", count(used), count(most)))
}

fn enough(enough: Option<bool>) -> &'static str {
    match enough {
        Some(true) => "enough",
        Some(false) => "TOO SMALL",
        None => "not comparable",
    }
}

fn time(figures: &Figures) -> String {
    if figures.time.passes.is_empty() {
        return "none at endpoints".to_owned();
    }
    let mut text = format!("about {} at endpoints", duration(figures.time.seconds));
    for pass in &figures.time.passes {
        let took = duration(pass.seconds);
        let _ = write!(text, "\n{}, {}: {took}, bound by {}", pass.suite, pass.pass, pass.limited_by);
    }
    text
}

fn assumed(figures: &Figures) -> String {
    let it = &figures.assumed;
    let said = [
        format!(
            "input: {} letters to the token (--letters-per-token), nothing cached by vendors",
            it.letters_per_token
        ),
        format!(
            "output: {} tokens for free text (--output-tokens), structured answers as simulated",
            count(it.output_tokens)
        ),
        format!("thinking: {} tokens where the study does not say (--thinking-tokens)", count(it.thinking_tokens)),
        format!("speed: {} s, then {} tokens/s (--latency, --tokens-per-second)", it.latency, it.tokens_per_second),
        format!("at once: {} calls where the study does not say (--concurrency)", it.concurrency),
        format!(
            "asked again: {} of structured answers (--asked-again); pairs accepted: {} (--accepted)",
            percent(it.asked_again),
            percent(it.accepted)
        ),
        "answers as right and wrong as the simulated ones; no call fails, is refused or is tried twice".to_owned(),
    ];
    said.join("\n")
}

/// `name   first line`, and further lines below the first.
fn line(text: &mut String, name: &str, told: &str) {
    let told = screen::wrapped(told, screen::width_of_stdout().saturating_sub(11));
    for (at, part) in told.lines().enumerate() {
        let _ = writeln!(text, "{:10} {part}", if at == 0 { name } else { "" });
    }
}

fn dollars(usd: f64) -> String {
    // A hundredth of a cent is told; less is not worth a digit.
    if usd > 0.0 && usd < 0.01 { format!("${usd:.4}") } else { format!("${usd:.2}") }
}

fn percent(share: f64) -> String {
    format!("{} %", (1000.0 * share).round() / 10.0)
}

/// `1,234,567`
fn count(n: u64) -> String {
    let digits = n.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// `45 s`, `12 min`, `3 h 20 min`
pub(super) fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as u64;
    match (seconds, minutes) {
        (seconds, _) if seconds < 100.0 => format!("{seconds:.0} s"),
        (_, minutes) if minutes < 100 => format!("{minutes} min"),
        (_, minutes) => format!("{} h {} min", minutes / 60, minutes % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_at_a_glance() {
        assert_eq!([0, 999, 1_000, 1_234_567].map(count), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0.0, 0.004, 1.5].map(dollars), ["$0.00", "$0.0040", "$1.50"]);
        assert_eq!([8.2, 99.0, 120.0, 12_000.0].map(duration), ["8 s", "99 s", "2 min", "3 h 20 min"]);
    }
}
