//! What a subject wrote → its reasoning, its differential and its answer.

use waterjar_vignettes::Choice;

/// An answer taken apart.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Read {
    /// The reasoning in prose; empty where there is none.
    pub trace: String,
    /// In the order of the answer.
    pub differential: Vec<String>,
    /// The label of an option, or words where there are no options.
    pub answer: Option<String>,
}

impl Read {
    /// The lines `Differential:` and `Answer:` are taken out of what is reasoning. `thought` is what the model thought beforehand, where it
    /// tells that apart: it counts only where the text has no reasoning of its own.
    pub fn of(text: &str, thought: Option<&str>, options: &[Choice]) -> Self {
        let mut read = Self::default();
        let mut prose = Vec::new();
        for line in text.lines() {
            let plain = line.trim().trim_matches(['*', '#', ' ']);
            if let Some(list) = after(plain, "differential") {
                read.differential = items(list);
            } else if let Some(said) = after(plain, "final answer").or_else(|| after(plain, "answer")) {
                read.answer = choice(said, options);
            } else {
                prose.push(line);
            }
        }
        let trace = prose.join("\n").trim().to_owned();
        // A bare letter, or a bare name.
        if read.answer.is_none() && trace.split_whitespace().count() <= 8 {
            read.answer = choice(&trace, options);
            if read.answer.is_some() {
                return Self { trace: thought.unwrap_or_default().trim().to_owned(), ..read };
            }
        }
        read.trace = if trace.is_empty() { thought.unwrap_or_default().trim().to_owned() } else { trace };
        read
    }
}

/// What follows `key:` at the start of a line.
fn after<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let head = line.get(..key.len()).filter(|head| head.eq_ignore_ascii_case(key))?;
    let rest = line[head.len()..].trim_start_matches(['*', ' ']);
    rest.strip_prefix(':').map(|rest| rest.trim_matches(['*', ' ']))
}

fn items(list: &str) -> Vec<String> {
    let parts = if list.contains(';') { list.split(';') } else { list.split(',') };
    parts.map(|it| it.trim().trim_end_matches('.').to_owned()).filter(|it| !it.is_empty()).collect()
}

/// The option that is meant: by its label, else by its words. Without options, the words themselves.
fn choice(said: &str, options: &[Choice]) -> Option<String> {
    let said = said.trim().trim_end_matches('.').trim();
    if said.is_empty() {
        return None;
    }
    if options.is_empty() {
        return Some(said.to_lowercase());
    }
    let bare = said.trim_matches(['(', ')', '[', ']', '*', ' ']);
    let first = bare.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    let by_label = options.iter().find(|it| it.label.eq_ignore_ascii_case(first));
    let lower = said.to_lowercase();
    let exact = || options.iter().find(|it| it.text.eq_ignore_ascii_case(bare));
    let named = || {
        let mut named = options.iter().filter(|it| lower.contains(&it.text.to_lowercase()));
        named.next().filter(|_| named.next().is_none())
    };
    // "A" may be an article: a label counts only where what follows is nothing, a mark or the option's own words.
    let fits = |it: &&Choice| {
        let rest = bare[first.len()..].trim_start();
        let begins = rest.chars().next().is_none_or(|c| !c.is_alphanumeric());
        begins || rest.to_lowercase().contains(&it.text.to_lowercase())
    };
    by_label.filter(fits).or_else(exact).or_else(named).map(|it| it.label.clone())
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

    #[test]
    fn the_last_lines_are_no_reasoning() {
        let text = "The joint is hot.\nDifferential: Gout; Septic arthritis\nAnswer: B";
        check(text, Some("B"), "The joint is hot.");
        assert_eq!(Read::of(text, None, &options()).differential, ["Gout", "Septic arthritis"]);
    }

    #[test]
    fn an_option_is_meant_by_its_letter_or_its_words() {
        for said in ["b", "(B)", "**B**", "B. Septic arthritis", "Septic arthritis.", "B) because it is hot"] {
            check(
                &format!("It is hot and red, and he has a fever.\nAnswer: {said}"),
                Some("B"),
                "It is hot and red, and he has a fever.",
            );
        }
    }

    #[test]
    fn an_article_is_no_letter_and_two_options_are_no_answer() {
        check(
            "Reasons are many and they are long enough here.\nAnswer: A joint that is hot",
            None,
            "Reasons are many and they are long enough here.",
        );
        check(
            "Reasons are many and they are long enough here.\nAnswer: Gout or septic arthritis or neither",
            None,
            "Reasons are many and they are long enough here.",
        );
    }

    #[test]
    fn a_bare_letter_has_no_reasoning_but_what_was_thought() {
        check("B", Some("B"), "");
        assert_eq!(Read::of("B", Some("The joint is hot."), &options()).trace, "The joint is hot.");
    }

    #[test]
    fn without_options_the_words_are_the_answer() {
        assert_eq!(
            Read::of("It is hot.\nAnswer: Septic arthritis.", None, &[]).answer.as_deref(),
            Some("septic arthritis")
        );
    }
}
