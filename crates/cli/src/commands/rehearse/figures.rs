//! Calls that were heard → calls, tokens and money of the whole study.

use super::assumed::Assumed;
use super::cast::{Missing, Part};
use super::factors::{Extent, Factors};
use super::ledger::{Heard, Line};
use super::play::Scope;
use super::time::{Time, time};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use waterjar_core::{ModelId, Usage};
use waterjar_engine::Plan;
use waterjar_engine::gateway::{BudgetSettings, GatewaySettings, Prices};
use waterjar_store::CallRole;

/// All a rehearsal tells.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Figures {
    schema: &'static str,
    pub study: String,
    /// Nothing is extrapolated.
    pub whole: bool,
    pub suites: Vec<Scope>,
    /// By role and model.
    pub calls: Vec<Calls>,
    pub roles: Vec<Calls>,
    pub total: Calls,
    /// The total may lie between these, where it was extrapolated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub between: Option<(Calls, Calls)>,
    /// Models that cost nothing and are asked without a call.
    pub built_in: Vec<String>,
    pub time: Time,
    pub budget: Budget,
    pub missing: Vec<Missing>,
    /// Simulated calls that ended without an answer.
    pub failed: u64,
    pub assumed: Assumed,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Calls {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub role: Option<CallRole>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<ModelId>,
    /// Made to the simulated endpoint.
    pub rehearsed: u64,
    /// In the whole study.
    pub calls: u64,
    pub input_tokens: u64,
    pub output_tokens: u64,
    /// `None` where a price is not known.
    pub usd: Option<f64>,
    /// What is known to be charged at least.
    pub usd_at_least: f64,
    pub unpriced: Vec<ModelId>,
}

/// What the study allows, and whether it is enough. `None`: not limited, or not known.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Budget {
    pub usd: Option<f64>,
    pub tokens: Option<u64>,
    pub usd_enough: Option<bool>,
    pub tokens_enough: Option<bool>,
}

/// `stated` is what the study says of budget and limits, which the rehearsal lifted.
pub fn figures(plan: &Plan, stated: &GatewaySettings, heard: Heard, scopes: Vec<Scope>, assumed: Assumed) -> Figures {
    let factors = Factors { scopes: &scopes, heard: &heard };
    let whole = factors.scaled(Extent::Likely);
    let calls = by_role_and_model(&heard.lines, &whole, &plan.prices);
    let roles = ROLES.into_iter().filter_map(|role| sum(calls.iter().filter(|it| it.role == Some(role)), Some(role)));
    let total = total(&calls);
    let at = |extent| self::total(&by_role_and_model(&heard.lines, &factors.scaled(extent), &plan.prices));
    let is_guess = scopes.iter().any(|scope| scope.between.is_some());
    let between = is_guess.then(|| (at(Extent::Low), at(Extent::High)));
    Figures {
        schema: "waterjar.rehearsal/1",
        study: plan.name.clone(),
        whole: scopes.iter().all(|scope| scope.rehearsed.families == scope.whole.families),
        roles: roles.collect(),
        built_in: built_in(plan),
        time: time(plan, &stated.limits, &heard.parts, &whole, &scopes, &assumed),
        budget: Budget::of(stated.budget, &total, plan),
        missing: missing(&heard.parts),
        failed: heard.failed,
        suites: scopes,
        calls,
        total,
        between,
        assumed,
    }
}

fn by_role_and_model(played: &[Line], whole: &[Line], prices: &Prices) -> Vec<Calls> {
    let mut calls: Vec<Calls> = Vec::new();
    for (played, line) in played.iter().zip(whole) {
        let new = Calls::of(played, line, prices);
        match calls.iter_mut().find(|known| known.role == new.role && known.model == new.model) {
            Some(known) => known.add(&new),
            None => calls.push(new),
        }
    }
    calls.sort_by_key(|it| (it.role.map(place), it.model.clone()));
    calls
}

fn total(calls: &[Calls]) -> Calls {
    sum(calls.iter(), None).unwrap_or_else(|| Calls::none(None))
}

const ROLES: [CallRole; 4] = [CallRole::Author, CallRole::Judge, CallRole::Subject, CallRole::Other];

fn place(role: CallRole) -> usize {
    ROLES.iter().position(|known| *known == role).unwrap_or(ROLES.len())
}

fn missing(parts: &BTreeMap<ModelId, Part>) -> Vec<Missing> {
    let mut missing: BTreeMap<&str, Vec<ModelId>> = BTreeMap::new();
    for (model, part) in parts {
        for variable in &part.missing {
            missing.entry(variable).or_default().push(model.clone());
        }
    }
    missing.into_iter().map(|(variable, models)| Missing { variable: variable.to_owned(), models }).collect()
}

fn built_in(plan: &Plan) -> Vec<String> {
    let models = plan.suites.iter().flat_map(|planned| planned.asked().map(|subject| subject.model.clone()));
    let used: BTreeSet<String> = models.filter(|model| !plan.vendors.contains_key(model)).collect();
    used.into_iter().collect()
}

fn sum<'a>(lines: impl Iterator<Item = &'a Calls>, role: Option<CallRole>) -> Option<Calls> {
    lines.fold(None, |sum: Option<Calls>, line| {
        let mut sum = sum.unwrap_or_else(|| Calls::none(role));
        sum.add(line);
        Some(sum)
    })
}

impl Calls {
    /// No calls cost nothing.
    fn none(role: Option<CallRole>) -> Self {
        Self { role, usd: Some(0.0), ..Self::default() }
    }

    fn of(played: &Line, line: &Line, prices: &Prices) -> Self {
        let usage = Usage { input: rounded(line.input), output: rounded(line.output), ..Usage::default() };
        let usd = prices.of(&line.model).map(|price| price.of(&usage) as f64 / 1e12);
        Self {
            role: Some(line.role),
            model: Some(line.model.clone()),
            rehearsed: rounded(played.calls),
            calls: rounded(line.calls),
            input_tokens: usage.input,
            output_tokens: usage.output,
            usd,
            usd_at_least: usd.unwrap_or(0.0),
            unpriced: if usd.is_none() { vec![line.model.clone()] } else { Vec::new() },
        }
    }

    /// A sum with an unknown part is unknown; what is known of it stands beside.
    fn add(&mut self, other: &Self) {
        self.rehearsed = self.rehearsed.saturating_add(other.rehearsed);
        self.calls = self.calls.saturating_add(other.calls);
        self.input_tokens = self.input_tokens.saturating_add(other.input_tokens);
        self.output_tokens = self.output_tokens.saturating_add(other.output_tokens);
        self.usd = self.usd.zip(other.usd).map(|(one, other)| one + other);
        self.usd_at_least += other.usd_at_least;
        for model in &other.unpriced {
            if !self.unpriced.contains(model) {
                self.unpriced.push(model.clone());
            }
        }
    }
}

impl Budget {
    /// Too little for a part is too little for all. More is not known where a price is not, nor where vectors, which are not rehearsed, are
    /// paid from the same budget: one in tokens pays for those that cost nothing, too.
    fn of(stated: BudgetSettings, total: &Calls, plan: &Plan) -> Self {
        let enough = |is_whole: bool, is_enough: bool| (is_whole || !is_enough).then_some(is_enough);
        let is_priced = total.usd.is_some() && plan.paid_embedder().is_none();
        let usd_enough = stated.usd.and_then(|most| enough(is_priced, total.usd_at_least <= most));
        let tokens = total.input_tokens.saturating_add(total.output_tokens);
        let is_counted = plan.remote_embedders().next().is_none();
        let tokens_enough = stated.tokens.and_then(|most| enough(is_counted, tokens <= most));
        Self { usd: stated.usd, tokens: stated.tokens, usd_enough, tokens_enough }
    }
}

fn rounded(amount: f64) -> u64 {
    amount.round() as u64
}
