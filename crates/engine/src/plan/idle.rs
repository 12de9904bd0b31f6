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

    /// A budget in dollars holds nothing back that has no price, and no budget what nobody counts.
    pub(super) fn check_budget(&self, plan: &Plan) -> Result<(), EngineError> {
        self.check_uncounted(plan)?;
        if self.gateway.budget.usd.is_none() {
            return Ok(());
        }
        let unpriced = plan.vendors.keys().find(|id| plan.prices.of(&ModelId::new(id.as_str())).is_none());
        unpriced.map_or(Ok(()), |id| {
            let problem = format!("budget.usd cannot be kept, because no price is known for `{id}`");
            Err(EngineError::study(self.place_of_table("budget", "usd"), problem).with_hint(format!(
                "say what a million tokens cost, in dollars (0.0 for a server of your own):\n\n  [prices]\n  \"{id}\" = {{ input = 1.0, output = 2.0 }}\n\n\
                 or limit tokens instead: [budget] tokens = 5000000"
            )))
        })
    }

    /// Vectors are asked for past the gateway, which counts. Only of an embedder that is free does that not matter.
    fn check_uncounted(&self, plan: &Plan) -> Result<(), EngineError> {
        let key = match (self.gateway.budget.usd, self.gateway.budget.tokens) {
            (Some(_), _) => "usd",
            (None, Some(_)) => "tokens",
            (None, None) => return Ok(()),
        };
        let costs = |id: &String| plan.prices.of(&ModelId::new(id.as_str())).is_none_or(|price| price.input > 0.0);
        let opened = plan.suites.iter().filter(|planned| planned.embedder.is_some());
        let mut remote = opened.filter_map(|planned| planned.suite().roles().embedder).filter(|id| self.is_vendor(id));
        remote.find(costs).map_or(Ok(()), |id| {
            let problem = format!("budget.{key} cannot be kept, because what the embedder `{id}` is sent is not counted");
            Err(EngineError::study(self.place_of_table("budget", key), problem).with_hint(format!(
                "write embedder = \"minilm\", which runs here; leave [budget] out; or say that it costs nothing, where it is a server of your own:\n\n  \
                 [prices]\n  \"{id}\" = {{ input = 0.0, output = 0.0 }}"
            )))
        })
    }
}
