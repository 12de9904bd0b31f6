//! Servers that answer oddly: what is spent, what is kept, and when a run gives up.

use crate::sample::{Desk, Ended};
use waterjar_testkit::{Act, CannedServer};

/// A server that gives the same reply to everything; `{heard}` in it is the head of the request.
struct Odd(CannedServer);

impl Odd {
    fn new(status: &'static str, headers: &'static str, body: &'static str) -> Self {
        Self(CannedServer::with(move |_, request| {
            let head = request.split("\r\n\r\n").next().unwrap_or_default();
            let heard = head.replace("\r\n", " ").replace('"', "'");
            Act::Answer(status, headers, body.replace("{heard}", &heard))
        }))
    }

    fn asked(&self) -> usize {
        self.0.heard().iter().filter(|request| request.starts_with("POST")).count()
    }
}

fn study(server: &Odd, of_model: &str, more: &str) -> Desk {
    let desk = Desk::new();
    let head =
        "[study]\nname = \"odd\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\npatients = 600\npairs = 20\ngap = 0.7\n";
    let subject = "[[subject]]\nagent = \"plain\"\nmodel = \"o/m\"\n";
    let url = server.0.url("/v1");
    desk.write("study.toml", format!("{head}{subject}[models.\"o/m\"]\nurl = \"{url}\"\n{of_model}\n{more}\n"));
    desk
}

fn ends(desk: &Desk, words: &str, code: i32, told: &[&str]) -> Ended {
    let ended = desk.waterjar_with(&[("WARD_TOKEN", TOKEN)], words);
    assert_eq!(ended.code, Some(code), "{}", ended.stderr);
    for words in told {
        assert!(ended.stderr.contains(words), "no `{words}` in:\n{}", ended.stderr);
    }
    ended
}

const TOKEN: &str = "ward-canary-55e1";
const PRICES: &str = "[prices]\n\"o/m\" = { input = 1.0, output = 10.0 }";
/// Sixteen thousand tokens of thinking, and no answer.
const THOUGHT: &str = r#"{"choices":[{"finish_reason":"length","message":{"content":""}}],
    "usage":{"prompt_tokens":300,"completion_tokens":16000}}"#;
const LONG: &str = r#"{"choices":[{"finish_reason":"stop","message":{"content":"1. Angina (0.9)"}}],
    "usage":{"prompt_tokens":300,"completion_tokens":20000}}"#;
const UNCOUNTED: &str = r#"{"choices":[{"finish_reason":"stop","message":{"content":"1. Angina (0.9)"}}]}"#;
const ECHO: &str =
    r#"{"model":"{heard}","choices":[{"finish_reason":"stop","message":{"content":"1. Angina (0.9) {heard}"}}]}"#;

#[test]
fn thinking_without_an_answer_is_paid_for_and_stops_the_run() {
    let server = Odd::new("200 OK", "", THOUGHT);
    let desk = study(&server, "", &format!("{PRICES}\n[budget]\nusd = 0.2"));
    // The first call tells how long the others may be: a second would not fit.
    ends(&desk, "run study.toml --out run", 4, &["stopped by the budget", "o/m: 1 call, 300 + 16000 tokens, $0.16"]);
    assert_eq!(server.asked(), 1);
}

#[test]
fn the_limit_of_a_models_table_is_what_the_budget_reserves() {
    let server = Odd::new("200 OK", "", LONG);
    let desk = study(&server, "max_tokens = 20000", &format!("{PRICES}\n[budget]\nusd = 0.5"));
    ends(&desk, "run study.toml --out run", 4, &["o/m: 2 calls", "$0.40", "--set budget.usd=…"]);
    assert_eq!(server.asked(), 2);
}

#[test]
fn a_server_that_does_not_count_is_counted_by_us_and_that_is_said_once() {
    let server = Odd::new("200 OK", "", UNCOUNTED);
    let desk = study(&server, "max_tokens = 100", "[budget]\ntokens = 3000");
    let ended = ends(&desk, "run study.toml --out run", 4, &["--set budget.tokens=…"]);
    assert_eq!(ended.stderr.matches("does not say how many tokens").count(), 1, "{}", ended.stderr);
    assert_eq!(ended.stderr.matches("no price is known").count(), 1, "{}", ended.stderr);
    assert!((1..20).contains(&server.asked()), "{}", server.asked());
}

#[test]
fn a_budget_in_dollars_needs_a_price() {
    let server = Odd::new("200 OK", "", LONG);
    let desk = study(&server, "", "[budget]\nusd = 0.5");
    let told = ["study.toml, line 16: budget.usd cannot be kept, because no price is known for `o/m`", "[prices]"];
    ends(&desk, "run study.toml --out run", 2, &told);
    assert!(!desk.path("run").exists());
    assert_eq!(server.asked(), 0);
    let doctor = desk.waterjar("doctor study.toml");
    assert!(doctor.code == Some(2) && doctor.stdout.contains("the budget of $0.5 cannot be kept"), "{}", doctor.stdout);
}

#[test]
fn a_secret_in_a_header_is_nowhere_kept() {
    for (status, code) in [("200 OK", 0), ("400 Bad Request", 4)] {
        let body = if code == 0 { ECHO } else { r#"{"error":{"message":"bad, headers were {heard}"}}"# };
        let server = Odd::new(status, "", body);
        let desk = study(&server, "headers = { x-team = \"ward 3\", x-token = \"$WARD_TOKEN\" }", "");
        let ended = ends(&desk, "run study.toml --out run -vvv", code, &["[key]"]);
        assert!(!ended.stdout.contains(TOKEN) && !ended.stderr.contains(TOKEN));
        for name in desk.names("run") {
            let content = std::fs::read(desk.path("run").join(&name)).unwrap();
            assert!(!content.windows(TOKEN.len()).any(|part| part == TOKEN.as_bytes()), "{name} holds the secret");
        }
    }
}

#[test]
fn a_day_of_rest_ends_the_run_with_the_time_to_come_back() {
    for wait in ["retry-after: 86400\r\n", "retry-after: 17900000000000000000\r\n"] {
        let server = Odd::new("429 Too Many Requests", wait, r#"{"error":{"message":"daily limit"}}"#);
        let desk = study(&server, "", "");
        let ended =
            ends(&desk, "run study.toml --out run", 4, &["asks to come back in", "hint: start the same command"]);
        assert!(!ended.stderr.contains("panicked"), "{}", ended.stderr);
        assert!(server.asked() <= 16, "{}", server.asked());
    }
}

#[test]
fn a_page_to_sign_in_is_told_by_doctor_and_run() {
    let server = Odd::new("200 OK", "content-type: text/html\r\n", "<html><body>Sign in</body></html>");
    let desk = study(&server, "", "[retry]\nattempts = 1");
    let doctor = desk.waterjar("doctor study.toml");
    assert!(doctor.stdout.contains("answers with a web page"), "{}", doctor.stdout);
    ends(&desk, "run study.toml --out run -vv", 4, &["it answered with a web page", "times in a row"]);
}

#[test]
fn limits_of_nothing_and_other_slips_in_a_models_table_are_told_with_their_line() {
    let server = Odd::new("200 OK", "", LONG);
    for (line, told) in [
        ("concurrency = 0", "invalid value: integer `0`"),
        ("requests_per_minute = 0", "invalid value: integer `0`"),
        ("tokens_per_minute = 0", "invalid value: integer `0`"),
        ("temperature = nan", "temperature: NaN is not a number"),
        ("max_tokens = 0", "max_tokens: with 0 nothing"),
        ("key_env = \"\"", "key_env: it names no variable"),
        ("tempreature = 0", "there is no key `tempreature`"),
    ] {
        ends(&study(&server, line, ""), "run study.toml --out run", 2, &["study.toml, line 14: ", told]);
    }
    let price = "[prices]\n\"o/m\" = 3";
    ends(&study(&server, "", price), "run study.toml --out run", 2, &["study.toml, line 16: ", "a price such as {"]);
    let price = "[prices]\n\"o/m\" = { input = -1, output = 1 }";
    ends(
        &study(&server, "", price),
        "run study.toml --out run",
        2,
        &["study.toml, line 16: ", "dollars for a million"],
    );
    ends(
        &study(&server, "", "[budget]\nusd = -1"),
        "run study.toml --out run",
        2,
        &["study.toml, line 16: budget.usd"],
    );
}

#[test]
fn what_a_study_says_of_models_it_does_not_use_is_told() {
    let server = Odd::new("200 OK", "", LONG);
    let more = "[models.\"o/n\"]\nurl = \"http://127.0.0.1:9/v1\"\n[prices]\n\"p/*\" = { input = 1.0, output = 1.0 }";
    let told = [
        "[models.\"o/n\"] describes a model that the study does not use (did you mean `o/m`?)",
        "[prices] \"p/*\" fits no",
    ];
    ends(&study(&server, "", more), "vary study.toml --out run --limit 1", 0, &told);
    let wrong = more.replace("url =", "ulr =");
    ends(
        &study(&server, "", &wrong),
        "vary study.toml --out run",
        2,
        &["there is no key `ulr`", "did you mean `url`?"],
    );
}

#[test]
fn a_key_with_a_dot_or_slash_is_set_in_quotes() {
    let server = Odd::new("200 OK", "", LONG);
    let desk = study(&server, "", "");
    let refused = ends(&desk, "run study.toml --out run --set models.\"o/m\".max_tokens=0", 2, &["max_tokens"]);
    assert!(refused.stderr.contains("with 0 nothing could be answered"), "{}", refused.stderr);
    ends(&desk, "run study.toml --out run --set models.\"o/m.max_tokens=0", 2, &["a quote in the key is not closed"]);
    ends(&desk, "vary study.toml --out run --limit 1 --set models.\"o/m\".temperature=0", 0, &[]);
}

#[test]
fn the_vendors_are_listed_with_their_keys() {
    let listed = Desk::new().done("show vendors").stdout;
    for told in ["https://api.openai.com/v1", "OPENAI_API_KEY", "OPENAI_COMPATIBLE_API_KEY", "AZURE_OPENAI_ENDPOINT"] {
        assert!(listed.contains(told), "{listed}");
    }
}
