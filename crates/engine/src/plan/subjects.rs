//! The study's subjects → agents ready to be asked.

use super::{
    Asks, Catalog, ELSEWHERE, OpenedSuite, PlannedSubject, PlannedSuite, WantedAgent, elsewhere, named_key, suggest,
};
use crate::EngineError;
use crate::study::{StudyFile, SubjectEntry};
use toml::Spanned;
use waterjar_core::SubjectId;

impl StudyFile {
    pub(super) fn subjects(
        &self,
        catalog: &dyn Catalog,
        opened: &OpenedSuite,
        asks: Asks,
    ) -> Result<Vec<PlannedSubject>, EngineError> {
        let mut subjects: Vec<PlannedSubject> = Vec::new();
        for written in &self.subjects {
            let entry = written.get_ref();
            if !entry.answers(opened.suite.id().as_str()) {
                continue;
            }
            let at = |key: &str| self.place_of_key(written.span(), key);
            let id = self.subject_id(written)?;
            if subjects.iter().any(|known| known.id == id) {
                return Err(EngineError::study(
                    self.place(written.span()),
                    format!("the subject `{id}` is there twice"),
                )
                .with_hint("give one of them a `name` of its own"));
            }
            if entry.agent == ELSEWHERE {
                if let Some(key) = entry.settings.keys().next() {
                    let problem = format!("subject `{id}`: it answers elsewhere and takes no `{key}`");
                    return Err(EngineError::study(at(key), problem));
                }
                let (agent, model) = (elsewhere::agent(), entry.model.clone());
                subjects.push(PlannedSubject { id, agent, model, built_in: false, reference: false });
                continue;
            }
            let agents = catalog.agent_ids();
            if !agents.contains(&entry.agent.as_str()) {
                return Err(EngineError::study(at("agent"), format!("no agent is called `{}`", entry.agent))
                    .with_hint(suggest::hint(&entry.agent, "agents", agents)));
            }
            let models = catalog.model_ids();
            if !models.contains(&entry.model.as_str()) && !self.is_vendor(&entry.model) {
                return Err(EngineError::study(at("model"), format!("no model is called `{}`", entry.model))
                    .with_hint(suggest::hint(&entry.model, "built-in models", models)));
            }
            let wanted = WantedAgent {
                id: &entry.agent,
                model: &entry.model,
                settings: &entry.settings,
                folder: self.folder(),
                asked: matches!(asks, Asks::Everybody | Asks::Subjects),
                privacy: self.privacy,
            };
            let agent = opened.makes.agent(&wanted).map_err(|message| {
                let (problem, hint) = suggest::unknown_field_beside(&message, &["agent", "model", "name", "suites"]);
                let of_model = message.starts_with("model: ").then_some("model");
                let key = of_model.or_else(|| named_key(&entry.settings, &message));
                let place = key.map_or_else(|| self.place(written.span()), at);
                let problem = format!("subject `{id}`: {problem}");
                hint.into_iter().fold(EngineError::study(place, problem), EngineError::with_hint)
            })?;
            subjects.push(PlannedSubject {
                id,
                agent,
                model: entry.model.clone(),
                built_in: !self.is_vendor(&entry.model),
                reference: catalog.is_reference(&entry.model),
            });
        }
        Ok(subjects)
    }

    /// Every suite has somebody to ask, and nobody is for a suite that is not there.
    pub(super) fn check_suites_of_subjects(&self, suites: &[PlannedSuite]) -> Result<(), EngineError> {
        let known: Vec<&str> = suites.iter().map(|planned| planned.id().as_str()).collect();
        for written in &self.subjects {
            let named = written.get_ref().suites.iter().flatten();
            if let Some(unknown) = named.into_iter().find(|name| !known.contains(&name.as_str())) {
                let place = self.place_of_key(written.span(), "suites");
                return Err(EngineError::study(place, format!("the study has no suite `{unknown}`"))
                    .with_hint(suggest::hint(unknown, "suites of this study", known)));
            }
        }
        if let Some((planned, written)) = suites.iter().zip(&self.suites).find(|(it, _)| it.subjects.is_empty()) {
            let problem = format!("no subject answers the suite `{}`", planned.id());
            return Err(EngineError::study(self.place(written.span()), problem)
                .with_hint("add its name to the `suites` of a subject, or leave `suites` out"));
        }
        Ok(())
    }

    fn subject_id(&self, written: &Spanned<SubjectEntry>) -> Result<SubjectId, EngineError> {
        let entry = written.get_ref();
        let name = entry.name();
        if name.trim().is_empty() || name.contains(char::is_control) {
            let place = self.place_of_key(written.span(), "name");
            return Err(EngineError::study(place, "a subject's name is a line of text"));
        }
        Ok(SubjectId::new(name.trim()))
    }
}
