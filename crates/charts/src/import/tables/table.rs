//! One file of a folder of tables, ready to be read.

use super::super::classify;
use super::super::draft::{Headline, Item, label};
use super::super::drafts::{Drafts, Pass};
use super::super::files::name;
use super::super::summary::Summary;
use super::super::when::{DateOrder, When};
use super::layout::{EventTable, PatientTable, SectionRule};
use super::rows::each_row;
use super::template::{Columns, Lookups, Template};
use crate::Section;
use std::path::{Path, PathBuf};
use waterjar_core::SourceError;

#[derive(Debug)]
pub(super) struct Table {
    pub path: PathBuf,
    /// As the summary counts its rows.
    what: String,
    pub columns: Columns,
    patient: Template,
    body: Body,
}

#[derive(Debug)]
enum Body {
    Patients(Vec<(String, Template)>),
    Events(Box<Events>),
}

#[derive(Debug)]
struct Events {
    date: Template,
    tag: Template,
    section: SectionRule,
    text: Template,
    headline: Option<(Template, Template)>,
    category: Template,
    code: Template,
    unless: Option<Template>,
}

impl Table {
    pub fn of_patients(path: &Path, written: &PatientTable) -> Result<Self, SourceError> {
        let mut columns = Columns::default();
        let mut template = compiler(path, &mut columns);
        let patient = template(&written.patient)?;
        let lines = written.demographics.iter().map(|(label, value)| Ok((label.clone(), template(value)?)));
        let body = Body::Patients(lines.collect::<Result<_, SourceError>>()?);
        drop(template);
        Ok(Self { path: path.to_owned(), what: name(path), columns, patient, body })
    }

    pub fn of_events(path: &Path, written: &EventTable) -> Result<Self, SourceError> {
        let mut columns = Columns::default();
        let mut template = compiler(path, &mut columns);
        let patient = template(&written.patient)?;
        let headline = match &written.headline {
            Some(text) => Some((template(written.name.as_ref().unwrap_or(text))?, template(text)?)),
            None => None,
        };
        let events = Events {
            date: template(&written.date)?,
            tag: template(&written.tag)?,
            section: written.section,
            text: template(&written.text)?,
            headline,
            category: template(&written.category)?,
            code: template(&written.code)?,
            unless: written.unless.as_deref().map(template).transpose()?,
        };
        let body = Body::Events(Box::new(events));
        Ok(Self { path: path.to_owned(), what: name(path), columns, patient, body })
    }

    /// All rows are this patient's.
    #[must_use]
    pub fn owned_by(mut self, patient: &str) -> Self {
        self.patient = Template::literal(patient);
        self
    }

    #[must_use]
    pub fn counted_as(mut self, what: &str) -> Self {
        what.clone_into(&mut self.what);
        self
    }

    pub fn has_entries(&self) -> bool {
        matches!(self.body, Body::Events(_))
    }

    /// Every lookup with the column it looks up.
    pub fn lookups(&self) -> Vec<(&str, usize)> {
        let mut found = self.patient.lookups();
        match &self.body {
            Body::Patients(lines) => found.extend(lines.iter().flat_map(|(_, template)| template.lookups())),
            Body::Events(events) => {
                let headline = events.headline.iter().flat_map(|(name, text)| [name, text]);
                let all = [&events.date, &events.tag, &events.text, &events.category, &events.code];
                found.extend(all.into_iter().chain(headline).chain(&events.unless).flat_map(Template::lookups));
            }
        }
        found
    }

    fn required(&self) -> Vec<Vec<usize>> {
        let text: Vec<_> = match &self.body {
            Body::Patients(_) => Vec::new(),
            Body::Events(events) => events.text.required().chain(events.date.required()).collect(),
        };
        self.patient.required().chain(text).collect()
    }

    pub fn read_into(
        &self,
        drafts: &mut Drafts,
        lookups: &Lookups,
        order: DateOrder,
        pass: Pass,
        summary: &mut Summary,
    ) -> Result<(), SourceError> {
        let file = &self.what;
        each_row(&self.path, &self.columns, &self.required(), &mut |_, row| {
            let patient = self.patient.fill(row, lookups);
            if patient.trim().is_empty() {
                if pass.is_first() {
                    summary.skip_one(file, "no patient id");
                }
                return Ok(());
            }
            if !pass.holds(&patient) {
                return Ok(());
            }
            match &self.body {
                Body::Patients(lines) => {
                    let draft = drafts.of(&patient);
                    for (label, template) in lines {
                        draft.state(label, &demographic(label, &template.fill(row, lookups), order));
                    }
                    summary.read_one(file);
                }
                Body::Events(events) => match events.item(row, lookups) {
                    Ok(item) => {
                        drafts.of(&patient).add(item, order, summary);
                        summary.read_one(file);
                    }
                    Err(why) => summary.skip_one(file, &why),
                },
            }
            Ok(())
        })
    }
}

impl Events {
    fn item(&self, row: &[String], lookups: &Lookups) -> Result<Item, String> {
        let why = self.unless.as_ref().map_or_else(String::new, |unless| unless.fill(row, lookups));
        if !why.is_empty() {
            return Err(why);
        }
        let text = self.text.fill(row, lookups);
        if text.trim().is_empty() {
            return Err("no text".to_owned());
        }
        let mut tag = self.tag.fill(row, lookups);
        let category = self.category.fill(row, lookups);
        let headline = self
            .headline
            .as_ref()
            .map(|(name, text)| Headline { name: name.fill(row, lookups), text: text.fill(row, lookups) });
        let section = match self.section {
            SectionRule::Tag => Section::of_tag(&tag),
            SectionRule::Observation => {
                let name = headline.as_ref().map_or(text.as_str(), |headline| headline.name.as_str());
                let (section, found) = classify::observation(name, &category, &self.code.fill(row, lookups));
                tag = found.to_owned();
                section
            }
            SectionRule::Note => {
                let (section, found) = classify::note(if category.is_empty() { &tag } else { &category });
                tag = found.to_owned();
                section
            }
            fixed => fixed.section(),
        };
        Ok(Item {
            date: self.date.fill(row, lookups),
            tag,
            section,
            text,
            headline: headline.filter(|headline| !headline.text.is_empty()),
        })
    }
}

fn compiler<'a>(path: &'a Path, columns: &'a mut Columns) -> impl FnMut(&str) -> Result<Template, SourceError> + 'a {
    move |text| {
        Template::read(text, columns).map_err(|problem| {
            SourceError::new(format!("layout of {}", path.display()), format!("bad template {problem}"))
        })
    }
}

/// Dates of birth and death are written our way, so that an age can be told.
fn demographic(label: &str, value: &str, order: DateOrder) -> String {
    let dated = [label::BORN, label::DIED].contains(&label);
    let when = if dated { When::read(value, order) } else { None };
    when.map_or_else(|| value.to_owned(), |when| when.date.to_string())
}
