//! Models that are not built in: key, privacy, endpoint and price of each.

use super::{Check, State, endpoint};
use crate::catalog::{Parts, policy_of, spec_of};
use crate::cli::DoctorArgs;
use crate::programs;
use std::collections::BTreeSet;
use std::time::Duration;
use waterjar_core::{ChatRequest, Message, ModelError, ModelId, Role, Usage};
use waterjar_engine::gateway::Price;
use waterjar_engine::plan::ELSEWHERE;
use waterjar_engine::{Catalog, Plan, StudyFile};
use waterjar_models::{
    Description, EndpointPolicy, Mode, ModelSpec, Need, describe, find_program, look, program_needs,
};

pub async fn check(study: &StudyFile, plan: Option<&Plan>, args: &DoctorArgs) -> Vec<Check> {
    let visits = named(study, plan).into_iter().map(|id| async move {
        let table = study.models.get(&id).map(toml::Spanned::get_ref);
        match spec_of(table) {
            Ok(spec) => visit(&id, spec.unwrap_or_default(), study, plan, args).await,
            Err(problem) => vec![Check::fail("model", id, problem, "correct its table in the study")],
        }
    });
    futures::future::join_all(visits).await.concat()
}

/// Authors and judges are known only where the study could be resolved.
fn named(study: &StudyFile, plan: Option<&Plan>) -> BTreeSet<String> {
    match plan {
        Some(plan) => plan.vendors.keys().cloned().collect(),
        None => {
            let asked = study.subjects.iter().map(|subject| subject.get_ref()).filter(|it| it.agent != ELSEWHERE);
            let models = asked.map(|subject| subject.model.clone());
            models.filter(|model| model.contains('/') || study.models.contains_key(model)).collect()
        }
    }
}

async fn visit(id: &str, spec: ModelSpec, study: &StudyFile, plan: Option<&Plan>, args: &DoctorArgs) -> Vec<Check> {
    if spec.command.is_some() {
        return visit_program(id, &spec, study, plan, args).await;
    }
    let Reached { mut checks, may_be_asked } = match reach(id, &spec, study, args).await {
        Ok(reached) => reached,
        Err(check) => return vec![check],
    };
    if let Some(plan) = plan {
        checks.push(price(id, plan, spec.mode));
    }
    if args.ask && may_be_asked {
        checks.push(asked(id, study, args, plan).await);
    }
    checks
}

/// What was found of an address.
pub struct Reached {
    pub checks: Vec<Check>,
    /// Its keys are set, and requests may go there.
    pub may_be_asked: bool,
}

/// Key, privacy and endpoint, without asking a model anything. The error says that nobody could know where it is.
pub async fn reach(id: &str, spec: &ModelSpec, study: &StudyFile, args: &DoctorArgs) -> Result<Reached, Check> {
    let described = describe(id, Some(spec), &variable);
    let described =
        described.map_err(|error| Check::fail("model", id, error.to_string(), "correct it in the study"))?;
    let mut checks: Vec<Check> = described.needs.iter().map(|need| key(id, need)).collect();
    if checks.is_empty() {
        checks.push(Check::ok("key", id, "none is sent"));
    }
    let policy = policy_of(study.privacy);
    let allowed = privacy(id, &described, policy).await;
    let forbidden = allowed.as_ref().is_some_and(|check| check.todo.is_some());
    checks.extend(allowed);
    if !forbidden {
        let patience = Duration::from_secs_f64(args.timeout);
        checks.push(match look(id, Some(spec), policy, &variable, patience).await {
            Ok(Ok(looked)) => endpoint::answered(id, &described, &looked),
            Ok(Err(error)) => endpoint::silent(id, &described, &error, patience).await,
            Err(error) => Check::fail("endpoint", id, error.to_string(), "correct it in the study"),
        });
    }
    let may_be_asked = !forbidden && described.needs.iter().all(|need| need.is_set || !need.required);
    Ok(Reached { checks, may_be_asked })
}

/// A program is started only to be asked.
async fn visit_program(
    id: &str,
    spec: &ModelSpec,
    study: &StudyFile,
    plan: Option<&Plan>,
    args: &DoctorArgs,
) -> Vec<Check> {
    let mut checks: Vec<Check> = program_needs(spec, &variable).iter().map(|need| key(id, need)).collect();
    checks.push(match programs::check_privacy(id, study.privacy) {
        Ok(()) => Check::ok("privacy", id, "it is a program: what it sends, and where, is its own doing"),
        Err(problem) => {
            let todo = "take another model, or write programs = \"allowed\" in [privacy]";
            Check::fail("privacy", id, problem, todo)
        }
    });
    let command = spec.command.as_deref().unwrap_or_default().join(" ");
    checks.push(match find_program(spec, study.folder()) {
        Ok(path) => Check::ok("program", id, format!("`{command}` would start {}", path.display())),
        Err(why) => Check::fail("program", id, why, "install it, or correct `command` in the model's table"),
    });
    if let Some(plan) = plan {
        checks.push(price(id, plan, spec.mode));
    }
    if args.ask && checks.iter().all(|check| check.state != State::Fail) {
        checks.push(asked(id, study, args, plan).await);
    }
    checks
}

fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Whether the variable is set; what it holds is never looked at here.
fn key(id: &str, need: &Need) -> Check {
    let variable = &need.variable;
    let what = if need.header.is_some() { "header" } else { "key" };
    match (need.is_set, need.required) {
        (true, _) => Check::ok(what, id, format!("{variable} is set")),
        (false, false) => Check::ok(what, id, format!("{variable} is not set; it is not needed")),
        (false, true) => {
            let todo = format!("set it where the run is started: export {variable}=…");
            Check::fail(what, id, format!("{variable} is not set"), todo)
        }
    }
}

/// `None` where requests may go anywhere.
async fn privacy(id: &str, described: &Description, policy: EndpointPolicy) -> Option<Check> {
    if policy == EndpointPolicy::Any {
        return None;
    }
    let host = described.host();
    let outside = |where_: &str| {
        let found = format!("{host} is {where_}, and [privacy] allows local endpoints only");
        Check::fail("privacy", id, found, "take a model on this machine or network, or remove endpoints = \"local\"")
    };
    if described.is_refused_by(policy) {
        return Some(outside("outside this machine and its private networks"));
    }
    let addresses = match tokio::net::lookup_host((host, described.port())).await {
        Ok(addresses) => addresses.collect::<Vec<_>>(),
        // That the name does not resolve is said of the endpoint.
        Err(_) => return Some(Check::ok("privacy", id, format!("{host} has no address yet; a run checks again"))),
    };
    let public = addresses.iter().find(|address| !policy.allows(address.ip()));
    Some(match public {
        Some(address) => outside(&format!("at {}, a public address", address.ip())),
        None => Check::ok("privacy", id, format!("{host} is local")),
    })
}

pub fn price(id: &str, plan: &Plan, mode: Mode) -> Check {
    match plan.prices.of(&ModelId::new(id)) {
        Some(Price { input, output, .. }) => {
            let half = if mode == Mode::Batch { "; half of it in batches" } else { "" };
            Check::ok("price", id, format!("${input} for a million tokens read, ${output} written{half}"))
        }
        None => {
            let todo = format!("add \"{id}\" = {{ input = …, output = … }} to [prices]");
            match plan.gateway.budget.usd {
                Some(usd) => Check::fail("price", id, format!("not known: the budget of ${usd} cannot be kept"), todo),
                None => Check::warn("price", id, "not known: only its tokens are counted", todo),
            }
        }
    }
}

/// The shortest question there is, once.
async fn asked(id: &str, study: &StudyFile, args: &DoctorArgs, plan: Option<&Plan>) -> Check {
    let failed = |found: String| Check::fail("asked", id, found, "put right what it says, and ask again");
    let model = match Parts.vendor_model(&study.wanted_model(id)) {
        Ok(opened) => opened.model,
        Err(error) => return failed(error),
    };
    let mut request = ChatRequest { messages: vec![Message::new(Role::User, "Say OK.")], ..ChatRequest::default() };
    request.sampling.max_tokens = Some(16);
    let patience = Duration::from_secs_f64(args.timeout);
    let asked = tokio::time::timeout(patience, model.chat(&request)).await;
    match asked.map(|outcome| outcome.map_err(ModelError::uncharged)) {
        Err(_) => failed(format!("no answer within {} s", args.timeout)),
        Ok(Ok(reply)) => {
            let (read, wrote) = (reply.usage.input, reply.usage.output);
            let cost = cost(id, plan, &reply.usage);
            Check::ok("asked", id, format!("it answers: {read} tokens read, {wrote} written, {cost}"))
        }
        // Models that think may use up sixteen tokens before they say a word: they answered.
        Ok(Err(ModelError::InvalidOutput(_))) => {
            Check::ok("asked", id, "it answers, but not in the 16 tokens it was given".to_owned())
        }
        Ok(Err(error)) => failed(error.to_string()),
    }
}

pub fn cost(id: &str, plan: Option<&Plan>, usage: &Usage) -> String {
    let price = plan.and_then(|plan| plan.prices.of(&ModelId::new(id)));
    price
        .map_or_else(|| "at a price not known".to_owned(), |price| format!("for ${:.6}", price.of(usage) as f64 / 1e12))
}
