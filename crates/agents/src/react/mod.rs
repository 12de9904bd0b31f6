//! `react`: reads a chart section by section through a tool, then recommends.

mod sections;

pub(crate) use sections::Sections;

use crate::asking::{fingerprint, within};
use crate::{AgentOpening, treatments};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use waterjar_charts::Section;
use waterjar_core::{
    Agent, AgentError, AgentId, ChatModel, ChatRequest, Conclusion, Finish, Message, ModelError, Prompt, Role, Tool,
};

const TOOL: &str = "read_chart_section";
const NATIVE: &str = include_str!("prompts/tool.md");
const TEXT: &str = include_str!("prompts/text.md");

#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Settings {
    calls: usize,
    kilobytes: usize,
    tools: Calling,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Calling {
    Native,
    Text,
}

impl Default for Settings {
    fn default() -> Self {
        Self { calls: 8, kilobytes: 8, tools: Calling::Native }
    }
}

pub struct React {
    id: AgentId,
    settings: Settings,
}

/// One reading of a section, or the attempt.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Step {
    /// As it was asked for.
    pub section: String,
    pub bytes: usize,
    pub cut: bool,
}

/// What an answer records, and `retrieved` reads.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Trajectory {
    /// Of the chart's text.
    pub chart: String,
    pub kilobytes: usize,
    pub calling: String,
    pub trajectory: Vec<Step>,
    pub summary: String,
}

pub(crate) fn chart_hash(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

impl React {
    pub fn open(opening: &AgentOpening) -> Result<Box<dyn Agent>, String> {
        let settings: Settings = opening.settings()?;
        within("calls", settings.calls, 1..=32)?;
        within("kilobytes", settings.kilobytes, 1..=256)?;
        Ok(Box::new(Self { id: "react".into(), settings }))
    }

    fn system(&self, prompt: &Prompt, calling: Calling) -> String {
        let how = if calling == Calling::Native { NATIVE } else { TEXT };
        let how = how.replace("{calls}", &self.settings.calls.to_string());
        let how = how.replace("{kilobytes}", &self.settings.kilobytes.to_string());
        let how = how.replace("{sections}", &Sections::names().join(", "));
        format!("{}\n\n{}", prompt.task.trim_end(), how.trim_end())
    }

    async fn explore(&self, asked: &Asked<'_>, calling: Calling) -> Result<Explored, AgentError> {
        let mut request = ChatRequest::new(self.system(asked.prompt, calling), OPENING, asked.repeat);
        if calling == Calling::Native {
            request.tools = vec![tool()];
        }
        let mut steps: Vec<Step> = Vec::new();
        let mut read = String::new();
        loop {
            let reply = asked.model.chat(&request).await?;
            if reply.finish == Finish::Length {
                let told = "a reply was cut at the token limit; raise the model's `max_tokens`";
                return Err(AgentError::InvalidOutput(told.to_owned()));
            }
            let wanted: Vec<(Option<String>, String)> = match calling {
                Calling::Native => {
                    reply.tool_calls.iter().map(|call| (Some(call.id.clone()), named(&call.arguments))).collect()
                }
                Calling::Text => text_call(&reply.text).map(|section| (None, section)).into_iter().collect(),
            };
            let said = Message::new(Role::Assistant, reply.text.as_str());
            request.messages.push(Message { tool_calls: reply.tool_calls, vendor_state: reply.vendor_state, ..said });
            if wanted.is_empty() {
                return Ok(Explored { steps, read, said: reply.text });
            }
            for (call, section) in wanted {
                let told = self.look(asked.sections, &section, &mut steps, &mut read);
                let role = if call.is_some() { Role::Tool } else { Role::User };
                request.messages.push(Message { answers_call: call, ..Message::new(role, told) });
            }
            if steps.len() >= self.settings.calls {
                return Ok(Explored { steps, read, said: String::new() });
            }
        }
    }

    /// What the tool says. Every call counts, also one for a section that is not there.
    fn look(&self, sections: &Sections, wanted: &str, steps: &mut Vec<Step>, read: &mut String) -> String {
        let spent = steps.len() >= self.settings.calls;
        let again = steps.iter().any(|step| step.section == wanted);
        let section = wanted.parse::<Section>().ok().filter(|_| !spent && !again);
        let mut step = Step { section: wanted.to_owned(), bytes: 0, cut: false };
        let told = match section {
            Some(section) => {
                let (text, cut) = sections.part(section, self.settings.kilobytes * 1024);
                (step.bytes, step.cut) = (text.len(), cut);
                let text = if text.is_empty() { "nothing is recorded here" } else { text };
                let mark = if cut { "\n… (cut)" } else { "" };
                read.push_str(&format!("== {} ==\n{text}{mark}\n\n", section.title()));
                format!("{text}{mark}")
            }
            None if spent => "There are no calls left.".to_owned(),
            None if again => "You have read this section already.".to_owned(),
            None => format!("There is no such section. The sections are: {}.", Sections::names().join(", ")),
        };
        steps.push(step);
        told
    }
}

const OPENING: &str = "Begin with read_chart_section.";

struct Asked<'a> {
    model: &'a dyn ChatModel,
    prompt: &'a Prompt,
    sections: &'a Sections,
    repeat: u32,
}

struct Explored {
    steps: Vec<Step>,
    /// Everything that was read, in the order it was.
    read: String,
    said: String,
}

fn tool() -> Tool {
    Tool {
        name: TOOL.to_owned(),
        description: "Reads one section of the patient's chart.".to_owned(),
        parameters: json!({
            "type": "object",
            "properties": { "section": { "type": "string", "enum": Sections::names() } },
            "required": ["section"],
            "additionalProperties": false,
        }),
    }
}

fn named(arguments: &Value) -> String {
    arguments.get("section").and_then(Value::as_str).unwrap_or_default().trim().to_lowercase()
}

/// The section of a line `READ section`.
fn text_call(text: &str) -> Option<String> {
    let line = text.lines().map(str::trim).find_map(|line| line.strip_prefix("READ"))?;
    Some(line.trim_matches([' ', ':', '`', '"', '.']).to_lowercase())
}

/// What an endpoint says that does not take tools.
fn refuses_tools(error: &AgentError) -> bool {
    matches!(error, AgentError::Model(ModelError::Rejected { .. } | ModelError::SchemaUnsupported(_)))
}

#[async_trait]
impl Agent for React {
    fn id(&self) -> &AgentId {
        &self.id
    }

    fn fingerprint(&self) -> String {
        fingerprint(1, &self.settings, &[NATIVE, TEXT, treatments::LIST])
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        let sections = Sections::of(&prompt.text).map_err(AgentError::InvalidOutput)?;
        let asked = Asked { model, prompt, sections: &sections, repeat };
        let mut calling = self.settings.tools;
        let explored = match self.explore(&asked, calling).await {
            Err(error) if calling == Calling::Native && refuses_tools(&error) => {
                calling = Calling::Text;
                self.explore(&asked, calling).await?
            }
            explored => explored?,
        };
        let case = format!("{}{}", explored.read, explored.said);
        if case.trim().is_empty() {
            return Err(AgentError::InvalidOutput("it read nothing and said nothing".to_owned()));
        }
        let listed = treatments::list(model, prompt, case.trim_end(), repeat).await?;
        let trajectory = Trajectory {
            chart: chart_hash(&prompt.text),
            kilobytes: self.settings.kilobytes,
            calling: if calling == Calling::Native { "native" } else { "text" }.to_owned(),
            trajectory: explored.steps,
            summary: explored.said,
        };
        let record = serde_json::to_value(trajectory).expect("a trajectory is texts and numbers");
        Ok(Conclusion { record: Some(record), ..listed })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_is_read_from_a_line_of_text() {
        assert_eq!(text_call("READ biomarkers").as_deref(), Some("biomarkers"));
        assert_eq!(text_call("Let me look.\nREAD: `Labs`.").as_deref(), Some("labs"));
        assert_eq!(text_call("I have read enough."), None);
    }

    #[test]
    fn sections_hold_their_block_and_entries_and_are_cut_where_they_are_long() {
        let packet = "PACKET one\n\n== Labs ==\neGFR 80\n\n== Chronology ==\n2024-01-02 [Lab] Creatinine 0.9\n";
        let sections = Sections::of(packet).unwrap();
        assert_eq!(sections.part(Section::Labs, 1000), ("eGFR 80\n2024-01-02 [Lab] Creatinine 0.9", false));
        assert_eq!(sections.part(Section::Labs, 4), ("eGFR", true));
        assert_eq!(sections.part(Section::Allergies, 10), ("", false));
    }
}
