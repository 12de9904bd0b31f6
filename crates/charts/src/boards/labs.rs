//! Blood and vital signs along the way, drawn around what is true of the patient.

use super::bank::Disease;
use super::cases::BoardCase;
use super::facts::{Cancer, Extent, Pregnancy};
use super::writer::Writer;
use crate::{Date, Entry};
use waterjar_core::Sex;

/// The creatinine in mg/dL that gives this eGFR: CKD-EPI 2021 without race, solved for creatinine.
pub(super) fn creatinine(egfr: u16, age: u8, sex: Sex) -> f64 {
    let (kappa, alpha, factor) = match sex {
        Sex::F => (0.7, -0.241, 1.012),
        Sex::M => (0.9, -0.302, 1.0),
    };
    let ratio = f64::from(egfr) / (142.0 * 0.9938f64.powi(i32::from(age)) * factor);
    // Above the ratio of one the curve is steep, below it flat.
    let power = if ratio < 1.0 { -1.0 / 1.2 } else { 1.0 / alpha };
    kappa * ratio.powf(power)
}

/// What the last draw showed, for the header block and the notes.
#[derive(Clone, Debug)]
pub(super) struct Panel {
    pub counts: String,
    pub chemistry: String,
    pub marker: String,
}

/// One draw. `load` tells how much disease there is: 1.0 at the board.
pub(super) fn panel(
    case: &BoardCase,
    disease: &Disease,
    writer: &mut Writer<'_>,
    load: f64,
    on_treatment: bool,
) -> Panel {
    let facts = &case.facts;
    let tenth = |writer: &mut Writer<'_>, low: i32, high: i32| f64::from(writer.between(low, high)) / 10.0;
    let leukemia = facts.cancer == Cancer::Cll;
    let group = facts.stage.group.as_str();
    let white = if leukemia { f64::from(writer.between(38, 96)) } else { tenth(writer, 42, 92) };
    let white = if on_treatment && !leukemia { white * 0.7 } else { white };
    // Rai III is anemia, Rai IV is low platelets.
    let hemoglobin = match (leukemia, group) {
        (true, "III") => tenth(writer, 88, 104),
        _ if on_treatment => tenth(writer, 100, 118),
        _ => tenth(writer, 112, 141),
    };
    let platelets = if leukemia && group == "IV" { writer.between(52, 92) } else { writer.between(148, 344) };
    let counts = format!(
        "WBC {white:.1} x10^9/L, hemoglobin {hemoglobin:.1} g/dL, platelets {platelets} x10^9/L, neutrophils {:.1} x10^9/L",
        if leukemia { tenth(writer, 22, 48) } else { white * 0.62 },
    );
    // Draws vary by a point or two; the fact stays what it is.
    let egfr = (i32::from(facts.egfr) + writer.between(-2, 2)).max(12) as u16;
    let chemistry = format!(
        "sodium {} mmol/L, potassium {:.1} mmol/L, creatinine {:.2} mg/dL, eGFR {egfr} mL/min/1.73 m2, ALT {} U/L, AST {} U/L, bilirubin {:.1} mg/dL, albumin {:.1} g/dL, calcium {:.1} mg/dL",
        writer.between(135, 143),
        tenth(writer, 36, 48),
        creatinine(egfr, facts.age, facts.sex),
        writer.between(12, 44),
        writer.between(13, 41),
        tenth(writer, 3, 11),
        tenth(writer, 34, 45),
        tenth(writer, 88, 101),
    );
    let (name, unit, limit) = &disease.marker;
    let high = case.plot.marker.unwrap_or(limit * expected_rise(facts.extent));
    let value = high * load * f64::from(writer.between(94, 106)) / 100.0;
    // At the board it is the value the story tells.
    let value = if (load - 1.0).abs() < f64::EPSILON && case.plot.marker.is_some() { high } else { value };
    Panel { counts, chemistry, marker: format!("{name} {value:.1} {unit} (upper limit {limit})") }
}

/// How many times the upper limit a marker reaches at the board.
fn expected_rise(extent: Extent) -> f64 {
    match extent {
        Extent::Localized => 0.8,
        Extent::LocallyAdvanced => 1.4,
        Extent::Metastatic => 2.6,
        Extent::Systemic => 1.5,
    }
}

impl Panel {
    pub fn entries(&self, date: Date, with_marker: bool) -> Vec<Entry> {
        let mut entries = vec![
            Entry::new(Some(date), "Observation", format!("Blood count: {}", self.counts)),
            Entry::new(Some(date), "Observation", format!("Chemistry: {}", self.chemistry)),
        ];
        if with_marker {
            entries.push(Entry::new(Some(date), "Observation", format!("Tumor marker: {}", self.marker)));
        }
        entries
    }
}

/// A row of vital signs; the weight is told in the patient's own trend.
pub(super) fn vitals(writer: &mut Writer<'_>, weight: f64, with_performance: Option<u8>) -> String {
    let mut text = format!(
        "Blood pressure {}/{} mmHg, pulse {}/min, temperature {:.1} C, saturation {} %, weight {weight:.1} kg, pain {}/10",
        writer.between(108, 144),
        writer.between(62, 88),
        writer.between(58, 94),
        f64::from(writer.between(362, 371)) / 10.0,
        writer.between(94, 99),
        writer.between(0, 4),
    );
    if let Some(ecog) = with_performance {
        text.push_str(&format!(", ECOG {ecog}"));
    }
    text
}

/// The pregnancy test every woman who could be pregnant has before imaging.
pub(super) fn pregnancy_test(pregnancy: Pregnancy) -> Option<&'static str> {
    match pregnancy {
        Pregnancy::Excluded => Some("Serum hCG: negative (not pregnant)"),
        Pregnancy::Pregnant { .. } => Some("Serum hCG: positive, in keeping with the known pregnancy"),
        Pregnancy::Male | Pregnancy::Postmenopausal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// CKD-EPI 2021, forwards.
    fn egfr(creatinine: f64, age: u8, sex: Sex) -> f64 {
        let (kappa, alpha, factor) = if sex == Sex::F { (0.7, -0.241, 1.012) } else { (0.9, -0.302, 1.0) };
        let ratio: f64 = creatinine / kappa;
        142.0 * ratio.min(1.0).powf(alpha) * ratio.max(1.0).powf(-1.2) * 0.9938f64.powi(i32::from(age)) * factor
    }

    #[test]
    fn creatinine_and_filtration_rate_agree() {
        for (rate, age, sex) in
            [(34, 71, Sex::M), (58, 68, Sex::F), (92, 64, Sex::F), (118, 29, Sex::F), (84, 65, Sex::M)]
        {
            let back = egfr(creatinine(rate, age, sex), age, sex);
            assert!((back - f64::from(rate)).abs() < 0.01, "{rate} {back}");
        }
    }
}
