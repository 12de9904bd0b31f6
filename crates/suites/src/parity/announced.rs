//! How an answer is announced, in a line of prose and in a field that holds nothing else: `The answer is A.`, `**Final answer:** A`,
//! `Answer - A`, `\boxed{A}`, `Option A`.

/// What stands in a line before it announces the answer, and what it announces. A heading announces nothing, and what is below it counts.
pub(super) fn in_line(line: &str) -> Option<(&str, &str)> {
    let mut starts = vec![0];
    starts.extend(
        line.match_indices([' ']).filter(|(at, _)| line[..*at].ends_with(['.', '!', '?'])).map(|(at, _)| at + 1),
    );
    let announced = |at: usize| Announcement::of(&line[at..]).filter(|it| it.chooses);
    starts.into_iter().rev().find_map(|at| Some((line[..at].trim_end(), announced(at)?.said)))
}

/// A field without what announces its answer. One that is nothing but an announcement is its words.
pub(super) fn in_field(text: &str) -> &str {
    let mut rest = text.trim_start_matches([':', ' ']);
    while let Some(it) = Announcement::of(rest).filter(|it| !it.said.is_empty()) {
        rest = it.said.trim_start();
    }
    rest
}

/// How a text opens that announces an answer.
struct Announcement<'a> {
    said: &'a str,
    /// Prose speaks of answers without giving one, and of options that it does not choose (`Option B is wrong`), so there it takes `The answer
    /// is`, `Answer:` or `The best option is`.
    chooses: bool,
}

impl<'a> Announcement<'a> {
    fn of(text: &'a str) -> Option<Self> {
        let mut rest = bare(text);
        for opening in ["so", "thus", "hence", "therefore", "overall", "in summary"] {
            rest = after_word(rest, opening).unwrap_or(rest).trim_start_matches([',', ' ']);
        }
        rest = after_any(rest, &["the", "my"]).unwrap_or(rest);
        let marks = ["single best", "final", "best", "correct", "right", "most appropriate", "most likely"];
        let marked = after_any(rest, &marks);
        let answer = after_word(marked.unwrap_or(rest), "answer");
        let is_chosen = answer.is_some() || marked.is_some();
        let noun = answer.or_else(|| after_any(marked.unwrap_or(rest), &["option", "choice"]))?;
        let noun = noun.trim_start_matches(['*', '_', '"', ' ']);
        let joined = match after_any(noun, &["is", "would be", "must be"]) {
            Some(said) => Some(said.trim_start_matches([':', ' '])),
            None => noun.strip_prefix([':', '-', '–', '—', '=']),
        };
        let said = joined.unwrap_or(noun).trim_matches(['*', '_', '`', '"', ' ', ',']);
        Some(Self { said, chooses: is_chosen && (joined.is_some() || noun.is_empty()) })
    }
}

/// `\boxed{A}` as its content.
pub(super) fn unboxed(text: &str) -> String {
    let boxes = ["\\boxed{", "\\text{", "\\textbf{", "\\mathrm{"];
    if !boxes.iter().any(|it| text.contains(it)) {
        return text.to_owned();
    }
    let opened = text.replace("\\boxed{", "Answer: {").replace("nswer: Answer: ", "nswer: ");
    boxes.iter().fold(opened, |text, it| text.replace(it, "{")).replace(['{', '}', '$'], "")
}

/// A line without the marks of Markdown, lists and JSON.
pub(super) fn bare(line: &str) -> &str {
    line.trim_start_matches(|c: char| c.is_whitespace() || "*#>-•_`\"{".contains(c))
}

/// What follows a word at the start of a line, whatever its case.
pub(super) fn after_word<'a>(line: &'a str, word: &str) -> Option<&'a str> {
    line.get(..word.len()).filter(|head| head.eq_ignore_ascii_case(word))?;
    let rest = &line[word.len()..];
    (!rest.starts_with(char::is_alphanumeric)).then(|| rest.trim_start_matches(' '))
}

fn after_any<'a>(line: &'a str, words: &[&str]) -> Option<&'a str> {
    words.iter().find_map(|word| after_word(line, word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_and_a_line_are_read_alike() {
        for text in [
            "The answer is B",
            "Final answer: B",
            "**Answer:** B",
            "Answer – B",
            "So the correct option is B",
            "My answer would be: B",
        ] {
            assert_eq!((in_line(text), in_field(text)), (Some(("", "B")), "B"), "{text}");
        }
    }

    #[test]
    fn a_field_says_its_option_plainly_and_prose_speaks_of_options_that_it_does_not_choose() {
        for text in ["Option B", "Choice: B", "Answer B", "The correct answer B", "answer choice B", ": B"] {
            assert_eq!((in_line(text), in_field(text)), (None, "B"), "{text}");
        }
        assert_eq!(in_line("Option B is wrong."), None);
    }

    #[test]
    fn a_heading_announces_what_is_below_it_and_a_field_that_is_a_heading_is_its_words() {
        assert_eq!((in_line("## Answer"), in_field("Answer")), (Some(("", "")), "Answer"));
    }

    #[test]
    fn words_that_only_begin_like_an_announcement_are_none() {
        for text in ["Optional surgery", "Answering is hard", "The final common pathway", "Most likely gout"] {
            assert_eq!((in_line(text), in_field(text)), (None, text), "{text}");
        }
    }
}
