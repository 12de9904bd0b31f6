//! What must change around a hole in a sentence, by rule.

use super::clause;
use crate::Span;
use crate::rewrite::{Edit, sounds_open};
use crate::token::Text;
use crate::words::WordList;
use crate::words::capitalised;
use crate::words::function::{
    is_adverb, is_auxiliary, is_conjunction, is_determiner, is_possessive, is_preposition, is_subordinator,
};
use crate::words::verbs::is_clear_singular;

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

pub(super) fn repairs(source: &str, span: Span) -> Vec<Edit> {
    let text = Text::new(source);
    let inside = |at: &usize| text.tokens[*at].span.start < span.end && text.tokens[*at].span.end > span.start;
    let Some(first) = (0..text.len()).find(inside) else { return Vec::new() };
    let last = (first..text.len()).take_while(inside).last().unwrap_or(first);
    let from = text.sentence_start(first);
    let to = (first..text.len()).take_while(|&at| text.same_sentence(at, first)).last().map_or(first + 1, |at| at + 1);
    let to = to.max(last + 1);
    let mut hole = Hole { text: &text, first, from, to, cut: (first, last), changed: Vec::new() };
    hole.mend();
    hole.edits(source, span)
}

impl Hole<'_, '_> {
    fn left(&self) -> &str {
        if self.cut.0 > self.from { self.text.word(self.cut.0 - 1) } else { "" }
    }

    fn right(&self) -> &str {
        if self.cut.1 + 1 < self.to { self.text.word(self.cut.1 + 1) } else { "" }
    }

    fn ends_after(&self) -> bool {
        matches!(self.right(), "" | "." | "?" | "!" | ";" | ":" | ")")
    }

    fn mend(&mut self) {
        if self.left() == "" && self.ends_after() {
            clause::drop_clause(self);
        } else if self.left() == "(" && self.right() == ")" {
            self.cut = (self.cut.0 - 1, self.cut.1 + 1);
        } else if self.is_modifier() {
            // `a crushing pain`: the noun stays.
        } else if self.is_adjunct() {
            self.mend_adjunct();
        } else if self.is_predicate() {
            self.mend_predicate();
        } else {
            self.mend_item();
        }
    }

    /// Words before a noun that stays.
    fn is_modifier(&self) -> bool {
        let right = self.right();
        let content = !right.is_empty() && !self.text.is_mark(self.cut.1 + 1) && !closes_a_phrase(right);
        let verb_follows = is_clear_singular(right) || right.ends_with("ed") || matches!(right, "are" | "were");
        content && !verb_follows && self.left() != "" && !is_conjunction(self.left())
    }

    /// `for two days`, `radiating to the arm`, `which began today`: nothing hangs on it.
    fn is_adjunct(&self) -> bool {
        let word = self.text.word(self.first);
        let participle = word.len() > 5 && word.ends_with("ing") && is_noun_like(self.left());
        is_preposition(word) || is_subordinator(word) || participle || (is_adverb(word) && !is_determiner(word))
    }

    fn mend_adjunct(&mut self) {
        let opens = self.left() == "";
        if opens && self.right() == "," {
            self.cut.1 += 1;
        } else if matches!(self.left(), "," | "and" | "or" | "but") && (self.ends_after() || self.right() == ",") {
            self.take_connector_left();
        } else if matches!(self.right(), "and" | "or") && self.left_is_governor() {
            self.cut.1 += 1;
        }
    }

    /// The finding brings its own verb: `He [has had fever since Monday].`
    fn is_predicate(&self) -> bool {
        let word = self.text.word(self.first);
        is_auxiliary(word) || (is_clear_singular(word) && self.left() != "and" && is_subject(self.left()))
    }

    fn mend_predicate(&mut self) {
        if matches!(self.left(), "and" | "or" | "but") {
            self.take_connector_left();
        } else if matches!(self.right(), "," | "and" | "but") && self.verb_after_connector() {
            self.take_connector_right();
        } else {
            clause::drop_clause(self);
        }
    }

    fn verb_after_connector(&self) -> bool {
        let mut at = self.cut.1 + 1;
        while matches!(self.text.word(at), "," | "and" | "but") || is_adverb(self.text.word(at)) {
            at += 1;
        }
        let word = self.text.word(at);
        is_auxiliary(word) || is_clear_singular(word) || word.ends_with("ed")
    }

    /// A finding that is one of a list, or all a verb or preposition has.
    fn mend_item(&mut self) {
        let joined_left = matches!(self.left(), "," | "and" | "or" | "but");
        let joined_right = matches!(self.right(), "," | "and" | "or");
        let clause_right = joined_right && clause::begins(self.text, self.cut.1 + 1, self.to);
        if joined_left && (self.left() != "," || joined_right || self.ends_after()) {
            if joined_right && !clause_right && self.left() != "," && self.right() != "," {
                self.take_connector_right();
            } else {
                self.mend_last_item();
            }
            return;
        }
        if joined_right && !clause_right {
            self.take_connector_right();
            self.drop_comma_before_and();
            return;
        }
        self.mend_governor();
    }

    /// `fever, chills, and [rigors].` → `fever and chills.`
    fn mend_last_item(&mut self) {
        let conjunction = self.left().to_owned();
        let last_of_list = conjunction != ",";
        let right_goes_on = self.right() == ",";
        self.take_connector_left();
        if !last_of_list {
            // `a, [b], and c` → `a and c`
            if right_goes_on && matches!(self.text.word(self.cut.1 + 2), "and" | "or") && !self.more_items_before() {
                let ends = !clause::begins(self.text, self.cut.1 + 1, self.to);
                if ends {
                    self.cut.1 += 1;
                }
            }
            return;
        }
        if self.right() == "," && !clause::begins(self.text, self.cut.1 + 1, self.to) && self.ends_after() {
            return;
        }
        if let Some(comma) = self.comma_before() {
            self.changed.push((comma, format!(" {conjunction}")));
        }
    }

    /// A comma that parts two items of the same list, left of the hole.
    fn comma_before(&self) -> Option<usize> {
        let low = self.from.max(self.cut.0.saturating_sub(8));
        let comma = (low..self.cut.0).rev().find(|&at| self.text.word(at) == ",")?;
        let between = comma + 1..self.cut.0;
        let plain = between.clone().all(|at| {
            let word = self.text.word(at);
            !is_auxiliary(word) && !is_subordinator(word) && !is_clear_singular(word) && !matches!(word, "and" | "or")
        });
        let opens = (self.from..comma).all(|at| {
            !is_auxiliary(self.text.word(at))
                && !is_clear_singular(self.text.word(at))
                && !is_preposition(self.text.word(at))
        });
        (plain && !between.is_empty() && !opens).then_some(comma)
    }

    fn more_items_before(&self) -> bool {
        self.comma_before().is_some()
    }

    fn drop_comma_before_and(&mut self) {
        // `[a], b, and c` → `b and c`; three items or more keep their commas.
        let commas: Vec<usize> = (self.cut.1 + 1..self.to)
            .take_while(|&at| !matches!(self.text.word(at), ";" | ":"))
            .filter(|&at| self.text.word(at) == ",")
            .take(2)
            .collect();
        if let [comma] | [comma, _] = commas[..]
            && matches!(self.text.word(comma + 1), "and" | "or")
            && !clause::begins(self.text, comma, self.to)
        {
            self.changed.push((comma, String::new()));
        }
    }

    fn take_connector_left(&mut self) {
        self.cut.0 -= 1;
        if self.text.word(self.cut.0) != "," && self.left() == "," {
            self.cut.0 -= 1;
        }
    }

    fn take_connector_right(&mut self) {
        self.cut.1 += 1;
        if self.text.word(self.cut.1) == "," && matches!(self.right(), "and" | "or" | "but") {
            self.cut.1 += 1;
        }
    }

    fn left_is_governor(&self) -> bool {
        let left = self.left();
        is_preposition(left) || needs_complement(left) || is_determiner(left)
    }

    /// Takes along what only leads to the finding, then what has lost its only complement.
    fn mend_governor(&mut self) {
        let mut leads = false;
        while self.cut.0 > self.from && (leads_only(self.left()) || leads && belongs_to_lead(self.text, self.cut.0 - 1))
        {
            leads |= is_preposition(self.left()) || is_noun_of(self.left());
            let noun_of =
                self.left() == "of" && self.cut.0 > self.from + 1 && is_noun_of(self.text.word(self.cut.0 - 2));
            self.cut.0 -= 1;
            leads = noun_of || leads && is_noun_of(self.text.word(self.cut.0)) || is_determiner(self.left());
        }
        let subject_lost = self.left() == "" || is_conjunction(self.left()) || self.left() == ",";
        let verb_alone = needs_complement(self.left());
        if !verb_alone && !(subject_lost && !self.ends_after() && !is_preposition(self.text.word(self.first))) {
            if matches!(self.left(), "," | "and" | "or") && self.ends_after() {
                self.take_connector_left();
            }
            return;
        }
        if let Some(connector) = clause::connector_after(self) {
            self.cut.1 = connector;
            return;
        }
        clause::drop_clause(self);
    }

    fn edits(&self, source: &str, span: Span) -> Vec<Edit> {
        let mut start = self.text.tokens[self.cut.0].span.start.min(span.start);
        let mut end = self.text.tokens[self.cut.1].span.end.max(span.end);
        let whole = self.cut.0 == self.from && self.cut.1 + 1 >= self.to;
        let opens = self.cut.0 == self.from;
        let gap_after = source[end..].len() - source[end..].trim_start().len();
        let tight = source[end..].starts_with(['.', ',', ';', ':', '?', '!', ')']);
        let space_before = source[..start].ends_with(' ');
        if (whole || opens) && gap_after > 0 {
            end += gap_after;
        } else if space_before && (gap_after > 0 || tight || end == source.len()) {
            start -= 1;
        }
        let mut edits = Vec::new();
        let mut put = |from: usize, to: usize, new: &str| {
            if from < to {
                edits.push(Edit {
                    at: Span { start: from, end: to },
                    from: source[from..to].to_owned(),
                    to: new.to_owned(),
                });
            }
        };
        put(start, span.start, "");
        put(span.end, end, "");
        for (at, new) in &self.changed {
            let span = self.text.tokens[*at].span;
            put(span.start, span.end, new);
        }
        if opens && !whole {
            let next = &self.text.tokens[self.cut.1 + 1].span;
            let raised = capitalised(next.of(source));
            if raised != next.of(source) && !self.changed.iter().any(|(at, _)| *at == self.cut.1 + 1) {
                put(next.start, next.end, &raised);
            }
        } else if self.cut.1 + 1 < self.to && matches!(self.left(), "a" | "an") {
            let article = self.text.tokens[self.cut.0 - 1].span;
            let fitting = if sounds_open(self.right()) { "an" } else { "a" };
            if self.left() != fitting {
                put(article.start, article.end, fitting);
            }
        }
        edits.sort_by_key(|edit| edit.at);
        edits
    }
}

fn closes_a_phrase(word: &str) -> bool {
    is_preposition(word) || is_conjunction(word) || is_auxiliary(word) || is_adverb(word) || is_determiner(word)
}

fn is_noun_like(word: &str) -> bool {
    !word.is_empty() && !closes_a_phrase(word) && !is_possessive(word)
}

fn is_subject(word: &str) -> bool {
    matches!(word, "he" | "she" | "they" | "patient" | "it" | "who" | "child" | "infant") || is_noun_like(word)
}

/// Words that make no sense without what they lead to.
fn leads_only(word: &str) -> bool {
    is_determiner(word)
        || is_possessive(word)
        || matches!(word, "including" | "include" | "significant" | "notable" | "remarkable")
        || (is_preposition(word))
        || matches!(
            word,
            "because" | "due" | "such" | "as" | "no" | "some" | "any" | "new" | "mild" | "moderate" | "severe"
        )
}

/// `history of`, `episodes of`: nouns that only lead to what they are of.
fn is_noun_of(word: &str) -> bool {
    NOUN_OF.has(word)
}

fn belongs_to_lead(text: &Text<'_>, at: usize) -> bool {
    let word = text.word(at);
    is_noun_of(word) || text.is_number(at) || BELONGS_TO_LEAD.has(word)
}

/// Verbs that say nothing alone.
pub(super) fn needs_complement(word: &str) -> bool {
    COMPLEMENT.has(word)
}

static NOUN_OF: WordList = WordList::new(
    "history episode episodes onset complaint complaints sensation evidence signs symptoms presence development \
     course diagnosis bout bouts complaining",
);

static BELONGS_TO_LEAD: WordList =
    WordList::new("- day week month year hour past medical family remote long term recent sudden acute");

static COMPLEMENT: WordList = WordList::new(
    "has had have having is was are were be been shows showed show reveals revealed demonstrates demonstrated reports \
     reported denies denied takes took includes included notes noted describes described experiences experienced \
     developed develops appears seems feels felt became becomes not confirms confirmed discloses finds found noticed \
     notices detects hears complains complained suffers indicates suggests yields sees admits mentions says states",
);
