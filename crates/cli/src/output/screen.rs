//! How wide the terminal is, and prose that keeps to it. Files and pipes get whole lines, and so do data: a broken line of them is another one.

use terminal_size::{Height, Width, terminal_size_of};

/// Of the terminal that data are printed on; without bounds where they go elsewhere.
pub fn width_of_stdout() -> usize {
    columns(terminal_size_of(std::io::stdout()))
}

/// Prose among the data: what a table's signs mean, and notes below it.
pub fn among_data(text: &str) -> String {
    wrapped(text, width_of_stdout())
}

/// Talk on standard error, which may be a terminal where standard output is none.
pub fn talk(text: &str) -> String {
    wrapped(&harmless(text), columns(terminal_size_of(std::io::stderr())))
}

/// Endpoints and files write part of what is told: nothing of it moves the cursor, names a window or turns the direction of letters.
pub fn harmless(text: &str) -> String {
    let is_bad = |letter: char| {
        letter.is_control() && !matches!(letter, '\n' | '\t')
            || matches!(letter, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().map(|letter| if is_bad(letter) { '\u{fffd}' } else { letter }).collect()
}

fn columns(size: Option<(Width, Height)>) -> usize {
    match size {
        // Tests look for whole sentences, whatever terminal they are started from.
        Some((width, _)) if !cfg!(test) => usize::from(width.0),
        _ => usize::MAX,
    }
}

/// Each line broken between words, its rest indented as it is.
pub fn wrapped(text: &str, most: usize) -> String {
    text.split('\n').map(|line| broken(line, most)).collect::<Vec<_>>().join("\n")
}

/// Prose beside something that takes so many columns: its further lines begin below its first.
pub fn beside(taken: usize, text: &str, most: usize) -> String {
    wrapped(text, most.saturating_sub(taken)).replace('\n', &format!("\n{:taken$}", ""))
}

fn broken(line: &str, most: usize) -> String {
    let text = line.trim_start_matches(' ');
    let indent = &line[..line.len() - text.len()];
    let mut out = indent.to_owned();
    let mut taken = indent.len();
    for (at, word) in words(text).into_iter().enumerate() {
        let width = word.chars().count();
        if at > 0 && taken + 1 + width > most {
            out.push('\n');
            out.push_str(indent);
            taken = indent.len();
        } else if at > 0 {
            out.push(' ');
            taken += 1;
        }
        out.push_str(word);
        taken += width;
    }
    out
}

/// What stands between backticks is one word: nobody could copy half a command.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut quoted) = (0, false);
    for (at, letter) in text.char_indices() {
        match letter {
            '`' => quoted = !quoted,
            ' ' if !quoted => {
                words.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    words.push(&text[start..]);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, most: usize, told: &str) {
        assert_eq!(wrapped(text, most), told);
    }

    #[test]
    fn prose_is_broken_between_words() {
        check("percent of all the cases", 12, "percent of\nall the\ncases");
        check("exactly ten", 11, "exactly ten");
        check("± half ≥ 95", 6, "± half\n≥ 95");
        check("  two spaces before", 12, "  two spaces\n  before");
        check("one\n\ntwo three\n", 5, "one\n\ntwo\nthree\n");
        check("", 5, "");
    }

    #[test]
    fn what_is_told_does_nothing_to_the_terminal() {
        assert_eq!(
            harmless("\u{1b}]0;x\u{7}\u{9b}2J\r\u{202e}a\u{2066}"),
            "\u{fffd}]0;x\u{fffd}\u{fffd}2J\u{fffd}\u{fffd}a\u{fffd}"
        );
        assert_eq!(talk("İbrahim,\n\t– 日本 👩\u{200d}⚕"), "İbrahim,\n\t– 日本 👩\u{200d}⚕");
    }

    #[test]
    fn what_is_longer_than_a_line_stays_whole() {
        check("see /a/very/long/path now", 8, "see\n/a/very/long/path\nnow");
        check("type `waterjar run` again", 10, "type\n`waterjar run`\nagain");
    }

    #[test]
    fn further_lines_begin_below_the_first() {
        assert_eq!(beside(4, "percent of all", 14), "percent of\n    all");
        assert_eq!(beside(4, "percent of all", usize::MAX), "percent of all");
        assert_eq!(beside(9, "of all", 5), "of\n         all", "narrower than what stands before");
    }

    #[test]
    fn without_a_terminal_nothing_changes() {
        for text in ["a  b   c ", "  x\n\n y", "`open and never closed"] {
            check(text, usize::MAX, text);
        }
    }
}
