use super::*;
use crate::ecr::reasoner::rules::RulesCritic;
use crate::ecr::sample::{FirstSight, origin, pipeline, training};
use crate::ecr::settings::Settings;

const PAIR: [&str; 2] = ["Gout", "Pseudogout"];

async fn open(folder: &Path) -> Evolution {
    Evolution::open(folder, origin(), pipeline(Settings::default()), Arc::new(RulesCritic)).await.unwrap()
}

/// A first impression that always names gout first: right for half the cases.
fn model() -> FirstSight {
    FirstSight::of(&PAIR)
}

fn files(folder: &Path) -> Vec<String> {
    let read = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    ["manifest.json", "illness.jsonl", "exemplars.jsonl", "journal.jsonl"].map(read).to_vec()
}

#[tokio::test]
async fn what_came_right_is_learnt_and_the_rest_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let mut evolution = open(folder.path()).await;
    for case in training(&PAIR, 10) {
        evolution.learn(&model(), &case).await.unwrap();
    }
    let counts = evolution.save().unwrap().counts;
    assert_eq!(counts.cases, 20);
    assert_eq!(counts.at_once + counts.after_feedback + counts.discarded, 20);
    assert!(counts.at_once >= 10, "{counts:?}");
    assert_eq!(counts.exemplars, counts.cases - counts.discarded);
}

#[tokio::test]
async fn a_case_that_stays_wrong_is_given_up_after_three_rounds() {
    let folder = tempfile::tempdir().unwrap();
    let mut evolution = open(folder.path()).await;
    let case = training(&["Pseudogout"], 1).remove(0);
    let step = evolution.learn(&FirstSight::of(&["Gout"]), &case).await.unwrap();
    assert_eq!(step, Step::Discarded { reason: "answered Gout after 3 rounds".to_owned() });
    assert_eq!(evolution.learn(&FirstSight::of(&["Gout"]), &case).await.unwrap(), Step::Known);
}

#[tokio::test]
async fn going_on_after_a_kill_leads_to_the_same_memory() {
    let (whole, broken) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let cases = training(&PAIR, 6);
    let mut evolution = open(whole.path()).await;
    for case in &cases {
        evolution.learn(&model(), case).await.unwrap();
    }
    evolution.save().unwrap();
    for start in [0, 5, 9] {
        // Each time it is dropped without a word, as by a kill.
        let mut evolution = open(broken.path()).await;
        assert_eq!(evolution.cases(), start);
        for case in &cases[..[5, 9, 12][[0, 5, 9].iter().position(|it| *it == start).unwrap()]] {
            evolution.learn(&model(), case).await.unwrap();
        }
    }
    open(broken.path()).await.save().unwrap();
    assert_eq!(files(whole.path()), files(broken.path()));
}

#[tokio::test]
async fn a_condition_gets_its_share_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let origin = Origin { per_condition: 2, ..origin() };
    let pipeline = pipeline(Settings::default());
    let mut evolution = Evolution::open(folder.path(), origin, pipeline, Arc::new(RulesCritic)).await.unwrap();
    let mut steps = Vec::new();
    for case in training(&["Gout"], 3) {
        steps.push(evolution.learn(&model(), &case).await.unwrap());
    }
    assert_eq!(steps, [Step::Learnt { rounds: 0 }, Step::Learnt { rounds: 0 }, Step::Enough]);
}
