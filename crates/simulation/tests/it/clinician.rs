//! What the clinician says.

use crate::asking::{FORMATS, Question, answer, headers, path, said, start};
use serde_json::{Value, json};
use waterjar_core::{ConditionId, Seed};
use waterjar_knowledge::{Differential, Reading, Scope};
use waterjar_scoring::answer::{Answer, Labels};
use waterjar_simulation::raw::RawClient;
use waterjar_simulation::{
    Clinician, Endpoint, EndpointSettings, Format, Heed, Persona, sample_cases, simulated_cases, starter,
};

async fn endpoint(persona: Persona, seed: u64) -> Endpoint {
    let clinician = Clinician::new(persona, Seed(seed));
    start(EndpointSettings::with_clinician(clinician)).await
}

fn named(text: &str) -> ConditionId {
    let base = starter();
    let labels = Labels::new(base.conditions().iter().map(|it| (it.id.clone(), vec![it.name.clone()])));
    let answer = Answer::read(&labels, text);
    assert_eq!(answer.listed, 5, "{text}");
    answer.named().unwrap_or_else(|| panic!("{text}")).condition.clone()
}

#[tokio::test]
async fn the_words_are_the_same_in_all_three_formats() {
    let endpoint = endpoint(Persona { noise: 0.5, ..Persona::default() }, 7).await;
    let schema = json!({"type": "object", "required": ["diagnosis"], "properties": {"diagnosis": {"type": "string"}}});
    for case in simulated_cases(20) {
        for question in [Question::new(&case.text), Question::with_schema(&case.text, "stage", schema.clone())] {
            let mut said = Vec::new();
            for format in FORMATS {
                said.push(answer(&endpoint, format, &question).await);
            }
            assert!(!said[0].is_empty() && said[0] == said[1] && said[1] == said[2], "{said:?}");
        }
    }
}

#[tokio::test]
async fn a_careful_clinician_follows_the_knowledge_base() {
    let endpoint = endpoint(Persona::CAREFUL, 7).await;
    let base = starter();
    for case in simulated_cases(20) {
        let facts = case.facts.as_ref().unwrap();
        let first = Differential::of(&base, facts, &Reading::JUDGE).first().unwrap();
        let said = answer(&endpoint, Format::OpenAi, &Question::new(&case.text)).await;
        assert_eq!(named(&said), base.conditions()[first].id, "{said}");
    }
}

#[tokio::test]
async fn a_stubborn_one_looks_at_the_symptoms_alone() {
    let endpoint = endpoint(Persona::STUBBORN, 7).await;
    let base = starter();
    let reading = Reading { scope: Scope::Symptoms, ..Reading::JUDGE };
    for case in simulated_cases(20) {
        let facts = case.facts.as_ref().unwrap();
        let first = Differential::of(&base, facts, &reading).first().unwrap();
        let said = answer(&endpoint, Format::Gemini, &Question::new(&case.text)).await;
        assert_eq!(named(&said), base.conditions()[first].id, "{said}");
    }
}

#[test]
fn what_a_stubborn_one_says_of_the_antecedents_is_a_matter_of_heed() {
    let case = simulated_cases(50).into_iter().find(|case| case.text.contains("Antecedents:")).unwrap();
    let ignored = |heed: Heed, stubbornness: f64| {
        let clinician = Clinician::new(Persona { heed, stubbornness, ..Persona::CAREFUL }, Seed(7));
        let (heed, said) = clinician.consult(&case.text).unwrap().ignored;
        (heed, said.len())
    };
    let (_, said) = ignored(Heed::Mentions, 1.0);
    assert!(said > 0, "{}", case.text);
    assert_eq!(ignored(Heed::ArguesAway, 1.0), (Heed::ArguesAway, said));
    assert_eq!(ignored(Heed::Overlooks, 1.0), (Heed::Overlooks, 0));
    assert_eq!(ignored(Heed::Mentions, 0.0), (Heed::Overlooks, 0), "whoever weighs them ignores none");
}

#[test]
fn the_usual_clinician_overlooks_mentions_and_argues_away() {
    let clinician = Clinician::new(Persona { stubbornness: 1.0, ..Persona::default() }, Seed(7));
    let heeds = simulated_cases(1000).into_iter().map(|case| clinician.consult(&case.text).unwrap().ignored.0);
    let heeds: Vec<Heed> = heeds.collect();
    for (heed, about) in [(Heed::Overlooks, 350), (Heed::Mentions, 430), (Heed::ArguesAway, 220)] {
        let n = heeds.iter().filter(|it| **it == heed).count();
        assert!((about - 50..about + 50).contains(&n), "{heed:?}: {n}");
    }
}

#[test]
fn stubbornness_is_a_share_and_a_matter_of_the_symptoms() {
    let clinician = Clinician::new(Persona { stubbornness: 0.3, ..Persona::CAREFUL }, Seed(7));
    let cases = simulated_cases(1000);
    let stubborn = |text: &str| clinician.consult(text).is_some_and(|it| it.symptoms_only);
    let share = cases.iter().filter(|case| stubborn(&case.text)).count();
    assert!((260..340).contains(&share), "{share}");
    for case in &cases[..200] {
        // Everything after the symptoms may change: the lot stays.
        let symptoms = case.text.split("Antecedents:").next().unwrap();
        if clinician.patient(symptoms).is_some() {
            assert_eq!(stubborn(symptoms), stubborn(&case.text), "{}", case.text);
        }
    }
}

#[test]
fn prose_is_read_as_the_list_it_was_told_from() {
    let clinician = Clinician::new(Persona { noise: 0.5, ..Persona::default() }, Seed(7));
    for case in simulated_cases(200) {
        let prose = clinician.narrate(&case.text).unwrap();
        assert!(!prose.contains("Symptoms:") && !prose.contains('\n'));
        let (of_list, of_prose) = (clinician.consult(&case.text).unwrap(), clinician.consult(&prose).unwrap());
        let names =
            |it: &waterjar_simulation::Consultation| it.ranked.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
        assert_eq!(names(&of_list), names(&of_prose), "{prose}");
    }
}

#[tokio::test]
async fn seed_and_persona_change_what_is_said_and_nothing_else_does() {
    let noisy = Persona { noise: 2.0, ..Persona::CAREFUL };
    let question = Question::new(&sample_cases()[1].text);
    let mut said = Vec::new();
    for (persona, seed) in [(noisy, 1), (noisy, 1), (noisy, 2), (Persona { verbosity: 0, ..noisy }, 1)] {
        said.push(answer(&endpoint(persona, seed).await, Format::Anthropic, &question).await);
    }
    assert_eq!(said[0], said[1]);
    assert_ne!(said[0], said[2]);
    assert!(said[3].starts_with("1. ") && said[0].ends_with(&said[3]), "{said:?}");
}

#[tokio::test]
async fn a_registered_stage_answers_by_its_name_in_every_format() {
    let clinician = Clinician::new(Persona::CAREFUL, Seed(7))
        .on("narration", |clinician, asked| json!({"prose": clinician.narrate(asked.text())}))
        .when("Is it plausible?", |_, _| "Yes.".to_owned());
    let endpoint = start(EndpointSettings::with_clinician(clinician)).await;
    let schema = json!({"type": "object", "required": ["prose"], "properties": {"prose": {"type": "string"}}});
    let question = Question::with_schema(&sample_cases()[0].text, "narration", schema);
    for format in FORMATS {
        let told: Value = serde_json::from_str(&answer(&endpoint, format, &question).await).unwrap();
        assert!(told["prose"].as_str().unwrap().starts_with("I am a "), "{told}");
        assert_eq!(answer(&endpoint, format, &Question::new("Is it plausible?")).await, "Yes.");
    }
}

#[tokio::test]
async fn an_unknown_stage_gets_a_valid_answer() {
    let endpoint = endpoint(Persona::default(), 7).await;
    let schema = json!({"type": "object", "required": ["vote", "plausibility", "why"], "properties": {
        "vote": {"type": "string", "enum": ["yes", "no"]},
        "plausibility": {"type": "integer", "minimum": 1, "maximum": 10},
        "why": {"type": "array", "minItems": 2, "items": {"type": "string"}}}});
    for format in FORMATS {
        for text in ["Two sentences to compare.", &sample_cases()[2].text] {
            let question = Question::with_schema(text, "committee_vote", schema.clone());
            let vote: Value = serde_json::from_str(&answer(&endpoint, format, &question).await).unwrap();
            assert!(jsonschema::is_valid(&schema, &vote), "{vote}");
        }
    }
}

#[tokio::test]
async fn a_line_of_the_prompt_names_a_schema_without_a_title() {
    let clinician = Clinician::new(Persona::CAREFUL, Seed(7)).on("rewrite", |_, _| json!({"sentence": "registered"}));
    let endpoint = start(EndpointSettings::with_clinician(clinician)).await;
    let mut client = RawClient::connect(endpoint.addr()).await.unwrap();
    let schema = json!({"type": "OBJECT", "required": ["sentence"], "properties": {"sentence": {"type": "STRING"}}});
    let body = json!({"systemInstruction": {"parts": [{"text": "Rewrite one sentence.\nSchema: rewrite"}]},
        "contents": [{"parts": [{"text": "I cough."}]}],
        "generationConfig": {"responseMimeType": "application/json", "responseSchema": schema}});
    let reply = client.post(path(Format::Gemini), &headers(Format::Gemini), body.to_string().as_bytes()).await.unwrap();
    assert_eq!(said(Format::Gemini, &reply.json().unwrap()), r#"{"sentence":"registered"}"#);
}

#[tokio::test]
async fn what_is_always_said_is_said_in_typed_answers_too_where_that_is_wanted() {
    let schema = json!({"type": "object", "required": ["list"], "properties": {"list": {"type": "array", "items": {
        "type": "object", "required": ["treatment", "class"],
        "properties": {"treatment": {"type": "string"}, "class": {"enum": ["drug", "care"]}}}}}});
    let question = || Question::with_schema("A chart.", "treatments", schema.clone());
    let says = async |clinician: Clinician| {
        let endpoint = start(EndpointSettings::with_clinician(clinician)).await;
        answer(&endpoint, FORMATS[0], &question()).await
    };
    let told = says(Clinician::always("Rest.").also_typed()).await;
    assert_eq!(told, r#"{"list":[{"treatment":"Rest.","class":"drug"}]}"#, "{told}");
    let told = says(Clinician::always(r#"{"list":[]}"#).also_typed()).await;
    assert_eq!(told, r#"{"list":[]}"#);
    assert!(!says(Clinician::always("Rest.")).await.contains("Rest."));
}
