//! What a word next to a hole needs.

use crate::token::Text;
use crate::words::WordList;
use crate::words::function::{is_adverb, is_determiner, is_possessive, is_preposition};
use crate::words::verbs::{is_also_a_noun, is_clear_singular};

/// A verb that makes a clause: `is`, `has`, `shows`, `began`, and forms in -ed after a subject.
pub(super) fn is_finite(text: &Text<'_>, at: usize) -> bool {
    let word = text.word(at);
    if FINITE.has(word) {
        return true;
    }
    let before = text.before(at, 1);
    let after_subject =
        matches!(before, "he" | "she" | "it" | "they" | "who" | "which" | "and" | "but" | "or" | "then")
            || is_adverb(before);
    if is_clear_singular(word) {
        return !is_also_a_noun(word)
            || after_subject
            || is_determiner(text.word(at + 1))
            || is_possessive(text.word(at + 1));
    }
    let past = word.len() > 4 && word.ends_with("ed") && after_subject && before != "and" && before != "or";
    let unlisted =
        word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && matches!(before, "he" | "she" | "it" | "who");
    past || unlisted
}

/// Words that make no sense without what they lead to.
pub(super) fn leads_only(word: &str) -> bool {
    is_determiner(word) || is_possessive(word) || is_preposition(word) || LEADS.has(word)
}

/// `history of`, `episodes of`: nouns that only lead to what they are of.
pub(super) fn is_noun_of(word: &str) -> bool {
    NOUNS_OF.has(word)
}

pub(super) fn belongs_to_lead(word: &str) -> bool {
    BELONGS.has(word)
}

/// Verbs that say nothing alone.
pub(super) fn needs_complement(word: &str) -> bool {
    NEEDY.has(word)
}

/// Verbs that are whole without what tells when or where: `The pain started [after lunch].`
pub(super) fn stands_alone(word: &str) -> bool {
    matches!(word, "started" | "starts" | "developed" | "develops")
}

/// Verbs that say nothing without an object, whatever follows; `is`, `feels` or `started` can go on with a place or a time.
pub(super) fn needs_object(word: &str) -> bool {
    NEEDS_OBJECT.has(word)
}

static NEEDS_OBJECT: WordList = WordList::new(
    "has had have having shows showed show reveals revealed reveal demonstrates demonstrated reports denies denied takes took includes included \
     describes described experiences confirms confirmed discloses contains contained noticed notices detects indicates suggests yields \
     admits mentions underwent received lacks",
);

static FINITE: WordList = WordList::new(
    "is are was were has had have does do did can cannot could will would should must may might began came went flew broke lost felt \
     found fell took gave got made said saw told woke ate drank slept spoke kept became brought thought stood sat ran grew knew \
     showed began shows reveals help helps hurt hurts shake shakes wake wakes wakes ease eases stop stops runs spreads goes stay seem \
     seems look looks fell craves drools drags beats itch itches tingle tingled race raced fit fits return feels eats struck used lasts lasted beat aches tires burns followed follows presents presented comes complains \
     died bled bent blew caught chose dealt drew drove fought forgot forgave froze hid laid lay led lent met paid rang \
     rode rose sang sank shook slid sought spent spilt sprang stole stuck stung swam swelled swore threw tore \
     understood wept won wore wrote swung crept dreamt fled ached",
);

static LEADS: WordList = WordList::new(
    "including include significant notable remarkable because due such as no some any new mild moderate severe complaining",
);

static NOUNS_OF: WordList = WordList::new(
    "history episode episodes onset complaint complaints sensation evidence signs symptoms presence development course diagnosis bout \
     bouts day days week weeks month months hour hours year years attack attacks feeling kind",
);

static BELONGS: WordList = WordList::new(
    "- day week month year hour past medical family remote long term recent sudden acute one two three four five six seven eight nine \
     ten several few",
);

static NEEDY: WordList = WordList::new(
    "has had have having does do did is was are were be been shows showed show reveals revealed demonstrates demonstrated reports reported denies \
     denied takes took includes included notes noted describes described experiences experienced developed develops appears seems feels \
     felt became becomes become not confirms confirmed discloses finds found noticed notices detects hears complains complained suffers \
     indicates suggests yields sees admits mentions says states contains contained gets got makes made craves say followed follows cannot could can will would started starts received underwent",
);
