//! What the finding was in its sentence.

use super::clause;
use super::repair::Hole;
use super::words::{is_finite, leads_only, needs_complement, stands_alone};
use crate::words::function::{
    is_adverb, is_auxiliary, is_conjunction, is_determiner, is_possessive, is_preposition, is_subordinator,
};
use crate::words::verbs::plural;

impl Hole<'_, '_> {
    /// `When he lies back, [his eyes beat].`: what is left says nothing.
    pub fn is_main_clause(&self) -> bool {
        let opens = is_subordinator(self.text.word(self.from)) || is_preposition(self.text.word(self.from));
        self.left() == "," && self.ends_after() && opens && self.has_verb()
    }

    /// `[Two days ago] he fell.`, `[When he coughs], his chest hurts.`: what follows is a sentence by itself.
    pub fn opens_before_clause(&self) -> bool {
        let first = self.text.word(self.first);
        let hangs = is_preposition(first) || is_subordinator(first) || self.tells_when() || !self.has_verb();
        let next = self.cut.1 + 1 + usize::from(self.right() == ",");
        let word = self.text.word(next);
        let subject = matches!(word, "he" | "she" | "they" | "it" | "there" | "i" | "we")
            || (is_determiner(word) || is_possessive(word)) && clause::begins(self.text, next, self.to);
        self.left() == "" && hangs && next < self.to && subject
    }

    /// `two days ago`, `last night`
    fn tells_when(&self) -> bool {
        matches!(self.text.word(self.first), "last" | "yesterday" | "today" | "tonight" | "overnight")
            || matches!(self.text.word(self.cut.1), "ago" | "earlier" | "later" | "ahead")
    }

    /// `This morning [diarrhoea] began.`
    pub fn was_subject(&self) -> bool {
        let start = clause::start(self);
        let left_has_none = (start..self.cut.0).all(|at| !is_finite(self.text, at));
        is_noun_like(self.left()) && left_has_none && is_finite(self.text, self.cut.1 + 1) && !self.has_verb()
    }

    /// Words before a noun that stays.
    pub fn is_modifier(&self) -> bool {
        let right = self.right();
        let content = !right.is_empty() && !self.text.is_mark(self.cut.1 + 1) && !closes_a_phrase(right);
        content
            && !is_finite(self.text, self.cut.1 + 1)
            && self.left() != ""
            && !is_conjunction(self.left())
            && !is_auxiliary(self.left())
    }

    /// `for two days`, `radiating to the arm`, `which began today`: nothing hangs on it.
    pub fn is_adjunct(&self) -> bool {
        let word = self.text.word(self.first);
        let participle = word.len() > 5 && word.ends_with("ing") && is_noun_like(self.left());
        let loose = is_preposition(word)
            || is_subordinator(word)
            || participle
            || self.tells_when()
            || (is_adverb(word) && !is_determiner(word));
        let governor = (self.from..self.cut.0).rev().map(|at| self.text.word(at)).find(|word| !is_adverb(word));
        loose && !governor.is_some_and(|word| needs_complement(word) && !stands_alone(word) || leads_only(word))
    }

    /// The finding brings the verb of its clause: `He [has had fever since Monday].`, `Since then [her calf has been sore].`
    pub fn holds_the_verb(&self) -> bool {
        let start = clause::start(self);
        let left_has_none = (start..self.cut.0).all(|at| !is_finite(self.text, at));
        let left = self.left();
        let joined = matches!(left, "and" | "or" | "but" | "then");
        let own_verb = self.has_verb();
        let pronoun = matches!(left, "he" | "she" | "it" | "they" | "who");
        let of_noun = is_noun_like(left) && plural(self.text.word(self.first)).is_some() && self.first > start;
        pronoun
            || left_has_none && (own_verb || of_noun && self.ends_after())
            || joined && is_finite(self.text, self.first)
            || left == "that" && own_verb
    }

    /// A verb of its own, not one of a clause inside it.
    pub fn has_verb(&self) -> bool {
        let outer =
            (self.first..=self.cut.1).take_while(|&at| at == self.first || !is_subordinator(self.text.word(at)));
        outer.into_iter().any(|at| is_finite(self.text, at))
    }
}

fn closes_a_phrase(word: &str) -> bool {
    is_preposition(word) || is_conjunction(word) || is_auxiliary(word) || is_adverb(word) || is_determiner(word)
}

fn is_noun_like(word: &str) -> bool {
    !word.is_empty() && !closes_a_phrase(word)
}
