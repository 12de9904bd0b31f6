//! `retrieved`: the sections another trajectory read, at once and without the loop.

use crate::asking::fingerprint;
use crate::react::{Sections, Trajectory, chart_hash};
use crate::{AgentOpening, treatments};
use async_trait::async_trait;
use serde::Deserialize;
use std::collections::HashMap;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use waterjar_charts::Section;
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Prompt, Response};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    from: PathBuf,
}

pub struct Retrieved {
    id: AgentId,
    /// By the hash of the chart.
    read: HashMap<String, Trajectory>,
    /// Of the file.
    hash: String,
}

impl Retrieved {
    pub fn open(opening: &AgentOpening) -> Result<Box<dyn Agent>, String> {
        let settings: Settings = opening.settings()?;
        let path = opening.folder.join(&settings.from);
        let path = if path.is_dir() { path.join("responses.jsonl") } else { path };
        let (read, hash) = trajectories(&path).map_err(|problem| format!("from: {}: {problem}", path.display()))?;
        Ok(Box::new(Self { id: "retrieved".into(), read, hash }))
    }

    fn sections(&self, prompt: &Prompt) -> Result<String, AgentError> {
        let bad = AgentError::InvalidOutput;
        let known = self.read.get(&chart_hash(&prompt.text));
        let known = known.ok_or_else(|| bad("the other run has no trajectory for this chart".to_owned()))?;
        let sections = Sections::of(&prompt.text).map_err(bad)?;
        let mut text = String::new();
        for section in known
            .trajectory
            .iter()
            .filter(|step| step.bytes > 0)
            .filter_map(|step| step.section.parse::<Section>().ok())
        {
            let (part, cut) = sections.part(section, known.kilobytes * 1024);
            text.push_str(&format!("== {} ==\n{part}{}\n\n", section.title(), if cut { "\n… (cut)" } else { "" }));
        }
        if text.is_empty() { Err(bad("the other run read nothing of this chart".to_owned())) } else { Ok(text) }
    }
}

/// The first trajectory of every chart.
fn trajectories(path: &Path) -> Result<(HashMap<String, Trajectory>, String), String> {
    let file = std::fs::File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
    let mut read = HashMap::new();
    let mut hasher = blake3::Hasher::new();
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| error.to_string())?;
        hasher.update(line.as_bytes());
        let record = serde_json::from_str::<Response>(&line).ok();
        let record = record.as_ref().and_then(Response::conclusion).and_then(|it| it.record.clone());
        if let Some(found) = record.and_then(|record| serde_json::from_value::<Trajectory>(record).ok()) {
            read.entry(found.chart.clone()).or_insert(found);
        }
    }
    if read.is_empty() {
        return Err("holds no trajectory of `react`".to_owned());
    }
    Ok((read, hasher.finalize().to_hex().to_string()))
}

#[async_trait]
impl Agent for Retrieved {
    fn id(&self) -> &AgentId {
        &self.id
    }

    fn fingerprint(&self) -> String {
        fingerprint(1, &self.hash, &[treatments::SUMMARY, treatments::LIST])
    }

    async fn answer(&self, model: &dyn ChatModel, prompt: &Prompt, repeat: u32) -> Result<Conclusion, AgentError> {
        let text = self.sections(prompt)?;
        treatments::recommend(model, &Prompt { text, ..prompt.clone() }, repeat).await
    }
}
