//! Everything raters said, as a table: a row for each item and rater.

use crate::{Form, Given, Source, Tally};
use serde::Serialize;
use waterjar_core::cell::guarded;
use waterjar_store::Rating;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Exported {
    pub item: u32,
    pub rater: String,
    pub state: &'static str,
    pub family: String,
    pub variant: String,
    pub role: String,
    /// One, or the two that are compared, the first first.
    pub subjects: Vec<String>,
    pub repeat: u32,
    pub stratum: String,
    pub weight: f64,
    pub answers: Given,
    pub comment: String,
    pub seconds: f64,
    /// Milliseconds since 1970.
    pub at: i64,
    pub swapped: bool,
}

pub fn rows(sources: &[Source], ratings: &[Rating]) -> Vec<Exported> {
    let row = |rating: &Rating| {
        let source = sources.get(rating.item as usize)?;
        let body = &rating.body;
        Some(Exported {
            item: rating.item,
            rater: rating.rater.clone(),
            state: rating.state.as_str(),
            family: source.family.to_string(),
            variant: source.variant.to_string(),
            role: source.role.clone(),
            subjects: source.subjects.iter().map(ToString::to_string).collect(),
            repeat: source.repeat,
            stratum: source.stratum.clone(),
            weight: source.weight,
            answers: body.answers.clone(),
            comment: body.comment.clone(),
            seconds: body.seconds,
            at: body.at,
            swapped: body.swapped,
        })
    };
    ratings.iter().filter_map(row).collect()
}

pub fn jsonl(rows: &[Exported]) -> String {
    let line = |row: &Exported| serde_json::to_string(row).expect("names, numbers and texts are JSON");
    rows.iter().flat_map(|row| [line(row), "\n".to_owned()]).collect()
}

/// A column for each question; several answers with a semicolon between them.
pub fn csv(form: &Form, rows: &[Exported]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let before = ["item", "rater", "state", "family", "variant", "role", "subjects", "repeat", "stratum", "weight"];
    let questions = form.questions.iter().map(|question| question.id.as_str());
    let head: Vec<&str> = before.into_iter().chain(questions).chain(["comment", "seconds", "at", "swapped"]).collect();
    let written = "a table in memory can be written";
    writer.write_record(head).expect(written);
    for row in rows {
        let mut cells = vec![row.item.to_string(), row.rater.clone(), row.state.to_owned(), row.family.clone()];
        cells.extend([row.variant.clone(), row.role.clone(), row.subjects.join(";"), row.repeat.to_string()]);
        cells.extend([row.stratum.clone(), row.weight.to_string()]);
        cells
            .extend(form.questions.iter().map(|it| row.answers.get(&it.id).map(|it| it.join(";")).unwrap_or_default()));
        cells.extend([row.comment.clone(), format!("{:.1}", row.seconds), row.at.to_string(), row.swapped.to_string()]);
        writer.write_record(cells.iter().map(|cell| guarded(cell))).expect(written);
    }
    let bytes = writer.into_inner().expect(written);
    String::from_utf8(bytes).expect("only texts were written")
}

/// How often each answer was settled on, a row for each: in all where the role is empty.
pub fn results_csv(tallies: &[Tally]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let written = "a table in memory can be written";
    writer.write_record(["question", "role", "answer", "said", "items", "share", "low", "high"]).expect(written);
    for tally in tallies {
        for it in &tally.answers {
            let end = |of: Option<f64>| of.map_or_else(String::new, |it| format!("{it:.4}"));
            let role = tally.role.as_deref().unwrap_or_default();
            let mut cells = vec![guarded(&tally.question), guarded(role)];
            cells.extend([guarded(&it.answer), it.items.to_string(), tally.items.to_string()]);
            cells.extend([end(Some(it.share)), end(it.interval.map(|it| it.low)), end(it.interval.map(|it| it.high))]);
            writer.write_record(cells).expect(written);
        }
    }
    let bytes = writer.into_inner().expect(written);
    String::from_utf8(bytes).expect("only texts were written")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula_and_numbers_stay_numbers() {
        let head = "id = \"f\"\ntitle = \"t\"\nabout = \"a\"\nunit = \"question\"\n";
        let form = format!("{head}[[questions]]\nid = \"why\"\nask = \"Why?\"\nkind = \"words\"\n");
        let row = Exported {
            item: 0,
            rater: "@anna".to_owned(),
            state: "rated",
            family: "-case".to_owned(),
            variant: "=case/trap".to_owned(),
            role: "trap".to_owned(),
            subjects: vec!["+agent@model".to_owned(), "plain@model".to_owned()],
            repeat: 0,
            stratum: String::new(),
            weight: -0.5,
            answers: Given::from([("why".to_owned(), vec!["\r=1+1".to_owned()])]),
            comment: "\n=2+2".to_owned(),
            seconds: 1.0,
            at: 7,
            swapped: false,
        };
        let table = csv(&Form::read("f", &form).unwrap(), &[row]);
        let told = "0,'@anna,rated,'-case,'=case/trap,trap,'+agent@model;plain@model,0,,-0.5,\"'\r=1+1\",\"'\n=2+2\",1.0,7,false\n";
        assert_eq!(table.split_once("swapped\n").map(|(_, rows)| rows), Some(told));
    }
}
