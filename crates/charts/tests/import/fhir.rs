//! FHIR bundles and bulk exports.

use super::{failure, folder, import, told};
use base64::Engine;
use waterjar_charts::import::{Kind, detect};
use waterjar_charts::{ImportOptions, Section};

fn base64(text: &str) -> String {
    base64::engine::general_purpose::STANDARD.encode(text)
}

pub fn bundle() -> String {
    let note = base64("Seen by ___ on [**2151-7-16**].\nPlan unchanged.");
    let html = base64("<p>Adenocarcinoma &amp; necrosis</p><br/>Margins clear");
    let resources = [
        r#"{"resourceType":"Patient","id":"p1","name":[{"family":"Doe","given":["Jane"]}],"gender":"female","birthDate":"1960-05"}"#.to_owned(),
        r#"{"resourceType":"Condition","subject":{"reference":"Patient/p1"},"code":{"text":"Colon cancer"},"onsetDateTime":"2024-01-05","stage":[{"summary":{"text":"Stage IIIB"}}]}"#.to_owned(),
        r#"{"resourceType":"Condition","verificationStatus":{"coding":[{"code":"entered-in-error"}]},"subject":{"reference":"Patient/p1"},"code":{"text":"Gout"}}"#.to_owned(),
        r#"{"resourceType":"MedicationRequest","subject":{"reference":"urn:uuid:p1"},"medicationReference":{"reference":"Medication/m1"},"authoredOn":"2024-02-01","status":"stopped"}"#.to_owned(),
        r#"{"resourceType":"Medication","id":"m1","code":{"text":"Capecitabine"}}"#.to_owned(),
        format!(r#"{{"resourceType":"DocumentReference","id":"d1","subject":{{"reference":"https://x/Patient/p1"}},"date":"2024-03-01T10:00:00Z","type":{{"text":"Progress note"}},"content":[{{"attachment":{{"contentType":"text/plain","data":"{note}"}}}}]}}"#),
        r#"{"resourceType":"DocumentReference","subject":{"reference":"Patient/p1"},"content":[{"attachment":{"contentType":"application/pdf","data":"AAAA"}}]}"#.to_owned(),
        format!(r#"{{"resourceType":"DiagnosticReport","subject":{{"reference":"Patient/p1"}},"effectiveDateTime":"2024-01-20","category":[{{"text":"Pathology"}}],"code":{{"text":"Surgical pathology"}},"presentedForm":[{{"contentType":"text/html","data":"{html}"}}]}}"#),
        r#"{"resourceType":"Observation","subject":{"reference":"Patient/p1"},"code":{"text":"KRAS"},"valueCodeableConcept":{"text":"G12C detected"},"effectiveDateTime":"2024-01"}"#.to_owned(),
        r#"{"resourceType":"Observation","subject":{"reference":"Patient/p1"},"code":{"text":"Blood pressure"},"category":[{"coding":[{"code":"vital-signs"}]}],"component":[{"code":{"text":"systolic"},"valueQuantity":{"value":128.0,"unit":"mm[Hg]"}}],"effectiveDateTime":"2024-02-03T08:00:00-05:00"}"#.to_owned(),
        r#"{"resourceType":"AllergyIntolerance","patient":{"reference":"Patient/p1"},"code":{"text":"Penicillin"},"reaction":[{"manifestation":[{"text":"Anaphylaxis"}],"severity":"severe"}]}"#.to_owned(),
        r#"{"resourceType":"Claim","patient":{"reference":"Patient/p1"}}"#.to_owned(),
        r#"{"resourceType":"Coverage","beneficiary":{"reference":"Patient/p1"}}"#.to_owned(),
        r#"{"resourceType":"Telepathy","subject":{"reference":"Patient/p1"}}"#.to_owned(),
    ];
    let entries: Vec<_> = resources.iter().map(|each| format!(r#"{{"resource":{each}}}"#)).collect();
    format!(r#"{{"entry":[{}],"resourceType":"Bundle","type":"collection"}}"#, entries.join(","))
}

#[test]
fn a_bundle_becomes_a_dated_chart_and_billing_is_counted_not_read() {
    let folder = folder(&[("one.json", &bundle())]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::Fhir);
    let (charts, summary) = import(folder.path());
    assert_eq!(charts.len(), 1);
    let chart = &charts[0];
    assert_eq!(chart.id.as_str(), "p1");
    assert_eq!(
        told(chart),
        [
            "Observation KRAS: G12C detected",
            "Condition Colon cancer",
            "Stage Stage IIIB; of Colon cancer",
            "Pathology Surgical pathology\nAdenocarcinoma & necrosis\nMargins clear",
            "Medication Capecitabine; stopped",
            "Observation Blood pressure: systolic 128 mm[Hg]",
            "Progress note Seen by ___ on [**2151-7-16**].\nPlan unchanged.",
            "Allergy Penicillin; Anaphylaxis (severe)",
        ]
    );
    assert_eq!(chart.entries[0].section, Section::Biomarkers);
    assert_eq!(chart.entries[0].date.unwrap().to_string(), "2024-01", "a month stays a month");
    assert_eq!(chart.entries[5].section, Section::Vitals);
    assert_eq!(chart.blocks[&Section::Demographics], "Name: Jane Doe\nSex: female\nBorn: 1960-05");
    assert_eq!(chart.blocks[&Section::Allergies], "Penicillin; Anaphylaxis (severe)");
    assert!(chart.blocks[&Section::Overview].starts_with("63-year-old female."));
    let skipped = |what: &str| summary.skipped[what].clone().into_iter().collect::<Vec<_>>();
    assert_eq!(skipped("Claim"), [("billing".to_owned(), 1)]);
    assert_eq!(skipped("Coverage"), [("billing".to_owned(), 1)]);
    assert_eq!(skipped("Condition"), [("entered in error".to_owned(), 1)]);
    assert_eq!(skipped("DocumentReference"), [("an attachment of type application/pdf".to_owned(), 1)]);
    assert_eq!(skipped("Telepathy"), [("not read".to_owned(), 1)]);
}

#[test]
fn a_bulk_export_gives_the_same_chart_as_the_bundle() {
    let whole: serde_json::Value = serde_json::from_str(&bundle()).unwrap();
    let mut lines: Vec<_> =
        whole["entry"].as_array().unwrap().iter().map(|entry| entry["resource"].to_string()).collect();
    // The patient comes last, as it may.
    lines.rotate_left(1);
    let export = folder(&[("export.ndjson", &lines.join("\n"))]);
    assert_eq!(detect(export.path()).unwrap(), Kind::FhirNdjson);
    let one = folder(&[("one.json", &bundle())]);
    assert_eq!(import(export.path()).0, import(one.path()).0);
}

#[test]
fn a_broken_bundle_is_told_with_its_place() {
    let whole = bundle();
    let folder = folder(&[
        ("cut.json", &whole[..whole.len() - 300]),
        ("alone.json", r#"{"resourceType":"Patient","id":"x"}"#),
        ("bad.json", &whole.replace("AAAA", "AA").replace("application/pdf", "text/plain")),
    ]);
    let check = |file: &str, place: &str, problem: &str| {
        let error = failure(&folder.path().join(file), &ImportOptions::default());
        assert!(error.place.contains(place) && error.problem.contains(problem), "{error}");
        assert!(error.place.contains(file), "{error}");
    };
    check("cut.json", "after entry", "breaks off");
    check("alone.json", "alone.json", "is a Patient, not a Bundle");
    check("bad.json", "entry 7, DocumentReference", "no base64");
}

#[test]
fn a_broken_line_of_an_export_is_told_with_its_number() {
    let folder = folder(&[("a.ndjson", "{\"resourceType\":\"Patient\",\"id\":\"x\"}\n\n{\"resourceType\":\n")]);
    let error = failure(folder.path(), &ImportOptions::default());
    assert!(error.place.ends_with("a.ndjson, line 3"), "{error}");
    assert!(error.hint.is_some());
}

#[test]
fn ids_that_come_twice_are_told_apart() {
    let folder = folder(&[("1/one.json", &bundle()), ("2/two.json", &bundle())]);
    assert_eq!(detect(folder.path()).unwrap(), Kind::Folders);
    let (charts, summary) = import(folder.path());
    assert_eq!(charts.iter().map(|chart| chart.id.as_str()).collect::<Vec<_>>(), ["p1", "p1~2"]);
    assert_eq!(summary.renamed, 1);
}
