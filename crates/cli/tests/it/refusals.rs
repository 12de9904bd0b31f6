//! A server that always refuses has given no answer, and no wrong one either. Real HTTP.

use crate::language_models::{run, study};
use crate::sample::Desk;
use waterjar_testkit::clinician::Clinician;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

const REFUSALS: [&str; 3] = [
    "I cannot help with that.",
    "I’m sorry, but I can’t help with medical diagnosis.",
    "As an AI language model, I can't diagnose. Please see a doctor, or call emergency services if it gets worse.",
];

/// Everything that was asked is missing, and the figures have no value.
fn check(study: impl Fn(&str) -> String, figures: &[&str]) {
    for said in REFUSALS {
        let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(Clinician::always(said))).unwrap();
        let desk = Desk::new();
        desk.write("study.toml", study(&endpoint.url()));
        let ended = run(&desk, "run study.toml --out run --limit 5 --json");
        assert_eq!(ended.code, Some(3), "{said}: {}", ended.stderr);
        let result = &ended.json()["results"][0];
        assert_eq!((result["n"].as_u64(), result["missing"].as_u64()), (Some(5), Some(5)), "{said}");
        for figure in figures {
            assert_eq!(ended.value(0, figure), None, "{figure}: {said}");
        }
    }
}

#[test]
fn a_server_that_always_refuses_is_no_wrong_diagnosis() {
    let study = |url: &str| study("openai", &format!("{url}/v1"), "");
    check(study, &["baseline_accuracy", "robust_accuracy", "bias_trap_rate"]);
}

#[test]
fn a_server_that_always_refuses_is_no_bad_advice() {
    let study = |url: &str| {
        let suite = "[study]\nname = \"consult\"\nseed = 7\n\n[[suite]]\nkind = \"consult\"\npatients = 101\n\n";
        let subject = "[[subject]]\nagent = \"plain\"\nmodel = \"sim/clinician\"\n\n";
        format!("{suite}{subject}[models.\"sim/clinician\"]\nurl = \"{url}/v1\"\napi = \"openai\"\n")
    };
    check(study, &["accuracy", "veracity", "helpfulness", "static_accuracy", "stance.avoid"]);
}
