//! Finding the list of diagnoses in an answer.

/// One diagnosis as the answer words it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub words: String,
    /// 0..1 where the answer gives one.
    pub confidence: Option<f64>,
}

/// Whichever comes last: a numbered list whose first item `is_known`, or a line that says it is the diagnosis. Without
/// either, the last numbered list, or the whole of an answer short enough to be a name.
pub(super) fn items(text: &str, is_known: impl Fn(&str) -> bool) -> Vec<Item> {
    let mut found = Vec::new();
    let mut any_list = Vec::new();
    for block in blocks(text) {
        match block {
            Block::List(list) => {
                if list.first().is_some_and(|item| is_known(&item.words)) {
                    found = list.clone();
                }
                any_list = list;
            }
            Block::Announced(item) => found = vec![item],
        }
    }
    if !found.is_empty() {
        return found;
    }
    if !any_list.is_empty() {
        return any_list;
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    match lines.as_slice() {
        [line] if line.split_whitespace().count() <= LONGEST_NAME => item(line).into_iter().collect(),
        _ => Vec::new(),
    }
}

/// More words than this are prose, not the name of a condition.
const LONGEST_NAME: usize = 8;

enum Block {
    List(Vec<Item>),
    Announced(Item),
}

/// A list starts anew at every "1."; blank lines inside it are allowed, other text ends it.
fn blocks(text: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut list: Vec<Item> = Vec::new();
    let close = |list: &mut Vec<Item>, blocks: &mut Vec<Block>| {
        if !list.is_empty() {
            blocks.push(Block::List(std::mem::take(list)));
        }
    };
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        match numbered(line) {
            Some((number, words)) => {
                if number == 1 {
                    close(&mut list, &mut blocks);
                }
                if number as usize == list.len() + 1 {
                    list.extend(item(words));
                }
            }
            None => {
                close(&mut list, &mut blocks);
                blocks.extend(final_line(line).and_then(|words| item(&words)).map(Block::Announced));
            }
        }
    }
    close(&mut list, &mut blocks);
    blocks
}

/// `1. words`, `1) words`, `**1.** words`
fn numbered(line: &str) -> Option<(u32, &str)> {
    let line = line.trim_start_matches(['*', '#', ' ']);
    let digits = line.find(|c: char| !c.is_ascii_digit())?;
    let number = line[..digits].parse().ok()?;
    let rest = line[digits..].strip_prefix(['.', ')', ':'])?;
    // A number such as 1.5 is no list mark.
    rest.starts_with([' ', '*', '\t']).then_some((number, rest))
}

fn final_line(line: &str) -> Option<String> {
    let plain = line.replace(['*', '#', '_'], "");
    let (head, words) = plain.split_once(':')?;
    let head = head.trim().to_lowercase();
    let announces = ["final diagnosis", "diagnosis", "final answer", "answer", "most likely diagnosis"]
        .iter()
        .any(|known| head.ends_with(known));
    (announces && !words.trim().is_empty()).then(|| words.trim().to_owned())
}

/// Splits `Pulmonary embolism (0.62)` and `PE - 80%` into words and confidence.
fn item(text: &str) -> Option<Item> {
    let plain = text.replace(['*', '_', '`'], "");
    let mut words = plain.trim().trim_end_matches('.').trim();
    let mut confidence = None;
    if let Some(open) = words.rfind('(')
        && let Some(inside) = words[open..].strip_prefix('(').and_then(|it| it.strip_suffix(')'))
        && let Some(found) = number_in(inside)
    {
        confidence = Some(found);
        words = words[..open].trim();
    } else if let Some((before, after)) = words.rsplit_once([':', '–', '—', '-'])
        && let Some(found) = number_in(after)
    {
        confidence = Some(found);
        words = before.trim();
    }
    (!words.is_empty()).then(|| Item { words: words.to_owned(), confidence })
}

/// `0.62`, `62%`, `confidence: 0.62`; anything with other words in it is not a confidence.
fn number_in(text: &str) -> Option<f64> {
    let text = text.trim().to_lowercase();
    let text = text.trim_start_matches("confidence").trim_start_matches([':', '=', ' ']);
    let (number, unit) = match text.strip_suffix('%') {
        Some(number) => (number.trim(), 100.0),
        None => (text, 1.0),
    };
    let value = number.parse::<f64>().ok()? / unit;
    (0.0..=1.0).contains(&value).then_some(value)
}
