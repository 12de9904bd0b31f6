//! How far a run has come: a bar in a terminal, a line per pass elsewhere.

use super::{calls, screen, table};
use indicatif::{ProgressBar, ProgressStyle};
use std::collections::{HashMap, HashSet};
use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::time::{Duration, Instant};
use waterjar_core::{Account, BenchmarkSummary, ModelId, counted};
use waterjar_engine::gateway::GatewayEvent;
use waterjar_engine::{RunEvent, ToJudge};

/// Whoever waits for a model that is away is told so again after so long, and not with every question.
const AGAIN: Duration = Duration::from_secs(60);
const PREPARING: &str = "(preparing";

pub struct Progress {
    /// Warnings are told once; every pass has them anew.
    warned: Mutex<HashSet<String>>,
    /// Since when it is known of a model that it is waited for.
    waited: Mutex<HashMap<ModelId, Instant>>,
    bar: Mutex<Option<ProgressBar>>,
    quiet: bool,
    verbose: u8,
    terminal: bool,
}

impl Progress {
    pub fn new(quiet: bool, verbose: u8) -> Self {
        Self {
            warned: Mutex::default(),
            waited: Mutex::default(),
            bar: Mutex::new(None),
            quiet,
            verbose,
            terminal: std::io::stderr().is_terminal(),
        }
    }

    pub fn tell(&self, event: &RunEvent) {
        if self.quiet {
            return;
        }
        match event {
            RunEvent::Started { suite, pass, total } => self.start(&format!("{suite}: {}", pass.doing()), *total),
            RunEvent::Progress { done, .. } => self.with_bar(|bar| {
                bar.set_position(*done);
                // Whoever answers is ready; what was spent stays told.
                if bar.message().starts_with(PREPARING) {
                    bar.set_message("");
                }
            }),
            RunEvent::Preparing { model } => self.with_bar(|bar| bar.set_message(format!("{PREPARING} {model})"))),
            RunEvent::Finished { .. } => self.clear(),
            RunEvent::Notice(text) => self.above(&screen::talk(text)),
            RunEvent::Benchmark(summary) => {
                self.line(&made(summary));
                if let Some(lost) = lost(summary) {
                    self.line(&lost);
                }
                // All of it is in the table that `vary` prints and in the report.
                if !summary.accounts.is_empty() {
                    self.line(&format!("{}: {}", summary.suite, table::account(&Account::total(&summary.accounts))));
                }
                // No report follows.
                if summary.families == 0 {
                    table::by_entry(&summary.accounts).lines().for_each(|line| self.line(line));
                }
            }
            RunEvent::ToJudge(told) => self.above(&screen::talk(&to_judge(told))),
            RunEvent::Gateway(GatewayEvent::Spent { usd, tokens }) => {
                self.with_bar(|bar| bar.set_message(format!("${usd:.2} {tokens} tokens")));
            }
            RunEvent::Gateway(event) => {
                if let Some(text) = calls::tell(event, self.verbose).filter(|text| self.is_news(text)) {
                    self.above(&text);
                }
                if let Some((_, text)) = calls::waiting(event).filter(|(model, _)| self.is_waited_for_anew(model)) {
                    self.above(&screen::talk(&text));
                }
            }
        }
    }

    fn is_waited_for_anew(&self, model: &ModelId) -> bool {
        let mut waited = self.waited.lock().unwrap_or_else(|broken| broken.into_inner());
        let is_new = waited.get(model).is_none_or(|told| told.elapsed() >= AGAIN);
        if is_new {
            waited.insert(model.clone(), Instant::now());
        }
        is_new
    }

    fn is_news(&self, text: &str) -> bool {
        let mut warned = self.warned.lock().unwrap_or_else(|broken| broken.into_inner());
        !text.starts_with("warning:") || warned.insert(text.to_owned())
    }

    pub fn clear(&self) {
        if let Some(bar) = self.bar.lock().unwrap_or_else(|broken| broken.into_inner()).take() {
            bar.finish_and_clear();
        }
    }

    fn start(&self, text: &str, total: Option<u64>) {
        self.clear();
        if !self.terminal {
            return self.line(text);
        }
        let (bar, template) = match total {
            Some(total) => (ProgressBar::new(total), "{prefix} {wide_bar} {pos}/{len} {eta} {msg}"),
            None => (ProgressBar::new_spinner(), "{prefix} {spinner} {pos} {msg}"),
        };
        let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style);
        bar.set_prefix(text.to_owned());
        bar.enable_steady_tick(Duration::from_millis(120));
        *self.bar.lock().unwrap_or_else(|broken| broken.into_inner()) = Some(bar);
    }

    fn with_bar(&self, change: impl FnOnce(&ProgressBar)) {
        if let Some(bar) = &*self.bar.lock().unwrap_or_else(|broken| broken.into_inner()) {
            change(bar);
        }
    }

    /// A line that does not end the bar.
    fn above(&self, text: &str) {
        let text = screen::harmless(text);
        let write = || drop(writeln!(std::io::stderr().lock(), "{text}"));
        match &*self.bar.lock().unwrap_or_else(|broken| broken.into_inner()) {
            Some(bar) => bar.suspend(write),
            None => write(),
        }
    }

    fn line(&self, text: &str) {
        self.clear();
        let _ = writeln!(std::io::stderr().lock(), "{}", screen::talk(text));
    }
}

/// `einstellung: 8000 cases → 737 eligible → 600 families, 1800 variants`
pub(super) fn made(summary: &BenchmarkSummary) -> String {
    let BenchmarkSummary { suite, cases, eligible, families, variants, .. } = summary;
    let (read, families) = (counted(*cases, "case", "cases"), counted(*families, "family", "families"));
    let variants = counted(*variants, "variant", "variants");
    // Where a suite has a catalog, several interventions may apply to one case: these are no part of the cases.
    if eligible > cases {
        let eligible = counted(*eligible, "eligible intervention", "eligible interventions");
        return format!("{suite}: {read}, {eligible}, {families}, {variants}");
    }
    format!("{suite}: {read} → {eligible} eligible → {families}, {variants}")
}

/// `sensitivity: 63 verdicts to be made by openai/gpt-5, 60 of them anew; 12 stored already`
fn to_judge(told: &ToJudge) -> String {
    let ToJudge { suite, judges, auditor, open, at_most, anew, stored } = told;
    let most = if *at_most { "at most " } else { "" };
    let verdicts = counted(*open, "verdict", "verdicts");
    let by = match judges.as_slice() {
        [] => "rules".to_owned(),
        [one] => one.clone(),
        // Nobody should take it for so many of each.
        all => format!("{} together ({open} in all, not {open} each)", all.join(" and ")),
    };
    let again = match anew {
        0 => String::new(),
        _ => format!(", {anew} of them anew (the answers, the study or the suite's version have changed)"),
    };
    let audited = auditor.as_ref().map(|who| format!("; {who} is asked about those that fell for the trap"));
    let why = if *at_most { "; the study's [stopping] may end it earlier" } else { "" };
    format!(
        "{suite}: {most}{verdicts} to be made by {by}{again}{}; {stored} stored already{why}",
        audited.unwrap_or_default()
    )
}

/// Also those that were not needed: with them the counts add up to the cases that were read.
pub(super) fn lost(summary: &BenchmarkSummary) -> Option<String> {
    let lost = summary.losses.iter().map(|(reason, n)| format!("{} {n}", reason.replace('_', " ")));
    let lost: Vec<String> = lost.collect();
    (!lost.is_empty()).then(|| format!("{}: lost cases: {}", summary.suite, lost.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;
    use waterjar_core::SuiteId;
    use waterjar_engine::Pass;
    use waterjar_engine::gateway::Patience;

    fn summary(cases: u64, eligible: u64, losses: &[(&str, u64)]) -> BenchmarkSummary {
        let losses: BTreeMap<String, u64> = losses.iter().map(|(reason, n)| ((*reason).to_owned(), *n)).collect();
        let suite = SuiteId::from("s");
        BenchmarkSummary { suite, cases, eligible, families: 63, variants: 126, losses, accounts: Vec::new() }
    }

    #[test]
    fn interventions_are_no_cases() {
        assert_eq!(made(&summary(200, 124, &[])), "s: 200 cases → 124 eligible → 63 families, 126 variants");
        assert_eq!(made(&summary(63, 124, &[])), "s: 63 cases, 124 eligible interventions, 63 families, 126 variants");
    }

    #[test]
    fn what_was_not_needed_is_told_with_what_was_lost() {
        let told = lost(&summary(200, 124, &[("not_hard", 76), ("not_needed", 61)]));
        assert_eq!(told.as_deref(), Some("s: lost cases: not hard 76, not needed 61"));
        assert_eq!(lost(&summary(63, 63, &[])), None);
    }

    #[test]
    fn what_judges_have_before_them_is_one_line() {
        let to = |judges: &[&str], open, anew, stored| {
            let judges = judges.iter().map(|it| (*it).to_owned()).collect();
            ToJudge { suite: SuiteId::from("s"), judges, auditor: None, open, at_most: false, anew, stored }
        };
        let told = |judges: &[&str], open, anew, stored| to_judge(&to(judges, open, anew, stored));
        assert_eq!(told(&["a/b"], 1, 0, 62), "s: 1 verdict to be made by a/b; 62 stored already");
        assert_eq!(
            told(&["a/b", "c/d"], 63, 60, 0),
            "s: 63 verdicts to be made by a/b and c/d together (63 in all, not 63 each), 60 of them anew (the answers, the study or the \
             suite's version have changed); 0 stored already"
        );
        assert_eq!(
            to_judge(&ToJudge { at_most: true, ..to(&["a/b"], 63, 0, 0) }),
            "s: at most 63 verdicts to be made by a/b; 0 stored already; the study's [stopping] may end it earlier"
        );
        assert_eq!(
            to_judge(&ToJudge { auditor: Some("a/b".to_owned()), ..to(&[], 63, 0, 0) }),
            "s: 63 verdicts to be made by rules; a/b is asked about those that fell for the trap; 0 stored already"
        );
    }

    #[test]
    fn a_model_that_is_away_is_told_once_in_a_while() {
        let retrying = |attempt, slows_down| GatewayEvent::Retrying {
            model: "a/b".into(),
            attempt,
            wait: Duration::ZERO,
            error: "no connection to there: refused".to_owned(),
            patience: Patience {
                address: "http://there/v1".to_owned(),
                slows_down,
                attempts: 5,
                waits: Duration::from_millis(7500),
                deadline: Duration::from_secs(900),
            },
        };
        assert_eq!(calls::waiting(&retrying(1, false)), None, "one failure may be chance");
        assert_eq!(calls::waiting(&retrying(2, true)), None, "whoever asks for a rest is there");
        let event = retrying(2, false);
        let (model, text) = calls::waiting(&event).unwrap();
        assert_eq!(
            text,
            "waiting for a/b at http://there/v1: no connection to there: refused. Each question is tried 5 times, which takes about 8 s where \
             it is turned away at once, and never more than 15 min. If the model answers no question at all, the run stops, and what was done is \
             kept."
        );
        let progress = Progress::new(false, 0);
        assert_eq!([(); 3].map(|()| progress.is_waited_for_anew(model)), [true, false, false]);
        progress.waited.lock().unwrap().insert(model.clone(), Instant::now() - AGAIN);
        assert!(progress.is_waited_for_anew(model));
    }

    #[test]
    fn a_model_is_prepared_until_somebody_answers() {
        let bar = ProgressBar::hidden();
        let progress = Progress::new(false, 0);
        *progress.bar.lock().unwrap() = Some(bar.clone());
        progress.tell(&RunEvent::Preparing { model: "reference".to_owned() });
        assert_eq!(bar.message(), "(preparing reference)");
        progress.tell(&RunEvent::Progress { pass: Pass::Answer, done: 1 });
        assert_eq!((bar.message().as_str(), bar.position()), ("", 1));
        bar.set_message("$0.10 20 tokens");
        progress.tell(&RunEvent::Progress { pass: Pass::Answer, done: 2 });
        assert_eq!(bar.message(), "$0.10 20 tokens");
    }
}
