//! The study's subjects → agents ready to be asked.

use super::{
    Asks, Catalog, ELSEWHERE, OpenedSuite, PlannedSubject, PlannedSuite, WantedAgent, elsewhere, named_key, suggest,
};
use crate::EngineError;
use crate::study::{StudyFile, SubjectEntry};
use toml::Spanned;
use waterjar_core::SubjectId;

/// Names stand in tables and on figures.
const LONGEST_NAME: usize = 200;

impl StudyFile {
    pub(super) fn subjects(
        &self,
        catalog: &dyn Catalog,
        opened: &OpenedSuite,
        asks: Asks,
    ) -> Result<Vec<PlannedSubject>, EngineError> {
        let mut subjects: Vec<PlannedSubject> = Vec::new();
        for written in &self.subjects {
            if !written.get_ref().answers(opened.suite.id().as_str()) {
                continue;
            }
            let id = self.subject_id(written)?;
            if subjects.iter().any(|known| known.id == id) {
                let problem = format!("the subject `{id}` is there twice");
                return Err(EngineError::study(self.place(written.span()), problem)
                    .with_hint("give one of them a `name` of its own"));
            }
            subjects.push(if written.get_ref().agent == ELSEWHERE {
                self.subject_elsewhere(written, id)?
            } else {
                self.check_names(written, catalog)?;
                self.subject(written, id, catalog, opened, asks)?
            });
        }
        Ok(subjects)
    }

    /// Its answers are imported: there is nobody to be set up.
    fn subject_elsewhere(&self, written: &Spanned<SubjectEntry>, id: SubjectId) -> Result<PlannedSubject, EngineError> {
        let entry = written.get_ref();
        if let Some(key) = entry.settings.keys().next() {
            let problem = format!("subject `{id}`: it answers elsewhere and takes no `{key}`");
            return Err(EngineError::study(self.place_of_key(written.span(), key), problem));
        }
        let (agent, model) = (elsewhere::agent(), entry.model.clone());
        Ok(PlannedSubject { id, agent, model, built_in: false, reference: false })
    }

    fn check_names(&self, written: &Spanned<SubjectEntry>, catalog: &dyn Catalog) -> Result<(), EngineError> {
        let SubjectEntry { agent, model, .. } = written.get_ref();
        let unknown = |key: &str, what: &str, asked: &str| {
            EngineError::study(self.place_of_key(written.span(), key), format!("no {what} is called `{asked}`"))
        };
        let agents = catalog.agent_ids();
        if !agents.contains(&agent.as_str()) {
            return Err(unknown("agent", "agent", agent).with_hint(suggest::hint(agent, "agents", agents)));
        }
        let models = catalog.model_ids();
        if !models.contains(&model.as_str()) && !self.is_vendor(model) {
            return Err(unknown("model", "model", model).with_hint(suggest::hint(model, "built-in models", models)));
        }
        Ok(())
    }

    fn subject(
        &self,
        written: &Spanned<SubjectEntry>,
        id: SubjectId,
        catalog: &dyn Catalog,
        opened: &OpenedSuite,
        asks: Asks,
    ) -> Result<PlannedSubject, EngineError> {
        let entry = written.get_ref();
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
            let place = match of_model.or_else(|| named_key(&entry.settings, &message)) {
                Some(key) => self.place_of_key(written.span(), key),
                None => self.place(written.span()),
            };
            let problem = format!("subject `{id}`: {problem}");
            hint.into_iter().fold(EngineError::study(place, problem), EngineError::with_hint)
        })?;
        Ok(PlannedSubject {
            id,
            agent,
            model: entry.model.clone(),
            built_in: !self.is_vendor(&entry.model),
            reference: catalog.is_reference(&entry.model),
        })
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
        if name.trim().chars().count() > LONGEST_NAME {
            let place = self.place_of_key(written.span(), "name");
            let problem = format!("a subject's name has at most {LONGEST_NAME} letters");
            return Err(EngineError::study(place, problem).with_hint("give it a shorter `name`"));
        }
        Ok(SubjectId::new(name.trim()))
    }
}
