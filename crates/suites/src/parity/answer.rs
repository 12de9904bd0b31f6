//! What a subject wrote → its reasoning, its differential and its answer.

use super::announced::{after_word, bare, in_line, unboxed};
use super::words::{negates, sentences, words};
use waterjar_core::ConditionId;
use waterjar_scoring::answer::{Answer, Labels, Said};
use waterjar_scoring::refusal;
use waterjar_vignettes::Choice;

/// An answer taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// The reasoning in prose; empty where there is none.
    pub trace: String,
    /// In the order of the answer.
    pub differential: Vec<String>,
    /// The label of an option, or words where there are no options. `None` where it refuses, or where nothing could be read.
    pub answer: Option<String>,
}

/// What is said beside an announced answer is a remark up to here, and a reasoning from here on.
const REMARK: usize = 12;
/// A bare letter, or a bare name.
const BARE: usize = 8;

impl Read {
    /// Lines that announce the differential or the answer are taken out of what is reasoning; the last answer that can be read counts.
    /// Where none is announced, the answer is what the prose says it is. `thought` is what the model thought beforehand, where it tells
    /// that apart: it counts only where the text has no reasoning of its own.
    pub fn of(text: &str, thought: Option<&str>, options: &[Choice]) -> Self {
        let labels = labels(options);
        let text = unboxed(text);
        let mut read = Self::default();
        let mut prose: Vec<&str> = Vec::new();
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            if let Some(list) = differential(line) {
                read.differential = items(list);
                continue;
            }
            let Some((before, said)) = in_line(line) else {
                prose.push(line);
                continue;
            };
            let mut said = said;
            if said.is_empty() {
                // `## Answer`, and the answer below it.
                while lines.next_if(|next| next.trim().is_empty()).is_some() {}
                said = lines.next_if(|next| choice(next, options, &labels).is_some()).unwrap_or_default();
            }
            read.answer = choice(said, options, &labels).or(read.answer);
            prose.push(if said.split_whitespace().count() > REMARK { line } else { before });
        }
        let trace = prose.join("\n").trim().to_owned();
        let thought = || thought.unwrap_or_default().trim().to_owned();
        if read.answer.is_none() && !refuses(&trace) {
            if trace.split_whitespace().count() <= BARE {
                read.answer = choice(&trace, options, &labels);
                if read.answer.is_some() {
                    return Self { trace: thought(), ..read };
                }
            }
            read.answer = claimed(&trace, options, &labels);
        }
        read.trace = if trace.is_empty() { thought() } else { trace };
        read
    }
}

/// Whether somebody declines to answer in the opening.
pub fn refuses(text: &str) -> bool {
    // The words of the built-in readers.
    const READERS: [&str; 2] = ["i need to hear", "i recognise nothing"];
    let opening: String = sentences(text).take(2).collect::<Vec<_>>().join(" ");
    let lower = opening.to_lowercase();
    refusal::declines(&opening) || READERS.iter().any(|it| lower.contains(it))
}

/// The options under every name they go by: their words, their letter, both.
fn labels(options: &[Choice]) -> Labels {
    Labels::new(options.iter().map(|Choice { label, text }| {
        let names = ["", "option ", "choice ", "answer "]
            .map(|kind| [format!("{kind}{label}"), format!("{kind}{label} {text}")]);
        (ConditionId::new(label.clone()), std::iter::once(text.clone()).chain(names.into_iter().flatten()).collect())
    }))
}

fn differential(line: &str) -> Option<&str> {
    let rest = after_word(bare(line), "differential")?;
    let rest = after_word(rest, "diagnosis").unwrap_or(rest).trim_start_matches(['*', '_', ' ', '"']);
    rest.strip_prefix(':').map(|rest| rest.trim_matches(['*', '_', ' ']))
}

fn items(list: &str) -> Vec<String> {
    let parts = if list.contains(';') { list.split(';') } else { list.split(',') };
    parts.map(|it| it.trim().trim_end_matches('.').to_owned()).filter(|it| !it.is_empty()).collect()
}

/// The option that words after `Answer:` mean. Without options, the words themselves.
fn choice(said: &str, options: &[Choice], labels: &Labels) -> Option<String> {
    let said = said.trim().trim_end_matches('.').trim();
    if said.is_empty() {
        return None;
    }
    if options.is_empty() {
        return (!refuses(said) && !refusal::says_nothing(said)).then(|| said.to_lowercase());
    }
    let answer = Answer::read(labels, &format!("Answer: {said}"));
    match (answer.named(), answer.said) {
        (Some(named), _) => Some(named.condition.to_string()),
        (None, Said::Open) => None,
        (None, _) => spoken_of(said, options),
    }
}

/// The only option that a phrase speaks of, where it denies nothing.
fn spoken_of(said: &str, options: &[Choice]) -> Option<String> {
    let told = words(said);
    if told.iter().any(|word| negates(word)) {
        return None;
    }
    let has = |option: &&Choice| {
        let name = words(&option.text);
        !name.is_empty() && told.windows(name.len()).any(|some| some == name.as_slice())
    };
    let mut named = options.iter().filter(has);
    named.next().filter(|_| named.next().is_none()).map(|it| it.label.clone())
}

/// What prose without an announcement says to be the answer.
fn claimed(prose: &str, options: &[Choice], labels: &Labels) -> Option<String> {
    let answer = Answer::read(labels, prose);
    if options.is_empty() {
        let said = answer.first_words.filter(|_| answer.said == Said::Choice);
        return said.map(|it| it.to_lowercase());
    }
    answer.named().map(|named| named.condition.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> Vec<Choice> {
        [("A", "Gout"), ("B", "Septic arthritis"), ("C", "Pseudogout")]
            .map(|(label, text)| Choice { label: label.to_owned(), text: text.to_owned() })
            .into()
    }

    fn check(text: &str, answer: Option<&str>, trace: &str) {
        let read = Read::of(text, None, &options());
        assert_eq!((read.answer.as_deref(), read.trace.as_str()), (answer, trace), "{text}");
    }

    const HOT: &str =
        "The joint is hot and red and the toe is swollen, which fits gout. The most likely diagnosis is gout.";

    #[test]
    fn the_last_lines_are_no_reasoning() {
        let text = "The joint is hot.\nDifferential: Gout; Septic arthritis\nAnswer: B";
        check(text, Some("B"), "The joint is hot.");
        assert_eq!(Read::of(text, None, &options()).differential, ["Gout", "Septic arthritis"]);
        let text = "The joint is hot.\n**Differential diagnosis:** Gout, Septic arthritis\nAnswer: B";
        assert_eq!(Read::of(text, None, &options()).differential, ["Gout", "Septic arthritis"]);
    }

    #[test]
    fn an_option_is_meant_by_its_letter_or_its_words() {
        for said in
            ["b", "(B)", "**B**", "B. Septic arthritis", "Septic arthritis.", "B) because it is hot", "Option B"]
        {
            check(&format!("{HOT}\nAnswer: {said}"), Some("B"), HOT);
        }
    }

    #[test]
    fn an_answer_is_read_however_it_is_announced() {
        for said in [
            "The answer is B.",
            "Answer: Option B",
            "\n**Answer:**\nB",
            "Final Answer: \\boxed{B}",
            "$\\boxed{\\text{B}}$",
            "## Answer\nB. Septic arthritis",
            "- Answer: B",
            "Answer - B",
            "Answer: B\nAnswer: see above",
            "**The correct answer is B. Septic arthritis**",
            "Therefore, the best option is (B).",
            "Answer – B",
        ] {
            check(&format!("{HOT}\n{said}"), Some("B"), HOT);
        }
    }

    #[test]
    fn an_answer_at_the_end_of_a_paragraph_is_read() {
        check(&format!("{HOT} The answer is B."), Some("B"), HOT);
    }

    #[test]
    fn a_reasoning_in_the_line_of_the_answer_is_kept() {
        let line = "The answer is B. The joint is hot and red, he has a fever, and the fluid is full of white cells.";
        check(line, Some("B"), line);
    }

    #[test]
    fn prose_that_names_the_diagnosis_is_an_answer() {
        check(HOT, Some("A"), HOT);
    }

    #[test]
    fn a_refusal_and_babble_are_no_answer() {
        for said in [
            "I cannot help with that.",
            "I cannot help with that request today.",
            "As an AI I cannot diagnose.",
            "{\"reasoning\":",
            "hello",
            "",
        ] {
            assert_eq!(Read::of(said, None, &options()).answer, None, "{said}");
        }
        for said in ["I cannot help with that.", "Answer: I don't know", "Answer: unknown"] {
            assert_eq!(Read::of(said, None, &[]).answer, None, "nor where no options are given: {said}");
        }
    }

    #[test]
    fn an_article_is_no_letter_and_two_options_are_no_answer() {
        const REASONS: &str = "Reasons are many and they are long enough here.";
        for said in ["A joint that is hot", "Gout or septic arthritis or neither", "not gout", "A and B"] {
            check(&format!("{REASONS}\nAnswer: {said}"), None, REASONS);
        }
    }

    #[test]
    fn a_bare_letter_has_no_reasoning_but_what_was_thought() {
        check("B", Some("B"), "");
        assert_eq!(Read::of("B", Some("The joint is hot."), &options()).trace, "The joint is hot.");
    }

    #[test]
    fn without_options_the_words_are_the_answer() {
        for text in
            ["It is hot.\nAnswer: Septic arthritis.", "It is hot. The most likely diagnosis is septic arthritis."]
        {
            assert_eq!(Read::of(text, None, &[]).answer.as_deref(), Some("septic arthritis"), "{text}");
        }
    }
}
