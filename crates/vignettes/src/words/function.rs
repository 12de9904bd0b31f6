//! Words that tell what their neighbour is: prepositions, conjunctions, auxiliaries, adverbs.
use crate::words::WordList;

pub(crate) fn is_preposition(word: &str) -> bool {
    PREPOSITION.has(word)
}

pub(crate) fn is_conjunction(word: &str) -> bool {
    matches!(word, "and" | "or" | "but" | "nor" | "yet" | "so") || is_subordinator(word)
}

/// Begins a clause of its own.
pub(crate) fn is_subordinator(word: &str) -> bool {
    SUBORDINATOR.has(word)
}

pub(crate) fn is_determiner(word: &str) -> bool {
    DETERMINER.has(word)
}

pub(crate) fn is_possessive(word: &str) -> bool {
    matches!(word, "his" | "her" | "their" | "my" | "our" | "your" | "its")
        || word.ends_with("'s")
        || word.ends_with("s'")
}

pub(crate) fn is_pronoun(word: &str) -> bool {
    PRONOUN.has(word)
}

pub(crate) fn is_auxiliary(word: &str) -> bool {
    AUXILIARY.has(word)
}

pub(crate) fn is_particle(word: &str) -> bool {
    matches!(word, "up" | "out" | "off" | "away" | "down" | "aside" | "alone" | "together" | "apart")
}

/// Says when or where, after an object.
pub(crate) fn is_time_adverb(word: &str) -> bool {
    TIME_ADVERB.has(word)
}

/// May stand between a subject and its verb.
pub(crate) fn is_adverb(word: &str) -> bool {
    ADVERB.has(word) || (word.len() > 4 && word.ends_with("ly") && !is_adjective_in_ly(word))
}

fn is_adjective_in_ly(word: &str) -> bool {
    ADJECTIVE_IN_LY.has(word)
}

static PREPOSITION: WordList = WordList::new(
    "of in on at by for from with without within to into onto about after before during since until till through \
     throughout over under between against among upon toward towards across along around near behind beyond despite \
     except regarding concerning following per via like unlike versus",
);

static SUBORDINATOR: WordList = WordList::new(
    "because although though while whilst if unless when whenever where whether that which who whom whose what why \
     how than as whereas once",
);

static DETERMINER: WordList =
    WordList::new("a an the this that these those some any no each every all both either neither another several");

static PRONOUN: WordList = WordList::new(
    "i you we it they he she me us them him himself herself itself themselves something anything nothing everything \
     someone anyone everyone nobody",
);

static AUXILIARY: WordList = WordList::new(
    "is was are were be been being am has have had having does do did will would can could shall should may might \
     must cannot not isn't wasn't hasn't doesn't didn't hadn't won't wouldn't can't couldn't shouldn't aren't weren't \
     haven't don't",
);

static TIME_ADVERB: WordList = WordList::new(
    "today yesterday tomorrow tonight now then again here there anymore twice yet already also too instead either \
     earlier later afterward afterwards immediately overnight periodically regularly",
);

static ADVERB: WordList = WordList::new(
    "also already always never ever often only just really still now then sometimes rarely seldom perhaps maybe thus \
     therefore however otherwise further furthermore moreover additionally first next later soon once twice almost \
     even again too not no longer himself herself alone both all instead nevertheless nonetheless at times today \
     yesterday afterwards nowadays neither either hence long frequently once-daily since quite so much more simply \
     overall",
);

static ADJECTIVE_IN_LY: WordList = WordList::new(
    "elderly family friendly lonely likely unlikely sickly costly orderly lively ugly deadly belly reply apply supply \
     rely comply multiply imply butterfly assembly anomaly bodily curly bubbly wooly woolly early",
);
