//! How long the study takes: in each pass, as long as its slowest endpoint.

use super::assumed::Assumed;
use super::cast::Part;
use super::ledger::Line;
use super::play::Scope;
use serde::Serialize;
use std::collections::BTreeMap;
use waterjar_core::{ModelId, SuiteId};
use waterjar_engine::gateway::LimitSettings;
use waterjar_engine::passes::{AT_ONCE, PAGE};
use waterjar_engine::{Pass, Plan};

#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Time {
    pub seconds: f64,
    pub passes: Vec<PassTime>,
}

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PassTime {
    pub suite: SuiteId,
    pub pass: &'static str,
    pub seconds: f64,
    /// What it waits for most.
    pub limited_by: String,
}

/// What goes to one endpoint in one pass.
#[derive(Default)]
struct Load {
    calls: f64,
    tokens: f64,
    seconds: f64,
    limits: LimitSettings,
}

pub fn time(
    plan: &Plan,
    stated: &LimitSettings,
    parts: &BTreeMap<ModelId, Part>,
    lines: &[Line],
    scopes: &[Scope],
    assumed: &Assumed,
) -> Time {
    let mut passes = Vec::new();
    for pass in [Pass::Vary, Pass::Answer, Pass::Judge] {
        for scope in scopes {
            let of_pass = || lines.iter().filter(|line| line.pass == pass && line.suite == scope.made.suite);
            let mut slowest = (0.0, String::new());
            for (endpoint, load) in loads(of_pass(), parts, stated) {
                slowest = longer(slowest, load.seconds_at(&endpoint, assumed));
            }
            slowest = longer(slowest, in_turn(plan, pass, scope, of_pass().map(|line| line.seconds).sum()));
            if slowest.0 > 0.0 {
                let (seconds, limited_by) = slowest;
                passes.push(PassTime { suite: scope.made.suite.clone(), pass: pass.doing(), seconds, limited_by });
            }
        }
    }
    Time { seconds: passes.iter().fold(0.0, |sum, pass| sum + pass.seconds), passes }
}

fn longer(one: (f64, String), other: (f64, String)) -> (f64, String) {
    if other.0 > one.0 { other } else { one }
}

/// Models share the limits of their endpoint, unless they have their own.
fn loads<'a>(
    lines: impl Iterator<Item = &'a Line>,
    parts: &BTreeMap<ModelId, Part>,
    stated: &LimitSettings,
) -> BTreeMap<String, Load> {
    let mut loads: BTreeMap<String, Load> = BTreeMap::new();
    for line in lines {
        let Some(part) = parts.get(&line.model) else { continue };
        let name = match part.limits {
            Some(_) => format!("{} for {}", part.endpoint, line.model),
            None => part.endpoint.clone(),
        };
        let load = loads.entry(name).or_default();
        load.calls += line.calls;
        load.tokens += line.input + line.output;
        load.seconds += line.seconds;
        load.limits = part.limits.unwrap_or(*stated);
    }
    loads
}

impl Load {
    fn seconds_at(&self, endpoint: &str, assumed: &Assumed) -> (f64, String) {
        let at_once = self.limits.concurrency.map_or(assumed.concurrency, std::num::NonZeroU32::get);
        let mut slowest = (self.seconds / f64::from(at_once), format!("{at_once} calls at once at {endpoint}"));
        if let Some(rate) = self.limits.requests_per_minute {
            let seconds = 60.0 * self.calls / f64::from(rate.get());
            slowest = longer(slowest, (seconds, format!("{rate} requests a minute at {endpoint}")));
        }
        if let Some(rate) = self.limits.tokens_per_minute {
            let seconds = 60.0 * self.tokens / rate.get() as f64;
            slowest = longer(slowest, (seconds, format!("{rate} tokens a minute at {endpoint}")));
        }
        slowest
    }
}

/// However many calls an endpoint takes, those for one piece of work follow each other, and only so many pieces are begun.
fn in_turn(plan: &Plan, pass: Pass, scope: &Scope, seconds: f64) -> (f64, String) {
    let subjects =
        plan.suites.iter().find(|planned| *planned.id() == scope.made.suite).map_or(0, |it| it.subjects.len());
    let asked = subjects as u64 * u64::from(plan.repeats);
    let (pieces, at_once) = match pass {
        Pass::Screen | Pass::Vary => (scope.whole.candidates, u64::from(PAGE)),
        Pass::Answer | Pass::Measure => (scope.whole.variants * asked, AT_ONCE as u64),
        Pass::Judge => (scope.whole.families * asked, u64::from(PAGE)),
    };
    if pieces == 0 {
        return (0.0, String::new());
    }
    let rounds = pieces.div_ceil(at_once) as f64;
    (rounds * seconds / pieces as f64, "calls that follow each other".to_owned())
}
