//! Settings, fingerprints, and that every call carries its repeat.

use crate::cast::{agent, cast, opened, prompt};
use waterjar_core::Seed;

const TEAMS: [&str; 3] = ["dylan", "mdagents", "medagents"];

fn problem(id: &str, settings: &str) -> String {
    opened(id, settings, Seed(7)).err().unwrap_or_default()
}

#[test]
fn a_setting_out_of_range_or_unknown_is_told_by_its_key() {
    assert_eq!(problem("mdagents", "experts = 1"), "experts: 1 is not between 2 and 9");
    assert_eq!(problem("mdagents", "rounds = 0"), "rounds: 0 is not between 1 and 10");
    assert_eq!(problem("medagents", "votes = 0"), "votes: 0 is not between 1 and 10");
    assert_eq!(problem("dylan", "agents = [\"surgeon\"]"), "agents: 1 is not between 2 and 9");
    assert_eq!(problem("dylan", "agents = [\"a\", \"a\"]"), "agents: `a` must be a role of its own");
    for id in TEAMS {
        assert!(problem(id, "turns = 5").contains("turns"), "{id}");
    }
}

#[test]
fn a_fingerprint_changes_with_the_settings_and_with_nothing_else() {
    for (id, other) in [("dylan", "rounds = 2"), ("mdagents", "rounds = 2"), ("medagents", "votes = 2")] {
        let usual = agent(id, "").fingerprint();
        assert_eq!(usual, agent(id, "").fingerprint());
        assert_eq!(usual, agent(id, "compat = false").fingerprint());
        assert_ne!(usual, agent(id, "compat = true").fingerprint());
        assert_ne!(usual, agent(id, other).fingerprint());
        assert!(usual.starts_with("version 1, prompts "), "{usual}");
    }
    // DyLAN's orders are drawn from the seed.
    let seeded = |id: &str, seed| opened(id, "", Seed(seed)).unwrap().fingerprint();
    assert_ne!(seeded("dylan", 7), seeded("dylan", 8));
    assert_eq!(seeded("medagents", 7), seeded("medagents", 8));
}

#[tokio::test]
async fn every_call_carries_the_repeat_and_the_patient() {
    for (id, settings) in
        [("dylan", ""), ("mdagents", ""), ("mdagents", "compat = true"), ("medagents", ""), ("ecr", "")]
    {
        let model = cast(|_, _| None);
        agent(id, settings).answer(&model, &prompt("I cough."), 3).await.unwrap();
        assert!(model.requests().iter().all(|it| it.repeat == 3), "{id}");
        let asked = model.requests();
        let about = asked.iter().filter(|it| it.schema.is_some());
        assert!(
            about.clone().all(|it| it.messages.iter().any(|it| it.content.contains("<patient>\nI cough.\n</patient>"))),
            "{id}"
        );
        assert!(about.count() > 2);
    }
}
