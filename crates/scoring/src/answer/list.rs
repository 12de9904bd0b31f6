//! Finding the list of diagnoses in an answer.

/// One diagnosis as the answer words it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Item {
    pub words: String,
    /// 0..1 where the answer gives one.
    pub confidence: Option<f64>,
}

/// The last numbered list; else a line that says it is the final diagnosis; else the whole of a short answer.
pub(super) fn items(text: &str) -> Vec<Item> {
    let list = last_list(text);
    if !list.is_empty() {
        return list;
    }
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|it| !it.is_empty()).collect();
    let line = lines
        .iter()
        .rev()
        .find_map(|line| final_line(line))
        .or_else(|| (lines.len() == 1).then(|| lines[0].to_owned()));
    line.and_then(|line| item(&line)).into_iter().collect()
}

/// A list starts anew at every "1."; blank lines inside it are allowed, other text ends it.
fn last_list(text: &str) -> Vec<Item> {
    let mut list = Vec::new();
    for line in text.lines().map(str::trim).filter(|line| !line.is_empty()) {
        if let Some((number, words)) = numbered(line) {
            if number == 1 {
                list.clear();
            }
            if number as usize == list.len() + 1
                && let Some(item) = item(words)
            {
                list.push(item);
            }
        }
    }
    list
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
