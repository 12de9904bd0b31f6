//! Resources, one after the other, to the patients they are about.

use super::super::draft::{Headline, Item};
use super::super::drafts::{Drafts, Pass, Passes};
use super::super::summary::Summary;
use super::super::when::DateOrder;
use super::json::{concept, reference_id, string};
use super::{attachment, clinical, medication, observation, patient};
use crate::Chart;
use serde_json::Value;
use std::collections::HashMap;
use waterjar_core::{CaseId, SourceError};

pub(super) struct Collector {
    pass: Pass,
    drafts: Drafts,
    /// The chart's id for each patient named in references.
    ids: HashMap<String, String>,
    /// Names of Medication resources that others refer to.
    medications: HashMap<String, String>,
    /// Entries whose medication is named by a reference; it may come later.
    unnamed: Vec<Unnamed>,
}

/// An entry that lacks the name it begins with.
pub(super) struct Unnamed {
    pub patient: String,
    pub medication: String,
    pub item: Item,
}

/// What a resource became.
pub(super) enum Taken {
    Items(Vec<Item>),
    /// An entry whose medication is named by a reference.
    Unnamed {
        medication: String,
        item: Item,
    },
    Skipped(String),
}

const BILLING: &[&str] = &[
    "Account",
    "ChargeItem",
    "Claim",
    "ClaimResponse",
    "Contract",
    "Coverage",
    "CoverageEligibilityRequest",
    "CoverageEligibilityResponse",
    "EnrollmentRequest",
    "EnrollmentResponse",
    "ExplanationOfBenefit",
    "InsurancePlan",
    "Invoice",
    "PaymentNotice",
    "PaymentReconciliation",
];

const NOT_THE_PATIENT: &[&str] =
    &["Organization", "Practitioner", "PractitionerRole", "Location", "Provenance", "HealthcareService", "Endpoint"];

impl Default for Collector {
    fn default() -> Self {
        Self::of_pass(Passes::of(1).next().expect("one pass was asked for"))
    }
}

impl Collector {
    pub fn of_pass(pass: Pass) -> Self {
        let (drafts, ids) = (Drafts::default(), HashMap::new());
        Self { pass, drafts, ids, medications: HashMap::new(), unnamed: Vec::new() }
    }

    pub fn take(
        &mut self,
        place: &dyn Fn() -> String,
        full_url: Option<&str>,
        resource: &Value,
        summary: &mut Summary,
    ) -> Result<(), SourceError> {
        let kind = string(resource, "/resourceType");
        if kind.is_empty() {
            return Err(SourceError::new(place(), "a resource without resourceType")
                .with_hint("every FHIR resource names its type; is this a bulk export?"));
        }
        match kind {
            "Patient" => self.patient(full_url, resource, summary),
            "Medication" => {
                let name = concept(resource.get("code"));
                for id in [full_url.map(reference_id).unwrap_or_default(), string(resource, "/id")] {
                    self.medications.insert(id.to_owned(), name.clone());
                }
                self.count_once(kind, "its name is told where it was given", summary);
            }
            _ if BILLING.contains(&kind) => self.count_once(kind, "billing", summary),
            _ if NOT_THE_PATIENT.contains(&kind) => self.count_once(kind, "not about the patient", summary),
            _ => return self.clinical(kind, place, resource, summary),
        }
        Ok(())
    }

    fn count_once(&self, kind: &str, why: &str, summary: &mut Summary) {
        if self.pass.is_first() {
            summary.skip_one(kind, why);
        }
    }

    fn patient(&mut self, full_url: Option<&str>, resource: &Value, summary: &mut Summary) {
        let id = string(resource, "/id");
        let key = full_url.map(reference_id).filter(|key| !key.is_empty()).unwrap_or(id);
        if self.pass.holds(key) {
            self.ids.insert(key.to_owned(), if id.is_empty() { key } else { id }.to_owned());
            patient::describe(resource, self.drafts.of(key));
            summary.read_one("Patient");
        }
    }

    fn clinical(
        &mut self,
        kind: &str,
        place: &dyn Fn() -> String,
        resource: &Value,
        summary: &mut Summary,
    ) -> Result<(), SourceError> {
        let Some(patient) = self.patient_of(resource) else {
            self.count_once(kind, "names no patient", summary);
            return Ok(());
        };
        if !self.pass.holds(&patient) {
            return Ok(());
        }
        let named = |problem: String| {
            let id = string(resource, "/id");
            SourceError::new(format!("{}, {kind} {id}", place()), problem)
        };
        match read(kind, resource).map_err(named)? {
            Taken::Items(items) => {
                for item in items {
                    self.drafts.of(&patient).add(item, DateOrder::Mdy, summary);
                }
                summary.read_one(kind);
            }
            Taken::Unnamed { medication, item } => {
                self.unnamed.push(Unnamed { patient, medication, item });
                summary.read_one(kind);
            }
            Taken::Skipped(why) => summary.skip_one(kind, &why),
        }
        Ok(())
    }

    /// Whom a resource is about; a bundle with one patient need not say it.
    fn patient_of(&self, resource: &Value) -> Option<String> {
        let named = ["/subject/reference", "/patient/reference"].map(|pointer| reference_id(string(resource, pointer)));
        let named = named.into_iter().find(|id| !id.is_empty()).map(str::to_owned);
        named.or_else(|| (self.ids.len() == 1).then(|| self.ids.keys().next().cloned()).flatten())
    }

    pub fn finish(mut self, summary: &mut Summary) -> Vec<Chart> {
        for Unnamed { patient, medication, mut item } in self.unnamed {
            let unknown = || format!("medication {medication} (its resource is not in the source)");
            let name =
                self.medications.get(&medication).filter(|name| !name.is_empty()).cloned().unwrap_or_else(unknown);
            item.text.insert_str(0, &name);
            item.headline = Some(Headline { text: item.text.clone(), name });
            self.drafts.of(&patient).add(item, DateOrder::Mdy, summary);
        }
        let mut charts = self.drafts.finish(summary);
        for chart in &mut charts {
            if let Some(id) = self.ids.get(chart.id.as_str()) {
                chart.id = CaseId::new(id.clone());
            }
        }
        charts
    }
}

fn read(kind: &str, resource: &Value) -> Result<Taken, String> {
    if [string(resource, "/status"), &concept(resource.get("verificationStatus"))].contains(&"entered-in-error") {
        return Ok(Taken::Skipped("entered in error".to_owned()));
    }
    Ok(match kind {
        "Condition" => clinical::condition(resource),
        "Procedure" => clinical::procedure(resource),
        "Encounter" => clinical::encounter(resource),
        "AllergyIntolerance" => clinical::allergy(resource),
        "Immunization" => clinical::immunization(resource),
        "CarePlan" => clinical::care_plan(resource),
        "ImagingStudy" => clinical::imaging(resource),
        "FamilyMemberHistory" => clinical::family(resource),
        "Observation" => observation::observation(resource),
        "MedicationRequest" | "MedicationAdministration" | "MedicationStatement" => {
            medication::medication(kind, resource)
        }
        "DiagnosticReport" => attachment::report(resource)?,
        "DocumentReference" => attachment::document(resource)?,
        _ => Taken::Skipped("not read".to_owned()),
    })
}
