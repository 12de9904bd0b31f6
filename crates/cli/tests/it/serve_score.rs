//! What an answer is worth, over real HTTP.

use crate::charts::{study as chart_study, subject};
use crate::parity_budget::study as vectors;
use crate::sample::{Desk, objects, shared_run};
use crate::served::{Served, serve};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::Command;
use waterjar_charts::{boards::boards, render};
use waterjar_core::Seed;
use waterjar_testkit::{Browser, Endpoint, EndpointSettings};

const TOKEN: &str = "a-token-for-tests-only";

struct Scorer(Served);

impl Scorer {
    fn start(run: &Path, token: Option<&str>) -> Self {
        let token = token.map(|it| ("WATERJAR_TOKEN", it));
        Self(Served::by(serve(&[run]).env_remove("WATERJAR_TOKEN").envs(token)))
    }

    fn send(&self, head: &str, body: &[u8]) -> (u16, String) {
        let (at, length) = (&self.0.at, body.len());
        let mut stream = TcpStream::connect(at).unwrap();
        write!(stream, "{head}\r\nHost: {at}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n").unwrap();
        // A server that has read enough may hang up before the end.
        let _ = stream.write_all(body);
        let mut answer = String::new();
        let _ = stream.read_to_string(&mut answer);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, told) = self.send(&post_to(path, TOKEN), body.to_string().as_bytes());
        (status, serde_json::from_str(&told).unwrap_or_else(|_| panic!("no JSON: {told}")))
    }

    fn score(&self, row: &Value) -> Value {
        let (status, told) = self.post("/v1/score", row);
        assert_eq!(status, 200, "{row}: {told}");
        told
    }

    /// The status, after a look at whether the error says what, where and what to do.
    fn refused(&self, path: &str, row: &Value) -> u16 {
        let (status, told) = self.post(path, row);
        check_error(&told["error"]);
        status
    }
}

fn post_to(path: &str, token: &str) -> String {
    format!("POST {path} HTTP/1.1\r\nContent-Type: application/json\r\nAuthorization: Bearer {token}")
}

fn check_error(error: &Value) {
    for part in ["what", "where", "what_to_do"] {
        assert!(error[part].as_str().is_some_and(|it| !it.is_empty()), "{part}: {error}");
    }
}

fn lines(run: &Path, file: &str) -> Vec<Value> {
    objects(&std::fs::read_to_string(run.join(file)).unwrap())
}

/// What every subject answered: by subject and variant.
fn answers(run: &Path) -> BTreeMap<(String, String), Value> {
    let key = |it: &Value| (it["subject"].as_str().unwrap().to_owned(), it["variant"].as_str().unwrap().to_owned());
    lines(run, "responses.jsonl").iter().map(|it| (key(it), it["ending"]["ok"].clone())).collect()
}

#[test]
fn an_answer_is_worth_what_the_run_says_of_it() {
    let run = shared_run();
    let served = Scorer::start(&run, Some(TOKEN));
    let answers = answers(&run);
    let (mut rows, mut expected) = (Vec::new(), Vec::new());
    for verdict in lines(&run, "verdicts.jsonl") {
        let subject = verdict["subject"].as_str().unwrap();
        let rulings = verdict["rulings"].as_array().unwrap();
        let said =
            |ruling: &Value| answers[&(subject.to_owned(), ruling["variant"].as_str().unwrap().to_owned())].clone();
        let suite = if verdict["strata"]["item"].is_string() { "parity" } else { "einstellung" };
        let others: BTreeMap<&str, Value> =
            rulings.iter().map(|it| (it["role"].as_str().unwrap(), said(it)["text"].clone())).collect();
        for ruling in rulings {
            let answer = said(ruling);
            rows.push(json!({
                "suite": suite, "variant": ruling["variant"], "others": others,
                "answer": answer["text"], "reasoning": answer["reasoning"],
            }));
            expected.push(ruling.clone());
        }
    }
    assert!(rows.len() > 300, "{}", rows.len());
    let mut suites = [0, 0];
    for (rows, expected) in rows.chunks(512).zip(expected.chunks(512)) {
        let (status, told) = served.post("/v1/score/batch", &json!({ "rows": rows }));
        assert_eq!(status, 200);
        let told = told["rows"].as_array().unwrap();
        assert_eq!(told.len(), rows.len());
        for (told, ruling) in told.iter().zip(expected) {
            let verdict = &told["verdict"];
            assert_eq!(verdict["variant"], ruling["variant"], "the order is kept: {told}");
            assert_eq!(verdict["outcome"], ruling["outcome"], "{told} {ruling}");
            assert_eq!(verdict["reason"], ruling["reason"]);
            assert_eq!(verdict["judge"], "rules");
            let worth = BTreeMap::from([("right", 1.0), ("partly", 0.5), ("trapped", 0.0), ("missed", 0.0)]);
            let worth = ruling["score"].as_f64().or_else(|| worth.get(ruling["outcome"].as_str()?).copied());
            assert_eq!(verdict["score"].as_f64(), worth, "{told}");
            suites[usize::from(verdict["suite"] == "parity")] += 1;
        }
    }
    assert!(suites.iter().all(|it| *it > 50), "{suites:?}");
}

#[test]
fn what_was_thought_before_the_control_is_compared_with_what_was_thought_before_the_answer() {
    let run = shared_run();
    let served = Scorer::start(&run, Some(TOKEN));
    let variants = lines(&run, "variants.jsonl");
    let swapped = variants.iter().find(|it| it["id"].as_str().unwrap().ends_with("/swapped")).unwrap();
    let thought = "The pain is crushing and spreads to the arm, so the heart comes first.";
    let likeness = |others_reasoning: Value| {
        let row = json!({
            "suite": "parity", "variant": swapped["id"], "answer": "Answer: A", "reasoning": thought,
            "others": { "control": "Answer: A" }, "others_reasoning": others_reasoning,
        });
        served.score(&row)["parts"]["sts.original_swapped"].as_f64()
    };
    assert_eq!(likeness(json!({})), None, "a thought beside none is like nothing");
    assert_eq!(likeness(json!({ "control": thought })), Some(1.0));
    let other = likeness(json!({ "control": "Fever and a stiff neck make me think of the meninges." }));
    assert!(other.unwrap() < 0.9, "{other:?}");
}

#[test]
fn a_list_that_nothing_can_be_held_against_earns_nothing() {
    let board = boards(Seed(7)).unwrap().map(|it| it.unwrap()).find(|board| board.id == "breast-01").unwrap();
    let desk = Desk::new();
    std::fs::create_dir(desk.path("charts")).unwrap();
    desk.write("charts/breast.txt", render(&board.chart).text);
    let source = "source = \"charts:charts\"\nscrub = false";
    desk.write("study.toml", chart_study(source, &subject("plain", "guideline", ""), None));
    desk.done("run study.toml --out run");
    let run = desk.path("run");
    let served = Scorer::start(&run, Some(TOKEN));
    let variants = lines(&run, "variants.jsonl");
    let control = variants.iter().find(|it| it["expectation"]["kind"] == "recommends").unwrap()["id"].as_str().unwrap();
    let answer = answers(&run)[&("plain@guideline".to_owned(), control.to_owned())]["text"].clone();
    let told = served.score(&json!({ "variant": control, "answer": answer }));
    assert_eq!((told["outcome"].as_str(), told["score"].as_f64()), (Some("right"), None), "{told}");
}

#[test]
fn a_case_of_ones_own_is_varied_by_the_suite() {
    let run = shared_run();
    let served = Scorer::start(&run, Some(TOKEN));
    let control = lines(&run, "variants.jsonl").into_iter().find(|it| it["facts"].is_object()).unwrap();
    let right = control["expectation"]["condition"].as_str().unwrap().replace('_', " ");
    let case = json!({ "id": control["case"], "source": "mine", "text": control["text"], "facts": control["facts"] });
    let row = |role: &str| json!({ "suite": "einstellung", "case": case, "role": role, "answer": right });
    assert_eq!(served.score(&row("control"))["outcome"], "right");
    assert_eq!(served.score(&row("trap"))["outcome"], "trapped", "the fact changed, and the answer stayed");
    assert_eq!(served.refused("/v1/score", &row("nobody")), 422);
    let bare = json!({ "suite": "einstellung", "case": { "id": "x", "source": "mine", "text": "ill" }, "role": "trap", "answer": "flu" });
    assert_eq!(served.refused("/v1/score", &bare), 422);
}

#[test]
fn without_the_token_nobody_is_told_anything() {
    let run = shared_run();
    let off = Scorer::start(&run, None);
    let row = json!({ "suite": "einstellung", "variant": "x", "answer": "y" });
    assert_eq!(off.refused("/v1/score", &row), 403);
    assert!(off.send("GET /score HTTP/1.1", b"").1.contains("Scoring is off"));
    let on = Scorer::start(&run, Some(TOKEN));
    let page = on.send("GET /score HTTP/1.1", b"").1;
    assert!(page.contains(&format!("http://{}/v1/score</pre>", on.0.at)), "the example asks this server: {page}");
    for head in
        ["POST /v1/score HTTP/1.1\r\nContent-Type: application/json", &post_to("/v1/score", "another-token-altogether")]
    {
        // Not even whether the body could be read.
        for body in ["{", &row.to_string()] {
            let (status, told) = on.send(head, body.as_bytes());
            assert_eq!(status, 401, "{told}");
            check_error(&serde_json::from_str::<Value>(&told).unwrap()["error"]);
        }
    }
    assert_eq!(on.refused("/v1/score", &row), 404);
}

#[test]
fn what_cannot_be_scored_says_why_and_never_falls_over() {
    let run = shared_run();
    let served = Scorer::start(&run, Some(TOKEN));
    let variants = lines(&run, "variants.jsonl");
    let variant = variants.iter().find(|it| it["facts"].is_object()).unwrap()["id"].clone();
    let row = |more: Value| {
        let mut row = json!({ "suite": "einstellung", "variant": variant, "answer": "flu" });
        row.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        row
    };
    for (wrong, status) in [
        (row(json!({ "run": "nobody" })), 404),
        (row(json!({ "suite": "nobody" })), 404),
        (row(json!({ "suite": null })), 422),
        (row(json!({ "variant": "../../etc/passwd\u{0}" })), 404),
        (row(json!({ "variant": null })), 422),
        (row(json!({ "role": "nobody" })), 422),
        (row(json!({ "others": { "nobody": "x" } })), 422),
        (row(json!({ "others_reasoning": { "control": "x" } })), 422),
        (row(json!({ "others": { "control": "x" }, "others_reasoning": { "control": 7 } })), 422),
        (row(json!({ "others_reasoning": "x" })), 422),
        (row(json!({ "case": {} })), 422),
        (row(json!({ "answer": 7 })), 422),
        (row(json!({ "unknown": 7 })), 422),
        (json!([]), 422),
        (json!(null), 422),
    ] {
        assert_eq!(served.refused("/v1/score", &wrong), status, "{wrong}");
    }
    let (_, told) = served.post("/v1/score", &row(json!({ "others_reasoning": { "control": "x" } })));
    let expected = json!({ "what": "others holds no answer of control", "where": "others_reasoning", "what_to_do": "send its answer in `others`" });
    assert_eq!(told["error"], expected);
    assert_eq!(served.refused("/v1/nothing", &json!({})), 404);
    assert_eq!(served.send(&post_to("/v1/score", TOKEN), b"{").0, 400);
    assert_eq!(served.send(&post_to("/v1/score", TOKEN), b"\xff\xfe").0, 400);
    assert_eq!(served.send(&post_to("/v1/score", TOKEN).replace("application/json", "text/plain"), b"{}").0, 415);
    assert_eq!(served.send(&post_to("/v1/score", TOKEN), &vec![b' '; 5 << 20]).0, 413);
    assert_eq!(served.send("GET /v1/score HTTP/1.1", b"").0, 405);
    let many: Vec<Value> = (0..513).map(|_| row(json!({}))).collect();
    assert_eq!(served.refused("/v1/score/batch", &json!({ "rows": many })), 422);
    for odd in ["", " ", "\u{202e}<script>alert(1)</script>\u{0}", &"long ".repeat(200_000)] {
        let told = served.score(&row(json!({ "answer": odd })));
        // Where no answer can be read there is no score, which is not a score of 0.
        let worth = BTreeMap::from([("missed", Some(0.0)), ("missing", None)]);
        assert_eq!(told["score"].as_f64(), worth[told["outcome"].as_str().unwrap()], "{told}");
    }
    let (_, told) =
        served.post("/v1/score/batch", &json!({ "rows": [row(json!({})), 7, row(json!({ "variant": "x" }))] }));
    assert!(told["rows"][0]["verdict"].is_object());
    for at in [1, 2] {
        check_error(&told["rows"][at]["error"]);
        assert!(told["rows"][at]["error"]["where"].as_str().unwrap().starts_with(&format!("rows[{at}]")), "{told}");
    }
}

#[test]
fn where_models_judge_nobody_is_asked() {
    let desk = Desk::new();
    let judge = "[models.\"local/judge\"]\nurl = \"http://127.0.0.1:9/v1\"\napi = \"openai\"\n";
    let study = |judge: &str, more: &str| {
        format!(
            "[study]\nname = \"parity\"\nseed = 7\n\n[[suite]]\nkind = \"parity\"\nitems = 3\nembedder = \"lexical\"\n{judge}\n\n\
             [[subject]]\nagent = \"plain\"\nmodel = \"stereotype\"\n\n{more}"
        )
    };
    desk.write("study.toml", study("judge = [\"local/judge\"]", judge));
    desk.done("vary study.toml --out run");
    let run = desk.path("run");
    let variant = lines(&run, "variants.jsonl")[0]["id"].clone();
    let served = Scorer::start(&run, Some(TOKEN));
    assert_eq!(served.refused("/v1/score", &json!({ "variant": variant, "answer": "Answer: A" })), 409);
}

#[test]
fn an_embedder_that_a_budget_pays_is_not_asked_from_outside_the_run() {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", vectors(&endpoint, "[budget]\ntokens = 100000\n"));
    desk.done("vary study.toml --out run --limit 2");
    let run = desk.path("run");
    let variant = lines(&run, "variants.jsonl")[0]["id"].clone();
    let served = Scorer::start(&run, Some(TOKEN));
    let (status, told) = served.post("/v1/score", &json!({ "variant": variant, "answer": "Answer: A" }));
    check_error(&told["error"]);
    let what = told["error"]["what"].as_str().unwrap();
    assert!(status == 409 && what.contains("`local/vectors` from here would not be counted"), "{told}");
    assert_eq!(endpoint.stats().requests, 0);
}

/// Three suites that differ in who compares: one whom the budget pays, words, and one that costs nothing. Told of the first: `key`, `price`.
fn by_three(endpoint: &Endpoint, key: &str, price: &str) -> String {
    let suite = |(name, embedder): (&str, &str)| {
        format!("[[suite]]\nkind = \"parity\"\nname = \"{name}\"\nembedder = \"{embedder}\"\n\n")
    };
    let suites = [("paid", "local/vectors"), ("words", "lexical"), ("free", "local/free")].map(suite).concat();
    let more = format!(
        "{key}\n[models.\"local/free\"]\nurl = \"{}/v1\"\napi = \"openai\"\n\n[budget]\ntokens = 100000\n\n\
         [prices]\n\"local/free\" = {{ input = 0.0, output = 0.0 }}\n{price}",
        endpoint.url()
    );
    let one = "[[suite]]\nkind = \"parity\"\nembedder = \"local/vectors\"\n\n";
    let study = vectors(endpoint, &more);
    assert!(study.contains(one), "{study}");
    study.replace(one, &suites)
}

fn check_by_suite(key: &str, price: &str, refused: &str) {
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let desk = Desk::new();
    desk.write("study.toml", by_three(&endpoint, key, price));
    desk.done("vary study.toml --out run --limit 2");
    let run = desk.path("run");
    let variants = lines(&run, "variants.jsonl");
    let row = |suite: &str| {
        let is_swapped = |it: &&Value| it["suite"] == suite && it["id"].as_str().unwrap().ends_with("/swapped");
        let thought = |of: &str| format!("The pain that {of} feels is crushing, so the heart comes first.");
        json!({
            "suite": suite, "variant": variants.iter().find(is_swapped).unwrap()["id"],
            "answer": "Answer: A", "reasoning": thought("the patient"),
            "others": { "control": "Answer: A" }, "others_reasoning": { "control": thought("an old man") },
        })
    };
    let served = Scorer::start(&run, Some(TOKEN));
    let (status, told) = served.post("/v1/score", &row("paid"));
    check_error(&told["error"]);
    assert!(status == 409 && told["error"]["what"].as_str().unwrap().contains(refused), "{told}");
    let likeness = |suite: &str| served.score(&row(suite))["parts"]["sts.original_swapped"].as_f64();
    assert!(likeness("words").is_some());
    assert_eq!(endpoint.stats().requests, 0);
    assert!(likeness("free").is_some());
    assert!(endpoint.stats().requests > 0);
}

#[test]
fn an_embedder_that_is_refused_keeps_no_other_suite_from_its_own() {
    check_by_suite("", "", "`local/vectors` from here would not be counted");
    let free = "\"local/vectors\" = { input = 0.0, output = 0.0 }\n";
    check_by_suite("key_env = \"NO_KEY_OF_THIS_TEST\"\n", free, "set NO_KEY_OF_THIS_TEST");
}

#[test]
fn a_token_that_can_be_guessed_is_refused_at_the_start() {
    let desk = Desk::new();
    desk.write("token", "short\n");
    let ended = desk.waterjar(&format!("serve {} --listen 127.0.0.1:0 --token-file token", shared_run().display()));
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("shorter than 16") && ended.stderr.contains("openssl rand"), "{}", ended.stderr);
}

#[test]
fn the_description_is_openapi_and_the_client_of_the_documents_works() {
    let run = shared_run();
    let served = Scorer::start(&run, Some(TOKEN));
    let (status, told) = served.send("GET /v1/openapi.json HTTP/1.1", b"");
    let described: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((status, described["openapi"].as_str()), (200, Some("3.1.0")));
    for path in ["/v1/score", "/v1/score/batch"] {
        assert!(described["paths"][path]["post"]["responses"]["422"].is_object(), "{path}");
    }
    let taken = &described["components"]["schemas"]["Wanted"]["properties"];
    assert!(taken["others"].is_object() && taken["others_reasoning"].is_object(), "{taken}");
    let client = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples/score_client.py");
    let address = format!("http://{}", served.0.at);
    let reward = |words: &[&str]| {
        let mut python = Command::new("python3");
        python.arg(&client).arg(&address).arg(run.join("variants.jsonl")).args(words).env("WATERJAR_TOKEN", TOKEN);
        python.output()
    };
    let Ok(ended) = reward(&["einstellung"]) else {
        return; // No Python here; the endpoint is tested above.
    };
    let told = String::from_utf8_lossy(&ended.stdout);
    assert!(
        ended.status.success() && told.contains(" answers, mean reward 0."),
        "{told}{}",
        String::from_utf8_lossy(&ended.stderr)
    );
    let refused = reward(&["einstellung", "nope"]).unwrap();
    let told = String::from_utf8_lossy(&refused.stderr);
    assert!(refused.status.code() == Some(1) && told.contains("rows could not be scored"), "{told}");
}

#[test]
fn a_reader_tries_it_in_a_browser() {
    let Some(mut browser) = Browser::start() else {
        eprintln!("skipped: there is no Chromium");
        return;
    };
    let run = shared_run();
    let served = Scorer::start(&run, Some(TOKEN));
    let control = lines(&run, "variants.jsonl").into_iter().find(|it| it["facts"].is_object()).unwrap();
    let (id, right) = (control["id"].as_str().unwrap(), control["expectation"]["condition"].as_str().unwrap());
    let right = right.replace('_', " ");
    browser.open(&format!("http://{}/score?run=run&suite=einstellung&variant={}", served.0.at, id.replace('/', "%2F")));
    assert_eq!(browser.value("document.querySelector('#score-variant').value"), id, "as the address has it");
    for (token, told) in [("no-token-of-this-server", "not the server"), (TOKEN, "\"outcome\": \"right\"")] {
        browser.value(&format!("document.querySelector('#score-token').value = '{token}'"));
        browser.value(&format!("document.querySelector('#score-answer').value = '{right}'"));
        browser.click("form.score button");
        let told = serde_json::to_string(told).unwrap();
        browser.wait_for(&format!("document.querySelector('.scored').textContent.includes({told})"));
    }
    for (width, dark) in [(1280, false), (1280, true), (390, false)] {
        browser.look(width, 900, dark);
        let fits = format!("document.documentElement.scrollWidth <= {width}");
        assert_eq!(browser.value(&fits), true, "at {width}");
        let name = format!("pictures/score-{width}-{}.png", if dark { "dark" } else { "light" });
        browser.screenshot(&Path::new(env!("CARGO_TARGET_TMPDIR")).join(name));
    }
}
