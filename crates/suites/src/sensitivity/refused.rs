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
              \s+ (?:to\s+|be\s+|any\s+|further\s+|more\s+|undue\s+|only\s+)*
              (?: now\b | once\b | stop\w* | hold\w* | held | omit\w* | discontinu\w* | withh\w* | avoid\w* | defer\w* | ceas\w* | drop\w* | replac\w* | delay\w*
                | interrupt\w* | contraindicat\w* | dose\b | change\w* | break\b | reason\ to\ \w+ )
            | \b avoid\w*\s+ (?:any\s+|further\s+)? (?:delay|interrupt|stopp|omi|discontinu)\w*",
        ),
        end: pattern(r"[;\n]|[.?!](?:\s|$)|,?\s(?:but|however|whereas)\s"),
        before: pattern(
            r"(?x) (?:^|[,(])\s*(?:no|not|against|contraindicated)\b
            | \b(?:lack|absence)\ of\ (?:benefit|response|indication|effect)\ (?:from|to|for|of|with)\b
            | \bno\ (?:benefit|gain|value|use)\ (?:from|of|in|with|for)\b
            | \b (?: avoid(?:ing|ance\ of)? | without | instead\ of | rather\ than | in\ (?:place|lieu)\ of | never | ceas(?:e|ing) | stop(?:ping)? | remov(?:e|ing)
                | discontinu(?:e|ing) | (?:with)?hold(?:ing)?(?:\ off)? | omit(?:ting)? | drop(?:ping)? | defer(?:ring)? | for(?:e)?go(?:ing)?
                | refrain(?:ing)?\ from | replac(?:e|es|ing) | (?:advise|recommend|decide)\w*\ against | exclud(?:e|ing)
                | (?:switch|chang|convert|transition|mov)\w*\ (?:away\ )?from | no\ (?:more|further|role\ for|indication\ for|place\ for|longer\ (?:give|needs?|a\ candidate\ for|eligible\ for))
                | (?:do|does|did|should|must|would|will|can|could|may|shall)\ ?not | (?:do|does|should|must|wo|ca)n['’]t
                | not\ (?:give|giving|to\ give|use|using|offer|recommend|start|add|continue|a\ candidate\ for|eligible\ for|suitable\ for|indicated\ for)
                | (?:ineligible|unsuitable)\ for ) \b
            | \bnot\ an?\b",
        ),
        after: pattern(
            r"(?x) \b (?: contraindicated | ruled\ out | inappropriate | unsuitable
                | futile | ineffective | (?:has|have)\ no\ (?:role|place|benefit|value) | of\ no\ (?:benefit|use|value)
                | no\ longer | not\ (?:given|helpful|effective|useful|planned|indicated|recommended|advised|appropriate|suitable|eligible|needed|an?\ option|to\ be\ \w+|be\ given)
                | (?:should|must|may|can|will)\ ?not\ be | (?:should|must|ca|wo)n['’]t\ be
                | (?:is|are|was|were|be|been|being)\ (?:stopped|held|withheld|discontinued|omitted|avoided|ceased|dropped|deferred|replaced|excluded) ) \b
            | [:(–—-]\s*(?:stop|hold|withhold|discontinue[d]?|omit|avoid|cease|drop|stopped|held) \b (?:\s*$|\s*[),.])
            | [:–—-]\s*(?:do\ not|don['’]t) \b
            | [,\s](?:stop|hold|withhold|discontinue|omit|cease|avoid)\s*$
            | (?P<bare>^\s*|\s)(?:withheld|held|omitted|removed|stopped|discontinued|dropped|excluded|deferred|off)\b",
        ),
        instead: pattern(r"(?:,|\band)\s+(?:then\s+)?(?:start|give|begin|use|continue|offer|add)\b"),
        turn: pattern(
            r"\b(?:then|start(?:ing)?|give|begin|use|continue|proceed|offer|add|prefer|choose|until|in favou?r of)\b|→|->|:",
        ),
        joined: pattern(
            r"^\s*\(?\)?\s*(?:/|\+|&|(?P<comma>,)|,?\s*(?P<word>and|or|nor|plus|such as|including|like)\b)?\s*(?:both\s|the\s|all\s)?\s*$",
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
            let word = cue.as_str().trim().trim_start_matches([',', '(']).trim_start();
            let in_brackets = cue.as_str().starts_with('(');
            let mut from = self.at + cue.end();
            let mut named = false;
            for it in within.iter().copied().filter(|it| places[*it].start >= self.at + cue.end()) {
                let gap = self.between(from, places[it].start);
                if (named && turns(word, gap, cue.start() == 0))
                    || CUES.instead.is_match(gap)
                    || (in_brackets && gap.contains(')'))
                {
                    break;
                }
                if !named && is_of_another(word, gap) {
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
        for found in CUES.after.captures_iter(self.text) {
            let (Some(cue), bare) = (found.get(0), found.name("bare")) else { continue };
            let mut commas = cue.as_str().starts_with(':');
            // "surgery deferred" is said of surgery alone, and "held if …" of another day.
            let after = self.text[cue.end()..].trim_start();
            let nearest = within.iter().rev().find(|it| places[**it].end <= self.at + cue.start());
            let adjoins =
                nearest.is_some_and(|it| self.between(places[*it].end, self.at + cue.start()).trim().is_empty());
            if bare.is_some() && (!adjoins || ["if", "when", "until", "only"].iter().any(|it| after.starts_with(it))) {
                continue;
            }
            let mut to = None;
            for it in within.iter().copied().rev().filter(|it| places[*it].end <= self.at + cue.start()) {
                if let Some(to) = to {
                    let gap = self.between(places[it].end, to);
                    let Some(joined) = CUES.joined.captures(gap) else { break };
                    // What is said in brackets is not said of what stands before them.
                    if gap.contains('(') && !self.between(to, self.at + cue.start()).contains(')') {
                        break;
                    }
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
        || ((word.starts_with("replac") || word == "without" || word.starts_with("avoid")) && says(&["with", "by"]))
        || (begins && swaps && gap.contains(','))
}

/// Whether the word is against something that is named in no table: "replace lapatinib by A", "not a surgical candidate: A".
fn is_of_another(word: &str, gap: &str) -> bool {
    /// Words that belong to the one against.
    const OWN: [&str; 16] = [
        "recommended",
        "indicated",
        "advised",
        "appropriate",
        "suitable",
        "for",
        "to",
        "be",
        "given",
        "give",
        "the",
        "use",
        "following",
        "these",
        "any",
        "of",
    ];
    let words: Vec<&str> = gap.split(|c: char| !c.is_alphanumeric()).filter(|it| !it.is_empty()).collect();
    let says = |wanted: &[&str]| words.iter().any(|it| wanted.contains(it));
    if word.starts_with("replac") {
        return says(&["with", "by"]);
    }
    if word.ends_with("from") {
        return says(&["to"]);
    }
    if word.starts_with("not a") {
        return !words.is_empty();
    }
    gap.split_once(':').is_some_and(|(before, _)| before.split_whitespace().any(|it| !OWN.contains(&it)))
}
