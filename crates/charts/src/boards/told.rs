//! Facts in words: each call says them anew.

use super::chartist::Chartist;
use super::facts::{Biomarker, LineOutcome, MarkerKind, Surgery};
use super::story::month;
use crate::Date;

impl Chartist<'_> {
    /// A fact that is a single phrase: `stage`, `renal`, `allergy` …
    pub fn tell(&mut self, fact: &str, register: &str) -> String {
        self.writer.say(&format!("{fact}.{register}"))
    }

    /// Nothing where no phrase fits, as with pregnancy in a man.
    pub fn tell_maybe(&mut self, fact: &str, register: &str) -> Vec<String> {
        self.writer.say_maybe(&format!("{fact}.{register}")).into_iter().collect()
    }

    pub fn tell_stage(&mut self, register: &str) -> Vec<String> {
        let mut said = vec![self.tell("stage", register), self.tell("extent", register)];
        said.extend(self.tell_maybe("initial", register));
        said
    }

    pub fn tell_biomarkers(&mut self, register: &str) -> Vec<String> {
        self.known_markers().iter().map(|marker| self.tell_biomarker(marker, register)).collect()
    }

    /// Resistance mutations are found when treatment has failed, not before.
    pub fn known_markers(&self) -> Vec<Biomarker> {
        let retested = self.story.lines.last().is_none_or(|(_, end)| *end < self.today);
        let known = |marker: &&Biomarker| retested || !is_acquired(marker);
        self.case.facts.biomarkers.iter().filter(known).cloned().collect()
    }

    pub fn tell_biomarker(&mut self, marker: &Biomarker, register: &str) -> String {
        let kind = match marker.kind {
            MarkerKind::Receptor => "receptor",
            MarkerKind::Mutation => "mutation",
            MarkerKind::Fusion => "fusion",
            MarkerKind::Rearrangement => "rearrangement",
            MarkerKind::Amplification => "amplification",
            MarkerKind::Mmr => "mmr",
            MarkerKind::Score => "score",
            MarkerKind::Germline => "germline",
            MarkerKind::Signature => "signature",
            MarkerKind::Deletion => "deletion",
            MarkerKind::Ighv => "ighv",
        };
        let status = if marker.positive { "positive" } else { "negative" };
        // EGFR and NRAS are spoken with a vowel first.
        let article = if marker.marker.starts_with(['A', 'E', 'F', 'I', 'N', 'O']) { "an" } else { "a" };
        let with_article = format!("{article} {}", marker.marker);
        let mut extra = vec![("marker", marker.marker.as_str()), ("a_marker", with_article.as_str())];
        if !marker.detail.is_empty() {
            extra.push(("detail", marker.detail.as_str()));
        }
        self.writer.say_with(&format!("{kind}.{status}.{register}"), &extra)
    }

    /// Every line up to today, or that there was none. Before the first of several nothing is said.
    pub fn tell_lines(&mut self, register: &str) -> Vec<String> {
        if self.story.lines.is_empty() {
            return vec![self.tell("none", register)];
        }
        let begun = |(start, _): &&(Date, Date)| *start < self.today;
        let count = self.story.lines.iter().filter(begun).count();
        (0..count).map(|number| self.tell_line(number, register)).collect()
    }

    /// What was done or is planned; nothing while the operation that will be done is still ahead.
    pub fn tell_surgery(&mut self, register: &str) -> Vec<String> {
        let done = matches!(self.case.facts.surgery, Surgery::Done { .. });
        let ahead = done && self.story.surgery.is_some_and(|date| date > self.today);
        if ahead { Vec::new() } else { vec![self.tell("surgery", register)] }
    }

    pub fn tell_line(&mut self, number: usize, register: &str) -> String {
        let line = &self.case.facts.lines[number];
        let (start, end) = self.story.lines[number];
        let outcome = match line.outcome {
            _ if end > self.today => "ongoing",
            LineOutcome::Progressed => "progressed",
            LineOutcome::Completed => "completed",
            LineOutcome::Responding => "responding",
        };
        let (start, end) = (month(start), month(end));
        let extra = [
            ("regimen", line.regimen.as_str()),
            ("setting", line.setting.as_str()),
            ("line_start", start.as_str()),
            ("line_end", end.as_str()),
        ];
        self.writer.say_with(&format!("line.{outcome}.{register}"), &extra)
    }

    pub fn tell_comorbidities(&mut self, register: &str) -> Vec<String> {
        if register != "list" {
            return vec![self.tell("comorbidities", register)];
        }
        let others = self.case.facts.comorbidities.clone();
        let tell = |other: &super::facts::Comorbidity| {
            let mut extra = vec![("comorbidity", other.name.as_str())];
            if !other.drug.is_empty() {
                extra.push(("comorbidity_drug", other.drug.as_str()));
            }
            self.writer.say_with("comorbidity.list", &extra)
        };
        others.iter().map(tell).collect()
    }

    /// Nothing before the drug that caused the reaction was given.
    pub fn tell_allergy(&mut self, register: &str) -> Vec<String> {
        let caused =
            |drugs: &[String]| self.case.facts.allergies.iter().any(|allergy| drugs.contains(&allergy.substance));
        let mut lines = self.case.facts.lines.iter().zip(&self.story.lines);
        let ahead = lines.any(|(line, (_, end))| caused(&line.drugs) && *end > self.today);
        if ahead { Vec::new() } else { vec![self.tell("allergy", register)] }
    }

    /// Comorbidities, allergies, anticoagulation, and pregnancy where it can be.
    pub fn tell_background(&mut self, register: &str) -> Vec<String> {
        let mut said = self.tell_comorbidities(register);
        said.extend(self.tell_allergy(register));
        said.push(self.tell("anticoagulation", register));
        said.extend(self.tell_maybe("pregnancy", register));
        said
    }
}

/// Markers that appear under treatment.
pub(super) fn is_acquired(marker: &Biomarker) -> bool {
    ["ESR1", "BTK"].contains(&marker.marker.as_str())
}
