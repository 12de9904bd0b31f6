//! A model that plays every part by the name of the schema, and an agent to ask it.

use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_agents::AgentOpening;
use waterjar_agents::ecr::evidence::{Library, Nothing};
use waterjar_core::{Agent, AgentError, ChatReply, ChatRequest, Conclusion, Prompt, Role, Seed};
use waterjar_testkit::{ScriptedModel, starter};

pub fn agent(id: &str, settings: &str) -> Box<dyn Agent> {
    opened(id, settings, Seed(7)).unwrap_or_else(|problem| panic!("{id}: {problem}"))
}

pub fn opened(id: &str, settings: &str, seed: Seed) -> Result<Box<dyn Agent>, String> {
    opened_with(id, settings, seed, &Nothing)
}

pub fn opened_with(id: &str, settings: &str, seed: Seed, library: &dyn Library) -> Result<Box<dyn Agent>, String> {
    let (settings, base) = (toml::from_str(settings).unwrap(), starter());
    let kind = waterjar_agents::all().iter().find(|kind| kind.id == id).unwrap();
    (kind.open)(&AgentOpening {
        settings: &settings,
        rules: false,
        seed,
        folder: Path::new("."),
        asked: true,
        base: &base,
        library,
    })
}

pub fn prompt(text: &str) -> Prompt {
    Prompt::new("Name the condition.\n", text)
}

pub async fn ask(agent: &dyn Agent, model: &ScriptedModel) -> Result<Conclusion, AgentError> {
    agent.answer(model, &prompt("I cough."), 0).await
}

pub fn record(conclusion: &Conclusion) -> &Value {
    conclusion.record.as_ref().unwrap()
}

/// Says what `says` has for a stage, and something sensible where it has nothing.
pub fn cast(says: impl Fn(&str, &ChatRequest) -> Option<Value> + Send + Sync + 'static) -> ScriptedModel {
    texts(move |stage, request| says(stage, request).map(|it| it.to_string()))
}

/// The same with replies that are not JSON.
pub fn texts(says: impl Fn(&str, &ChatRequest) -> Option<String> + Send + Sync + 'static) -> ScriptedModel {
    ScriptedModel::new("cast", move |request| {
        let stage = stage(request);
        Ok(ChatReply::text(says(stage, request).unwrap_or_else(|| usual(stage, request).to_string())))
    })
}

/// The name of the schema; `role` where somebody is only told who they are.
pub fn stage(request: &ChatRequest) -> &str {
    request.schema.as_ref().map_or("role", |schema| schema.name.as_str())
}

/// How often each stage was asked.
pub fn stages(model: &ScriptedModel) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for request in model.requests() {
        *counts.entry(stage(&request).to_owned()).or_default() += 1;
    }
    counts
}

/// What those of a stage were asked, in order: the last thing the user said.
pub fn asked(model: &ScriptedModel, name: &str) -> Vec<String> {
    let of_stage = model.requests().into_iter().filter(|request| stage(request) == name);
    of_stage.map(|request| request.last_user_text().to_owned()).collect()
}

pub fn system(request: &ChatRequest) -> &str {
    request.messages.iter().find(|it| it.role == Role::System).map_or("", |it| it.content.as_str())
}

/// Whether it is asked again because the last reply could not be used.
pub fn again(request: &ChatRequest) -> bool {
    request.last_user_text().starts_with("Your answer could not be used")
}

pub fn opinion(condition: &str) -> Value {
    let other = if condition == "Gout" { "Pneumonia" } else { "Gout" };
    json!({
        "reasoning": format!("It points to {condition}."),
        "ranked": [{"condition": condition, "confidence": 0.6}, {"condition": other, "confidence": 0.2}],
    })
}

pub fn scored(condition: &str, scores: &[u8]) -> Value {
    let mut said = opinion(condition);
    said["scores"] = scores.into();
    said
}

pub fn complexity(class: &str) -> Value {
    json!({"reason": "It is.", "complexity": class})
}

pub const ROLES: [&str; 5] = ["Cardiologist", "Pulmonologist", "Neurologist", "Internist", "Radiologist"];

pub fn experts(roles: &[&str]) -> Value {
    let expert = |role: &&str| json!({"role": role, "expertise": "their field", "reports_to": null});
    json!({ "experts": roles.iter().map(expert).collect::<Vec<_>>() })
}

pub fn teams() -> Value {
    let member = |role: &str, lead: bool| json!({"role": role, "expertise": "their field", "lead": lead});
    let team = |name: &str, purpose: &str| {
        let members = [member("First", true), member("Second", false), member("Third", false)];
        json!({"name": name, "purpose": purpose, "members": members})
    };
    // Out of order: the purpose decides who comes first.
    json!({"teams": [team("Reviewers", "final_review"), team("Admission", "initial_assessment"), team("Thorax", "further_work_up")]})
}

/// Everybody agrees, nobody speaks up, everything has the form asked for.
pub fn usual(stage: &str, request: &ChatRequest) -> Value {
    match stage {
        "role" => json!("Understood."),
        "expert_opinion" => opinion("Pulmonary embolism"),
        "scored_opinion" => {
            let shown = request.last_user_text().lines().filter(|line| line.starts_with("Answer ")).count();
            scored("Pulmonary embolism", &vec![3; shown])
        }
        "case_complexity" => complexity("intermediate"),
        "expert_team" => experts(&ROLES),
        "specialist_teams" => teams(),
        "panel_summary" | "consultation_report" => {
            json!({"key_knowledge": "A clot may travel.", "total_analysis": "The calf decides."})
        }
        "panel_messages" => json!({"messages": []}),
        "tie_break" => json!({"reason": "The calf.", "choice": 1}),
        "team_tasks" => json!({"tasks": ["Look at the legs.", "Look at the lungs."]}),
        "team_findings" => json!({"findings": "A swollen calf."}),
        "team_report" => json!({"report": format!("Report of: {}", system(request))}),
        "wants_to_speak" => json!({"speak": "no"}),
        "addressees" => json!({"experts": [if system(request).contains("number 1 ") { 2 } else { 1 }]}),
        "panel_message" => json!({"message": "Have you seen the calf?"}),
        "best_two" => json!({"reason": "They fit.", "best": [1, 2]}),
        "medical_domains" => json!({"domains": ["Cardiology", "Surgery", "Neurology", "Radiology", "Haematology"]}),
        "domain_analysis" => json!({"analysis": "The calf matters."}),
        "report_vote" => json!({"agrees": "yes"}),
        "report_advice" => json!({"advice": "Mention the calf."}),
        stage => crate::ecr::usual(stage).unwrap_or_else(|| panic!("nobody plays `{stage}`")),
    }
}
