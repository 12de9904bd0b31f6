//! DyLAN: call counts, importance, and who goes on.

use crate::cast::{agent, ask, asked, cast, opened, opinion, prompt, record, scored, stage, system};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use waterjar_core::{Agent, ChatRequest, Seed};
use waterjar_testkit::ScriptedModel;

const TEAM: &str = r#"agents = ["alpha", "beta", "gamma", "delta"]"#;
const SEVEN: &str = r#"agents = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"]"#;
const NAMES: [&str; 7] = ["alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta"];
/// What each of them thinks, so that an answer tells whose it is.
const OWN: [&str; 7] = ["Gout", "Pneumonia", "Pericarditis", "Stable angina", "Migraine", "Cystitis", "Psoriasis"];

fn number(request: &ChatRequest) -> usize {
    NAMES.iter().position(|name| system(request).contains(&format!("physician: {name}."))).unwrap()
}

/// Whose answers are shown, in the order shown.
fn shown(request: &ChatRequest) -> Vec<usize> {
    let answers = request.last_user_text().lines().filter_map(|line| line.strip_prefix("Answer ")?.split_once(": "));
    answers.map(|(_, answer)| OWN.iter().position(|own| answer.starts_with(own)).unwrap()).collect()
}

fn in_round(request: &ChatRequest, round: usize) -> bool {
    let text = request.last_user_text();
    match round {
        2 => !text.contains("second thoughts"),
        _ => text.contains("second thoughts"),
    }
}

fn with_thoughts(mut said: Value) -> Value {
    said["reasoning"] = json!("These are second thoughts.");
    said
}

/// Nobody agrees; scores and picks are by agent, whatever the order they are shown in.
fn quarrel(scores: [[u8; 4]; 2], best: [usize; 2], last: &'static str) -> ScriptedModel {
    cast(move |stage, request| match stage {
        "expert_opinion" => Some(opinion(OWN[number(request)])),
        "scored_opinion" if in_round(request, 2) => {
            let by_place: Vec<u8> = shown(request).into_iter().map(|agent| scores[0][agent]).collect();
            Some(with_thoughts(scored(OWN[number(request)], &by_place)))
        }
        "scored_opinion" => {
            let by_place: Vec<u8> = shown(request).into_iter().map(|agent| scores[1][agent]).collect();
            Some(scored(last, &by_place))
        }
        "best_two" => {
            let places = shown(request);
            let place = |agent| places.iter().position(|it| *it == agent).unwrap() + 1;
            Some(json!({"reason": "They fit.", "best": best.map(place)}))
        }
        _ => None,
    })
}

#[tokio::test]
async fn the_example_run_on_the_released_code_has_its_importance_and_eleven_calls() {
    let model = quarrel([[5, 3, 1, 1], [4, 4, 1, 1]], [0, 1], "Gout");
    let conclusion = ask(agent("dylan", TEAM).as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 11);
    let record = record(&conclusion);
    let importance: Vec<&Value> = (0..3).map(|round| &record["rounds"][round]["importance"]).collect();
    assert_eq!(importance[0], &json!([0.5, 0.3, 0.1, 0.1]));
    assert_eq!(importance[1], &json!([0.4, 0.4, 0.1, 0.1]));
    assert_eq!(importance[2], &json!([0.5, 0.5, 0.0, 0.0]));
    assert_eq!(record["importance"], json!([1.4, 1.2, 0.2, 0.2]));
    assert_eq!((&record["selected"], &record["agreed"]), (&json!([0, 1]), &json!(true)));
    assert!(conclusion.text.ends_with("1. Gout (0.60)\n2. Pneumonia (0.20)"), "{}", conclusion.text);
}

async fn calls(settings: &str, model: &ScriptedModel) -> usize {
    ask(agent("dylan", settings).as_ref(), model).await.unwrap();
    model.calls()
}

#[tokio::test]
async fn two_thirds_in_agreement_are_enough_and_the_rest_is_not_asked() {
    assert_eq!(calls(TEAM, &cast(|_, _| None)).await, 3);
    assert_eq!(calls(SEVEN, &cast(|_, _| None)).await, 5);
    assert_eq!(calls(r#"agents = ["alpha", "beta", "gamma"]"#, &cast(|_, _| None)).await, 3);
}

#[tokio::test]
async fn one_who_differs_costs_as_many_calls_as_asking_one_by_one() {
    // Whoever is asked first is against: three of the four agree after all.
    let first = std::sync::atomic::AtomicBool::new(true);
    let model = cast(move |stage, _| {
        let odd = stage == "expert_opinion" && first.swap(false, std::sync::atomic::Ordering::SeqCst);
        odd.then(|| opinion("Gout"))
    });
    let conclusion = ask(agent("dylan", TEAM).as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 4);
    let answers = record(&conclusion)["rounds"][0]["answers"].as_array().unwrap().clone();
    assert_eq!(answers.iter().filter(|it| it[1] == "Pulmonary embolism").count(), 3);
}

#[tokio::test]
async fn at_most_two_rounds_of_all_one_ranking_and_two_more_answers() {
    let stubborn = |stage: &str, request: &ChatRequest| match stage {
        "expert_opinion" => Some(opinion(OWN[number(request)])),
        "scored_opinion" => Some(scored(OWN[number(request)], &vec![3; shown(request).len()])),
        _ => None,
    };
    assert_eq!(calls(TEAM, &cast(stubborn)).await, 11);
    assert_eq!(calls(SEVEN, &cast(stubborn)).await, 17);
    assert_eq!(calls(&format!("{TEAM}\nrounds = 1"), &cast(stubborn)).await, 4);
    assert_eq!(calls(&format!("{TEAM}\nrounds = 2"), &cast(stubborn)).await, 8);
    // Beyond the released code, which cannot: the two go on.
    assert_eq!(calls(&format!("{TEAM}\nrounds = 5"), &cast(stubborn)).await, 11 + 2 * 2);
    // Up to three agents are never ranked.
    assert_eq!(calls("agents = [\"alpha\", \"beta\", \"gamma\"]", &cast(stubborn)).await, 9);
}

#[tokio::test]
async fn without_agreement_the_first_of_the_most_frequent_answers_of_the_last_round_stands() {
    let model = cast(|stage, request| match stage {
        "expert_opinion" => Some(opinion(OWN[number(request)])),
        "scored_opinion" => Some(scored(OWN[number(request)], &vec![3; shown(request).len()])),
        _ => None,
    });
    let conclusion = ask(agent("dylan", TEAM).as_ref(), &model).await.unwrap();
    let record = record(&conclusion);
    assert_eq!(record["agreed"], json!(false));
    let last = record["rounds"][2]["answers"].as_array().unwrap();
    assert_eq!(last.len(), 2);
    let first = last[0][1].as_str().unwrap();
    assert!(conclusion.text.contains(&format!("\n1. {first} (0.60)")), "{}", conclusion.text);
}

/// Which two acted in the third round, for patients numbered so.
async fn pairs(settings: &str, patients: usize) -> BTreeMap<String, usize> {
    let agent = agent("dylan", settings);
    let mut pairs = BTreeMap::new();
    for patient in 0..patients {
        let model = quarrel([[5, 3, 1, 1], [4, 4, 1, 1]], [2, 0], "Gout");
        let conclusion = agent.answer(&model, &prompt(&format!("Patient {patient}.")), 0).await.unwrap();
        let mut acted: Vec<usize> = model
            .requests()
            .iter()
            .filter(|it| stage(it) == "scored_opinion" && !in_round(it, 2))
            .map(number)
            .collect();
        acted.sort_unstable();
        assert_eq!(json!(acted), record(&conclusion)["selected"]);
        *pairs.entry(format!("{acted:?}")).or_default() += 1;
    }
    pairs
}

#[tokio::test]
async fn the_two_named_best_go_on_wherever_they_stood_in_the_list() {
    assert_eq!(pairs(TEAM, 40).await, BTreeMap::from([("[0, 2]".to_owned(), 40)]));
}

#[tokio::test]
async fn as_released_every_pair_goes_on_equally_often_whoever_is_named() {
    let pairs = pairs(&format!("{TEAM}\ncompat = true"), 600).await;
    assert_eq!(pairs.len(), 6);
    // A hundred each; the standard deviation is 9.
    assert!(pairs.values().all(|count| (60..=140).contains(count)), "{pairs:?}");
}

#[tokio::test]
async fn orders_depend_on_seed_and_patient_and_nothing_else() {
    let order = async |seed: u64, text: &str, repeat: u32| {
        let model = cast(|_, _| None);
        let agent: Box<dyn Agent> = opened("dylan", SEVEN, Seed(seed)).unwrap();
        agent.answer(&model, &prompt(text), repeat).await.unwrap();
        model.requests().iter().map(number).collect::<Vec<_>>()
    };
    let one = order(7, "I cough.", 0).await;
    assert_eq!(one, order(7, "I cough.", 0).await);
    assert_ne!(one, order(8, "I cough.", 0).await);
    assert_ne!(one, order(7, "I wheeze.", 0).await);
    assert_ne!(one, order(7, "I cough.", 1).await);
}

#[tokio::test]
async fn answers_are_shown_without_names_and_in_another_order_to_each() {
    let model = quarrel([[5, 3, 1, 1], [4, 4, 1, 1]], [0, 1], "Gout");
    ask(agent("dylan", SEVEN.replace(r#", "epsilon", "zeta", "eta""#, "").as_str()).as_ref(), &model).await.unwrap();
    let orders: Vec<Vec<usize>> =
        model.requests().iter().filter(|it| stage(it) == "scored_opinion").take(4).map(shown).collect();
    assert!(orders.iter().any(|order| *order != orders[0]), "{orders:?}");
    for text in asked(&model, "scored_opinion") {
        assert!(NAMES.iter().all(|name| !text.contains(name)), "{text}");
    }
}
