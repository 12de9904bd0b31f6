//! What is told of the way to a model, the more the more often `-v` was typed.

use super::rehearsal::duration;
use std::fmt::Write;
use std::time::Duration;
use waterjar_core::{ModelId, Role, counted};
use waterjar_engine::gateway::{Call, GatewayEvent, Patience};

/// A shorter rest is not worth a line.
const WORTH_TELLING: Duration = Duration::from_secs(2);

pub fn tell(event: &GatewayEvent, verbose: u8) -> Option<String> {
    match event {
        GatewayEvent::PriceUnknown { model } => Some(format!(
            "warning: no price is known for {model}: its tokens are counted, its cost is not (add it to [prices])"
        )),
        GatewayEvent::UsageUnknown { model } => Some(format!(
            "warning: the endpoint of {model} does not say how many tokens a call used: they are guessed from the text"
        )),
        GatewayEvent::Batch { model, batch, done: 0, requests } => {
            let questions = counted(*requests as u64, "question is", "questions are");
            Some(format!("{model}: {questions} sent as {batch}; the answers may take a day"))
        }
        GatewayEvent::Batch { model, batch, done, requests } => {
            Some(format!("{model}: {done} of {requests} questions of {batch} are done"))
        }
        GatewayEvent::BudgetReached { told } => Some(format!("warning: {told}")),
        GatewayEvent::Paused { endpoint, wait } if verbose >= 1 || *wait >= WORTH_TELLING => {
            Some(format!("{endpoint} asks for a rest of {:.1} s", wait.as_secs_f64()))
        }
        GatewayEvent::Throttled { endpoint, at_once } if verbose >= 1 => {
            Some(format!("{endpoint} refuses some calls: now {at_once} at once"))
        }
        GatewayEvent::Retrying { model, attempt, wait, error, .. } if verbose >= 1 => {
            Some(format!("{model}: attempt {attempt} failed, again in {:.1} s: {error}", wait.as_secs_f64()))
        }
        GatewayEvent::Called(call) if verbose >= 2 => Some(called(call, verbose)),
        _ => None,
    }
}

/// A model that did not answer the same question twice may be away: whoever waits is told for whom, why and how long, as
/// `waiting for other/judge at http://127.0.0.1:9/v1: no connection …`.
pub fn waiting(event: &GatewayEvent) -> Option<(&ModelId, String)> {
    let GatewayEvent::Retrying { model, attempt: 2.., error, patience, .. } = event else { return None };
    let Patience { address, slows_down: false, attempts, waits, deadline } = patience else { return None };
    let at = if address == model.as_str() { String::new() } else { format!(" at {address}") };
    let waits = duration(waits.as_secs_f64().max(1.0));
    let deadline = duration(deadline.as_secs_f64());
    Some((
        model,
        format!(
            "waiting for {model}{at}: {error}. Each question is tried {attempts} times, which takes about {waits} where it is turned away at \
             once, and never more than {deadline}. If the model answers no question at all, the run stops, and what was done is kept."
        ),
    ))
}

fn called(call: &Call, verbose: u8) -> String {
    let Call { role, item, model, request, outcome, course } = call;
    let from = if course.cached { "from the cache" } else { "asked" };
    let mut text = format!("{} {item}: {model} {from}, {} ms", role.as_str(), course.took);
    if course.attempts > 1 {
        let _ = write!(text, ", {} attempts", course.attempts);
    }
    match outcome {
        Ok(reply) => {
            let _ = write!(text, ", {} + {} tokens", reply.usage.input, reply.usage.output);
        }
        Err(error) => {
            let _ = write!(text, ", failed: {error}");
        }
    }
    if verbose >= 3 {
        for message in &request.messages {
            say(&mut text, who(message.role), &message.content);
        }
        if let Ok(reply) = outcome {
            say(&mut text, "reasoning", reply.reasoning.as_deref().unwrap_or_default());
            say(&mut text, "reply", &reply.text);
        }
    }
    text
}

fn who(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
        Role::Assistant => "assistant",
        Role::Tool => "tool",
    }
}

/// Under its name, indented, so that it cannot be taken for our own talk.
fn say(text: &mut String, who: &str, said: &str) {
    if said.is_empty() {
        return;
    }
    let _ = write!(text, "\n  {who}:");
    for line in said.lines() {
        // A model may say anything, also what a terminal would obey.
        let _ = write!(text, "\n    {}", line.replace(|c: char| c.is_control() && c != '\t', "\u{fffd}"));
    }
}
