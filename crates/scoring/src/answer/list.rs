//! An answer in pieces: numbered lists, tables and lists of bullets with confidences, and the prose between them.

use super::denied::{denied, is_chosen};
use super::item::Item;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Block<'a> {
    List(Vec<Item>),
    Prose(&'a str),
}

/// A list starts anew at every "1."; blank lines inside it are allowed, other text ends it.
pub(super) fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut list: Vec<Item> = Vec::new();
    let close = |list: &mut Vec<Item>, blocks: &mut Vec<Block<'_>>| {
        if !list.is_empty() {
            blocks.push(Block::List(std::mem::take(list)));
        }
    };
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        // What stands indented below an item is of it.
        let is_below = line.starts_with([' ', '\t']) && !list.is_empty();
        let line = line.trim();
        match mark(line) {
            None if is_below && line.starts_with(['-', '*', '•', '–']) => {}
            Some(Mark::Number(number, words)) => {
                if number == 1 {
                    close(&mut list, &mut blocks);
                }
                if number as usize == list.len() + 1 {
                    list.extend(Item::read(words));
                }
            }
            Some(Mark::Bullet(item)) => list.push(item),
            Some(Mark::Rule) => {}
            None => {
                close(&mut list, &mut blocks);
                blocks.push(Block::Prose(line));
            }
        }
    }
    close(&mut list, &mut blocks);
    blocks
}

enum Mark<'a> {
    /// `1. words`, `1) words`, `**1.** words`, `| 1 | words |`
    Number(u32, &'a str),
    /// `- words (0.6)`, `- words: ruled out`. Without a confidence or a verdict a bullet is part of the reasoning.
    Bullet(Item),
    /// The line under the head of a table, and the head.
    Rule,
}

fn mark(line: &str) -> Option<Mark<'_>> {
    if let Some(row) = line.strip_prefix('|') {
        if row.chars().all(|c| "|-: ".contains(c)) {
            return Some(Mark::Rule);
        }
        let (number, words) = row.split_once('|')?;
        let graded = |words: &str| Item::read(words).filter(|item| item.confidence.is_some());
        // Beside a name stand its chance, and reasons.
        let cell = || words.split('|').next().unwrap_or_default();
        return Some(match number.trim().parse() {
            Ok(number) => Mark::Number(number, if graded(words).is_some() { words } else { cell() }),
            Err(_) => graded(row).map_or(Mark::Rule, Mark::Bullet),
        });
    }
    if let Some((number, words)) = numbered(line) {
        return Some(Mark::Number(number, words));
    }
    let words = ["- ", "* ", "• "].iter().find_map(|bullet| line.strip_prefix(bullet))?;
    let tells = |item: &Item| item.confidence.is_some() || denied(&item.words).is_some() || is_chosen(&item.words);
    Item::read(words).filter(tells).map(Mark::Bullet)
}

fn numbered(line: &str) -> Option<(u32, &str)> {
    let line = line.trim_start_matches(['*', '#', ' ', '[']);
    let line = line.strip_prefix("Rank ").or_else(|| line.strip_prefix("No. ")).unwrap_or(line);
    let digits = line.find(|c: char| !c.is_ascii_digit())?;
    let number = line[..digits].parse().ok()?;
    let rest = line[digits..].strip_prefix(['.', ')', ':', ']']).or_else(|| line[digits..].strip_prefix(" -"))?;
    // A number such as 1.5 is no list mark. Chinese leaves no space.
    let begins = |c: char| [' ', '*', '\t'].contains(&c) || (c.is_alphabetic() && !c.is_ascii());
    rest.starts_with(begins).then_some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&[&str]]) {
        let lists: Vec<Vec<String>> = blocks(text)
            .into_iter()
            .filter_map(|block| match block {
                Block::List(items) => Some(items.into_iter().map(|item| item.words).collect()),
                Block::Prose(_) => None,
            })
            .collect();
        assert_eq!(lists, expected, "{text}");
    }

    #[test]
    fn a_table_is_a_list() {
        check(
            "| # | Condition | Confidence |\n|---|:---|---|\n| 1 | Pneumonia | 0.6 |\n| 2 | PE | 0.2 |",
            &[&["Pneumonia", "PE"]],
        );
    }

    #[test]
    fn bullets_are_a_list_when_they_carry_confidences() {
        check("- Pneumonia (0.6)\n- PE (0.2)", &[&["Pneumonia", "PE"]]);
        check("- There is fever.\n- There is no cough.", &[]);
    }

    #[test]
    fn a_new_one_starts_a_new_list() {
        check("1. Fever\n2. Cough\n1. Pneumonia\n\n2. PE", &[&["Fever", "Cough"], &["Pneumonia", "PE"]]);
    }

    #[test]
    fn chinese_leaves_no_space_after_a_number() {
        check("1.肺栓塞\n2.肺炎", &[&["肺栓塞", "肺炎"]]);
    }

    #[test]
    fn a_decimal_number_is_no_list_mark() {
        check("1.5 cm lesion", &[]);
        check("1.٥ cm lesion", &[]);
    }
}
