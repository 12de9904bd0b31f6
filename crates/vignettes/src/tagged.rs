//! The text form of a vignette: the story with its critical spans marked, then question, options and answer.
//!
//! ```text
//! Id: chest-01
//!
//! A 58-year-old man has <CSC_start>crushing chest pain<CSC_end> since this morning.
//!
//! Question: What is the diagnosis?
//! A. Myocardial infarction
//! B. Pericarditis
//! Answer: A
//! ```
//!
//! A line of the story that looks like one of the others, or like the hyphens between two vignettes of a file, is written with a backslash
//! before it, so that everything reads back exactly.

use crate::{Choice, Span, Vignette};

pub const START: &str = "<CSC_start>";
pub const END: &str = "<CSC_end>";
/// The line between two vignettes of a file.
pub const PARTING: &str = "----";

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("byte {at}: {problem}")]
pub struct TaggedError {
    /// Bytes into the text that was read.
    pub at: usize,
    pub problem: String,
}

fn problem<T>(at: usize, problem: &str) -> Result<T, TaggedError> {
    Err(TaggedError { at, problem: problem.to_owned() })
}

/// The story with marks, on its own: text and spans.
pub fn unmark(marked: &str) -> Result<(String, Vec<Span>), TaggedError> {
    let mut text = String::with_capacity(marked.len());
    let mut spans = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    let mut at = 0;
    while at < marked.len() {
        let rest = &marked[at..];
        if rest.starts_with(START) {
            if open.is_some() {
                return problem(at, "a mark begins inside another: end the first with <CSC_end>");
            }
            open = Some((at, text.len()));
            at += START.len();
        } else if rest.starts_with(END) {
            let Some((_, start)) = open.take() else {
                return problem(at, "a mark ends that never began: put <CSC_start> before it");
            };
            if start == text.len() {
                return problem(at, "a mark with nothing in it: mark some words, or take it out");
            }
            spans.push(Span { start, end: text.len() });
            at += END.len();
        } else if is_like_a_mark(rest) {
            return problem(at, "is almost a mark: write <CSC_start> and <CSC_end>, as large and small as here");
        } else {
            let first = rest.chars().next().map_or(1, char::len_utf8);
            let next = rest[first..].find('<').map_or(rest.len(), |next| next + first);
            text.push_str(&rest[..next]);
            at += next;
        }
    }
    match open {
        Some((at, _)) => problem(at, "a mark begins and never ends: add <CSC_end>"),
        None => Ok((text, spans)),
    }
}

/// As `unmark`, of marks that somebody set: each holds words, and whole ones.
pub(crate) fn unmark_words(marked: &str) -> Result<(String, Vec<Span>), TaggedError> {
    let (text, spans) = unmark(marked)?;
    for (number, span) in spans.iter().enumerate() {
        if let Some(wrong) = no_words(&text, *span) {
            return problem(span.start + number * (START.len() + END.len()), wrong);
        }
    }
    Ok((text, spans))
}

/// Why a span is no finding: without a letter or digit nothing is told, and a piece of a word is a slip.
pub(crate) fn no_words(text: &str, span: Span) -> Option<&'static str> {
    if !span.of(text).contains(char::is_alphanumeric) {
        return Some("a mark without a letter or digit in it: mark some words, or take it out");
    }
    let parts_a_word = is_inside_a_word(text, span.start) || is_inside_a_word(text, span.end);
    parts_a_word.then_some("a mark begins or ends inside a word: mark whole words")
}

/// Between two letters or two digits. Scripts without large and small letters write words without blanks between them.
fn is_inside_a_word(text: &str, at: usize) -> bool {
    let is_letter = |it: char| it.is_lowercase() || it.is_uppercase();
    let (before, after) = (text[..at].chars().next_back(), text[at..].chars().next());
    before.zip(after).is_some_and(|(before, after)| {
        (is_letter(before) && is_letter(after)) || (before.is_ascii_digit() && after.is_ascii_digit())
    })
}

/// `<csc_start>`, `</CSC_end>`: sent to a model it would be text.
fn is_like_a_mark(rest: &str) -> bool {
    let inside = rest.strip_prefix('<').map(|it| it.trim_start_matches(['/', ' ']));
    inside.and_then(|it| it.get(..4)).is_some_and(|it| it.eq_ignore_ascii_case("csc_"))
}

/// The story with its spans marked. Spans must be in order and apart.
pub fn mark(text: &str, spans: &[Span]) -> String {
    let mut marked = String::with_capacity(text.len() + spans.len() * (START.len() + END.len()));
    let mut from = 0;
    for span in spans {
        marked.push_str(&text[from..span.start]);
        marked.push_str(START);
        marked.push_str(span.of(text));
        marked.push_str(END);
        from = span.end;
    }
    marked.push_str(&text[from..]);
    marked
}

pub fn write(vignette: &Vignette) -> String {
    let mut out = String::new();
    if !vignette.id.is_empty() {
        out.push_str(&format!("Id: {}\n\n", one_line(&vignette.id)));
    }
    for line in mark(&vignette.text, &vignette.spans).split('\n') {
        if role(line).is_some() || line == PARTING || line.starts_with('\\') {
            out.push('\\');
        }
        out.push_str(line);
        out.push('\n');
    }
    if !vignette.question.is_empty() {
        out.push_str(&format!("\nQuestion: {}\n", one_line(&vignette.question)));
    }
    for option in &vignette.options {
        out.push_str(&format!("{}. {}\n", option.label, one_line(&option.text)));
    }
    if let Some(answer) = &vignette.answer {
        out.push_str(&format!("Answer: {}\n", one_line(answer)));
    }
    out
}

/// A file of them: parted by a line of dashes.
pub fn write_all(vignettes: &[Vignette]) -> String {
    vignettes.iter().map(write).collect::<Vec<_>>().join(&format!("{PARTING}\n"))
}

pub fn read(source: &str) -> Result<Vignette, TaggedError> {
    read_by(unmark, source)
}

/// As `read`, of marks that somebody set: each holds words, and whole ones.
pub(crate) fn read_words(source: &str) -> Result<Vignette, TaggedError> {
    read_by(unmark_words, source)
}

type Unmark = fn(&str) -> Result<(String, Vec<Span>), TaggedError>;

fn read_by(unmark: Unmark, source: &str) -> Result<Vignette, TaggedError> {
    let mut vignette = Vignette::default();
    let mut story: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    let mut ended = false;
    for line in source.split_inclusive('\n') {
        let bare = line.strip_suffix('\n').unwrap_or(line);
        match role(bare) {
            Some(Role::Id(id)) if story.iter().all(|(_, line)| line.is_empty()) => {
                vignette.id = many_lines(id);
                story.clear();
            }
            Some(Role::Id(_)) => return problem(at, "`Id:` stands before the story: move it up, or write `\\Id:`"),
            Some(Role::Question(text)) => {
                ended = true;
                vignette.question = many_lines(text);
            }
            Some(Role::Option(label, text)) => {
                ended = true;
                if vignette.options.iter().any(|option| option.label == label) {
                    return problem(at, &format!("two options are called {label}"));
                }
                vignette.options.push(Choice { label: label.to_owned(), text: many_lines(text) });
            }
            Some(Role::Answer(text)) => {
                ended = true;
                if vignette.answer.replace(many_lines(text)).is_some() {
                    return problem(at, "a second answer: keep one");
                }
            }
            None if ended && !bare.is_empty() => {
                return problem(at, "the story goes on after the question: move it up");
            }
            None if ended => {}
            None => story.push((at, bare)),
        }
        at += line.len();
    }
    let (text, spans) = told(unmark, &story, &vignette)?;
    Ok(Vignette { text, spans, ..vignette })
}

/// Joins the lines of the story and takes the marks out, with the place in the source for what is wrong.
fn told(unmark: Unmark, story: &[(usize, &str)], vignette: &Vignette) -> Result<(String, Vec<Span>), TaggedError> {
    let head = usize::from(!vignette.id.is_empty() && story.first().is_some_and(|(_, line)| line.is_empty()));
    let story = &story[head.min(story.len())..];
    // One empty line stands between story and question.
    let tail = usize::from(
        story.len() > 1 && !vignette.question.is_empty() && story.last().is_some_and(|(_, line)| line.is_empty()),
    );
    let story = &story[..story.len() - tail];
    let mut joined = String::new();
    let mut starts = Vec::new();
    for (number, (at, line)) in story.iter().enumerate() {
        if number > 0 {
            joined.push('\n');
        }
        let bare = line.strip_prefix('\\').unwrap_or(line);
        starts.push((joined.len(), at + line.len() - bare.len()));
        joined.push_str(bare);
    }
    unmark(&joined).map_err(|error| {
        let line = starts.iter().rev().find(|(start, _)| *start <= error.at);
        TaggedError { at: line.map_or(error.at, |(start, at)| at + error.at - start), ..error }
    })
}

enum Role<'l> {
    Id(&'l str),
    Question(&'l str),
    Option(&'l str, &'l str),
    Answer(&'l str),
}

fn role(line: &str) -> Option<Role<'_>> {
    if let Some(rest) = line.strip_prefix("Id: ") {
        return Some(Role::Id(rest));
    }
    if let Some(rest) = line.strip_prefix("Question: ") {
        return Some(Role::Question(rest));
    }
    if let Some(rest) = line.strip_prefix("Answer: ") {
        return Some(Role::Answer(rest));
    }
    let (label, text) = line.split_once(". ")?;
    let is_label = label.len() == 1 && label.bytes().all(|byte| byte.is_ascii_uppercase());
    is_label.then_some(Role::Option(label, text))
}

/// Question, options and answer stand on one line each.
fn one_line(text: &str) -> String {
    text.replace('\\', "\\\\").replace('\n', "\\n")
}

fn many_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '\\') {
            (_, true) => match letters.next() {
                Some('n') => out.push('\n'),
                Some(other) => out.push(other),
                None => out.push('\\'),
            },
            (other, false) => out.push(other),
        }
    }
    out
}
