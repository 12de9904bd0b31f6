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
    /// "everything except A" leaves A out, and "nothing except A" does not.
    except: Regex,
    /// What makes "nothing" of "except A".
    nothing: Regex,
    /// "without A interruption" is against a change of A, which goes on.
    change: Regex,
    /// The same where the word may be against A itself: "hold A dose increase".
    dose: Regex,
    /// "stop A, not B" spares B.
    ending: Regex,
    /// "hold A if the INR rises": a plan for later, until which A is given.
    later: Regex,
}

static CUES: LazyLock<Cues> = LazyLock::new(|| {
    let pattern = |text: &str| Regex::new(text).expect("a constant");
    Cues {
        cancelled: pattern(
            r"(?x) \b (?: (?:do|does|should|must|shall|would|will|can|could|may)\ ?not | (?:do|does|should|must|ca|wo)n['’]t | never | not | without | no )
              \s+ (?:to\s+|be\s+|any\s+|further\s+|more\s+|undue\s+|only\s+|(?:need|reason|indication|necessary|required|needed|indicated|have)\s+to\s+|need\s+for\s+)*
              (?: now\b | once\b | stop\w* | hold\w* | held | omit\w* | omission\w* | discontinu\w* | withh\w* | withdr\w* | avoid\w* | defer\w* | ceas\w* | drop\w*
                | replac\w* | delay\w* | interrupt\w* | skip\w* | contraindicat\w* | dos(?:e|ing|age)\s+(?:reduc|adjust|modif|chang|interrupt|delay|escal|increas)\w* | chang\w* | break\b | paus\w* | alter(?:s|ed|ing|ations?)?\b | modif\w*
                | adjust\w* | reduc\w* | concerns?\b | alternatives?\ to\b | substitutes?\ for\b )
            | \b (?:rather\ than|instead\ of|against)\s+ (?:stopping|holding|omitting|discontinuing|withholding|interrupting|pausing|reducing)\b
            | \b (?:stopping|holding|omitting|withholding|discontinu(?:ing|ation\ of))\s [^,;.\n]{1,40}? \s(?:is|are|was)\s
                (?: not\s(?:needed|necessary|required|indicated|recommended|warranted|advised|justified|appropriate) | unnecessary )\b
            | \b avoid\w*\s+ (?:any\s+|further\s+|abrupt\w*\s+|premature\w*\s+|unnecessar\w*\s+)? (?:delay|interrupt|stopp|omi|discontinu|withh|hold|paus|alter|modif|adjust|reduc)\w*",
        ),
        end: pattern(r"[;\n]|[.?!](?:\s|$)|,?\s(?:but|however|whereas)\s"),
        before: pattern(
            r"(?x) (?:^|[,(])\s*(?:no|not|against|contraindicated)\b
            | \b(?:lack|absence)\ of\ (?:benefit|response|indication|effect)\ (?:from|to|for|of|with)\b
            | \bno\ (?:benefit|gain|value|use)\ (?:from|of|in|with|for)\b
            | \b (?: avoid(?:ing|ance\ of)? | without | instead\ of | rather\ than | in\ (?:place|lieu)\ of | never | ceas(?:e|ing) | stop(?:ping)? | remov(?:e|ing)
                | discontinu(?:e|ing) | withdraw(?:ing|al\ of)? | (?:with)?hold(?:ing)?(?:\ off)? | omit(?:ting)? | drop(?:ping)? | defer(?:ring)? | for(?:e)?go(?:ing)?
                | refrain(?:ing)?\ from | replac(?:e|es|ing) | (?:advise|recommend|decide)\w*\ against | exclud(?:e|ing)
                | (?:switch|chang|convert|transition|mov)\w*\ (?:away\ )?from | no\ (?:more|further|role\ for|indication\ for|place\ for|(?:need|reason)\ (?:for|to\ \w+)|longer\ (?:give|needs?|a\ candidate\ for|eligible\ for))
                | (?:do|does|did|should|must|would|will|can|could|may|shall)\ ?not | (?:do|does|should|must|wo|ca)n['’]t
                | not\ (?:give|giving|to\ give|use|using|offer|recommend|start|add|continue|a\ candidate\ for|eligible\ for|suitable\ for|indicated\ for)
                | (?:ineligible|unsuitable)\ for | minus | except(?:ing|\ for)? | other\ than | (?:with\ )?the\ exception\ of ) \b
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
            | (?P<bare>^\s*|\s)(?:withheld|withdrawn|held|omitted|removed|stopped|discontinued|dropped|excluded|deferred|off)\b",
        ),
        instead: pattern(r"(?:,|\band)\s+(?:then\s+)?(?:start|give|begin|use|continue|offer|add)\b"),
        turn: pattern(
            r"\b(?:then|start(?:ing)?|give|begin|use|continue|proceed|offer|add|prefer|choose|until|in favou?r of)\b|→|->|:",
        ),
        joined: pattern(
            r"^\s*\(?\)?\s*(?:/|\+|&|(?P<comma>,)|,?\s*(?P<word>and|or|nor|plus|such as|including|like)\b)?\s*(?:both\s|the\s|all\s)?\s*$",
        ),
        too: pattern(r"\b(?:too|as well|likewise|also)[.)\s]*$"),
        except: pattern(r"\b(?:minus|except(?:ing)?|other than|besides|exception of)\b"),
        nothing: pattern(
            r"\b(?:no|not|none|nothing|never|without|avoid\w*|stop\w*|(?:with)?hold\w*|omit\w*|discontinu\w*)\b|n['’]t\b",
        ),
        change: pattern(
            r"(?x) ^(?:\s+|-)(?:(?:dos(?:e|ing|age)|schedule|treatment|therapy)\s+)?
              (?: reductions? | interruptions? | adjustments? | modifications? | changes? | delays? | holds? | breaks? | pauses? | alterations? | omissions?
                | discontinuation | cessation | withdrawal | (?:de-?)?escalation | increases? )\b",
        ),
        dose: pattern(
            r"^(?:\s+|-)dos(?:e|ing|age)\s+(?:reduction|adjustment|modification|change|(?:de-?)?escalation|increase)s?\b",
        ),
        ending: pattern(r"^\s*(?:stop|hold|withhold|discontinue|omit|cease)\b"),
        later: pattern(
            r"(?x) ^ (?:\s\w+)? ,? \s
              (?: only\ (?:if|on|at|upon|for|when|in)\b | for\ (?:any\ )?grade\b
                | (?:only\ )? (?:if|in\ case\ of|in\ the\ event\ of|should)\b .{0,30} \b(?:inr|toxicit\w*|grade|diarrh\w*|neutrop\w*|mucositis|hand-foot|bleed\w*)\b )",
        ),
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
            let excepts = CUES.except.is_match(word);
            if excepts && CUES.nothing.is_match(&self.text[..cue.start()]) {
                continue;
            }
            let spares = word == "not" && CUES.ending.is_match(self.text);
            let mut from = self.at + cue.end();
            let mut named = false;
            for it in within.iter().copied().filter(|it| places[*it].start >= self.at + cue.end()) {
                let gap = self.between(from, places[it].start);
                if (named && turns(word, gap, cue.start() == 0))
                    || CUES.instead.is_match(gap)
                    || (in_brackets && gap.contains(')'))
                    || CUES.except.is_match(gap)
                    || (is_ending(word) && gap.trim_end().ends_with(", not"))
                {
                    break;
                }
                if !named
                    && (is_of_another(word, gap)
                        || (excepts && !adjoins(gap))
                        || (spares && adjoins(gap))
                        || self.keeps(word, places, within, it))
                {
                    break;
                }
                refused[it] = true;
                named = true;
                from = places[it].end;
            }
        }
    }

    /// Whether the word is against a change of the treatment, or of a row that it begins, or is meant for later: it goes on.
    fn keeps(&self, word: &str, places: &[Range<usize>], within: &[usize], first: usize) -> bool {
        let mut last = first;
        for next in within.iter().copied().filter(|it| *it > first) {
            if !CUES.joined.is_match(self.between(places[last].end, places[next].start)) {
                break;
            }
            last = next;
        }
        let rest = &self.text[places[last].end - self.at..];
        match is_ending(word) {
            true => CUES.dose.is_match(rest) || CUES.later.is_match(rest),
            false => CUES.change.is_match(rest),
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
            if nearest.is_some_and(|it| is_of_change(self.between(places[*it].end, self.at + cue.start()))) {
                continue;
            }
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

/// Words against a treatment that is given now. They end it, and what follows may say when.
fn is_ending(word: &str) -> bool {
    const ENDING: [&str; 10] =
        ["stop", "hold", "withhold", "discontinu", "withdraw", "ceas", "omit", "drop", "defer", "remov"];
    ENDING.iter().any(|it| word.starts_with(it))
}

/// "A interruption is not recommended"
fn is_of_change(between: &str) -> bool {
    let change = CUES.change.find(between);
    change.is_some_and(|it| ["", "is", "are", "was", "were"].contains(&between[it.end()..].trim()))
}

/// Whether nothing but articles stands between a word and a treatment.
fn adjoins(gap: &str) -> bool {
    gap.split_whitespace().all(|it| ["for", "the", "of", "any", "all", "a", "an"].contains(&it))
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

#[cfg(test)]
mod tests {
    use super::super::treatments::tests::check_left_out;

    const ONE: &[&str] = &["trastuzumab"];

    #[test]
    fn a_word_against_a_change_of_a_treatment_leaves_it_recommended() {
        for text in [
            "Proceed without trastuzumab dose reduction",
            "Continue without trastuzumab interruption",
            "No trastuzumab dose modification needed",
            "No docetaxel or trastuzumab dose changes",
            "Avoid trastuzumab discontinuation",
            "Trastuzumab interruption is not recommended",
            "Hold trastuzumab dose increase",
            "No need to stop trastuzumab",
            "No indication to stop trastuzumab",
            "It is not necessary to hold trastuzumab",
            "Trastuzumab does not have to be stopped",
            "Without modification of trastuzumab",
            "Without skipping trastuzumab",
            "Stopping trastuzumab is not required",
            "Discontinuation of trastuzumab is not recommended",
            "Rather than stopping trastuzumab, go on as before",
            "Advise against stopping trastuzumab",
            "Avoid abrupt discontinuation of trastuzumab",
            "No alternative to trastuzumab",
            "Stop pertuzumab, not trastuzumab",
        ] {
            check_left_out(text, &[], ONE);
        }
        for text in [
            "No reason to continue trastuzumab",
            "Capecitabine, no need for trastuzumab",
            "No indication for dose-dense trastuzumab",
            "Stop trastuzumab - change to capecitabine",
            "No trastuzumab, change to capecitabine",
            "Stop trastuzumab dosing",
            "No further dosing of trastuzumab",
            "Hold trastuzumab dose on day 1",
            "Without reducing capecitabine, stop trastuzumab",
            "Stopping trastuzumab is recommended",
            "Hold surgery, not a candidate for trastuzumab",
            "Trastuzumab maintenance is not indicated",
            "Withdraw trastuzumab",
            "Trastuzumab withdrawn",
        ] {
            check_left_out(text, ONE, &[]);
        }
    }

    #[test]
    fn what_is_to_be_stopped_if_something_happens_goes_on() {
        for text in [
            "Hold trastuzumab if diarrhea",
            "Hold trastuzumab if the INR rises above 4",
            "Hold trastuzumab for grade 3 diarrhea",
            "Discontinue trastuzumab only on progression",
            "Stop trastuzumab in case of bleeding",
        ] {
            check_left_out(text, &[], ONE);
        }
        for text in [
            "Stop trastuzumab and give capecitabine, reduce if toxicity",
            "Stop trastuzumab; if diarrhea, loperamide",
            "Stop trastuzumab at progression",
            "Hold trastuzumab given the recent bleed",
            "Hold trastuzumab until delivery",
        ] {
            check_left_out(text, ONE, &[]);
        }
    }

    #[test]
    fn an_exception_is_left_out_and_of_nothing_it_is_what_is_given() {
        for text in [
            "Continue all agents except trastuzumab",
            "Current regimen minus trastuzumab",
            "Everything with the exception of trastuzumab",
            "Any antibody other than trastuzumab",
        ] {
            check_left_out(text, ONE, &[]);
        }
        for text in [
            "Nothing except trastuzumab",
            "Stop all agents except trastuzumab",
            "No systemic therapy other than trastuzumab",
            "No HER2-directed therapy except trastuzumab",
        ] {
            check_left_out(text, &[], ONE);
        }
        check_left_out("Capecitabine except on days of radiotherapy", &[], &["capecitabine", "radiotherapy"]);
    }

    #[test]
    fn a_word_against_harm_is_neither_for_nor_against_the_treatment() {
        for text in
            ["Avoid trastuzumab toxicity", "No trastuzumab-related toxicity", "No trastuzumab-warfarin interaction"]
        {
            check_left_out(text, ONE, &[]);
        }
        check_left_out("Capecitabine to avoid trastuzumab toxicity", ONE, &["capecitabine"]);
    }
}
