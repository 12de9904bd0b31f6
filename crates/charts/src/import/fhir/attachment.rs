//! Reports and documents: text that travels inside a resource.

use super::super::classify;
use super::super::draft::Item;
use super::super::files::decode;
use super::collect::Taken;
use super::json::{concept, concepts, date, joined, list, sentence, string};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

pub(super) fn report(resource: &Value) -> Result<Taken, String> {
    let name = concept(resource.get("code"));
    let forms: Vec<_> = list(resource, "presentedForm").collect();
    let (texts, unread) = read_all(&forms)?;
    let results = list(resource, "result").count();
    let found = joined([string(resource, "/conclusion").to_owned(), concepts(resource, "conclusionCode")].into_iter());
    let count = if results == 0 { String::new() } else { format!("{results} results") };
    let mut text = sentence(&name, &[("", &count), ("", &found), ("not shown: ", &unread.join(", "))]);
    for each in &texts {
        text.push('\n');
        text.push_str(each);
    }
    if text.trim().is_empty() {
        return Ok(Taken::Skipped("says nothing".to_owned()));
    }
    let kind = format!("{} {name}", concepts(resource, "category"));
    let (section, tag) = classify::note(&kind);
    // What is neither pathology nor imaging is a report of its own.
    let known = matches!(tag, "Pathology" | "Imaging" | "Biomarker" | "Procedure");
    let tag = if known { tag } else { "Report" }.to_owned();
    let section = if known { section } else { crate::Section::Procedures };
    let date = date(resource, &["effective", "issued"]).to_owned();
    Ok(Taken::Items(vec![Item { date, tag, section, text, headline: None }]))
}

pub(super) fn document(resource: &Value) -> Result<Taken, String> {
    let attachments: Vec<_> = list(resource, "content").filter_map(|content| content.get("attachment")).collect();
    let (texts, unread) = read_all(&attachments)?;
    if texts.is_empty() {
        let why = unread.first().cloned().unwrap_or_else(|| "without content".to_owned());
        return Ok(Taken::Skipped(why));
    }
    let kind =
        [concept(resource.get("type")), concepts(resource, "category"), string(resource, "/description").to_owned()];
    let kind = kind.into_iter().find(|text| !text.is_empty()).unwrap_or_default();
    let (section, tag) = classify::note(&kind);
    let date = [string(resource, "/context/period/start"), string(resource, "/date")];
    let date = date.into_iter().find(|date| !date.is_empty()).unwrap_or_default().to_owned();
    let mut text = texts.join("\n\n");
    if !unread.is_empty() {
        text.push_str(&format!("\n(not shown: {})", unread.join(", ")));
    }
    Ok(Taken::Items(vec![Item { date, tag: tag.to_owned(), section, text, headline: None }]))
}

/// The texts, and why the others are none.
fn read_all(attachments: &[&Value]) -> Result<(Vec<String>, Vec<String>), String> {
    let (mut texts, mut unread) = (Vec::new(), Vec::new());
    for attachment in attachments {
        match read(attachment)? {
            Ok(text) => texts.push(text),
            Err(why) => unread.push(why),
        }
    }
    Ok((texts, unread))
}

fn read(attachment: &Value) -> Result<Result<String, String>, String> {
    let kind = string(attachment, "/contentType").split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    let is_html = kind == "text/html" || kind == "application/xhtml+xml";
    if !(kind.is_empty() || kind.starts_with("text/") || is_html) || kind == "text/rtf" {
        return Ok(Err(format!("an attachment of type {kind}")));
    }
    let data = string(attachment, "/data");
    if data.is_empty() {
        let linked = !string(attachment, "/url").is_empty();
        return Ok(Err(if linked { "an attachment that is only linked" } else { "an empty attachment" }.to_owned()));
    }
    let compact: String = data.chars().filter(|letter| !letter.is_whitespace()).collect();
    let bytes = STANDARD.decode(compact).map_err(|error| format!("its attachment is no base64: {error}"))?;
    let text = decode(bytes);
    Ok(Ok(if is_html { without_markup(&text) } else { text }))
}

/// The words of an HTML text, with line breaks where blocks end.
fn without_markup(html: &str) -> String {
    let mut text = String::with_capacity(html.len());
    let mut rest = html;
    while let Some(at) = rest.find('<') {
        push_unescaped(&mut text, &rest[..at]);
        let (tag, after) = rest[at + 1..].split_once('>').unwrap_or((&rest[at + 1..], ""));
        let name: String = tag.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).collect();
        if matches!(name.to_ascii_lowercase().as_str(), "br" | "p" | "div" | "li" | "tr" | "h1" | "h2" | "h3" | "h4")
            && !text.is_empty()
            && !text.ends_with('\n')
        {
            text.push('\n');
        }
        rest = after;
    }
    push_unescaped(&mut text, rest);
    text.trim().to_owned()
}

fn push_unescaped(text: &mut String, words: &str) {
    let mut rest = words;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        let end = rest[at..].find(';').filter(|end| *end <= 8);
        let letter = end.and_then(|end| entity(&rest[at + 1..at + end]));
        match (letter, end) {
            (Some(letter), Some(end)) => {
                text.push(letter);
                rest = &rest[at + end + 1..];
            }
            _ => {
                text.push('&');
                rest = &rest[at + 1..];
            }
        }
    }
    text.push_str(rest);
}

fn entity(name: &str) -> Option<char> {
    match name {
        "amp" => Some('&'),
        "lt" => Some('<'),
        "gt" => Some('>'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        "nbsp" => Some(' '),
        _ => name.strip_prefix('#')?.parse().ok().and_then(char::from_u32),
    }
}
