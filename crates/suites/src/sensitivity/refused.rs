//! Which of the treatments that a recommendation names are named to be left out: "capecitabine instead of trastuzumab".

use regex::Regex;
use std::ops::Range;
use std::sync::LazyLock;

struct Cues {
    /// Two that cancel out: "do not stop", "without delay", "not contraindicated".
    cancelled: Regex,
    /// Where a thought ends, and with it what was said against a treatment.
    end: Regex,
    /// Against what follows.
    before: Regex,
    /// Against what was named just before.
    after: Regex,
    /// After these, what follows is recommended again.
    turn: Regex,
    /// "stop smoking, start A": the same where the word was not against a treatment.
    instead: Regex,
    /// Between treatments that are named together.
    joined: Regex,
    /// "and pertuzumab too"
    too: Regex,
}

static CUES: LazyLock<Cues> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a constant");
    Cues {
        cancelled: pattern(
            r"(?x) \b (?: (?:do|does|should|must|shall|would|will|can|could|may)\ ?not | (?:do|does|should|must|ca|wo)n['’]t | never | not | without | no )
              \s+ (?:to\s+|be\s+|any\s+)*
              (?: stop\w* | hold\w* | held | omit\w* | discontinu\w* | withh\w* | avoid\w* | defer\w* | ceas\w* | drop\w* | replac\w* | delay\w*
                | interrupt\w* | contraindicat\w* | dose\b | change\w* | break\b | reason\ to\ \w+ )",
        ),
        end: pattern(r"[;\n]|[.?!](?:\s|$)|,?\s(?:but|however|whereas)\s"),
        before: pattern(
            r"(?x) ^\s*(?:no|not|against|contraindicated)\b
            | \b (?: avoid(?:ing|ance\ of)? | without | instead\ of | rather\ than | in\ (?:place|lieu)\ of | never | ceas(?:e|ing) | stop(?:ping)?
                | discontinu(?:e|ing) | (?:with)?hold(?:ing)?(?:\ off)? | omit(?:ting)? | drop(?:ping)? | defer(?:ring)? | for(?:e)?go(?:ing)?
                | refrain(?:ing)?\ from | replac(?:e|es|ing) | (?:advise|recommend|decide)\w*\ against | exclud(?:e|ing)
                | (?:switch|chang|convert|transition|mov)\w*\ (?:away\ )?from | no\ (?:more|further|role\ for|indication\ for|place\ for|longer\ (?:give|needs?|a\ candidate\ for|eligible\ for))
                | (?:do|does|did|should|must|would|will|can|could|may|shall)\ ?not | (?:do|does|should|must|wo|ca)n['’]t
                | not\ (?:give|giving|to\ give|use|using|offer|recommend|start|add|continue|a\ candidate\ for|eligible\ for|suitable\ for|indicated\ for)
                | (?:ineligible|unsuitable)\ for ) \b",
        ),
        after: pattern(
            r"(?x) \b (?: contraindicated | ruled\ out | inappropriate | unsuitable
                | no\ longer | not\ (?:indicated|recommended|advised|appropriate|suitable|eligible|needed|an?\ option|to\ be\ \w+|be\ given)
                | (?:should|must|may|can|will)\ ?not\ be | (?:should|must|ca|wo)n['’]t\ be
                | (?:is|are|was|were|be|been|being)\ (?:stopped|held|withheld|discontinued|omitted|avoided|ceased|dropped|deferred|replaced|excluded) ) \b
            | [:(–—-]\s*(?:stop|hold|withhold|discontinue[d]?|omit|avoid|cease|drop|stopped|held) \b (?:\s*$|\s*[),.])
            | [:–—-]\s*(?:do\ not|don['’]t) \b
            | [,\s](?:stop|hold|withhold|discontinue|omit|cease|avoid)\s*$",
        ),
        instead: pattern(r"(?:,|\band)\s+(?:then\s+)?(?:start|give|begin|use|continue|offer|add)\b"),
        turn: pattern(
            r"\b(?:then|start(?:ing)?|give|begin|use|continue|proceed|offer|add|prefer|choose|until|in favou?r of)\b|→|->|:",
        ),
        joined: pattern(
            r"^\s*\(?\)?\s*(?:/|\+|&|(?P<comma>,)|,?\s*(?P<word>and|or|nor|plus)\b)?\s*(?:both\s|the\s|all\s)?\s*$",
        ),
        too: pattern(r"\b(?:too|as well|likewise|also)[.)\s]*$"),
    }
});

/// For each of the places, in their order, whether it is one to leave out. `text` is in lower case.
pub(super) fn refused(text: &str, places: &[Range<usize>]) -> Vec<bool> {
    let cues = &*CUES;
    // Of the same length, so that places stay where they are.
    let text = cues.cancelled.replace_all(text, |found: &regex::Captures<'_>| " ".repeat(found[0].len()));
    let mut refused = vec![false; places.len()];
    let mut start = 0;
    let mut refused_before = false;
    let ends = cues.end.find_iter(&text).map(|found| (found.start(), found.end())).chain([(text.len(), text.len())]);
    for (end, next) in ends {
        let thought = Thought { text: &text[start..end], at: start };
        let within: Vec<usize> =
            (0..places.len()).filter(|it| start <= places[*it].start && places[*it].end <= end).collect();
        let back = thought.look_back(places, &within, &mut refused);
        thought.look_ahead(places, &within, &back, &mut refused);
        if refused_before && cues.too.is_match(thought.text) {
            within.iter().for_each(|it| refused[*it] = true);
        }
        refused_before = !back.is_empty();
        start = next;
    }
    refused
}

struct Thought<'a> {
    text: &'a str,
    /// Where it begins in the whole.
    at: usize,
}

impl Thought<'_> {
    fn between(&self, from: usize, to: usize) -> &str {
        &self.text[from - self.at..to - self.at]
    }

    /// "stop A, B and C, then give D". `used` are words that were against what stands before them.
    fn look_ahead(&self, places: &[Range<usize>], within: &[usize], used: &[Range<usize>], refused: &mut [bool]) {
        for cue in CUES.before.find_iter(self.text) {
            if used.iter().any(|it| it.start < cue.end() && cue.start() < it.end) {
                continue;
            }
            let word = cue.as_str().trim();
            let mut from = self.at + cue.end();
            let mut named = false;
            for it in within.iter().copied().filter(|it| places[*it].start >= self.at + cue.end()) {
                let gap = self.between(from, places[it].start);
                if (named && turns(word, gap, cue.start() == 0)) || CUES.instead.is_match(gap) {
                    break;
                }
                refused[it] = true;
                named = true;
                from = places[it].end;
            }
        }
    }

    /// "A, B and C are contraindicated"; gives the words that were against something.
    fn look_back(&self, places: &[Range<usize>], within: &[usize], refused: &mut [bool]) -> Vec<Range<usize>> {
        let mut used = Vec::new();
        for cue in CUES.after.find_iter(self.text) {
            let mut commas = cue.as_str().starts_with(':');
            let mut to = None;
            for it in within.iter().copied().rev().filter(|it| places[*it].end <= self.at + cue.start()) {
                if let Some(to) = to {
                    let Some(joined) = CUES.joined.captures(self.between(places[it].end, to)) else { break };
                    // In "A, B contraindicated" A may well be recommended; in "A, B and C" the comma says "and".
                    commas |= joined.name("word").is_some();
                    if joined.name("comma").is_some() && !commas {
                        break;
                    }
                }
                refused[it] = true;
                to = Some(places[it].start);
            }
            used.extend(to.map(|_| cue.range()));
        }
        used
    }
}

/// Whether what stands between two treatments ends what the word said against the first.
fn turns(word: &str, gap: &str, begins: bool) -> bool {
    let says = |wanted: &[&str]| gap.split(|c: char| !c.is_alphanumeric()).any(|it| wanted.contains(&it));
    let swaps = ["instead of", "rather than", "in place of", "in lieu of"].contains(&word);
    CUES.turn.is_match(gap)
        || (word.ends_with("from") && says(&["to"]))
        || ((word.starts_with("replac") || word == "without") && says(&["with", "by"]))
        || (begins && swaps && gap.contains(','))
}
