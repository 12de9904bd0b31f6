//! What the author, the judge and the built-in doctors need to know of the language itself.

use crate::names::Rejecting;
use crate::rumor::Symptom;
use serde::Deserialize;
use std::collections::BTreeMap;
use waterjar_core::Sex;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Speech {
    pub base: BaseWords,
    pub list: ListWords,
    pub names: NameWords,
    pub who: WhoWords,
    pub complaint: ComplaintWords,
    pub parent: ParentWords,
    pub cue: Cues,
    pub answer: AnswerWords,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaseWords {
    /// Whether the sentences of the knowledge base are in this language.
    pub words: bool,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ListWords {
    pub comma: String,
    pub last: String,
    /// So many of `joining.high`, from the first, only open a list.
    pub first: usize,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NameWords {
    /// They stay large inside a sentence.
    pub proper: Vec<String>,
    /// How a name stands inside a sentence, where it needs an article.
    #[serde(default)]
    pub inside: BTreeMap<String, String>,
    /// They tell no two diseases apart.
    pub qualifiers: Vec<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhoWords {
    /// `{person}`, `{decade}`
    pub adult: Vec<String>,
    /// `{child}`, `{age}`
    pub child: Vec<String>,
    pub woman: String,
    pub man: String,
    /// Below twenty.
    pub girl: String,
    pub boy: String,
    /// From ten years on.
    pub decades: Vec<String>,
    /// From nought on.
    pub ages: Vec<String>,
}

/// How a symptom that comes as bare words is told.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComplaintWords {
    pub present: String,
    pub denied: String,
    /// What begins so is a denial itself.
    #[serde(default)]
    negative: Vec<String>,
    /// What holds one of these says that all is well.
    #[serde(default)]
    sound: Vec<String>,
    /// Words that make no other complaint of one: how often, when, how badly, on which side.
    #[serde(default)]
    modifiers: Vec<String>,
    /// Words for which another stands.
    #[serde(default)]
    alike: Vec<(String, String)>,
}

/// What bare words are held against.
#[derive(Clone, Debug)]
pub(crate) struct Heading {
    all: Vec<String>,
    names: Vec<String>,
}

impl ComplaintWords {
    /// Whether nobody can say what it means that this is denied: a denial, something normal, a measurement.
    pub fn is_ambiguous_when_denied(&self, text: &str) -> bool {
        self.negative.iter().any(|it| text.starts_with(it.as_str()))
            || self.sound.iter().any(|it| text.contains(it.as_str()))
            || crate::words::has_figure(text)
    }

    /// Whether bare words of a script without spaces are about a symptom: they are one of its names but for modifiers, or most of them is.
    /// A part of a body that is named in passing is no complaint of it.
    pub(crate) fn is_about(&self, said: &str, symptom: &Heading) -> bool {
        let bare = self.bare(said);
        if symptom.all.contains(&bare) {
            return true;
        }
        let denies = self.negative.iter().any(|it| said.starts_with(it.as_str()))
            || self.sound.iter().any(|it| said.contains(it.as_str()));
        let length = |text: &str| text.chars().count();
        let is_most = |name: &String| {
            // What is complained of stands last: 四肢抽搐.
            let least = length(&bare) + usize::from(!bare.ends_with(name.as_str()));
            bare.contains(name.as_str()) && 2 * length(name) >= least
        };
        !denies && symptom.names.iter().any(is_most)
    }

    /// The names of a symptom as they are compared.
    pub(crate) fn heading(&self, symptom: &Symptom) -> Heading {
        Heading {
            all: symptom.names.iter().chain(&symptom.whole).map(|it| self.bare(it)).collect(),
            names: symptom.names.iter().map(|it| self.same_words(it)).collect(),
        }
    }

    fn same_words(&self, text: &str) -> String {
        self.alike.iter().fold(text.to_owned(), |text, (word, other)| text.replace(word.as_str(), other))
    }

    fn bare(&self, text: &str) -> String {
        let cut = |text: String, word: &String| text.replace(word.as_str(), "");
        let bare = self.modifiers.iter().fold(self.same_words(text), cut);
        if bare.is_empty() { text.to_owned() } else { bare }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ParentWords {
    /// Words in the name of a disease that make the patient a child.
    pub marks: Vec<String>,
    pub daughter: String,
    pub son: String,
    pub child: String,
    /// So many of `trap.external`, from the first, fit a child.
    pub external: usize,
    /// None of them is left when a parent speaks.
    pub first_person: Vec<String>,
    she: BTreeMap<String, String>,
    he: BTreeMap<String, String>,
    /// What patients say of themselves → what a parent says of a child.
    pub replace: Vec<(String, String)>,
}

/// How an answer treats a claim it repeats.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cues {
    pub oppose: Vec<String>,
    pub agree: Vec<String>,
    /// Right before a cue that opposes, it takes it back.
    pub negate: Vec<String>,
    /// Said beside a claim, it cannot be taken for agreement.
    pub no: Vec<String>,
    pub report: Vec<String>,
    /// What stands before a diagnosis that is ruled out, or that is the writer's own.
    pub reject: Vec<String>,
    /// What stands behind one.
    pub reject_after: Vec<String>,
    /// What only sounds like one of `reject`.
    pub open: Vec<String>,
    /// Words that carry no claim.
    pub empty: Vec<String>,
}

impl Cues {
    pub fn rejecting(&self) -> Rejecting<'_> {
        Rejecting { before: &self.reject, after: &self.reject_after, open: &self.open }
    }
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnswerWords {
    /// Between points.
    pub between: String,
    pub list: String,
    pub evidence: String,
    pub treatment: String,
    pub lifestyle: String,
    pub oppose: String,
    pub agree: String,
}

impl WhoWords {
    pub fn decade(&self, age: u8) -> &str {
        let at = usize::from(age / 10).saturating_sub(1).min(self.decades.len().saturating_sub(1));
        self.decades.get(at).map_or("", String::as_str)
    }

    pub fn person(&self, sex: Sex, age: u8) -> &str {
        match (sex, age < 20) {
            (Sex::F, true) => &self.girl,
            (Sex::M, true) => &self.boy,
            (Sex::F, false) => &self.woman,
            (Sex::M, false) => &self.man,
        }
    }
}

impl ParentWords {
    pub fn child(&self, sex: Option<Sex>) -> &str {
        match sex {
            Some(Sex::F) => &self.daughter,
            Some(Sex::M) => &self.son,
            None => &self.child,
        }
    }

    /// The sentence as a parent says it of a daughter or a son.
    pub fn of_child(&self, sentence: &str, sex: Sex) -> String {
        let pronouns = if sex == Sex::F { &self.she } else { &self.he };
        let mut out = String::with_capacity(sentence.len());
        let mut rest = sentence;
        while let Some(first) = rest.chars().next() {
            let starts = out.chars().next_back().is_none_or(|c| !c.is_alphanumeric()) || crate::words::is_cjk(first);
            match if starts { self.longest(rest) } else { None } {
                Some((length, with)) => {
                    let put =
                        |text: String, (name, word): (&String, &String)| text.replace(&format!("{{{name}}}"), word);
                    let said = pronouns.iter().fold(with.to_owned(), put);
                    let said = if out.is_empty() { crate::words::capital(&said) } else { said };
                    out.push_str(&said);
                    rest = &rest[length..];
                }
                None => {
                    out.push(first);
                    rest = &rest[first.len_utf8()..];
                }
            }
        }
        out
    }

    /// The longest phrase the text begins with, and what is said instead. A phrase ends with its word.
    fn longest(&self, text: &str) -> Option<(usize, &str)> {
        let fits = |from: &str| {
            let head = text.get(..from.len())?;
            let same = head == from || is_capital(head, from);
            let last = from.chars().next_back()?;
            let next = text[from.len()..].chars().next();
            let ends = crate::words::is_cjk(last) || next.is_none_or(|c| !c.is_alphanumeric() && c != '\'' && c != '’');
            (same && ends).then_some(from.len())
        };
        let found = self.replace.iter().filter_map(|(from, to)| Some((fits(from)?, to.as_str())));
        found.max_by_key(|(length, _)| *length)
    }
}

/// The same words, begun with a capital.
fn is_capital(said: &str, words: &str) -> bool {
    let (mut a, mut b) = (said.chars(), words.chars());
    let first = a.next().zip(b.next());
    first.is_some_and(|(large, small)| small.to_uppercase().eq([large])) && a.as_str() == b.as_str()
}
