//! One pattern of a catalog. Plain ones run in linear time; those with look-around run under a limit and give up rather than hang.

use super::reach::Reach;
use std::ops::Range;

/// Steps back for one match; every place where a match does not begin takes one or two. What is read between two steps is not
/// counted here: `Reach` knows it beforehand.
const LIMIT: usize = 4_000_000;

#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    engine: Engine,
}

#[derive(Clone, Debug)]
enum Engine {
    Linear(regex::Regex),
    Backtracking(fancy_regex::Regex, Reach),
}

/// A pattern that needed too many steps on a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern `{0}` gave up: it needs too many steps on this text")]
pub struct GaveUp(pub String);

/// What is to change in a text: where, and what stands there afterwards.
pub(in crate::sensitivity) type Changes = Vec<(Range<usize>, String)>;

impl Pattern {
    pub fn new(text: &str) -> Result<Self, String> {
        let engine = match regex::Regex::new(text) {
            Ok(linear) => Engine::Linear(linear),
            // Look-around and back-references are what `regex` refuses and published catalogs use.
            Err(regex::Error::CompiledTooBig(_)) => return Err("the pattern is too large".to_owned()),
            Err(refused) => match fancy_regex::RegexBuilder::new(text).backtrack_limit(LIMIT).build() {
                Ok(fancy) => Engine::Backtracking(fancy, Reach::of(text)),
                Err(_) => return Err(last_line(&refused.to_string())),
            },
        };
        Ok(Self { text: text.to_owned(), engine })
    }

    /// The text, where it can be put together with others and does the same on a line as on the whole.
    pub fn by_lines(&self) -> Option<&str> {
        let anchored = self.text.replace("[^", "").contains(['^', '$'])
            && !self.text.contains("(?m")
            && !self.text.contains("(?im");
        let whole = ["\\A", "\\z", "(?s"].iter().any(|part| self.text.contains(part));
        (matches!(self.engine, Engine::Linear(_)) && !anchored && !whole).then_some(self.text.as_str())
    }

    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// By number or by name.
    pub fn has_group(&self, name: &str) -> bool {
        let names: Vec<Option<&str>> = match &self.engine {
            Engine::Linear(it) => it.capture_names().collect(),
            Engine::Backtracking(it, _) => it.capture_names().collect(),
        };
        match name.parse::<usize>() {
            Ok(number) => number < names.len(),
            Err(_) => names.contains(&Some(name)),
        }
    }

    pub fn find_all(&self, text: &str) -> Result<Vec<Range<usize>>, GaveUp> {
        match &self.engine {
            Engine::Linear(it) => Ok(it.find_iter(text).map(|found| found.range()).collect()),
            Engine::Backtracking(it, reach) => {
                self.give_up_early(reach, text)?;
                it.find_iter(text).map(|found| found.map(|found| found.range()).map_err(|_| self.gave_up())).collect()
            }
        }
    }

    pub fn is_match(&self, text: &str) -> Result<bool, GaveUp> {
        match &self.engine {
            Engine::Linear(it) => Ok(it.is_match(text)),
            Engine::Backtracking(it, reach) => {
                self.give_up_early(reach, text)?;
                it.is_match(text).map_err(|_| self.gave_up())
            }
        }
    }

    /// Every match and what it becomes; `$1` and `${name}` stand for groups.
    pub fn changes(&self, text: &str, with: &str) -> Result<Changes, GaveUp> {
        match &self.engine {
            Engine::Linear(it) => Ok(it
                .captures_iter(text)
                .filter_map(|found| {
                    let mut into = String::new();
                    found.expand(with, &mut into);
                    Some((found.get(0)?.range(), into))
                })
                .collect()),
            Engine::Backtracking(it, reach) => {
                self.give_up_early(reach, text)?;
                let mut changes = Vec::new();
                for found in it.captures_iter(text) {
                    let found = found.map_err(|_| self.gave_up())?;
                    let mut into = String::new();
                    found.expand(with, &mut into);
                    changes.extend(found.get(0).map(|whole| (whole.range(), into)));
                }
                Ok(changes)
            }
        }
    }

    /// Why the pattern would give up on an ordinary chart, where it would.
    pub fn is_catastrophic(&self) -> Option<&'static str> {
        let Engine::Backtracking(_, reach) = &self.engine else { return None };
        let letters: Vec<char> = self.text.chars().filter(|letter| letter.is_alphanumeric()).take(4).collect();
        let mut probes: Vec<String> = letters.iter().map(|letter| letter.to_string().repeat(64)).collect();
        probes.extend(["a ".repeat(48), "1".repeat(64), "a, b; ".repeat(24), " ".repeat(64), "word word\n".repeat(16)]);
        if probes.iter().any(|probe| self.is_match(probe).is_err() || self.is_match(&format!("{probe}!")).is_err()) {
            return Some("it repeats a repetition");
        }
        // As long as the longest of our charts, with every mark that a pattern may stop at.
        let chart = "2024-03-09 [Note] \"HER2\": positive (IHC 3+), seen; 5% {x} <y> a/b_c = d & e? f! g* h' | k\\l\n"
            .repeat(900);
        reach.is_too_far(&chart).then_some(
            "it looks over the whole chart from every place in it; make two patterns of it (all of `positive` must be found), or say how far it \
             looks: `.{0,200}`",
        )
    }

    fn give_up_early(&self, reach: &Reach, text: &str) -> Result<(), GaveUp> {
        if reach.is_too_far(text) { Err(self.gave_up()) } else { Ok(()) }
    }

    fn gave_up(&self) -> GaveUp {
        GaveUp(self.text.clone())
    }
}

/// Where `regex` draws the pattern with carets, the problem is in the last line.
fn last_line(message: &str) -> String {
    message.lines().last().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_around_is_understood() {
        let pattern = Pattern::new(r"(?<!not )resectable(?! disease)").unwrap();
        assert_eq!(
            pattern.find_all("resectable, not resectable, resectable disease").unwrap(),
            vec![Range { start: 0, end: 10 }]
        );
        assert_eq!(pattern.changes("a resectable one", "removable").unwrap(), [(2..12, "removable".to_owned())]);
    }

    #[test]
    fn a_pattern_that_would_hang_gives_up_and_is_known_before() {
        let pattern = Pattern::new(r"(?:(?!x)a|a)*b").unwrap();
        assert_eq!(pattern.is_catastrophic(), Some("it repeats a repetition"));
        let gave_up = pattern.is_match(&"a".repeat(5_000)).unwrap_err();
        assert!(gave_up.to_string().contains("too many steps"), "{gave_up}");
        assert_eq!(Pattern::new(r"(?:a+)+$").unwrap().is_catastrophic(), None, "linear in `regex`");
        assert_eq!(Pattern::new(r"stage I(?!V)").unwrap().is_catastrophic(), None);
    }

    #[test]
    fn a_pattern_that_looks_over_a_whole_chart_gives_up_at_once_and_one_that_looks_over_a_line_does_not() {
        let chart = "2024-03-09 [Note] HER2: positive, stage IV, seen in clinic.\n".repeat(18_000);
        for pattern in ["(?s)(?=.*BRCA1)HER2", "(?s)(?=.*BRCA1)(?=.*HER2).*", r"(?s)(?<!q)(\w+\W+)*?zzzz(?!x)"] {
            let pattern = Pattern::new(pattern).unwrap();
            assert!(pattern.is_match(&chart).is_err(), "{}", pattern.as_str());
            assert!(pattern.find_all(&chart).is_err() && pattern.changes(&chart, "x").is_err());
            assert!(pattern.is_catastrophic().is_some(), "{}", pattern.as_str());
        }
        for (pattern, found) in [("stage I(?!V)", false), ("(?=.*clinic)HER2", true), ("(?=.*BRCA1)HER2", false)] {
            let pattern = Pattern::new(pattern).unwrap();
            assert_eq!(pattern.is_match(&chart), Ok(found), "{}", pattern.as_str());
            assert_eq!(pattern.is_catastrophic(), None, "{}", pattern.as_str());
        }
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_one_line() {
        assert_eq!(Pattern::new("(stage").unwrap_err(), "unclosed group");
    }
}
