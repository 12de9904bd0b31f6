//! What an answer says in passing, as people write: `I think this is a pulmonary embolism`, `sounds like gout to me`.
//!
//! Such words also lead to what is no diagnosis at all. So they count only where a known condition follows, and where nothing more formal is said.

use super::supposed::{is_elsewhere, is_supposed};
use regex::Regex;
use std::sync::LazyLock;

/// What a sentence may open with before it says something. Long ones end in a comma.
const OPENING: &str = r"(?:(?:
    so|thus|hence|therefore|to\ conclude|no\ doubt|without\ (?:a\ )?doubt|by\ exclusion|consequently|overall|altogether|finally|ultimately|clinically|actually|honestly|well|okay|ok|yes|wait|hm+|and|but
    |however|now|then|to\ me|in\ my\ (?:opinion|view|judgement|judgment|assessment|reading)|in\ (?:summary|conclusion|short|the\ end)|to\ (?:conclude|sum\ up)
    |all\ in\ all|on\ (?:reflection|balance|second\ thoughts?)|after\ all|correction|scratch\ that|for\ (?:this|these)\ reasons?
  )\s*[,:;.…–—-]*\s+
  |(?:conclusion|answer|final|summary|bottom\ line|tl;?dr|verdict|result|output|response|assistant|prediction)\s*:\s+
  |(?:based\ on|given|considering|with|because\ of|in\ view\ of|in\ light\ of|from|despite|since|as|taking|putting|for|while|although)\ [^.;:]{1,200}?[,:]\s+
)*";

/// `If I had to guess`
const FORCED: &str = r"if\ (?:i\ )?(?:had\ to|have\ to|must|were\ to|am|were|was|forced|pressed|pushed)\ (?:forced\ to\ |to\ )?(?:guess|choose|pick|commit|answer|name\ one)
    \s*[,:–—-]*\s+";

const HEDGE: &str = r"(?:(?:most|more|very|quite|highly|fairly|almost|really|just|best|strongly|clearly|rather)\ )?
    (?:likely|probably|probable|presumably|certainly|definitely|clearly|undoubtedly|explained\ by|due\ to|caused\ by|diagnostic\ of
    |classic\ for|classical\ for|consistent\ with|compatible\ with|typical\ (?:of|for)|suggestive\ of|indicative\ of|characteristic\ of|in\ keeping\ with)\ ";

const CASE: &str = r"(?:an?\ |the\ )?(?:(?:(?:very|rather|quite|fairly)\ )?(?:classic|classical|typical|textbook|clear|straightforward|likely|probable|new)\ )?
    (?:case|example|presentation|picture|episode|instance|diagnosis|form|manifestation|description)\ of\ ";

const SUBJECT: &str = r"(?:this|it|that|these|everything|all\ (?:of\ )?(?:this|that)|he|she|they|you
    |(?:the|this|her|his|their|your|my)\ (?:(?:patient's|overall|whole|clinical|classic|main|actual|real|underlying|likely|most\ likely)\ )*
     (?:picture|presentation|patient|condition|problem|story|case|history|findings?|symptoms?|features?|constellation|scenario|combination|illness
       |vignette|woman|man|lady|gentleman|child|boy|girl|diagnosis|answer|guess|bet|pick|impression|verdict|conclusion|choice))
    (?:\ (?:here|now|alone|in\ this\ case|of\ findings|of\ symptoms|together))?";

/// Firm: whoever says so names it.
const FIRM: &str = r"(?:\ is|'s|\ are|\ must\ be|\ has\ to\ be|\ would\ be|\ should\ be|\ seems\ to\ be|\ seems\ like|\ seem\ to\ be|\ seems|\ appears\ to\ be
    |\ appear\ to\ be|\ looks(?:\ (?:most|very\ much|a\ lot|more))?\ like|\ look\ like|\ sounds(?:\ (?:most|very\ much|a\ lot|more))?\ like|\ sound\ like|\ feels\ like
    |\ represents|\ goes\ to
    |(?:\ (?:most|very|quite|almost))?\ (?:likely|probably|certainly|clearly|definitely|presumably)\ (?:has|have|had|is|are|suffers\ from|represents?)
    |\ (?:has|have)\ (?:most\ |very\ )?(?:likely|probably)|\ is\ (?:most\ |very\ )?(?:likely|probably)\ (?:having|suffering\ from|experiencing)
    |\ is\ suffering\ from)\s+";

const SAID: &str = r"(?:i|we)(?:\ am|'m|\ would|'d|\ will|'ll|\ do)?(?:\ (?:also|still|therefore|thus|now|strongly|mainly|most|rather|be|fairly|quite|pretty|very
    |reasonably|highly|have\ to|must|tend\ to))*
    \ (?:think|believe|suspect|diagnose|guess|say|go\ with|going\ with|go\ for|going\ for|bet\ on|pick|choose|chose|opt\ for|settle\ on|favou?r|conclude
    |lean(?:ing)?\ towards?|assume|presume|call\ (?:it|this)|vote\ for|put|rank|place|confident|sure|certain|convinced|inclined\ to\ say)
    (?:\ (?:that|in|of|on|with|to\ say))?\s*:?\s+";

const MINE: &str = r"(?:my|the)\ (?:(?:first|top|best|leading|main|final|working|one|number\ one|single|most\ likely|likeliest|most\ probable|primary|provisional|clinical|number-one)\ )*
    (?:diagnosis|dx|guess|bet|pick|choice|impression|answer|suspicion|conclusion|verdict|hypothesis|contender|candidate)(?:\ here)?
    \s*(?:\ is|'s|\ would\ be|\ must\ be|\ goes\ to|\ remains|:|=|–|—|-)\s+";

/// Weaker: of findings.
const FINDING: &str = r"(?:the|this|her|his|their)\ [\w-]+(?:\ [\w-]+){0,4}?";
const POINTING: &str = r"(?:\ all)?(?:\ (?:most|strongly|clearly|best|together))*\ (?:points?(?:\ most|\ strongly|\ clearly)?\ (?:to|towards?)|fits?(?:\ best|\ well|\ most\ closely)?(?:\ with)?
    |suggests?|indicates?|supports?|favou?rs?|speaks?\ for|argues?\ for|makes?\ me\ think\ of|makes?\ me\ suspect|screams?)\s+";

const ELLIPSES: &str = r"(?:most\ likely|likeliest|probably|likely|presumably|almost\ certainly|most\ probably|sounds\ (?:most\ )?like|looks\ (?:most\ )?like|suspect|suspected
    |must\ be|has\ to\ be|seems\ like|clearly|definitely|favou?r|final|top|d(?:iagnosis|x)\ (?:is|of))\s*:?\s+";

/// Behind a name.
const BEHIND: &str = r"\ (?:is|seems|appears|remains|would\ be)\ (?:(?:strongly|very|highly|the|quite|by\ far|also|most|clearly)\ )*
    (?:suspected|likely\b|probable|favou?red|my\ (?:\w+\ )?(?:diagnosis|answer|guess|bet|pick|choice|impression)|answer|diagnosis|leading|culprit|likeliest|best\ fit)
    |\ (?:fits|it\ is)(?:\ best|\ better|\ well|\ most)?(?:\ here)?$
    |\ (?:tops|explains|best\ explains)\b|\ should\ be\ (?:number\ one|first)";

struct Patterns {
    firm: Regex,
    pointing: Regex,
    behind: Regex,
    corrects: Regex,
    has: Regex,
    opening: Regex,
}

static PATTERNS: LazyLock<Patterns> = LazyLock::new(|| {
    let made = |pattern: String| Regex::new(&format!("(?xi){pattern}")).expect("the tests use it");
    let bare = format!(r"(?:{HEDGE})*(?:{CASE})?(?:{HEDGE})*");
    let embedded = format!(r"(?:{SUBJECT}(?:{FIRM}|\ (?:has|have|had)\s+))?{bare}");
    Patterns {
        firm: made(format!(
            r"^{OPENING}(?:{SUBJECT}{FIRM}{bare}|{SAID}{embedded}|{MINE}{bare}|{ELLIPSES}{bare}|an?\ {CASE}|{FORCED}(?:(?:{SUBJECT}{FIRM}|{SAID}{embedded}|{MINE})?{bare}))"
        )),
        pointing: made(format!(r"^{OPENING}(?:{SUBJECT}|{FINDING}){POINTING}{bare}")),
        behind: made(format!(r"(?:{BEHIND})(?:\b|$)")),
        corrects: made(
            r"^(?:(?:no|oh|hm+|ok)[\s,.:;–—-]+)?(?:correction|edit|scratch\ that|wait|actually|on\ (?:reflection|second\ thoughts?))\b[\s,.:;–—-]*
            (?:no\b[\s,.:;–—-]*)?"
                .to_owned(),
        ),
        has: made(
            r"^(?:she|he|they|you|(?:the|this|my|your)\ (?:patient|woman|man|child|boy|girl)|patient|pt)(?:\ (?:clearly|definitely|probably|likely|now|really))*
            (?:\ has|\ have|'s\ got|\ has\ got|\ have\ got|'ve\ got|\ is\ having|\ presents\ with)\s+"
                .to_owned(),
        ),
        opening: made(format!("^{OPENING}")),
    }
});

/// In bytes: a sentence that leads to a name is no longer.
const LONGEST: usize = 500;

/// What somebody says it is: `I'd go with gout`.
pub(crate) fn firmly(sentence: &str) -> Option<&str> {
    let sentence = short(sentence)?;
    if is_supposed(sentence) {
        return None;
    }
    // What it was thought to be may come first: `gout was considered; this is cellulitis`.
    let last =
        ["; ", " but ", ", so ", " – ", " — "].iter().filter_map(|it| Some(sentence.rfind(it)? + it.len())).max();
    for clause in last.into_iter().chain([0]).map(|from| &sentence[from..]) {
        if let Some(led) = PATTERNS.firm.find(clause) {
            return Some(without_filler(&clause[led.end()..]));
        }
    }
    let behind = PATTERNS.behind.find(sentence).filter(|it| !is_elsewhere(&sentence[it.end()..]))?;
    let before = &sentence[..behind.start()];
    let from = [", ", " that ", " but ", " and "].iter().filter_map(|it| Some(before.rfind(it)? + it.len())).max();
    Some(concluded(before[from.unwrap_or(0)..].trim()))
}

/// What the findings are said to be of: `the picture fits gout`.
pub(super) fn pointing(sentence: &str) -> Option<&str> {
    let sentence = short(sentence).filter(|it| !is_supposed(it))?;
    let last = [", but ", " but ", "; "].iter().filter_map(|it| Some(sentence.rfind(it)? + it.len())).max();
    let mut clauses = last.into_iter().chain([0]).map(|from| &sentence[from..]);
    clauses.find_map(|it| PATTERNS.pointing.find(it).map(|led| without_filler(&it[led.end()..])))
}

/// `gout here`, `gout to me`
fn without_filler(words: &str) -> &str {
    let fillers = [
        " here",
        " to me",
        " in this case",
        " in this patient",
        " best",
        " first",
        ", i think",
        ", i believe",
        " i think",
        ", in my opinion",
    ];
    let ends = |words: &str, filler: &str| {
        let at = words.len().checked_sub(filler.len()).filter(|at| words.is_char_boundary(*at));
        at.filter(|at| words[*at..].eq_ignore_ascii_case(filler))
    };
    let words = words.trim();
    fillers.iter().find_map(|filler| ends(words, filler)).map_or(words, |at| words[..at].trim())
}

/// What a sentence says in place of what was said before: `Correction: gout`, `No, wait: gout`. Empty where the next one says it.
pub(super) fn corrected(sentence: &str) -> Option<&str> {
    let sentence = short(sentence)?;
    PATTERNS.corrects.find(sentence).map(|it| sentence[it.end()..].trim())
}

/// `She has gout`: a whole answer, and in a longer one perhaps the history.
pub(super) fn had(sentence: &str) -> Option<&str> {
    let sentence = short(sentence).filter(|it| !is_supposed(it))?;
    PATTERNS.has.find(sentence).map(|it| sentence[it.end()..].trim())
}

/// What is left behind words such as `therefore`.
pub(super) fn concluded(sentence: &str) -> &str {
    PATTERNS.opening.find(sentence).map_or(sentence, |it| sentence[it.end()..].trim())
}

fn short(sentence: &str) -> Option<&str> {
    (sentence.len() <= LONGEST).then_some(sentence)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_in_passing_is_found() {
        for text in [
            "I think this is gout",
            "I think it's gout",
            "I believe that the patient has most likely gout",
            "I suspect gout",
            "I'd go with gout",
            "I would therefore diagnose gout",
            "I am fairly confident this is a classic case of gout",
            "This is gout",
            "This is most likely gout",
            "It's probably gout",
            "Based on the red toe and the beer, this sounds like gout",
            "Sounds like gout",
            "Looks like a textbook presentation of gout",
            "My best guess is gout",
            "My top diagnosis: gout",
            "The patient likely has gout",
            "She most likely has gout",
            "Given the toe, I suspect gout",
            "If I had to guess: gout",
            "Most likely gout",
            "A diagnosis of gout is most likely",
            "Gout is strongly suspected",
            "Taking everything together, it must be gout",
            "So, in conclusion, the diagnosis is gout",
        ] {
            let found = firmly(text).map(|it| it.to_lowercase());
            assert!(
                found.as_deref().is_some_and(|it| it.trim_start_matches("a diagnosis of ").starts_with("gout")),
                "{text}: {found:?}"
            );
        }
    }

    #[test]
    fn what_is_denied_or_asked_is_not() {
        for text in [
            "I don't think this is gout",
            "Is this gout?",
            "I cannot say",
            "Nobody thinks this is gout",
            "It could be gout",
        ] {
            assert_eq!(firmly(text), None, "{text}");
        }
    }

    #[test]
    fn findings_point() {
        for text in ["The picture fits gout", "This points to gout", "Overall, the findings strongly suggest gout"] {
            assert_eq!(pointing(text), Some("gout"), "{text}");
        }
    }
}
