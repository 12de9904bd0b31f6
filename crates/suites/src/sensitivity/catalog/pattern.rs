//! One pattern of a catalog. Its work is counted over a whole text, in letters and steps and not in time, and it gives up rather than
//! hang: the same on every machine.

use super::linear::{Budget, Linear};
use super::reach::Reach;
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

/// Steps back for one match, tried one after the other: how many it took is only known by what was not enough.
const STEPS: [usize; 5] = [1 << 8, 1 << 12, 1 << 16, 1 << 20, 1 << 22];

#[derive(Clone, Debug)]
pub struct Pattern {
    text: String,
    engine: Engine,
}

#[derive(Clone, Debug)]
enum Engine {
    Linear(Linear),
    Backtracking(Box<Backtracking>),
}

/// Look-around and back-references, which `regex` refuses and published catalogs use.
#[derive(Clone, Debug)]
struct Backtracking {
    text: String,
    /// By their limits, made when first needed.
    engines: [OnceLock<Option<fancy_regex::Regex>>; STEPS.len()],
    reach: Reach,
}

/// A pattern that needed too many steps on a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the pattern `{0}` gave up: it needs too many steps on this text")]
pub struct GaveUp(pub String);

/// What is to change in a text: where, and what stands there afterwards.
pub(in crate::sensitivity) type Changes = Vec<(Range<usize>, String)>;

/// As long as the longest of our charts, with every mark that a pattern may stop at.
static CHART: LazyLock<String> = LazyLock::new(|| {
    "2024-03-09 [Note] \"HER2\": positive (IHC 3+), seen; 5% {x} <y> a/b_c = d & e? f! g* h' | k\\l\n".repeat(900)
});

const LOOKS_FAR: &str = "it looks over the whole chart from every place in it; make two patterns of it (all of `positive` must be found), or say how \
                         far it looks: `.{0,200}`";

impl Pattern {
    pub fn new(text: &str) -> Result<Self, String> {
        let engine = match Linear::new(text) {
            Ok(linear) => Engine::Linear(linear),
            Err(regex::Error::CompiledTooBig(_)) => return Err("the pattern is too large".to_owned()),
            Err(refused) => match Backtracking::new(text) {
                Ok(it) => Engine::Backtracking(Box::new(it)),
                // Of the two, who knows look-around tells what is wrong with it.
                Err(problem) if refused.to_string().contains("not supported") => return Err(last_line(&problem)),
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
            Engine::Linear(it) => it.regex().capture_names().collect(),
            Engine::Backtracking(it) => it.engine(0).map(|it| it.capture_names().collect()).unwrap_or_default(),
        };
        match name.parse::<usize>() {
            Ok(number) => number < names.len(),
            Err(_) => names.contains(&Some(name)),
        }
    }

    pub fn find_all(&self, text: &str) -> Result<Vec<Range<usize>>, GaveUp> {
        let found = match &self.engine {
            Engine::Linear(it) => it.find_all(text),
            Engine::Backtracking(it) => it.each(text, |_, range| range.clone()),
        };
        found.ok_or_else(|| self.gave_up())
    }

    pub fn is_match(&self, text: &str) -> Result<bool, GaveUp> {
        let found = match &self.engine {
            Engine::Linear(it) => it.is_match(text),
            Engine::Backtracking(it) => {
                let (mut budget, letters) = (Budget::new(), it.reach.letters(text));
                it.search(text, 0, &mut budget, letters).map(|found| found.is_some())
            }
        };
        found.ok_or_else(|| self.gave_up())
    }

    /// Every match and what it becomes; `$1` and `${name}` stand for groups.
    pub fn changes(&self, text: &str, with: &str) -> Result<Changes, GaveUp> {
        let changes = match &self.engine {
            Engine::Linear(it) => it.changes(text, with),
            Engine::Backtracking(it) => it.each(text, |found, range| {
                let mut into = String::new();
                found.expand(with, &mut into);
                (range.clone(), into)
            }),
        };
        changes.ok_or_else(|| self.gave_up())
    }

    /// Why the pattern would give up on an ordinary chart, where it would.
    pub fn is_catastrophic(&self) -> Option<&'static str> {
        let reach = match &self.engine {
            Engine::Linear(it) if it.is_too_wide() => {
                return Some(
                    "it counts further than 2,000 letters; count less far, or write `.*` for as far as the line goes",
                );
            }
            Engine::Linear(it) if it.looks_over_lines() => return self.find_all(&CHART).is_err().then_some(LOOKS_FAR),
            Engine::Linear(_) => return None,
            Engine::Backtracking(it) => &it.reach,
        };
        let letters: Vec<char> = self.text.chars().filter(|letter| letter.is_alphanumeric()).take(4).collect();
        let mut probes: Vec<String> = letters.iter().map(|letter| letter.to_string().repeat(64)).collect();
        probes.extend(["a ".repeat(48), "1".repeat(64), "a, b; ".repeat(24), " ".repeat(64), "word word\n".repeat(16)]);
        if probes.iter().any(|probe| self.is_match(probe).is_err() || self.is_match(&format!("{probe}!")).is_err()) {
            return Some("it repeats a repetition");
        }
        let gives_up = self.find_all(&CHART).is_err();
        let is_far = reach.letters(&CHART) > CHART.len() as u64 / 4;
        gives_up.then_some(if is_far {
            LOOKS_FAR
        } else {
            "it goes over the same letters again and again; count less far, or make two patterns of it"
        })
    }

    fn gave_up(&self) -> GaveUp {
        GaveUp(self.text.clone())
    }
}

impl Backtracking {
    fn new(text: &str) -> Result<Self, String> {
        fancy_regex::Regex::new(text).map_err(|error| error.to_string())?;
        Ok(Self { text: text.to_owned(), engines: Default::default(), reach: Reach::of(text) })
    }

    fn engine(&self, level: usize) -> Option<&fancy_regex::Regex> {
        let make = || fancy_regex::RegexBuilder::new(&self.text).backtrack_limit(STEPS[level]).build().ok();
        self.engines[level].get_or_init(make).as_ref()
    }

    /// The first match from a place on; none where the steps of a level, each reading `letters`, are more than what is left.
    fn search<'t>(
        &self,
        text: &'t str,
        at: usize,
        budget: &mut Budget,
        letters: u64,
    ) -> Option<Option<fancy_regex::Captures<'t, str>>> {
        for (level, steps) in STEPS.into_iter().enumerate() {
            budget.spend(steps, letters)?;
            if let Ok(found) = self.engine(level)?.captures_from_pos(text, at) {
                return Some(found);
            }
        }
        None
    }

    fn each<T>(
        &self,
        text: &str,
        told: impl Fn(&fancy_regex::Captures<'_, str>, &Range<usize>) -> T,
    ) -> Option<Vec<T>> {
        let (mut budget, letters) = (Budget::new(), self.reach.letters(text));
        all(text, |at| {
            let found = self.search(text, at, &mut budget, letters).ok_or(())?;
            Ok(found.and_then(|found| {
                let range = found.get(0)?.range();
                Some((range.clone(), told(&found, &range)))
            }))
        })
        .ok()
    }
}

/// Every match, one after the other, as `regex` goes on after an empty one.
pub(super) fn all<T>(
    text: &str,
    mut search: impl FnMut(usize) -> Result<Option<(Range<usize>, T)>, ()>,
) -> Result<Vec<T>, ()> {
    let mut found = Vec::new();
    let (mut at, mut last) = (0, None);
    while at <= text.len() {
        let Some((range, told)) = search(at)? else { break };
        if range.is_empty() && last == Some(range.end) {
            at = after(text, at);
            continue;
        }
        at = if range.is_empty() { after(text, range.end) } else { range.end };
        last = Some(range.end);
        found.push(told);
    }
    Ok(found)
}

/// Where the next letter begins.
fn after(text: &str, at: usize) -> usize {
    at + text[at..].chars().next().map_or(1, char::len_utf8)
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
        for pattern in [
            "(?s)(?=.*BRCA1)HER2",
            "(?s)(?=.*BRCA1)(?=.*HER2).*",
            r"(?s)(?<!q)(\w+\W+)*?zzzz(?!x)",
            "(?:.(?=.*z)){0,900}(?!y)Q",
        ] {
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
    fn what_one_match_does_not_take_all_of_them_may() {
        let chart = "2024-03-09 [Note] HER2: positive, stage IV, seen in clinic.\n".repeat(1_000);
        for pattern in [
            r"e(?s:(.{0,900})(.{0,900})\1QQ|)",
            r"(\w{0,400})(\W{0,400})(\w{0,400})(.{0,900})\1\2\3Q",
            r"e(?:(.{0,900})(.{0,900})\1Q|)",
        ] {
            let pattern = Pattern::new(pattern).unwrap();
            let told = pattern.is_catastrophic();
            assert!(told.is_some() || pattern.find_all(&chart).is_ok(), "{}", pattern.as_str());
        }
        let fan = Pattern::new(r"e(?s:(.{0,900})(.{0,900})\1QQ|)").unwrap();
        assert!(fan.find_all(&chart).is_err() && fan.changes(&chart, "E").is_err());
        assert!(fan.is_catastrophic().unwrap().contains("again and again"));
        // A word that is there twice needs none of that.
        let twice = Pattern::new(r"\b(\w+) \1\b").unwrap();
        assert_eq!(
            (twice.is_catastrophic(), twice.find_all("seen seen again").unwrap()),
            (None, vec![Range { start: 0, end: 9 }])
        );
    }

    #[test]
    fn a_pattern_in_the_plain_engine_cannot_take_forever_either() {
        let chart = "2024-03-09 [Note] HER2: positive, stage IV, seen in clinic.\n".repeat(11_000);
        for (pattern, told) in [
            (r"(?s)[a-z].{0,5000}\x00", "2,000 letters"),
            (r"(?s)(?:[a-z].{0,300}x){0,20}zzz", "2,000 letters"),
            ("(?s).*zzz|e", "every place"),
        ] {
            let pattern = Pattern::new(pattern).unwrap();
            assert!(pattern.is_catastrophic().is_some_and(|why| why.contains(told)), "{}", pattern.as_str());
            assert!(pattern.find_all(&chart).is_err() && pattern.changes(&chart, "x").is_err(), "{}", pattern.as_str());
        }
        for pattern in [r"\([^)]*\)", r"stage\s+IV", ".*zzz|HER2", r"[a-z].{0,900}\x00"] {
            let pattern = Pattern::new(pattern).unwrap();
            assert_eq!(pattern.is_catastrophic(), None, "{}", pattern.as_str());
            assert!(pattern.find_all(&chart).is_ok(), "{}", pattern.as_str());
        }
    }

    #[test]
    fn what_is_wrong_with_a_pattern_is_one_line() {
        assert_eq!(Pattern::new("(stage").unwrap_err(), "unclosed group");
        let repeated = Pattern::new("(?=.*a)*b").unwrap_err();
        assert!(!repeated.contains("not supported") && repeated.to_lowercase().contains("repeat"), "{repeated}");
    }
}
