//! Clinicians rate blind: raters and owner over real HTTP, some of it in a real browser.

mod owner;
mod raters;

use crate::sample::{Desk, shared_run};
use crate::served::{Served, Visitor, browser, keep_looks};
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_testkit::clinician::Clinician;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

const PROJECTS: &str = "/runs/run/einstellung/projects";

/// A copy of the shared run, to write ratings beside.
fn copied(desk: &Desk) -> std::path::PathBuf {
    let run = desk.path("run");
    std::fs::create_dir_all(&run).unwrap();
    for entry in std::fs::read_dir(shared_run()).unwrap() {
        let from = entry.unwrap().path();
        if from.is_file() {
            std::fs::copy(&from, run.join(from.file_name().unwrap())).unwrap();
        }
    }
    run
}

/// Makes a project and gives the personal links by rater.
fn project(served: &Served, owner: &mut Visitor, at: &str, fields: &[(&str, &str)]) -> BTreeMap<String, String> {
    let made = owner.post(served, at, fields);
    assert_eq!(made.status, 200, "{}", made.body);
    let rows = made.body.split("<th scope=\"row\">").skip(1);
    let link = |row: &str| {
        let rater = row.split('<').next().unwrap().to_owned();
        let link = row.split("href=\"").nth(1).unwrap().split('"').next().unwrap();
        (rater, format!("/r/{}", link.rsplit('/').next().unwrap()))
    };
    rows.map(link).collect()
}

fn pilot(raters: &str) -> Vec<(&str, &str)> {
    vec![
        ("name", "pilot"),
        ("form", "diagnosis_followed"),
        ("items", "10"),
        ("seed", "7"),
        ("stratify", "outcome"),
        ("subject", "plain@gestalt"),
        ("raters", raters),
    ]
}

/// Signs in by link; gives the address of the desk.
fn enter(served: &Served, rater: &mut Visitor, link: &str) -> String {
    let asked = rater.get(served, link);
    assert!(asked.status == 200 && !asked.head.contains("set-cookie"), "looking signs nobody in: {}", asked.head);
    let begun = rater.send(served, "POST", link, "", "");
    assert_eq!(begun.status, 303, "{}", begun.body);
    assert!(begun.head.contains("httponly; samesite=strict"), "{}", begun.head);
    begun.location()
}
