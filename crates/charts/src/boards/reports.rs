//! Imaging and pathology.

use super::chartist::Chartist;
use super::facts::{MarkerKind, Pregnancy};
use super::story::plus;
use super::told::is_acquired;
use crate::Date;

/// How a scan compares with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Change {
    Response,
    Stable,
    Progression,
}

impl Chartist<'_> {
    /// What staging is done with; a pregnant patient is not put into a CT.
    pub fn imaging_name(&self) -> String {
        if matches!(self.case.facts.pregnancy, Pregnancy::Pregnant { .. }) {
            return "MRI without contrast and chest film with shielding".to_owned();
        }
        let no_contrast = self.writer.values.get("no_contrast").is_some();
        let name = &self.disease.staging_imaging;
        if no_contrast { name.replace(" with contrast", " without contrast") } else { name.clone() }
    }

    pub fn first_imaging(&mut self, date: Date) {
        let size = self.size_before_line(0);
        let finding = self.measured("baseline.prose", size, 0);
        let mut lines = vec![
            self.disease.first_imaging.clone(),
            format!("INDICATION: {}", self.case.plot.presentation),
            format!("FINDINGS: {finding}"),
        ];
        lines.push("IMPRESSION: suspicious; tissue is needed.".to_owned());
        let radiologist = self.team.radiologist.clone();
        self.add_signed(date, "Imaging", &lines.join("\n"), &radiologist);
    }

    /// The staging study of the present disease.
    pub fn staging_imaging(&mut self, date: Date, size: u16) {
        let main = self.measured("baseline.prose", size, 0);
        let mut findings = vec![main];
        findings.extend(self.told_metastases());
        let count = self.writer.between(5, 8) as usize;
        findings.extend(self.writer.some("normal.prose", count));
        let extent = self.tell("extent", "prose");
        let impression = format!("{} {extent}", self.writer.say("impression.prose"));
        self.imaging_report(date, &findings, &impression);
    }

    pub fn restaging(&mut self, date: Date, size: u16, before: u16, change: Change) {
        let key = match change {
            Change::Response => "response",
            Change::Stable => "stable",
            Change::Progression => "progression",
        };
        self.writer.values.flag("restaging", true);
        let mut findings = vec![self.measured(&format!("{key}.finding"), size, before)];
        findings.extend(self.told_metastases());
        let count = self.writer.between(3, 6) as usize;
        findings.extend(self.writer.some("normal.prose", count));
        let impression = self.writer.say(&format!("{key}.impression"));
        self.imaging_report(date, &findings, &impression);
        self.writer.values.unset("restaging");
    }

    fn imaging_report(&mut self, date: Date, findings: &[String], impression: &str) {
        let technique = format!("{} {}", self.writer.say("technique.prose"), self.writer.say("contrast.prose"));
        let text = format!(
            "{}\nTECHNIQUE: {technique}\nFINDINGS:\n{}\nIMPRESSION: {impression}",
            self.imaging_name(),
            findings.join("\n"),
        );
        let radiologist = self.team.radiologist.clone();
        self.add_signed(date, "Imaging", &text, &radiologist);
    }

    fn measured(&mut self, key: &str, size: u16, before: u16) -> String {
        let (size, before) = (size.to_string(), before.to_string());
        self.writer.say_with(key, &[("mm", &size), ("mm_before", &before)])
    }

    fn told_metastases(&mut self) -> Vec<String> {
        let organs = self.case.facts.metastases.clone();
        organs.iter().map(|organ| self.writer.say(&format!("mets.{organ}"))).collect()
    }

    /// The biopsy and its report, with the stains; sequencing follows.
    pub fn biopsy(&mut self, date: Date) {
        let cancer = self.case.facts.cancer;
        let again = self.story.relapse.is_some();
        let procedure = match again {
            true => format!("Image-guided biopsy of the {}", self.case.plot.lesion),
            false => self.writer.say(&format!("{cancer}.biopsy")),
        };
        self.add(date, "Procedure", format!("{procedure}. No complication."));
        let mut lines = vec![format!("SPECIMEN: {procedure}"), self.diagnosis_line(again), "MICROSCOPY:".to_owned()];
        if again {
            lines.push("Compared with the slides of the first diagnosis: the same tumor.".to_owned());
        } else {
            lines.extend(self.writer.some(&format!("{cancer}.microscopy"), 9));
            lines.push("SYNOPTIC:".to_owned());
            lines.extend(self.synoptic());
        }
        let stains = self.reported(|kind| matches!(kind, MarkerKind::Receptor | MarkerKind::Mmr | MarkerKind::Score));
        if !stains.is_empty() {
            lines.push("IMMUNOHISTOCHEMISTRY:".to_owned());
            lines.extend(stains);
        }
        lines.push("COMMENT: molecular testing, where ordered, is reported separately.".to_owned());
        let pathologist = self.team.pathologist.clone();
        self.add_signed(plus(date, 3), "Pathology", &lines.join("\n"), &pathologist);
        self.molecular_report(plus(date, 9));
    }

    /// All results once more, as the laboratory sends them, and the addendum in pathology.
    fn molecular_report(&mut self, date: Date) {
        let results = self.reported(|_| true);
        if results.is_empty() {
            return;
        }
        let text = format!("Combined biomarker report\n{}", results.join("\n"));
        let pathologist = self.team.pathologist.clone();
        self.add_signed(date, "Biomarker", &text, &pathologist);
        let addendum =
            self.reported(|kind| !matches!(kind, MarkerKind::Receptor | MarkerKind::Mmr | MarkerKind::Score));
        if !addendum.is_empty() {
            self.add(plus(date, 1), "Pathology", format!("ADDENDUM to the biopsy report. {}.", addendum.join("; ")));
        }
    }

    /// What treatment selected, tested when the last line ends.
    pub fn repeat_testing(&mut self, date: Date) {
        self.at(date);
        let acquired: Vec<_> = self.known_markers().into_iter().filter(is_acquired).collect();
        if acquired.is_empty() {
            return;
        }
        let results: Vec<_> = acquired.iter().map(|marker| self.tell_biomarker(marker, "report")).collect();
        self.add(date, "Biomarker", format!("Repeat testing at progression\n{}", results.join("\n")));
        self.add(
            plus(date, 1),
            "Pathology",
            format!("ADDENDUM, repeat testing at progression. {}.", results.join("; ")),
        );
    }

    fn reported(&mut self, wanted: impl Fn(MarkerKind) -> bool) -> Vec<String> {
        let markers = self.known_markers();
        markers
            .iter()
            .filter(|marker| wanted(marker.kind))
            .map(|marker| self.tell_biomarker(marker, "report"))
            .collect()
    }

    pub fn diagnosis_line(&self, again: bool) -> String {
        let value = |name| self.writer.values.get(name).unwrap_or_default();
        if again {
            return format!(
                "DIAGNOSIS: recurrent {}, in keeping with the known primary ({}).",
                value("histology"),
                value("site")
            );
        }
        format!("DIAGNOSIS: {}, {}.", value("Histology"), value("site"))
    }

    fn synoptic(&mut self) -> Vec<String> {
        let cancer = self.case.facts.cancer;
        let labels: Vec<String> = self.disease.synoptic.iter().map(|(label, _)| label.clone()).collect();
        let line = |(number, label): (usize, String)| {
            let value = self.writer.say_maybe(&format!("{cancer}.synoptic.{number}"))?;
            Some(format!("- {label}: {value}"))
        };
        labels.into_iter().enumerate().filter_map(line).collect()
    }
}
