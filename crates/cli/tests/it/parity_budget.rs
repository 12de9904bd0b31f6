//! Vectors of an embedder at an address, paid from the study's budget, over real HTTP.

use crate::sample::Desk;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Fault, Script};

const FREE: &str = "\n[prices]\n\"local/vectors\" = { input = 0.0, output = 0.0 }\n";
/// A tenth of a cent for a token.
const DEAR: &str = "\n[prices]\n\"local/vectors\" = { input = 1000.0, output = 0.0 }\n";

/// Built-in readers answer, so that nothing but vectors costs anything.
pub fn study(endpoint: &Endpoint, more: &str) -> String {
    study_at(&format!("{}/v1", endpoint.url()), more)
}

/// `more` begins in the table of the embedder.
pub fn study_at(url: &str, more: &str) -> String {
    format!(
        r#"
[study]
name = "vectors"
seed = 7

[[suite]]
kind = "parity"
embedder = "local/vectors"

[[subject]]
agent = "plain"
model = "stereotype"

[[subject]]
agent = "plain"
model = "reference"

[models."local/vectors"]
url = "{url}"
api = "openai"

{more}"#
    )
}

fn endpoint() -> Endpoint {
    Endpoint::start_apart(EndpointSettings::default()).unwrap()
}

/// Stopped at half of what all vectors take, stopped again at three quarters, and done when there is enough.
fn check(budget: fn(f64) -> String) {
    let (desk, unlimited) = (Desk::new(), endpoint());
    desk.write("study.toml", study(&unlimited, DEAR));
    desk.done("run study.toml --out unlimited");
    let all = unlimited.stats().input_tokens;

    let endpoint = endpoint();
    let limited = |tokens: f64| study(&endpoint, &format!("[budget]\n{}\n{DEAR}", budget(tokens)));
    let mut before = 0;
    for share in [0.5, 0.75] {
        let most = share * all as f64;
        desk.write("study.toml", limited(most));
        let ended = desk.waterjar("run study.toml --out run");
        assert_eq!(ended.code, Some(4), "{}", ended.stderr);
        assert!(ended.stderr.contains("stopped by the budget") && ended.stderr.contains("hint:"), "{}", ended.stderr);
        let sent = endpoint.stats().input_tokens;
        assert!(before < sent && sent as f64 <= most, "{before}, {sent} of {most}");
        assert!(ended.stderr.contains(&format!(" {sent} + 0 tokens")), "all that was sent is booked: {}", ended.stderr);
        before = sent;
    }
    desk.write("study.toml", limited(10.0 * all as f64));
    let ended = desk.done("run study.toml --out run");
    assert!(ended.stderr.contains(&format!(" {all} + 0 tokens")), "of all three starts: {}", ended.stderr);
    assert_eq!(endpoint.stats().input_tokens, all, "what is kept in vectors/ is not sent again");
    let metrics = |run: &str| desk.json(&format!("{run}/metrics.json"))["results"][0]["metrics"].clone();
    assert_eq!(metrics("run"), metrics("unlimited"));
}

#[test]
fn stopped_by_a_budget_of_tokens_it_goes_on_when_there_are_more_and_sends_nothing_twice() {
    check(|tokens| format!("tokens = {}", tokens as u64));
}

#[test]
fn stopped_by_a_budget_in_dollars_it_goes_on_when_there_is_more_and_sends_nothing_twice() {
    check(|tokens| format!("usd = {}", tokens / 1000.0));
}

#[test]
fn a_budget_in_dollars_without_the_embedders_price_is_refused_with_what_to_write() {
    let (desk, endpoint) = (Desk::new(), endpoint());
    desk.write("study.toml", study(&endpoint, "[budget]\nusd = 5.0\n"));
    let ended = desk.waterjar("run study.toml --out run");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    let told = "budget.usd cannot be kept, because no price is known for `local/vectors`";
    let written = "[prices]\n  \"local/vectors\" = { input = 0.02, output = 0.0 }\n";
    assert!(ended.stderr.contains(told) && ended.stderr.contains(written), "{}", ended.stderr);
    assert_eq!(endpoint.stats().requests, 0);
    desk.write("study.toml", study(&endpoint, &format!("[budget]\nusd = 5.0\n\n{written}")));
    desk.done("run study.toml --out run --limit 3");
    assert!(endpoint.stats().requests > 0);
}

#[test]
fn what_costs_nothing_is_not_held_back_by_dollars() {
    let (desk, endpoint) = (Desk::new(), endpoint());
    desk.write("study.toml", study(&endpoint, &format!("[budget]\nusd = 0.0\n{FREE}")));
    desk.done("run study.toml --out run --limit 3");
    assert!(endpoint.stats().requests > 0);
}

/// A patient at seventy ages: more reasonings than go into one request, each with an age of its own.
fn at_every_age(endpoint: &Endpoint) -> String {
    let ages: Vec<String> = (30..=99).filter(|age| *age != 40).map(|age| format!("\"age={age}\"")).collect();
    let suite = format!("kind = \"parity\"\nsource = \"tagged:mine.txt\"\nattributes = [{}]", ages.join(", "));
    study(endpoint, DEAR).replace("kind = \"parity\"", &suite)
}

#[test]
fn what_came_before_an_endpoint_failed_is_kept_and_paid_for_once() {
    let desk = Desk::new();
    desk.write(
        "mine.txt",
        "Id: toe\n\nA 40-year-old man has a hot red toe and crystals in the joint.\n\nQuestion: What is it?\n\
         A. Gout\nB. Asthma\nAnswer: A\n",
    );
    let sound = endpoint();
    desk.write("study.toml", at_every_age(&sound));
    desk.done("run study.toml --out sound");
    let all = sound.stats();
    assert!(all.requests > 1, "one request holds all reasonings");

    let failing = Endpoint::start_apart(EndpointSettings::with_script(Script::nth(2, Fault::Unauthorized))).unwrap();
    desk.write("study.toml", at_every_age(&failing));
    let ended = desk.waterjar("run study.toml --out run");
    assert_eq!(ended.code, Some(4), "{}", ended.stderr);
    let before = failing.stats();
    assert_eq!(before.requests, 2);
    assert!(before.input_tokens > 0 && before.input_tokens < all.input_tokens, "{}", before.input_tokens);
    let ended = desk.done("run study.toml --out run");
    assert_eq!(failing.stats().asked_again(), 0, "what was answered is not asked again");
    let sent = failing.stats().input_tokens;
    assert_eq!(sent, all.input_tokens);
    assert!(ended.stderr.contains(&format!(" {sent} + 0 tokens")), "of both starts: {}", ended.stderr);
    let metrics = |run: &str| desk.json(&format!("{run}/metrics.json"))["results"][0]["metrics"].clone();
    assert_eq!(metrics("run"), metrics("sound"));
}
