//! The few SVG elements our figures are made of.

use std::borrow::Cow;
use std::fmt::Write as _;

#[derive(Clone, Debug)]
pub(super) struct Drawing {
    pub width: f64,
    pub height: f64,
    body: String,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Drawing {
    pub(super) fn new(width: f64, height: f64) -> Self {
        Self { width, height, body: String::new() }
    }

    pub(super) fn body(&self) -> &str {
        &self.body
    }

    pub(super) fn line(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        self.raw(format_args!(
            "<line class=\"{class}\" x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
            px(from.0),
            px(from.1),
            px(to.0),
            px(to.1)
        ));
    }

    /// `tip` is what a pointer resting on it, or a screen reader, is told.
    pub(super) fn rect(&mut self, class: &str, at: (f64, f64), size: (f64, f64), tip: &str) {
        self.raw(format_args!(
            "<rect class=\"{class}\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\">{}</rect>",
            px(at.0),
            px(at.1),
            px(size.0),
            px(size.1),
            title(tip)
        ));
    }

    pub(super) fn path(&mut self, class: &str, d: &str, tip: &str) {
        self.raw(format_args!("<path class=\"{class}\" d=\"{d}\">{}</path>", title(tip)));
    }

    /// `at` is the anchor on the baseline.
    pub(super) fn text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, text: &str) {
        self.turned_text(class, at, anchor, 0.0, text);
    }

    pub(super) fn turned_text(&mut self, class: &str, at: (f64, f64), anchor: Anchor, degrees: f64, text: &str) {
        let (x, y) = (px(at.0), px(at.1));
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let turn = match degrees {
            0.0 => String::new(),
            _ => format!(" transform=\"rotate({} {x} {y})\"", px(degrees)),
        };
        self.raw(format_args!(
            "<text class=\"{class}\" x=\"{x}\" y=\"{y}\" text-anchor=\"{anchor}\"{turn}>{}</text>",
            escape(text)
        ));
    }

    /// Puts another drawing into this one.
    pub(super) fn place(&mut self, x: f64, y: f64, other: &Self) {
        self.raw(format_args!("<g transform=\"translate({} {})\">{}</g>", px(x), px(y), other.body));
    }

    /// What is drawn until it is closed leads to a place of the page.
    pub(super) fn open_link(&mut self, href: &str) {
        self.raw(format_args!("<a href=\"{}\">", escape(href)));
    }

    pub(super) fn close_link(&mut self) {
        self.raw(format_args!("</a>"));
    }

    fn raw(&mut self, element: std::fmt::Arguments<'_>) {
        self.body.write_fmt(element).expect("writing to a String cannot fail");
    }
}

/// A tenth of a pixel is finer than any screen; fewer digits make smaller files that are equal on every platform.
pub(super) fn px(value: f64) -> String {
    let text = crate::number::fixed(value, 1);
    text.strip_suffix(".0").unwrap_or(&text).to_owned()
}

/// For text and for attributes in double quotes. Control characters, which XML forbids, are dropped.
pub(crate) fn escape(text: &str) -> Cow<'_, str> {
    let special = |c: char| matches!(c, '<' | '>' | '&' | '"' | '\'') || c.is_control();
    if !text.contains(special) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(' '),
            c if c.is_control() => {}
            c => safe.push(c),
        }
    }
    Cow::Owned(safe)
}

/// The width of a text in pixels, from the usual proportions of a sans-serif face. Nothing here can ask the
/// reader's machine which face it will use, so the estimate is on the wide side.
pub(super) fn width_of(text: &str, size: f64) -> f64 {
    let ems: f64 = text
        .chars()
        .map(|c| match c {
            'i' | 'j' | 'l' | '.' | ',' | ':' | '\'' | '|' | '!' | ' ' => 0.33,
            'f' | 'r' | 't' | '-' | '(' | ')' | '/' => 0.43,
            'm' | 'w' | 'M' | 'W' | '@' | '%' | '→' => 0.95,
            'A'..='Z' => 0.73,
            c if (c as u32) > 0x2e80 => 1.05,
            _ => 0.62,
        })
        .sum();
    ems * size
}

/// Cuts what is too wide and says so with an ellipsis.
pub(super) fn fitted(text: &str, size: f64, room: f64) -> String {
    if width_of(text, size) <= room {
        return text.to_owned();
    }
    let mut kept = String::new();
    for c in text.chars() {
        kept.push(c);
        if width_of(&kept, size) + size > room {
            kept.pop();
            break;
        }
    }
    format!("{}…", kept.trim_end())
}

/// On as many lines as it takes; a word wider than the room is cut.
pub(super) fn wrapped(text: &str, size: f64, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ').filter(|word| !word.is_empty()) {
        match lines.last_mut() {
            Some(line) if width_of(&format!("{line} {word}"), size) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(fitted(word, size, room)),
        }
    }
    lines
}

fn title(tip: &str) -> String {
    match tip {
        "" => String::new(),
        tip => format!("<title>{}</title>", escape(tip)),
    }
}
