//! What must change around a hole in a sentence, by rule.

use super::clause;
use super::words::{is_finite, is_noun_of, leads_only, needs_complement};
use crate::Span;
use crate::rewrite::Edit;
use crate::token::Text;
use crate::words::function::{is_adverb, is_auxiliary, is_conjunction, is_determiner, is_possessive};

/// The hole and its surroundings, as places among the tokens.
pub(super) struct Hole<'a, 't> {
    pub text: &'a Text<'t>,
    pub first: usize,
    /// The tokens of its sentence: from, and up to but without.
    pub from: usize,
    pub to: usize,
    /// Tokens to go, the finding among them.
    pub cut: (usize, usize),
    /// Words that become others.
    pub changed: Vec<(usize, String)>,
}

/// With the sentence as it was, unless it goes whole. `others` are findings that must stay.
pub(super) fn repairs(source: &str, span: Span, others: &[Span]) -> (Vec<Edit>, Option<Span>) {
    let text = Text::new(source);
    let inside = |at: &usize| text.tokens[*at].span.start < span.end && text.tokens[*at].span.end > span.start;
    let Some(first) = (0..text.len()).find(inside) else { return (Vec::new(), None) };
    let last = (first..text.len()).take_while(inside).last().unwrap_or(first);
    let from = text.sentence_start(first);
    let to = (first..text.len()).take_while(|&at| text.same_sentence(at, first)).last().map_or(first, |at| at) + 1;
    let to = to.max(last + 1);
    let mut hole = Hole { text: &text, first, from, to, cut: (first, last), changed: Vec::new() };
    hole.mend();
    let reach = Span { start: text.tokens[hole.cut.0].span.start, end: text.tokens[hole.cut.1].span.end };
    if others.iter().any(|other| other.start < reach.end && reach.start < other.end) {
        // Rough grammar is better than a second finding gone.
        hole.cut = (first, last);
        hole.changed.clear();
    }
    let inside_other = |at: usize| {
        others.iter().any(|other| other.start < text.tokens[at].span.end && text.tokens[at].span.start < other.end)
    };
    hole.changed.retain(|(at, _)| !inside_other(*at));
    let sentence = Span { start: text.tokens[from].span.start, end: text.tokens[to - 1].span.end };
    let stays = hole.cut.0 > from || hole.cut.1 + 1 < to;
    (hole.edits(source, span), stays.then_some(sentence))
}

impl Hole<'_, '_> {
    pub fn left(&self) -> &str {
        if self.cut.0 > self.from { self.text.word(self.cut.0 - 1) } else { "" }
    }

    pub fn right(&self) -> &str {
        if self.cut.1 + 1 < self.to { self.text.word(self.cut.1 + 1) } else { "" }
    }

    pub fn ends_after(&self) -> bool {
        matches!(self.right(), "" | "." | "?" | "!" | ";" | ":" | ")")
    }

    fn joined_right(&self) -> bool {
        matches!(self.right(), "and" | "or" | "but")
            || clause::is_comma(self.text, self.cut.1 + 1) && self.right() == ","
    }

    fn mend(&mut self) {
        self.take_relative_clause();
        if self.is_clause_between_commas() {
            self.cut = (self.cut.0 - 1, self.cut.1 + 1);
        } else if self.is_after_not_only() {
            self.cut.0 -= 2;
            self.cut.1 += 1;
            self.cut.1 += usize::from(self.right() == "also");
        } else if self.left() == "" && self.ends_after() {
            clause::drop_clause(self);
        } else if self.left() == "(" && self.right() == ")" {
            self.cut = (self.cut.0 - 1, self.cut.1 + 1);
        } else if let Some(neither) = self.neither() {
            self.mend_neither(neither);
        } else if self.opens_before_clause() {
            self.cut.1 += usize::from(self.right() == ",");
        } else if matches!(self.left(), "that" | "which" | "who")
            && is_finite(self.text, self.first)
            && self.cut.0 > self.from + 1
        {
            // `a cold that [got worse]`: the noun stays.
            self.cut.0 -= 1 + usize::from(self.text.word(self.cut.0 - 2) == ",");
        } else if self.is_main_clause() || self.was_subject() {
            clause::drop_clause(self);
        } else if self.holds_the_verb() {
            self.mend_predicate();
        } else if self.is_modifier() {
            // `a crushing pain`: the noun stays. `an asymptomatic, [red] papule`: the comma parted two words of it.
            self.cut.0 -= usize::from(self.is_second_adjective());
        } else if self.is_adjunct() {
            self.mend_adjunct();
        } else {
            self.mend_item();
        }
        self.tidy();
    }

    /// Marks that now stand side by side, and a sentence of which nothing is left.
    fn tidy(&mut self) {
        let around_nothing = |open: &str, close: &str| {
            matches!((open, close), ("(", ")") | ("[", "]") | ("\"", "\"") | ("\u{201c}", "\u{201d}"))
        };
        if around_nothing(self.left(), self.right()) {
            self.cut = (self.cut.0 - 1, self.cut.1 + 1);
        }
        // The dash of a list of lines, with nothing behind it.
        let alone = self.cut.0 == self.from + 1 && self.right() == "";
        if alone && matches!(self.left(), "-" | "*" | "\u{2022}" | "\u{2013}") {
            self.cut.0 -= 1;
        }
        if self.left() == "," && (self.right() == "," || self.ends_after()) {
            self.cut.0 -= 1;
        }
        if self.left() == "" && self.right() == "," {
            self.cut.1 += 1;
        }
        if self.left() == "" && matches!(self.right(), "." | "?" | "!") {
            self.cut.1 += 1;
        }
    }

    /// `[a pain] that began today`: what is told of the finding goes with it.
    fn take_relative_clause(&mut self) {
        let attached =
            usize::from(self.right() == "," && matches!(self.text.word(self.cut.1 + 2), "where" | "which" | "who"));
        let opens = self.text.word(self.cut.1 + 1 + attached);
        if self.cut.1 + 1 >= self.to || !matches!(opens, "that" | "which" | "who" | "where") {
            return;
        }
        self.cut.1 += attached;
        let mut at = self.cut.1 + 1;
        while at + 1 < self.to
            && !self.text.is_mark(at + 1)
            && !(matches!(self.text.word(at + 1), "and" | "but") && clause::begins(self.text, at + 1, self.to))
        {
            at += 1;
        }
        self.cut.1 = at;
    }

    /// `The pain, [which began today], is severe`: both commas were its own.
    fn is_clause_between_commas(&self) -> bool {
        let opens = matches!(self.text.word(self.first), "which" | "who" | "whose" | "where");
        opens && self.left() == "," && self.right() == "," && is_finite(self.text, self.cut.1 + 2)
    }

    /// `not only [febrile] but also tachycardic`
    fn is_after_not_only(&self) -> bool {
        let not_only = self.left() == "only" && self.cut.0 >= self.from + 2 && self.text.word(self.cut.0 - 2) == "not";
        not_only && self.right() == "but"
    }

    /// Behind an article, an adjective and a comma.
    fn is_second_adjective(&self) -> bool {
        let told = self.cut.0 >= self.from + 3 && clause::is_comma(self.text, self.cut.0 - 1);
        told && {
            let (article, word) = (self.text.word(self.cut.0 - 3), self.text.word(self.cut.0 - 2));
            let ends = ["ic", "al", "ous", "ed", "ive", "ful", "less", "ish", "ary"];
            (is_determiner(article) || is_possessive(article)) && ends.iter().any(|end| word.ends_with(end))
        }
    }

    fn mend_adjunct(&mut self) {
        if self.left() == "" && self.right() == "," {
            self.cut.1 += 1;
        } else if matches!(self.left(), "," | "and" | "or" | "but") && (self.ends_after() || self.right() == ",") {
            self.take_connector_left();
        }
    }

    fn mend_predicate(&mut self) {
        if matches!(self.left(), "he" | "she" | "they") {
            self.take_time_right();
        }
        while self.cut.0 > self.from && (is_adverb(self.left()) || self.left() == "then") && !self.left().is_empty() {
            self.cut.0 -= 1;
        }
        let shares_subject =
            matches!(self.left(), "and" | "or" | "but") && (self.first..=self.cut.1).any(|at| is_finite(self.text, at));
        let own_subject = (self.first..=self.cut.1)
            .any(|at| matches!(self.text.word(at), "he" | "she" | "it" | "they"))
            && is_finite_after_subject(self);
        if self.joined_right() && self.verb_after_connector() && !own_subject && self.left() != "" {
            self.take_connector_right();
        } else if shares_subject {
            let conjunction = self.left().to_owned();
            self.take_connector_left();
            let comma =
                (self.from..self.cut.0).rev().find(|&at| clause::is_comma(self.text, at) && self.goes_on_at(at + 1));
            if let Some(comma) = comma.filter(|_| self.ends_after()) {
                self.changed.push((comma, format!(" {conjunction}")));
            }
        } else {
            clause::drop_clause(self);
        }
    }

    /// Another verb, or a clause like the one that went: `her pulse is 116/min, her respirations are 26/min, and [her …]`.
    fn goes_on_at(&self, at: usize) -> bool {
        is_finite(self.text, at) || is_possessive(self.text.word(at)) && clause::begins(self.text, at, self.cut.0)
    }

    /// `He [came here] last year and shares a room`: when it was goes with the finding.
    fn take_time_right(&mut self) {
        let and = (self.cut.1 + 1..self.to.min(self.cut.1 + 5)).find(|&at| self.text.word(at) == "and");
        let plain = |at: usize| !self.text.is_mark(at) && !is_finite(self.text, at);
        if let Some(and) = and
            && is_finite(self.text, and + 1)
            && (self.cut.1 + 1..and).all(plain)
        {
            self.cut.1 = and - 1;
        }
    }

    fn verb_after_connector(&self) -> bool {
        let mut at = self.cut.1 + 1;
        while matches!(self.text.word(at), "," | "and" | "but" | "or" | "then") || is_adverb(self.text.word(at)) {
            at += 1;
        }
        at < self.to && is_finite(self.text, at)
    }

    /// A finding that is one of a list, or all a verb or preposition has.
    fn mend_item(&mut self) {
        let joined_left =
            matches!(self.left(), "," | "and" | "or" | "but") && clause::is_comma_or_word(self.text, self.cut.0 - 1);
        let joined_right = self.joined_right();
        let clause_right = joined_right && clause::begins(self.text, self.cut.1 + 1, self.to);
        if joined_right && !clause_right && self.verb_after_connector() && !joined_left {
            self.mend_shared_subject();
        } else if joined_left && (self.left() != "," || joined_right || self.ends_after()) {
            if joined_right && !clause_right && self.left() != "," && self.right() != "," {
                self.take_connector_right();
            } else {
                self.mend_last_item();
            }
        } else if joined_right && !clause_right {
            self.take_connector_right();
            self.drop_comma_before_and();
        } else {
            self.mend_governor();
        }
    }

    /// `He has [a cough] and smokes.` → `He smokes.`; `wakes with [sweats] and has …` → `wakes and has …`
    fn mend_shared_subject(&mut self) {
        self.take_lead();
        if needs_complement(self.left()) {
            self.take_verb();
            self.take_connector_right();
        }
    }

    /// What only leads to the finding: `of`, `a`, `a two-week history of`.
    fn take_lead(&mut self) {
        let mut of = false;
        while self.cut.0 > self.from {
            let word = self.left();
            let number = self.text.is_number(self.cut.0 - 1) || super::words::belongs_to_lead(word);
            if !(leads_only(word)
                || of && (is_noun_of(word) || number)
                || is_adverb(word) && self.cut.0 > self.from + 1 && needs_complement(self.text.word(self.cut.0 - 2)))
            {
                break;
            }
            of = word == "of" || of && (number || is_noun_of(word));
            self.cut.0 -= 1;
        }
    }

    /// The verb that lost its complement, with its auxiliaries and adverbs.
    fn take_verb(&mut self) {
        while self.cut.0 > self.from
            && (needs_complement(self.left()) || is_auxiliary(self.left()) || is_adverb(self.left()))
        {
            self.cut.0 -= 1;
        }
    }

    /// Takes along what only leads to the finding, then what has lost its only complement.
    fn mend_governor(&mut self) {
        self.take_lead();
        let subject_lost = matches!(self.left(), "" | ",") || is_conjunction(self.left());
        let stands = !subject_lost || self.ends_after();
        if !needs_complement(self.left()) && stands {
            if matches!(self.left(), "," | "and" | "or") && self.ends_after() {
                self.take_connector_left();
            }
            return;
        }
        if needs_complement(self.left())
            && let Some(connector) = clause::connector_after(self)
        {
            self.cut.1 = connector;
            return;
        }
        let kept = self.cut.0;
        self.take_verb();
        let goes_on = is_finite(self.text, self.cut.1 + 1) || self.ends_after();
        if matches!(self.left(), "who" | "which" | "that") && goes_on && self.cut.0 > self.from + 1 {
            self.cut.0 -= 1 + usize::from(self.text.word(self.cut.0 - 2) == ",");
        } else if matches!(self.left(), "and" | "or" | "but") && self.ends_after() && self.cut.0 < kept {
            self.take_connector_left();
        } else {
            self.cut.0 = kept;
            clause::drop_clause(self);
            if self.cut.0 == kept && self.ends_after() {
                // `A 30-year-old man has [a fever].`: who the patient is stays, as a note would say it.
                self.take_verb();
            }
        }
    }
}

/// The finding has a clause of its own in it: `[her lips are blue and she gasps]`.
fn is_finite_after_subject(hole: &Hole<'_, '_>) -> bool {
    matches!(hole.text.word(hole.first), "he" | "she" | "it" | "they" | "his" | "her" | "their" | "the")
}
