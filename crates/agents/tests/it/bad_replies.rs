//! What the released programs crash on, guess or pass on (specs.md 9.4): here it is read rightly, or asked again once and
//! then a failure that says why.

use crate::cast::{
    ROLES, again, agent, ask, cast, complexity, experts, opinion, prompt, scored, stage, stages, system, teams, texts,
};
use serde_json::{Value, json};
use waterjar_core::{AgentError, ChatReply, ModelError};
use waterjar_testkit::ScriptedModel;

/// The stage answers so, both times: a clean failure with the words, after exactly one re-ask.
pub async fn fails(id: &str, settings: &str, bad: (&'static str, String), told: &str) {
    let (name, reply) = bad;
    let model = texts(move |stage, request| match (id_of(request), stage) {
        ("quarrel", "expert_opinion") => Some(own(request).to_string()),
        _ => (stage == name).then(|| reply.clone()),
    });
    let outcome = ask(agent(id, settings).as_ref(), &model).await;
    let Err(AgentError::InvalidOutput(problem)) = &outcome else { panic!("{outcome:?}") };
    assert!(problem.starts_with(&format!("`{name}`: ")) && problem.contains(told), "{problem}");
    let quoting = model.requests().into_iter().filter(|it| stage(it) == name && again(it));
    let quoting: Vec<String> = quoting.map(|it| it.last_user_text().to_owned()).collect();
    assert!(!quoting.is_empty() && quoting.iter().all(|text| text.contains(told)), "{quoting:?}");
    assert_eq!(stages(&model)[name], 2 * quoting.len(), "everybody is asked again once");
}

/// Debaters have an opinion each, so that there is a second round.
fn id_of(request: &waterjar_core::ChatRequest) -> &'static str {
    if system(request).contains("You debate one patient") { "quarrel" } else { "" }
}

fn own(request: &waterjar_core::ChatRequest) -> Value {
    let all = [("general", "Gout"), ("emergency", "Pneumonia"), ("cardiol", "Psoriasis"), ("pulmon", "Migraine")];
    opinion(all.iter().find(|(role, _)| system(request).contains(role)).unwrap().1)
}

#[tokio::test]
async fn an_unparseable_difficulty_is_a_failure_and_not_the_last_ones() {
    let said = "I would call this intermediate, not basic.".to_owned();
    fails("mdagents", "", ("case_complexity", said), "there is no JSON in it").await;
    let said = complexity("moderate").to_string();
    fails("mdagents", "", ("case_complexity", said), "\"moderate\" is none of").await;

    // A case that went well before it leaves nothing behind.
    let agent = agent("mdagents", "");
    let good = agent.answer(&cast(|_, _| None), &prompt("I cough."), 0).await;
    assert!(good.is_ok());
    let model = texts(|stage, _| (stage == "case_complexity").then(|| "Hard to say.".to_owned()));
    assert!(matches!(agent.answer(&model, &prompt("I wheeze."), 0).await, Err(AgentError::InvalidOutput(_))));
}

#[tokio::test]
async fn a_difficulty_put_right_the_second_time_counts() {
    let model = texts(|stage, request| {
        let bad = stage == "case_complexity" && !again(request);
        bad.then(|| "Intermediate, not basic.".to_owned())
    });
    ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 18 + 1);
}

#[tokio::test]
async fn a_recruiters_preface_fences_and_bold_type_do_not_matter() {
    let model = texts(|stage, _| {
        let team = experts(&ROLES);
        (stage == "expert_team").then(|| format!("Sure! Here is **the team**:\n\n```json\n{team}\n```\nA == B > C"))
    });
    ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 18);
}

#[tokio::test]
async fn a_hyphenated_specialty_stays_whole() {
    let role = "Ear-Nose-Throat surgeon - head and neck. Dr.";
    let model = cast(move |stage, _| {
        let team = [&[role][..], &ROLES[1..]].concat();
        (stage == "expert_team").then(|| experts(&team))
    });
    ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    let told = model
        .requests()
        .iter()
        .filter(|it| system(it).starts_with(&format!("You are this specialist: {role} (their field)")))
        .count();
    assert_eq!(told, 3, "opinion, chance to speak, final answer");
}

#[tokio::test]
async fn an_expert_number_out_of_range_is_told_and_never_wraps_around() {
    for (number, told) in [(6, "there is no colleague 6"), (0, "there is no colleague 0")] {
        let said = json!({"messages": [{"to": number, "message": "You?"}]}).to_string();
        fails("mdagents", "", ("panel_messages", said), told).await;
        let willing = texts(move |stage, _| match stage {
            "wants_to_speak" => Some(json!({"speak": "yes"}).to_string()),
            "addressees" => Some(json!({"experts": [number]}).to_string()),
            _ => None,
        });
        let outcome = ask(agent("mdagents", "compat = true").as_ref(), &willing).await;
        assert!(matches!(&outcome, Err(AgentError::InvalidOutput(problem)) if problem.contains(told)), "{outcome:?}");
    }
    let twice = json!({"messages": [{"to": 1, "message": "a"}, {"to": 1, "message": "b"}]}).to_string();
    let model = texts(move |stage, request| {
        (stage == "panel_messages" && system(request).contains("Pulmonologist")).then(|| twice.clone())
    });
    let outcome = ask(agent("mdagents", "").as_ref(), &model).await;
    assert!(matches!(&outcome, Err(AgentError::InvalidOutput(problem)) if problem.contains("twice")), "{outcome:?}");
}

#[tokio::test]
async fn a_team_written_as_formatted_text_is_asked_for_again_and_never_an_empty_team() {
    let advanced = |reply: String| {
        texts(move |stage, _| match stage {
            "case_complexity" => Some(complexity("advanced").to_string()),
            "specialist_teams" => Some(reply.clone()),
            _ => None,
        })
    };
    let text = "**Group 1 - Initial Assessment**\n- **Member 1**: Internist (Lead)\n- Member 2: Nurse".to_owned();
    let mut leaderless = teams();
    leaderless["teams"][0]["members"][0]["lead"] = json!(false);
    let mut empty = teams();
    empty["teams"][1]["members"] = json!([]);
    let mut two_reviews = teams();
    two_reviews["teams"][2]["purpose"] = json!("final_review");
    for (reply, told) in [
        (text, "there is no JSON in it"),
        (leaderless.to_string(), "`Reviewers` has 0 leads"),
        (empty.to_string(), "`Admission` has 0 members"),
        (two_reviews.to_string(), "2 of them have the purpose final_review"),
    ] {
        let model = advanced(reply);
        let outcome = ask(agent("mdagents", "").as_ref(), &model).await;
        assert!(matches!(&outcome, Err(AgentError::InvalidOutput(problem)) if problem.contains(told)), "{outcome:?}");
        assert_eq!(model.calls(), 3);
    }
}

#[tokio::test]
async fn the_word_group_in_a_role_makes_no_team_of_its_own() {
    let model = cast(|stage, _| match stage {
        "case_complexity" => Some(complexity("advanced")),
        "specialist_teams" => {
            let mut named = teams();
            named["teams"][2]["members"][1]["role"] = json!("Group therapist of the Study Group");
            Some(named)
        }
        _ => None,
    });
    ask(agent("mdagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 15);
    assert!(model.requests().iter().any(|it| system(it).contains("Group therapist of the Study Group (their field)")));
}

#[tokio::test]
async fn a_hierarchy_that_goes_in_circles_is_a_failure_and_ends() {
    let circle = |links: &[(usize, &str)]| {
        let mut team = experts(&ROLES);
        for (at, lead) in links {
            team["experts"][*at]["reports_to"] = json!(lead);
        }
        team.to_string()
    };
    let told = "comes back to where it began";
    fails("mdagents", "", ("expert_team", circle(&[(0, "Cardiologist")])), told).await;
    fails("mdagents", "", ("expert_team", circle(&[(0, "Pulmonologist"), (1, "Cardiologist")])), told).await;
    fails("mdagents", "", ("expert_team", circle(&[(0, "Independent")])), "`Independent` is the role of nobody").await;
}

#[tokio::test]
async fn two_experts_of_one_role_or_too_few_are_a_failure() {
    let same = experts(&["Internist", "internist", "A", "B", "C"]).to_string();
    fails("mdagents", "", ("expert_team", same), "`internist` is there twice").await;
    fails("mdagents", "", ("expert_team", experts(&ROLES[..4]).to_string()), "there are 4 of them").await;
}

#[tokio::test]
async fn a_rating_list_of_the_wrong_length_is_a_failure_and_never_uniform() {
    for scores in [&[5, 4, 3][..], &[5, 4, 3, 2, 1], &[]] {
        let said = scored("Gout", scores).to_string();
        fails("dylan", "", ("scored_opinion", said), &format!("there are {}, and 4", scores.len())).await;
    }
    fails("dylan", "", ("scored_opinion", scored("Gout", &[5, 4, 3, 9]).to_string()), "9 is more than 5").await;
    fails("dylan", "", ("scored_opinion", scored("Gout", &[0, 4, 3, 2]).to_string()), "0 is less than 1").await;
}

#[tokio::test]
async fn an_unusable_ranking_is_a_failure_and_never_two_agents_by_lot() {
    let quarrel = |reply: String| {
        texts(move |stage, request| match stage {
            "expert_opinion" => Some(own(request).to_string()),
            "scored_opinion" => {
                let mut said = own(request);
                said["scores"] = json!([3, 3, 3, 3]);
                Some(said.to_string())
            }
            "best_two" => Some(reply.clone()),
            _ => None,
        })
    };
    for (best, told) in [
        (json!([2, 2]), "answer 2 is there twice"),
        (json!([1, 5]), "there is no answer 5"),
        (json!([0, 1]), "there is no answer 0"),
        (json!([1]), "1 items are fewer than 2"),
    ] {
        for settings in ["", "compat = true"] {
            let model = quarrel(json!({"reason": "So.", "best": best}).to_string());
            let outcome = ask(agent("dylan", settings).as_ref(), &model).await;
            let failed = matches!(&outcome, Err(AgentError::InvalidOutput(problem)) if problem.contains(told));
            assert!(failed, "{outcome:?}");
            assert_eq!(model.calls(), 8 + 2);
        }
    }
    let model = quarrel("The first and the third.".to_owned());
    assert!(matches!(ask(agent("dylan", "").as_ref(), &model).await, Err(AgentError::InvalidOutput(_))));
}

#[tokio::test]
async fn malformed_answers_are_no_consensus_on_nothing() {
    for id in ["dylan", "mdagents", "medagents"] {
        let model = texts(|stage, _| (stage == "expert_opinion").then(|| "I cannot say.".to_owned()));
        let outcome = ask(agent(id, "").as_ref(), &model).await;
        assert!(matches!(outcome, Err(AgentError::InvalidOutput(_))), "{id}: {outcome:?}");
        for nameless in [json!([]), json!([{"condition": " ", "confidence": 0.5}])] {
            let model =
                cast(move |stage, _| (stage == "expert_opinion").then(|| json!({"reasoning": "", "ranked": nameless})));
            let outcome = ask(agent(id, "").as_ref(), &model).await;
            assert!(matches!(outcome, Err(AgentError::InvalidOutput(_))), "{id}: {outcome:?}");
        }
    }
}

#[tokio::test]
async fn a_report_without_its_heading_is_a_failure_and_no_crash() {
    let headless = json!({"key_knowledge": "A clot may travel."}).to_string();
    fails("medagents", "", ("consultation_report", headless), "`total_analysis` is missing").await;
    let empty = json!({"key_knowledge": "A clot may travel.", "total_analysis": " "}).to_string();
    fails("medagents", "", ("consultation_report", empty), "total_analysis: it is empty").await;
    fails("medagents", "", ("consultation_report", "ERROR.".to_owned()), "there is no JSON in it").await;
}

#[tokio::test]
async fn a_vote_that_is_neither_yes_nor_no_is_asked_again_and_never_a_yes() {
    let said = |vote: &str| json!({ "agrees": vote }).to_string();
    fails("medagents", "", ("report_vote", said("I do not know")), "is none of").await;
    let model = texts(move |stage, _| (stage == "report_vote").then(|| said("Yes.")));
    ask(agent("medagents", "").as_ref(), &model).await.unwrap();
    assert_eq!(model.calls(), 13, "case and full stop do not matter");
}

#[tokio::test]
async fn fields_named_twice_or_in_the_wrong_number_are_a_failure_and_never_general_medicine() {
    let named = |fields: &[&str]| json!({ "domains": fields }).to_string();
    let told = "`surgery` is there twice";
    fails("medagents", "", ("medical_domains", named(&["Surgery", "surgery", "A", "B", "C"])), told).await;
    fails("medagents", "", ("medical_domains", named(&["A", "B"])), "there are 2, and 5").await;
    fails("medagents", "", ("medical_domains", "Fields: A | B | C | D | E".to_owned()), "there is no JSON").await;
}

/// The k-th call fails for good: so does the case, with the model's own words, whatever the stage.
async fn fails_at_every_call(id: &str, settings: &'static str, says: fn(&str) -> Option<Value>) {
    let whole = cast(move |stage, _| says(stage));
    ask(agent(id, settings).as_ref(), &whole).await.unwrap();
    for k in 0..whole.calls() {
        let count = std::sync::atomic::AtomicUsize::new(0);
        let model = ScriptedModel::new("cast", move |request| {
            if count.fetch_add(1, std::sync::atomic::Ordering::SeqCst) == k {
                return Err(ModelError::Endpoint { status: 503, message: "down".into(), retry_after: None });
            }
            let stage = stage(request);
            Ok(ChatReply::text(says(stage).unwrap_or_else(|| crate::cast::usual(stage, request)).to_string()))
        });
        let outcome = ask(agent(id, settings).as_ref(), &model).await;
        let down = matches!(&outcome, Err(AgentError::Model(ModelError::Endpoint { status: 503, .. })));
        assert!(down, "{id}, call {k}: {outcome:?}");
        assert!(model.calls() <= whole.calls(), "{id}, call {k}");
    }
}

#[tokio::test]
async fn an_error_of_the_endpoint_at_any_call_is_passed_on_as_it_is() {
    fails_at_every_call("mdagents", "", |_| None).await;
    fails_at_every_call("mdagents", "", |stage| (stage == "case_complexity").then(|| complexity("basic"))).await;
    fails_at_every_call("mdagents", "", |stage| (stage == "case_complexity").then(|| complexity("advanced"))).await;
    fails_at_every_call("mdagents", "compat = true", |_| None).await;
    fails_at_every_call("dylan", "", |_| None).await;
    fails_at_every_call("medagents", "", |_| None).await;
    fails_at_every_call("ecr", "", |_| None).await;
}
