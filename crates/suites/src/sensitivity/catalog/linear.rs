//! A pattern in `regex`, which reads a text once for every match: linear for one, and the square of the text for a pattern that looks
//! far ahead at every place. What is read is counted, so that nobody waits.

use super::pattern::all;
use regex::Regex;
use regex_automata::Input;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_syntax::hir::{Class, Hir, HirKind};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Letters times places in the pattern: the steps of following every place of it through a text.
pub(super) const MOST: u64 = 800_000_000;
/// Places in one pattern.
const WIDEST: u64 = 2_000;

#[derive(Clone, Debug)]
pub(in crate::sensitivity) struct Linear {
    regex: Regex,
    width: u64,
    far: Far,
}

/// How far beyond the beginning of a match the text is read.
#[derive(Clone, Debug)]
enum Far {
    Letters(usize),
    /// Not over the end of the line.
    Line,
    /// To be measured, by this.
    Text(Arc<OnceLock<Option<DFA>>>),
}

impl Linear {
    pub fn new(pattern: &str) -> Result<Self, regex::Error> {
        let regex = Regex::new(pattern)?;
        let hir = regex_syntax::parse(pattern).map_err(|error| regex::Error::Syntax(error.to_string()))?;
        let far = match hir.properties().maximum_len() {
            Some(letters) => Far::Letters(letters),
            None if !holds_line_ends(&hir) => Far::Line,
            None => Far::Text(Arc::default()),
        };
        Ok(Self { width: width(&hir), regex, far })
    }

    pub fn regex(&self) -> &Regex {
        &self.regex
    }

    /// Whether it counts further than anybody should wait for.
    pub fn is_too_wide(&self) -> bool {
        self.width > WIDEST
    }

    /// Whether looking for it everywhere may read a text more than once.
    pub fn looks_over_lines(&self) -> bool {
        matches!(self.far, Far::Text(_))
    }

    /// None where it takes too long.
    pub fn is_match(&self, text: &str) -> Option<bool> {
        Budget::new().spend(text.len(), self.width)?;
        Some(self.regex.is_match(text))
    }

    pub fn find_all(&self, text: &str) -> Option<Vec<Range<usize>>> {
        self.each(text, |at| self.regex.find_at(text, at).map(|found| (found.range(), found.range())))
    }

    /// Every match and what it becomes.
    pub fn changes(&self, text: &str, with: &str) -> Option<Vec<(Range<usize>, String)>> {
        self.each(text, |at| {
            let found = self.regex.captures_at(text, at)?;
            let mut into = String::new();
            found.expand(with, &mut into);
            let range = found.get(0)?.range();
            Some((range.clone(), (range, into)))
        })
    }

    fn each<T>(&self, text: &str, search: impl Fn(usize) -> Option<(Range<usize>, T)>) -> Option<Vec<T>> {
        // Not even once through, where that alone is too much.
        Budget::new().spend(text.len(), self.width)?;
        let mut budget = Budget::new();
        if let Far::Text(dfa) = &self.far {
            // Measuring costs as much as searching. Mostly it is affordable that every search reads to the end.
            let at_most = all(text, |at| {
                budget.spend(text.len() - at, self.width).ok_or(())?;
                Ok(search(at))
            });
            return at_most.ok().or_else(|| self.measured(text, dfa, search));
        }
        let mut line_end = 0;
        all(text, |at| {
            let found = search(at);
            let end = match (&found, &self.far) {
                (None, _) => text.len(),
                (Some((range, _)), Far::Letters(letters)) => range.start.saturating_add(*letters).min(text.len()),
                (Some((range, _)), _) => {
                    if line_end < range.end {
                        line_end = text[range.end..].find('\n').map_or(text.len(), |next| range.end + next);
                    }
                    line_end
                }
            };
            budget.spend(end.saturating_sub(at), self.width).ok_or(())?;
            Ok(found)
        })
        .ok()
    }

    /// The same where it has to be known how far each search reads.
    fn measured<T>(
        &self,
        text: &str,
        dfa: &OnceLock<Option<DFA>>,
        search: impl Fn(usize) -> Option<(Range<usize>, T)>,
    ) -> Option<Vec<T>> {
        let dfa = dfa.get_or_init(|| measuring(self.regex.as_str())).as_ref();
        let mut measure = dfa.map(|it| (it, it.create_cache()));
        let mut budget = Budget::new();
        all(text, |at| {
            let read = measure.as_mut().and_then(|(dfa, cache)| read(dfa, cache, text, at));
            budget.spend(read.unwrap_or(text.len() - at), self.width).ok_or(())?;
            Ok(search(at))
        })
        .ok()
    }
}

pub(super) struct Budget(u64);

impl Budget {
    pub fn new() -> Self {
        Self(MOST)
    }

    /// None when it is used up.
    pub fn spend(&mut self, letters: usize, each: u64) -> Option<()> {
        self.0 = self.0.checked_sub((letters as u64).saturating_mul(each))?;
        Some(())
    }
}

/// An automaton that tells how far a search reads. It gives up where it would have to be built anew at every letter.
fn measuring(pattern: &str) -> Option<DFA> {
    let config = DFA::config()
        .unicode_word_boundary(true)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(3))
        .minimum_bytes_per_state(Some(1_000));
    DFA::builder().configure(config).build(pattern).ok()
}

/// Letters that a search from `at` reads until it knows; none where the automaton cannot tell.
fn read(dfa: &DFA, cache: &mut Cache, text: &str, at: usize) -> Option<usize> {
    let mut state = dfa.start_state_forward(cache, &Input::new(text).range(at..)).ok()?;
    for (read, byte) in text.as_bytes()[at..].iter().enumerate() {
        state = dfa.next_state(cache, state, *byte).ok()?;
        if state.is_dead() {
            return Some(read + 1);
        }
        if state.is_quit() {
            return None;
        }
    }
    Some(text.len() - at)
}

/// Places in a pattern, those that are counted out included.
fn width(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => 0,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Class(_) => 1,
        HirKind::Repetition(it) => {
            let times = it.max.unwrap_or_else(|| it.min.max(1));
            width(&it.sub).saturating_mul(u64::from(times))
        }
        HirKind::Capture(it) => width(&it.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().map(width).fold(0, u64::saturating_add),
    }
    .max(1)
}

fn holds_line_ends(hir: &Hir) -> bool {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => false,
        HirKind::Literal(literal) => literal.0.contains(&b'\n'),
        HirKind::Class(Class::Unicode(class)) => class.iter().any(|range| range.start() <= '\n' && '\n' <= range.end()),
        HirKind::Class(Class::Bytes(class)) => class.iter().any(|range| range.start() <= b'\n' && b'\n' <= range.end()),
        HirKind::Repetition(it) => holds_line_ends(&it.sub),
        HirKind::Capture(it) => holds_line_ends(&it.sub),
        HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(holds_line_ends),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_match_is_the_one_that_regex_finds() {
        let chart = "2024-03-09 [Note] HER2: positive (IHC 3+), seen; stage\n IV – naïve (a\nb)\n".repeat(40);
        for pattern in [
            r"\([^)]*\)",
            r"stage\s+I",
            "(?s).*zzz|e",
            "(?m)^",
            r"\b\w+\b",
            "[^\n]+ seen",
            "x*",
            "(?i)HER2|her2: pos",
            "",
        ] {
            let (linear, plain) = (Linear::new(pattern).unwrap(), Regex::new(pattern).unwrap());
            let expected: Vec<Range<usize>> = plain.find_iter(&chart).map(|found| found.range()).collect();
            assert_eq!(linear.find_all(&chart), Some(expected), "{pattern}");
            assert_eq!(linear.is_match(&chart), Some(plain.is_match(&chart)), "{pattern}");
        }
    }

    #[test]
    fn what_is_read_is_what_counts() {
        let chart = "2024-03-09 [Note] HER2: positive (IHC 3+), seen in clinic; to go on as before.\n".repeat(9_000);
        let found = |pattern: &str| Linear::new(pattern).unwrap().find_all(&chart).map(|all| all.len());
        assert_eq!(found(r"\([^)]*\)"), Some(9_000), "it stops at the next parenthesis");
        assert_eq!(found(r"to\s+go"), Some(9_000));
        assert_eq!(found(".*zzz|HER2"), Some(9_000), "it stops at the end of the line");
        assert_eq!(found("(?s).*zzz|e"), None, "it looks to the end of the text from every place");
        assert_eq!(found("(?s).*[a-z][a-z ]{18}\\x00|e"), None);
    }
}
