//! Recommending treatment for a chart in two stages: the case in short, then a typed list from that.

use crate::asking::fitting;
use waterjar_core::{AgentError, ChatModel, ChatRequest, Conclusion, Finish, Prompt, Recommendations};

pub(crate) const SUMMARY: &str = include_str!("../prompts/summary.md");
pub(crate) const LIST: &str = include_str!("../prompts/recommendations.md");

/// The second stage sees the summary and not the chart, so a fact that the first one loses is lost.
pub(crate) async fn recommend(model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
    let summary = summarize(model, prompt, repeat).await?;
    list(model, prompt, &summary, repeat).await
}

async fn summarize(model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<String, AgentError> {
    let request = ChatRequest::new(system(prompt, SUMMARY), prompt.text.as_str(), repeat);
    let reply = model.chat(&request).await?;
    match reply.finish {
        Finish::Length => Err(AgentError::InvalidOutput(
            "the summary was cut at the token limit; raise the model's `max_tokens`".to_owned(),
        )),
        _ if reply.text.trim().is_empty() => Err(AgentError::InvalidOutput("the summary is empty".to_owned())),
        _ => Ok(reply.text),
    }
}

/// `summary` is all that is known of the patient.
pub(crate) async fn list(
    model: &dyn ChatModel,
    prompt: &Prompt,
    summary: &str,
    repeat: u32,
) -> Result<Conclusion, AgentError> {
    let request = ChatRequest::new(system(prompt, LIST), summary, repeat);
    let asked = fitting::<Recommendations>(model, request, "recommendations", named).await?;
    let text = serde_json::to_string(&asked.value).expect("a list of texts");
    let record = serde_json::json!({ "summary": summary });
    Ok(Conclusion { text, reasoning: asked.reply.reasoning, record: Some(record) })
}

fn named(list: &Recommendations) -> Result<(), String> {
    let nameless = list.recommendations.iter().any(|it| it.treatment.trim().is_empty());
    if nameless { Err("recommendations: a treatment has no name".to_owned()) } else { Ok(()) }
}

fn system(prompt: &Prompt, part: &str) -> String {
    format!("{}\n\n{}", prompt.task.trim_end(), part.trim_end())
}
