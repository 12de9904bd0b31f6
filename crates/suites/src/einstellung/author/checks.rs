//! What the rules can tell of a written step: that a quote says what it is quoted for, and that an exchange was made.

use super::answers::Coverage;
use super::sentences::{one_changed, sentences};
use crate::einstellung::audit::words;

/// One sentence may tell a few findings at once; one that tells them all says nothing of any.
const MOST_STATEMENTS: usize = 4;
/// Whoever quotes half the story has found nothing in it.
const MOST_SENTENCES: usize = 3;
/// So much of what is to be put in must stand in the new sentence: a writer may use words of their own.
const PUT_IN: f64 = 0.5;

/// Every statement is said in the story, by words that hold something of it, and nothing else is.
pub(super) fn coverage(coverage: &Coverage, statements: &[String], story: &str) -> Result<(), String> {
    for it in &coverage.statements {
        let quote = it.quote.trim();
        if quote.is_empty() || !story.contains(quote) {
            return Err(format!("“{quote}” does not stand in the story like this"));
        }
        let same = coverage.statements.iter().filter(|other| other.quote.trim() == quote).count();
        if same > MOST_STATEMENTS || sentences(quote).len() > MOST_SENTENCES {
            return Err(format!("“{quote}” is quoted for too much: give the words that say each statement"));
        }
        let statement = (it.number as usize).checked_sub(1).and_then(|at| statements.get(at));
        let statement = statement.ok_or_else(|| format!("there is no statement {}", it.number))?;
        if share_of(statement, quote) == Some(0.0) {
            return Err(format!("“{quote}” does not say statement {}: {statement}", it.number));
        }
    }
    let is_covered = |number: usize| coverage.statements.iter().any(|it| it.number as usize == number);
    let lost: Vec<String> =
        (1..=statements.len()).filter(|&number| !is_covered(number)).map(|it| it.to_string()).collect();
    if !lost.is_empty() {
        return Err(format!("the story does not say statement {}", lost.join(", ")));
    }
    if coverage.added.is_empty() { Ok(()) } else { Err(format!("the story adds: {}", coverage.added.join("; "))) }
}

/// What is to be put in says something of the finding it stands for.
pub(super) fn information(information: &str, finding: &str) -> Result<(), String> {
    if information.trim().is_empty() {
        return Err("the information is empty".to_owned());
    }
    if share_of(finding, information) == Some(0.0) {
        return Err(format!("“{}” does not say: {finding}", information.trim()));
    }
    Ok(())
}

/// The old and the new sentence, where one was exchanged for one, the phrase is gone and the information is there.
pub(super) fn rewrite<'a>(
    story: &'a str,
    text: &'a str,
    phrase: &str,
    information: &str,
) -> Result<(&'a str, &'a str), String> {
    let (old, new) = one_changed(story, text)
        .ok_or("exactly one sentence must differ from the story, and it must be exchanged for exactly one")?;
    if !old.contains(phrase) {
        return Err(format!("the sentence that changed is not the one that contains “{phrase}”"));
    }
    if text.contains(phrase) {
        return Err(format!("“{phrase}” still stands in the story"));
    }
    if share_of(information, new).is_some_and(|share| share < PUT_IN) {
        return Err(format!("the new sentence does not say: {information}"));
    }
    Ok((old, new))
}

/// Which part of the words that mean something stands in the text, as one form or another. `None` where there are none.
fn share_of(said: &str, text: &str) -> Option<f64> {
    let (wanted, there) = (words::of_statement(said), words::of_sentence(text));
    let found = wanted.iter().filter(|word| there.iter().any(|it| words::alike(&it.stem, word))).count();
    (!wanted.is_empty()).then(|| found as f64 / wanted.len() as f64)
}

#[cfg(test)]
mod tests {
    use super::super::answers::Covered;
    use super::*;

    const STORY: &str = "I cough. I do not smoke. My father had blood clots in his legs.";

    fn check(quotes: &[(u32, &str)], added: &[&str]) -> Result<(), String> {
        let statements = ["I have a cough.", "I have never smoked."].map(str::to_owned);
        let covered = quotes.iter().map(|&(number, quote)| Covered { number, quote: quote.to_owned() }).collect();
        let added = added.iter().map(|&it| it.to_owned()).collect();
        coverage(&Coverage { statements: covered, added }, &statements, STORY)
    }

    #[test]
    fn a_story_that_says_everything_and_nothing_else_passes() {
        assert_eq!(check(&[(1, "I cough"), (2, "do not smoke")], &[]), Ok(()));
        assert_eq!(check(&[(1, "I cough. I do not smoke."), (2, "I cough. I do not smoke.")], &[]), Ok(()));
    }

    #[test]
    fn a_lost_an_added_and_an_invented_statement_are_named() {
        assert!(check(&[(1, "I cough")], &[]).unwrap_err().contains("statement 2"));
        assert!(check(&[(1, "I cough"), (2, "do not smoke")], &["fever"]).unwrap_err().contains("fever"));
        assert!(check(&[(1, "I sneeze"), (2, "do not smoke")], &[]).unwrap_err().contains("I sneeze"));
        assert!(check(&[(1, "I cough"), (3, "do not smoke")], &[]).unwrap_err().contains("no statement 3"));
    }

    #[test]
    fn a_quote_that_holds_nothing_of_the_statement_covers_nothing() {
        for quote in ["I", "My father", "do not smoke"] {
            assert!(check(&[(1, quote), (2, "do not smoke")], &[]).unwrap_err().contains("statement 1"), "{quote}");
        }
    }

    #[test]
    fn one_quote_does_not_cover_everything() {
        let statements = vec!["I cough.".to_owned(); 5];
        let covered = (1..=5).map(|number| Covered { number, quote: "I cough".to_owned() }).collect();
        let told = coverage(&Coverage { statements: covered, added: Vec::new() }, &statements, STORY).unwrap_err();
        assert!(told.contains("too much"), "{told}");
        let long = "I cough. ".repeat(4);
        let covered = vec![Covered { number: 1, quote: long.clone() }];
        let told = coverage(&Coverage { statements: covered, added: Vec::new() }, &statements[..1], &long).unwrap_err();
        assert!(told.contains("too much"), "{told}");
    }

    #[test]
    fn a_rewrite_takes_the_old_out_and_puts_the_new_in() {
        let (phrase, information) = ("My father had blood clots", "I have smoked a pack a day for years");
        let exchanged = |new: &str| STORY.replace("My father had blood clots in his legs.", new);
        let check = |new: &str| rewrite(STORY, &exchanged(new), phrase, information).map(|_| ());
        assert_eq!(check("For years I smoked a pack of cigarettes every day."), Ok(()));
        let told = check("My father had blood clots, and I smoke a pack a day.").unwrap_err();
        assert!(told.contains("still stands"), "{told}");
        let told = check("My uncle was a sailor.").unwrap_err();
        assert!(told.contains("does not say"), "{told}");
    }

    #[test]
    fn what_is_put_in_is_the_finding_that_was_chosen() {
        assert!(information("and I smoke a lot", "I smoke cigarettes.").is_ok());
        assert!(information("I like to sing", "I smoke cigarettes.").is_err());
        assert!(information(" ", "I smoke cigarettes.").is_err());
    }
}
