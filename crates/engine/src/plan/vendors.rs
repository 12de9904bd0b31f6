//! The models that are not built in.

use super::{Asks, Catalog, ELSEWHERE, PlannedSuite, VendorModel, WantedEmbedder, WantedModel, named_key, suggest};
use crate::EngineError;
use crate::study::{StudyFile, SubjectEntry};
use std::collections::BTreeMap;
use toml::Spanned;

impl StudyFile {
    /// A name with a slash is `vendor/model`; others must be described in the study.
    pub fn is_vendor(&self, model: &str) -> bool {
        model.contains('/') || self.models.contains_key(model)
    }

    /// Opens every model that is not built in, so that a missing key or a forbidden address is told before anything
    /// is asked.
    pub(super) fn vendors(
        &self,
        catalog: &dyn Catalog,
        suites: &[PlannedSuite],
        asks: Asks,
    ) -> Result<BTreeMap<String, VendorModel>, EngineError> {
        let asked = |who: Asks| asks == Asks::Everybody || asks == who;
        let mut wanted: Vec<(String, String)> = Vec::new();
        let is_asked = |written: &&Spanned<SubjectEntry>| written.get_ref().agent != ELSEWHERE;
        for written in self.subjects.iter().filter(is_asked).filter(|_| asked(Asks::Subjects)) {
            wanted.push((written.get_ref().model.clone(), self.place_of_key(written.span(), "model")));
        }
        for (planned, written) in suites.iter().zip(&self.suites) {
            let roles = planned.suite().roles();
            let place = self.place(written.span());
            let making = roles.author.into_iter().chain(roles.voters).map(|model| (Asks::Writers, model));
            let judging = roles.judges.into_iter().chain(roles.auditor).map(|model| (Asks::Judges, model));
            for (who, model) in making.chain(judging) {
                if !self.is_vendor(&model) {
                    let hint = "readers only answer; to write, judge or audit, name \"vendor/model\" or \"rules\"";
                    let problem = format!("`{model}` is no language model");
                    return Err(EngineError::study(place, problem).with_hint(hint));
                }
                if asked(who) {
                    wanted.push((model, place.clone()));
                }
            }
        }
        let mut vendors = BTreeMap::new();
        for (id, place) in wanted {
            if vendors.contains_key(&id) {
                continue;
            }
            if let Some(opened) = self.vendor(catalog, &id, place)? {
                vendors.insert(id, opened);
            }
        }
        Ok(vendors)
    }

    /// Opens a model that is not built in; `None` for one that is. `place` is where the study names it.
    pub fn vendor(&self, catalog: &dyn Catalog, id: &str, place: String) -> Result<Option<VendorModel>, EngineError> {
        if !self.is_vendor(id) {
            return Ok(None);
        }
        let spec = self.models.get(id);
        let opened = catalog.vendor_model(&self.wanted_model(id));
        let opened = opened.map_err(|message| match spec {
            Some(spec) => self.of_model(id, spec, &message),
            None => EngineError::study(place, message),
        })?;
        Ok(Some(opened))
    }

    pub fn wanted_model<'a>(&'a self, id: &'a str) -> WantedModel<'a> {
        let table = self.models.get(id).map(Spanned::get_ref);
        WantedModel { id, table, privacy: self.privacy, folder: self.folder() }
    }

    pub fn wanted_embedder<'a>(&'a self, id: &'a str) -> WantedEmbedder<'a> {
        let WantedModel { id, table, privacy, .. } = self.wanted_model(id);
        WantedEmbedder { id, table, privacy, gateway: &self.gateway }
    }

    /// A problem with a model's table, at the key it is about.
    pub(super) fn of_model(&self, id: &str, table: &Spanned<toml::Table>, message: &str) -> EngineError {
        let (problem, hint) = suggest::unknown_field(message);
        let key = named_key(table.get_ref(), message);
        let place = match key {
            Some(key) => self.set_of(&["models", id, key]).unwrap_or_else(|| self.place_of_key(table.span(), key)),
            None => self.place_of(table.span(), &["models", id]),
        };
        hint.into_iter().fold(EngineError::study(place, problem), EngineError::with_hint)
    }
}
