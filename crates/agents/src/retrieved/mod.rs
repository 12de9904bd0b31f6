//! `retrieved`: the sections another trajectory read, at once and without the loop.

use crate::asking::fingerprint;
use crate::react::{Sections, Trajectory, chart_hash};
use crate::{AgentOpening, treatments};
use async_trait::async_trait;
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use waterjar_charts::Section;
use waterjar_core::{Agent, AgentError, AgentId, ChatModel, Conclusion, Prompt, Response};

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Settings {
    from: PathBuf,
    /// Whose trajectories, where the file has those of several.
    #[serde(default)]
    subject: Option<String>,
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
        let read = trajectories(&path, settings.subject.as_deref());
        let (read, hash) = read.map_err(|problem| format!("from: {}: {problem}", path.display()))?;
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

/// The first trajectory of every chart, of one subject.
fn trajectories(path: &Path, wanted: Option<&str>) -> Result<(HashMap<String, Trajectory>, String), String> {
    let file = std::fs::File::open(path).map_err(|error| format!("cannot be read: {error}"))?;
    let mut by_subject: BTreeMap<String, HashMap<String, Trajectory>> = BTreeMap::new();
    let mut hasher = blake3::Hasher::new();
    // Another subject's trajectories are another agent's reading.
    hasher.update(wanted.unwrap_or_default().as_bytes());
    for line in BufReader::new(file).lines() {
        let line = line.map_err(|error| error.to_string())?;
        hasher.update(line.as_bytes());
        let Ok(response) = serde_json::from_str::<Response>(&line) else { continue };
        let record = response.conclusion().and_then(|it| it.record.clone());
        if let Some(found) = record.and_then(|record| serde_json::from_value::<Trajectory>(record).ok()) {
            let read = by_subject.entry(response.subject.to_string()).or_default();
            read.entry(found.chart.clone()).or_insert(found);
        }
    }
    let names = by_subject.keys().cloned().collect::<Vec<_>>().join(", ");
    let read = match wanted {
        Some(subject) => by_subject.remove(subject),
        None if by_subject.len() > 1 => {
            return Err(format!("holds trajectories of several subjects; name one as `subject`: {names}"));
        }
        None => by_subject.into_values().next(),
    };
    match read {
        Some(read) => Ok((read, hasher.finalize().to_hex().to_string())),
        None if names.is_empty() => Err("holds no trajectory of `react`".to_owned()),
        None => Err(format!("holds no trajectory of `{}`; it has those of: {names}", wanted.unwrap_or_default())),
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn of_several_subjects_one_is_named() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        for (subject, section) in [("react@a", "labs"), ("react@b", "biomarkers")] {
            let record = serde_json::json!({
                "chart": "c", "kilobytes": 8, "calling": "native", "summary": "",
                "trajectory": [{ "section": section, "bytes": 3, "cut": false }]
            });
            let response = serde_json::json!({
                "variant": "c/control", "subject": subject, "repeat": 0,
                "ending": { "ok": { "text": "x", "reasoning": null, "record": record } }
            });
            writeln!(file, "{response}").unwrap();
        }
        let problem = trajectories(file.path(), None).unwrap_err();
        assert!(problem.contains("react@a, react@b"), "{problem}");
        let (read, _) = trajectories(file.path(), Some("react@b")).unwrap();
        assert_eq!(read["c"].trajectory[0].section, "biomarkers");
        assert!(trajectories(file.path(), Some("react@c")).unwrap_err().contains("no trajectory of `react@c`"));
    }
}
