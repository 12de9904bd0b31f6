//! The agents that ask several times against the simulated endpoint, over real HTTP, in three wire formats.

use crate::cast::agent;
use waterjar_core::{Case, ChatModel, Conclusion, Prompt, Seed};
use waterjar_models::{EndpointPolicy, ModelSpec, open_with};
use waterjar_scoring::answer::{Answer, Labels};
use waterjar_testkit::{
    Clinician, Endpoint, EndpointSettings, Fault, Faults, Persona, Takes, simulated_cases, starter,
};

pub const FORMATS: [(&str, &str); 3] = [("openai", "/v1"), ("anthropic", ""), ("gemini", "/v1beta")];

pub fn model(endpoint: &Endpoint, (api, path): (&str, &str)) -> Box<dyn ChatModel> {
    let url = Some(format!("{}{path}", endpoint.url()));
    let spec = ModelSpec { url, api: Some(api.to_owned()), key_env: Some("KEY".to_owned()), ..ModelSpec::default() };
    let key = |_: &str| Some("sesame".to_owned());
    Box::new(open_with("sim/clinician", Some(&spec), EndpointPolicy::LocalOnly, &key).unwrap())
}

async fn endpoint(faults: Option<Faults>) -> Endpoint {
    let clinician = Clinician::new(Persona::CAREFUL, Seed(7));
    let settings = faults.map_or_else(EndpointSettings::default, EndpointSettings::with_faults);
    Endpoint::start(EndpointSettings { clinician, ..settings }).await.unwrap()
}

pub fn prompt(case: &Case) -> Prompt {
    Prompt::new("Name the condition that best explains the whole picture.", case.text.clone())
}

/// The place of the right condition among those listed, as the judge reads the answer.
fn place(case: &Case, conclusion: &Conclusion) -> Option<u32> {
    let base = starter();
    let labels = Labels::new(base.conditions().iter().map(|it| (it.id.clone(), vec![it.name.clone()])));
    let answer = Answer::read(&labels, &conclusion.text);
    assert_eq!(answer.listed, 5, "{}", conclusion.text);
    assert!(answer.named().is_some_and(|first| first.confidence.is_some()), "{}", conclusion.text);
    let right = &case.facts.as_ref().unwrap().condition;
    answer.ranking.iter().find(|it| it.condition == *right).map(|it| it.rank)
}

/// The same conclusions in all formats, readable by the judge and within the calls the README promises.
async fn runs(id: &str, settings: &str, cases: usize, per_case: std::ops::RangeInclusive<u64>) {
    let endpoint = endpoint(None).await;
    let agent = agent(id, settings);
    let mut right = 0;
    for case in &simulated_cases(cases as u64) {
        let mut said: Vec<Conclusion> = Vec::new();
        for format in FORMATS {
            let before = endpoint.stats().requests;
            said.push(agent.answer(model(&endpoint, format).as_ref(), &prompt(case), 0).await.unwrap());
            let calls = endpoint.stats().requests - before;
            assert!(per_case.contains(&calls), "{id}: {calls} calls");
        }
        assert!(said[0] == said[1] && said[1] == said[2], "{said:?}");
        right += u32::from(place(case, &said[0]).is_some_and(|place| place <= 2));
    }
    assert!(right as usize * 3 >= cases * 2, "{id}: {right} of {cases} have the right condition among the first two");
}

#[tokio::test]
async fn mdagents_runs_in_three_formats() {
    runs("mdagents", "", 20, 2..=63).await;
}

#[tokio::test]
async fn mdagents_as_released_runs_in_three_formats() {
    runs("mdagents", "compat = true", 8, 4..=801).await;
}

#[tokio::test]
async fn dylan_runs_in_three_formats() {
    runs("dylan", "", 20, 3..=11).await;
}

#[tokio::test]
async fn medagents_runs_in_three_formats() {
    runs("medagents", "", 20, 13..=41).await;
}

#[tokio::test]
async fn ecr_asks_six_questions_a_case_in_three_formats() {
    runs("ecr", "", 20, 6..=6).await;
}

#[tokio::test]
async fn the_simulated_cases_take_every_path() {
    let endpoint = endpoint(None).await;
    let model = model(&endpoint, FORMATS[0]);
    let mut classes = std::collections::BTreeSet::new();
    let (mut rounds, mut revised) = (std::collections::BTreeSet::new(), 0);
    for case in &simulated_cases(160) {
        let said = agent("mdagents", "").answer(model.as_ref(), &prompt(case), 0).await.unwrap();
        classes.insert(said.record.unwrap()["complexity"].as_str().unwrap().to_owned());
        let said = agent("dylan", "").answer(model.as_ref(), &prompt(case), 0).await.unwrap();
        rounds.insert(said.record.unwrap()["rounds"].as_array().unwrap().len());
        let said = agent("medagents", "").answer(model.as_ref(), &prompt(case), 0).await.unwrap();
        revised += usize::from(said.record.unwrap()["votes"].as_array().unwrap().len() > 1);
    }
    assert_eq!(classes.into_iter().collect::<Vec<_>>(), ["advanced", "basic", "intermediate"]);
    assert_eq!(rounds.into_iter().collect::<Vec<_>>(), [1, 2, 3]);
    assert!(revised > 0);
}

#[tokio::test]
async fn an_endpoint_that_takes_no_schema_is_asked_in_words() {
    let clinician = Clinician::new(Persona::CAREFUL, Seed(7));
    let settings = EndpointSettings { clinician, takes: Takes::Text, ..EndpointSettings::default() };
    let endpoint = Endpoint::start(settings).await.unwrap();
    for id in ["mdagents", "dylan", "medagents", "ecr"] {
        for case in &simulated_cases(4) {
            let said = agent(id, "").answer(model(&endpoint, FORMATS[0]).as_ref(), &prompt(case), 0).await.unwrap();
            assert!(place(case, &said).is_some(), "{}", said.text);
        }
    }
}

#[tokio::test]
async fn dressed_up_and_broken_answers_change_nothing_once_asked_again() {
    let dressed = vec![Fault::Fenced, Fault::ProseAround, Fault::TrailingCommas, Fault::FullWidth, Fault::WrongSchema];
    let (calm, rough) = (endpoint(None).await, endpoint(Some(Faults::new(0.3, dressed, Seed(3)))).await);
    for (id, format) in ["mdagents", "dylan", "medagents", "ecr"].into_iter().zip(FORMATS.into_iter().cycle()) {
        for case in &simulated_cases(4) {
            let quiet = agent(id, "").answer(model(&calm, format).as_ref(), &prompt(case), 0).await.unwrap();
            let noisy = agent(id, "").answer(model(&rough, format).as_ref(), &prompt(case), 0).await;
            // Broken twice in a row is a failure; anything else is the same answer.
            match noisy {
                Ok(noisy) => assert_eq!(quiet, noisy),
                Err(error) => assert!(error.to_string().contains("asked twice"), "{error}"),
            }
        }
    }
    assert!(rough.stats().faulted() > 20, "{:?}", rough.stats().faults);
}
