//! Who writes, and how: the same facts in the manner of five kinds of doctors.

use super::writer::Writer;

/// How an author writes notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Letters in whole paragraphs.
    Prose,
    /// Hurried lines with abbreviations.
    Terse,
    /// Subjective, objective, assessment, plan.
    Soap,
    /// Dictated, with headings in capitals.
    Dictated,
    /// Headings and bullets, as trainees write.
    Problem,
}

#[derive(Clone, Debug)]
pub(super) struct Author {
    pub name: String,
    pub role: String,
    pub style: Style,
}

/// Invented, like everything else here.
const NAMES: &[&str] = &[
    "Dr. Abelsen",
    "Dr. Brandvold",
    "Dr. Castellane",
    "Dr. Dunmore",
    "Dr. Eriksdottir",
    "Dr. Farrukh",
    "Dr. Galliano",
    "Dr. Hallam",
    "Dr. Ibsenius",
    "Dr. Jaramillo",
    "Dr. Kowalczyk",
    "Dr. Lindqvist",
    "Dr. Mbeki-Stone",
    "Dr. Nakamura",
    "Dr. Okonkwo",
    "Dr. Petrosyan",
    "Dr. Quillfeather",
    "Dr. Rasmussen",
    "Dr. Sundaram",
    "Dr. Thackeray",
    "Dr. Ulvestad",
    "Dr. Verbruggen",
    "Dr. Wendelboe",
    "Dr. Yilmaz",
    "Dr. Zamora",
];

const STYLES: [Style; 5] = [Style::Prose, Style::Terse, Style::Soap, Style::Dictated, Style::Problem];

/// The people of one chart. No two share a name, and the two oncologists write differently.
#[derive(Clone, Debug)]
pub(super) struct Team {
    pub oncologist: Author,
    pub second: Author,
    pub surgeon: Author,
    pub family_doctor: Author,
    pub radiologist: Author,
    pub pathologist: Author,
}

impl Team {
    pub fn draw(writer: &mut Writer<'_>, oncology: &str, surgery: &str) -> Self {
        let start = writer.between(0, NAMES.len() as i32 - 1) as usize;
        let step = *writer.pick(&[2usize, 3, 4, 6, 7, 8, 9]);
        let first_style = writer.between(0, 4) as usize;
        let other_style = first_style + writer.between(1, 4) as usize;
        let author = |number: usize, role: &str, style: usize| Author {
            // 25 names and steps prime to 25: no name comes twice.
            name: NAMES[(start + number * step) % NAMES.len()].to_owned(),
            role: role.to_owned(),
            style: STYLES[style % STYLES.len()],
        };
        Self {
            oncologist: author(0, oncology, first_style),
            second: author(1, oncology, other_style),
            surgeon: author(2, surgery, other_style + 1),
            family_doctor: author(3, "family medicine", 0),
            radiologist: author(4, "radiology", 3),
            pathologist: author(5, "pathology", 3),
        }
    }
}

/// The parts a note can have, in the order they are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Slot {
    Opening,
    History,
    Interval,
    Past,
    Status,
    Exam,
    Results,
    Assessment,
    Plan,
}

impl Slot {
    fn heading(self) -> &'static str {
        match self {
            Self::Opening => "Reason for visit",
            Self::History => "History",
            Self::Interval => "Interval",
            Self::Past => "Background",
            Self::Status => "Performance status",
            Self::Exam => "Examination",
            Self::Results => "Results",
            Self::Assessment => "Assessment",
            Self::Plan => "Plan",
        }
    }

    fn abbreviation(self) -> &'static str {
        match self {
            Self::Opening => "Re",
            Self::History => "Hx",
            Self::Interval => "Int",
            Self::Past => "Bg",
            Self::Status => "PS",
            Self::Exam => "OE",
            Self::Results => "Res",
            Self::Assessment => "Imp",
            Self::Plan => "Pl",
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(super) struct Note {
    slots: Vec<(Slot, Vec<String>)>,
}

impl Note {
    pub fn put(&mut self, slot: Slot, said: impl IntoIterator<Item = String>) {
        let said: Vec<_> = said.into_iter().filter(|text| !text.is_empty()).collect();
        if !said.is_empty() {
            self.slots.push((slot, said));
        }
    }

    pub fn write(&self, style: Style) -> String {
        let part = |(slot, said): &(Slot, Vec<String>)| match style {
            Style::Prose => sentences(said),
            Style::Terse => format!("{}: {}", slot.abbreviation(), hurried(said)),
            Style::Dictated => format!("{}: {}", slot.heading().to_uppercase(), sentences(said)),
            Style::Problem => {
                let lines: Vec<_> = said.iter().map(|text| format!("- {text}")).collect();
                format!("{}\n{}", slot.heading(), lines.join("\n"))
            }
            Style::Soap => hurried(said),
        };
        if style == Style::Soap {
            return self.in_four(part);
        }
        let between = if matches!(style, Style::Terse) { "\n" } else { "\n\n" };
        self.slots.iter().map(part).collect::<Vec<_>>().join(between)
    }

    fn in_four(&self, part: impl Fn(&(Slot, Vec<String>)) -> String) -> String {
        let letter = |slot: Slot| match slot {
            Slot::Opening | Slot::History | Slot::Interval | Slot::Past => 'S',
            Slot::Status | Slot::Exam | Slot::Results => 'O',
            Slot::Assessment => 'A',
            Slot::Plan => 'P',
        };
        let group = |wanted: char| {
            let parts: Vec<_> = self.slots.iter().filter(|(slot, _)| letter(*slot) == wanted).map(&part).collect();
            (!parts.is_empty()).then(|| format!("{wanted}: {}", parts.join(". ")))
        };
        "SOAP".chars().filter_map(group).collect::<Vec<_>>().join("\n")
    }
}

/// One after the other, with nothing but semicolons.
fn hurried(said: &[String]) -> String {
    said.iter().map(|text| text.trim_end_matches('.')).collect::<Vec<_>>().join("; ")
}

/// Sentences side by side; a short phrase among them gets its capital and its full stop.
fn sentences(said: &[String]) -> String {
    let finished = said.iter().map(|text| {
        let text = super::phrase::capital(text);
        if text.ends_with(['.', '?', '!', '"', ':']) { text } else { format!("{text}.") }
    });
    finished.collect::<Vec<_>>().join(" ")
}

impl Style {
    /// Which wording of a fact suits it.
    pub fn register(self) -> &'static str {
        match self {
            Self::Prose | Self::Dictated => "prose",
            Self::Terse | Self::Soap => "short",
            Self::Problem => "list",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(style: Style, expected: &str) {
        let mut note = Note::default();
        note.put(Slot::Opening, ["62M for review".to_owned()]);
        note.put(Slot::Exam, ["chest clear".to_owned(), "abd soft".to_owned()]);
        note.put(Slot::Plan, Vec::new());
        assert_eq!(note.write(style), expected);
    }

    #[test]
    fn the_same_note_reads_differently_by_author() {
        check(Style::Prose, "62M for review.\n\nChest clear. Abd soft.");
        check(Style::Terse, "Re: 62M for review\nOE: chest clear; abd soft");
        check(Style::Soap, "S: 62M for review\nO: chest clear; abd soft");
        check(Style::Dictated, "REASON FOR VISIT: 62M for review.\n\nEXAMINATION: Chest clear. Abd soft.");
        check(Style::Problem, "Reason for visit\n- 62M for review\n\nExamination\n- chest clear\n- abd soft");
    }
}
