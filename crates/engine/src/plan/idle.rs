//! What a study says of models it does not use, and a budget that cannot be kept.

use super::{Catalog, Plan, PlannedSuite};
use crate::EngineError;
use crate::gateway::stands_for;
use crate::study::StudyFile;
use std::collections::BTreeSet;
use waterjar_core::{ModelId, slip};

impl StudyFile {
    /// Tables and prices without effect. Their keys are checked all the same: a model may be taken out for a day.
    pub(super) fn idle(&self, catalog: &dyn Catalog, suites: &[PlannedSuite]) -> Result<Vec<String>, EngineError> {
        let subjects = self.subjects.iter().map(|written| written.get_ref().model.clone());
        let roles = suites.iter().map(|planned| planned.suite().roles());
        let others = roles.flat_map(|roles| {
            let making = roles.author.into_iter().chain(roles.voters);
            making.chain(roles.judges).chain(roles.auditor).chain(roles.embedder)
        });
        let models: BTreeSet<String> = subjects.chain(others).collect();
        let used = || models.iter().map(String::as_str);
        let meant = |name: &str| slip::did_you_mean(name, used()).map(|it| format!(" ({it})")).unwrap_or_default();
        let mut idle = Vec::new();
        for (id, table) in &self.models {
            if models.contains(id) {
                continue;
            }
            catalog.check_model(table.get_ref()).map_err(|message| self.of_model(id, table, &message))?;
            idle.push(format!("[models.\"{id}\"] describes a model that the study does not use{}", meant(id)));
        }
        for name in self.prices.names().filter(|name| !used().any(|model| stands_for(name, model))) {
            idle.push(format!("[prices] \"{name}\" fits no model of the study{}", meant(name)));
        }
        Ok(idle)
    }

    /// A budget in dollars holds nothing back that has no price.
    pub(super) fn check_budget(&self, plan: &Plan) -> Result<(), EngineError> {
        if self.gateway.budget.usd.is_none() {
            return Ok(());
        }
        let models = plan.vendors.keys().map(|id| (id.as_str(), "{ input = 1.0, output = 2.0 }"));
        // Nothing is written in reply to what an embedder is sent.
        let embedders = plan.remote_embedders().map(|id| (id.as_str(), "{ input = 0.02, output = 0.0 }"));
        let unpriced = models.chain(embedders).find(|(id, _)| plan.prices.of(&ModelId::new(*id)).is_none());
        unpriced.map_or(Ok(()), |(id, price)| {
            let problem = format!("budget.usd cannot be kept, because no price is known for `{id}`");
            Err(EngineError::study(self.place_of_table("budget", "usd"), problem).with_hint(format!(
                "say what a million tokens cost, in dollars (0.0 for a server of your own):\n\n  [prices]\n  \"{id}\" = {price}\n\n\
                 or limit tokens instead: [budget] tokens = 5000000"
            )))
        })
    }
}

impl Plan {
    /// The embedders at an address that the command may ask, each once: suites may share one.
    pub fn remote_embedders(&self) -> impl Iterator<Item = &ModelId> {
        let ids: BTreeSet<&ModelId> = self.suites.iter().filter_map(|it| it.remote_embedder.as_ref()).collect();
        ids.into_iter()
    }

    /// One whose vectors cost money.
    pub fn paid_embedder(&self) -> Option<&ModelId> {
        self.remote_embedders().find(|id| self.costs(id))
    }

    /// Whether an embedder at an address is paid from the study's budget: only passes of the run pay from that.
    pub fn is_budgeted(&self, embedder: &ModelId) -> bool {
        let budget = self.gateway.budget;
        (budget.usd.is_some() || budget.tokens.is_some()) && self.costs(embedder)
    }

    fn costs(&self, embedder: &ModelId) -> bool {
        self.prices.of(embedder).is_none_or(|price| price.input > 0.0)
    }
}
