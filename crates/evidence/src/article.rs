//! A file of text to articles short enough to be read at once.

use crate::Problem;
use serde::Deserialize;
use waterjar_core::ConditionId;

/// About a page. Our own articles stay below it, so each is one passage.
const LONGEST: usize = 250;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Article {
    pub id: String,
    pub title: String,
    pub text: String,
    pub url: Option<String>,
    pub condition: Option<ConditionId>,
}

/// The lines between `+++` at the top of a file. Other keys are the reader's own.
#[derive(Default, Deserialize)]
struct FrontMatter {
    title: Option<String>,
    url: Option<String>,
    condition: Option<ConditionId>,
}

struct Section {
    title: String,
    paragraphs: Vec<String>,
}

/// The articles of one file: one for each heading that has text below it, and several where that text is long.
///
/// `name` is the file's name or path; a file that makes one article gives it its name as id, else they are numbered.
pub fn articles(name: &str, text: &str) -> Result<Vec<Article>, Problem> {
    let (front, body) = front_matter(name, text)?;
    let stem = name.rsplit('/').next().unwrap_or(name);
    let stem = stem.rsplit_once('.').map_or(stem, |(stem, _)| stem);
    let title = front.title.clone().unwrap_or_else(|| stem.replace(['_', '-'], " "));
    let passages: Vec<(String, String)> = sections(&title, body, name.ends_with(".md"))
        .into_iter()
        .flat_map(|section| {
            let title = section.title;
            pages(section.paragraphs).into_iter().map(move |text| (title.clone(), text))
        })
        .collect();
    let several = passages.len() > 1;
    let number = |(index, (title, text)): (usize, (String, String))| Article {
        id: if several { format!("{name}#{:04}", index + 1) } else { name.to_owned() },
        title,
        text,
        url: front.url.clone(),
        condition: front.condition.clone(),
    };
    Ok(passages.into_iter().enumerate().map(number).collect())
}

fn front_matter<'a>(name: &str, text: &'a str) -> Result<(FrontMatter, &'a str), Problem> {
    let text = text.trim_start_matches('\u{feff}');
    // Notes from other programs often open with YAML; it is not ours to read, and no part of the text.
    for fence in ["+++", "---"] {
        let Some(rest) = text.strip_prefix(fence).filter(|rest| rest.starts_with(['\n', '\r'])) else { continue };
        let Some((inside, body)) = rest.split_once(&format!("\n{fence}")) else { continue };
        let front = if fence == "+++" {
            toml::from_str(inside).map_err(|error| Problem::Local(format!("{name}, between the +++ lines: {error}")))?
        } else {
            FrontMatter::default()
        };
        return Ok((front, body));
    }
    Ok((FrontMatter::default(), text))
}

/// Paragraphs under their headings. A heading below another is named with it: `Angina › Treatment`.
fn sections(title: &str, body: &str, markdown: bool) -> Vec<Section> {
    let mut path: Vec<(usize, String)> = Vec::new();
    let mut sections = vec![Section { title: title.to_owned(), paragraphs: Vec::new() }];
    let mut paragraph: Vec<&str> = Vec::new();
    let mut code = false;
    for line in body.lines().chain([""]) {
        code ^= line.trim_start().starts_with("```");
        let heading = if markdown && !code { heading(line) } else { None };
        if line.trim().is_empty() || heading.is_some() {
            let text = std::mem::take(&mut paragraph).join(" ");
            let section = sections.last_mut().expect("there is always one");
            section.paragraphs.extend(Some(text).filter(|text| !text.is_empty()));
        } else {
            paragraph.push(line.trim());
        }
        if let Some((level, heading)) = heading {
            path.retain(|(above, _)| *above < level);
            path.push((level, heading.to_owned()));
            let names: Vec<&str> = path.iter().map(|(_, name)| name.as_str()).collect();
            sections.push(Section { title: names.join(" › "), paragraphs: Vec::new() });
        }
    }
    sections.retain(|section| !section.paragraphs.is_empty());
    sections
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let text = line.trim_start_matches('#');
    let level = line.len() - text.len();
    let name = text.trim().trim_end_matches('#').trim_end();
    ((1..=6).contains(&level) && text.starts_with(' ') && !name.is_empty()).then_some((level, name))
}

/// Paragraphs filled into pages; one that is longer than a page is cut at the ends of sentences, or at a word.
fn pages(paragraphs: Vec<String>) -> Vec<String> {
    let mut pages: Vec<String> = Vec::new();
    let mut length = 0;
    for paragraph in paragraphs {
        for (first, piece) in pieces(&paragraph) {
            let words = piece.split_whitespace().count();
            let glue = if first { "\n\n" } else { " " };
            match pages.last_mut().filter(|_| length + words <= LONGEST) {
                Some(page) => *page += &format!("{glue}{piece}"),
                None => {
                    pages.push(piece);
                    length = 0;
                }
            }
            length += words;
        }
    }
    pages
}

/// A paragraph whole, or its sentences where it is longer than a page; with each, whether it begins the paragraph.
fn pieces(paragraph: &str) -> Vec<(bool, String)> {
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    if words.len() <= LONGEST {
        return vec![(true, paragraph.to_owned())];
    }
    let mut pieces: Vec<Vec<&str>> = vec![Vec::new()];
    for word in words {
        let last = pieces.last_mut().expect("there is always one");
        let ended = last.last().is_some_and(|word| word.ends_with(['.', '!', '?']));
        if ended || last.len() == LONGEST {
            pieces.push(vec![word]);
        } else {
            last.push(word);
        }
    }
    pieces.into_iter().enumerate().map(|(index, words)| (index == 0, words.join(" "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(name: &str, text: &str, expected: &[(&str, &str, &str)]) {
        let articles = articles(name, text).expect("the test writes a good file");
        let seen: Vec<_> = articles.iter().map(|it| (it.id.as_str(), it.title.as_str(), it.text.as_str())).collect();
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_file_without_headings_is_one_article_named_like_the_file() {
        check(
            "notes/heart_failure.txt",
            "Wet lungs.\nSwollen ankles.\n\n# not a heading here",
            &[("notes/heart_failure.txt", "heart failure", "Wet lungs. Swollen ankles.\n\n# not a heading here")],
        );
    }

    #[test]
    fn headings_part_a_file_and_carry_those_above_them() {
        let text = "intro\n# Angina\n## Signs\na\n## Care ##\nb\n# Gout\nc\n#hashtag\n```\n# code\n```\n";
        check(
            "x.md",
            text,
            &[
                ("x.md#0001", "x", "intro"),
                ("x.md#0002", "Angina › Signs", "a"),
                ("x.md#0003", "Angina › Care", "b"),
                ("x.md#0004", "Gout", "c #hashtag ``` # code ```"),
            ],
        );
    }

    #[test]
    fn front_matter_names_the_condition_and_is_no_text() {
        let made = articles(
            "g.md",
            "+++\ncondition = \"gout\"\nurl = \"https://x.example\"\nowner = 1\n+++\n# Gout\nHurts.\n",
        );
        let [article] = made.expect("it is good").try_into().expect("one article");
        assert_eq!((article.condition, article.text.as_str()), (Some("gout".into()), "Hurts."));
        assert_eq!(article.url.as_deref(), Some("https://x.example"));
        check("y.md", "---\ntags: [x]\n---\nText.", &[("y.md", "y", "Text.")]);
    }

    #[test]
    fn bad_front_matter_is_told_with_its_file() {
        let error = articles("g.md", "+++\ncondition = gout\n+++\nHurts.").expect_err("it has no quotes").to_string();
        assert!(error.starts_with("g.md, between the +++ lines"), "{error}");
    }

    #[test]
    fn long_texts_are_cut_between_paragraphs_and_sentences() {
        let sentence = "word ".repeat(19) + "end.";
        let paragraph = [sentence.as_str(); 7].join(" ");
        let text = format!("{paragraph}\n\n{paragraph}\n\n{}", [sentence.as_str(); 30].join(" "));
        let made = articles("t.txt", &text).expect("it is good");
        let lengths: Vec<_> = made.iter().map(|it| it.text.split_whitespace().count()).collect();
        assert_eq!(lengths, [140, 240, 240, 240, 20]);
        assert!(made.iter().all(|it| it.text.ends_with("end.")));
    }

    #[test]
    fn a_sentence_without_end_is_cut_at_a_word() {
        let made = articles("t.txt", &"word ".repeat(600)).expect("it is good");
        let lengths: Vec<_> = made.iter().map(|it| it.text.split_whitespace().count()).collect();
        assert_eq!(lengths, [250, 250, 100]);
    }
}
