//! Clinicians rate blind: raters and owner over real HTTP, some of it in a real browser.

use crate::sample::{Desk, shared_run};
use crate::served::{Served, Visitor, browser, keep_looks};
use std::collections::BTreeMap;
use std::path::Path;
use waterjar_testkit::clinician::Clinician;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

const PROJECTS: &str = "/runs/run/einstellung/projects";

/// A copy of the shared run, to write ratings beside.
fn copied(desk: &Desk) -> std::path::PathBuf {
    let run = desk.path("run");
    std::fs::create_dir_all(&run).unwrap();
    for entry in std::fs::read_dir(shared_run()).unwrap() {
        let from = entry.unwrap().path();
        if from.is_file() {
            std::fs::copy(&from, run.join(from.file_name().unwrap())).unwrap();
        }
    }
    run
}

/// Makes a project and gives the personal links by rater.
fn project(served: &Served, owner: &mut Visitor, at: &str, fields: &[(&str, &str)]) -> BTreeMap<String, String> {
    let made = owner.post(served, at, fields);
    assert_eq!(made.status, 200, "{}", made.body);
    let rows = made.body.split("<th scope=\"row\">").skip(1);
    let link = |row: &str| {
        let rater = row.split('<').next().unwrap().to_owned();
        let link = row.split("href=\"").nth(1).unwrap().split('"').next().unwrap();
        (rater, format!("/r/{}", link.rsplit('/').next().unwrap()))
    };
    rows.map(link).collect()
}

fn pilot(raters: &str) -> Vec<(&str, &str)> {
    vec![
        ("name", "pilot"),
        ("form", "diagnosis_followed"),
        ("items", "10"),
        ("seed", "7"),
        ("stratify", "outcome"),
        ("subject", "plain@gestalt"),
        ("raters", raters),
    ]
}

/// Signs in by link; gives the address of the desk.
fn enter(served: &Served, rater: &mut Visitor, link: &str) -> String {
    let asked = rater.get(served, link);
    assert!(asked.status == 200 && !asked.head.contains("set-cookie"), "looking signs nobody in: {}", asked.head);
    let begun = rater.send(served, "POST", link, "", "");
    assert_eq!(begun.status, 303, "{}", begun.body);
    assert!(begun.head.contains("httponly; samesite=strict"), "{}", begun.head);
    begun.location()
}

#[test]
fn two_raters_complete_a_project_in_a_browser_and_a_third_is_blocked() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let Some(mut browser) = browser() else { return };
    let at = |path: &str| format!("http://{}{path}", served.at);
    browser.open(&at(PROJECTS));
    keep_looks(&mut browser, "projects");
    let mut owner = Visitor::default();
    let links = project(&served, &mut owner, PROJECTS, &pilot("anna\nben\ncarl"));
    owner.post(&served, &format!("{PROJECTS}/pilot"), &[("action", "block"), ("rater", "carl")]);
    browser.open(&at(&links["carl"]));
    assert!(browser.text("main").contains("not valid"), "{}", browser.text("main"));
    // Anna says right and followed of everything; Ben differs on the third.
    for (rater, third) in [("anna", "1"), ("ben", "2")] {
        browser.open(&at(&links[rater]));
        keep_looks(&mut browser, "invited");
        browser.click("main button");
        browser.wait_for("location.pathname.startsWith('/rate/') && document.readyState === 'complete'");
        keep_looks(&mut browser, "rate-desk");
        browser.click("a.button");
        for place in 1..=10 {
            let here = format!("location.pathname.endsWith('/{place}') && document.readyState === 'complete'");
            browser.wait_for(&here);
            if place == 1 {
                keep_looks(&mut browser, "rate-item");
            }
            browser.press("1");
            browser.press(if place == 3 { third } else { "1" });
            browser.wait_for("document.getElementById('saved').innerText === 'Saved.'");
            if place == 1 {
                keep_looks(&mut browser, "rate-item-answered");
            }
            browser.press("Enter");
        }
        browser.wait_for("document.querySelector('.thanks') !== null");
        assert!(browser.text("[role=status]").starts_with("10 rated of 10"));
        browser.click("form.quiet button");
        browser.wait_for("document.querySelector('input[type=password]') !== null");
    }
    browser.open(&at(&format!("{PROJECTS}/pilot")));
    let page = browser.text("main");
    assert!(page.contains("10 of 10") && page.contains("carl\nblocked"), "{page}");
    // Nine of ten the same on one question, all on the other.
    let agreed = browser.value(
        "[...document.querySelectorAll('[aria-label=Agreement] tbody tr')].map((row) => \
         [...row.cells].slice(0, 3).map((cell, at) => at ? cell.innerText.split(' ')[0] : cell.innerText).join(' ')).join('; ')",
    );
    assert_eq!(agreed, "The answer to the first text 10 1.00; The answer to the second text 10 0.90");
    assert!(page.contains("The judge against the majority") && page.contains("Figures corrected by people"), "{page}");
    keep_looks(&mut browser, "project");
    browser.click("ul.links a");
    browser.wait_for("document.querySelector('form.sheet') !== null && document.readyState === 'complete'");
    keep_looks(&mut browser, "adjudicate");
    let csv = owner.get(&served, &format!("{PROJECTS}/pilot/ratings.csv")).body;
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert_eq!(rows.len(), 20, "{csv}");
    let said = |rater: &str, what: &str| {
        rows.iter().filter(|row| row.contains(&format!(",{rater},rated,")) && row.contains(what)).count()
    };
    assert_eq!((said("anna", ",right,followed,"), said("ben", ",right,followed,")), (10, 9), "{csv}");
    assert_eq!(said("ben", ",right,stayed,"), 1, "{csv}");
}

#[test]
fn what_was_saved_outlives_a_kill_and_people_are_judges_of_the_run() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let mut owner = Visitor::default();
    let links = project(&served, &mut owner, PROJECTS, &pilot("anna"));
    let nobody = desk.waterjar("measure run --judge humans");
    assert!(nobody.code == Some(2) && nobody.stderr.contains("no rating"), "{}", nobody.stderr);
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    // What is half said is a draft, and what the form does not offer is refused with everything kept.
    let draft = anna.post(&served, &format!("{rate}/1"), &[("action", "draft"), ("first", "right")]);
    assert_eq!(draft.status, 204);
    let half = anna.post(&served, &format!("{rate}/1"), &[("action", "rate"), ("first", "right")]);
    assert!(half.status == 422 && half.body.contains("answer every question"), "{}", half.body);
    assert!(half.body.contains("value=\"right\" checked"), "what was chosen is still chosen");
    let odd = anna.post(&served, &format!("{rate}/1"), &[("action", "rate"), ("first", "maybe"), ("second", "other")]);
    assert_eq!(odd.status, 422);
    for place in 1..=10 {
        let fields = [("action", "rate"), ("first", "right"), ("second", "followed"), ("comment", "clear, =1+1")];
        assert_eq!(anna.post(&served, &format!("{rate}/{place}"), &fields).status, 303);
    }
    // A choice on what was rated is not told to be saved.
    assert_eq!(anna.post(&served, &format!("{rate}/1"), &[("action", "draft"), ("first", "other")]).status, 409);
    // Taken back, and said again otherwise.
    let back = anna.post(&served, &format!("{rate}/1"), &[("action", "undo")]).location();
    anna.post(&served, &back, &[("action", "rate"), ("first", "right"), ("second", "stayed")]);
    served.kill();
    let served = Served::start(&[&run]);
    let desk_page = anna.get(&served, &rate);
    assert!(desk_page.status == 200 && desk_page.body.contains("<b>10</b> rated of 10"), "{}", desk_page.body);
    let jsonl = owner.get(&served, &format!("{PROJECTS}/pilot/ratings.jsonl")).body;
    assert_eq!(jsonl.lines().count(), 10);
    assert_eq!(jsonl.matches("\"followed\"").count(), 9, "{jsonl}");
    let log = owner.get(&served, &format!("{PROJECTS}/pilot/log.jsonl")).body;
    assert_eq!(log.lines().count(), 13, "a draft, ten, one taken back, one again: {log}");
    let told = desk.done("measure run --judge humans --json");
    let result = &told.json()["results"][0];
    assert_eq!(result["subject"], "plain@gestalt");
    assert_eq!(result["metrics"]["bias_trap_rate"]["value"], 0.1, "one of ten stayed: {result}");
    let corrected = told.json()["corrected"][0]["figures"].as_array().unwrap().clone();
    let trap = corrected.iter().find(|it| it["metric"] == "bias_trap_rate").unwrap();
    let of = |name: &str| trap[name].as_f64().unwrap();
    assert!((of("corrected") - (of("judge") + of("people") - of("judge_on_part"))).abs() < 1e-9, "{trap}");
    assert!(of("people") < of("judge_on_part"), "{trap}");
    // Why an answer stayed with the old one says nothing of how many do.
    let fields =
        [("name", "why"), ("form", "failure_mode"), ("items", "40"), ("seed", "1"), ("subject", "plain@gestalt")];
    let links = project(&served, &mut owner, PROJECTS, &[&fields[..], &[("raters", "anna")]].concat());
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    for place in 1..=2 {
        assert_eq!(anna.post(&served, &format!("{rate}/{place}"), &[("mode", "blindness")]).status, 303);
    }
    let again =
        desk.done("measure run --judge humans --json").json()["corrected"][0]["figures"].as_array().unwrap().clone();
    let same = again.iter().find(|it| it["metric"] == "bias_trap_rate").unwrap();
    assert_eq!(same, trap);
    let blind = again.iter().find(|it| it["metric"] == "failure_mode.blindness").unwrap();
    assert_eq!((&blind["people"], &blind["families"]), (&1.0.into(), &2.into()), "{blind}");
    // Two cases correct nothing, and every place says so.
    assert!(blind["corrected"].is_null() && blind["interval"].is_null(), "{blind}");
    let table = desk.done("measure run --judge humans");
    let row = |metric: &str| table.stdout.lines().find(|line| line.contains(metric)).unwrap().to_owned();
    assert!(row("failure_mode.blindness").contains("too few"), "{}", table.stdout);
    assert!(!row(" bias_trap_rate ").contains("too few"), "{}", table.stdout);
    assert!(table.stderr.contains("fewer than 5 rated cases"), "{}", table.stderr);
    let page = owner.get(&served, &format!("{PROJECTS}/why")).body;
    assert!(page.contains(">too few</td>") && page.contains("over all projects of this suite"), "{page}");
    let (low, high) = (trap["interval"]["low"].as_f64().unwrap(), trap["interval"]["high"].as_f64().unwrap());
    assert!(low < of("corrected") && of("corrected") < high, "{trap}");
    assert!(run.join("metrics.humans.json").is_file());
}

#[test]
fn a_run_on_a_server_is_served_and_rated_there() {
    let Ok(server) = std::env::var("WATERJAR_TEST_POSTGRES") else {
        eprintln!("skipped: WATERJAR_TEST_POSTGRES names no server");
        return;
    };
    let desk = Desk::new();
    let run = copied(&desk);
    let team = desk.path("").file_name().unwrap().to_string_lossy().replace('.', "t");
    let store = format!("{server}?team={team}");
    desk.done(&format!("move run --store {store}"));
    let served = Served::with(&[], &["--store", &store]);
    assert!(served.page("/").contains("href=\"/runs/run\""));
    assert!(served.page("/runs/run").contains("einstellung"));
    assert!(served.page("/runs/run/einstellung/families").contains("plain@gestalt"));
    let mut owner = Visitor::default();
    let links = project(&served, &mut owner, PROJECTS, &pilot("anna"));
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    for place in 1..=10 {
        let fields = [("action", "rate"), ("first", "right"), ("second", "followed")];
        assert_eq!(anna.post(&served, &format!("{rate}/{place}"), &fields).status, 303);
    }
    served.kill();
    let served = Served::with(&[], &["--store", &store]);
    assert!(anna.get(&served, &rate).body.contains("<b>10</b> rated of 10"));
    let jsonl = owner.get(&served, &format!("{PROJECTS}/pilot/ratings.jsonl")).body;
    assert_eq!(jsonl.matches("\"followed\"").count(), 10);
    drop(served);
    let told = desk.done("measure run --judge humans --json");
    assert_eq!(told.json()["results"][0]["metrics"]["bias_trap_rate"]["value"], 0.0);
    // Back in its directory it has all of it.
    desk.done("move run");
    assert!(run.join("ratings.sqlite").is_file());
    let again = desk.done("measure run --judge humans --json");
    assert_eq!(again.json(), told.json());
}

const NAMES: [&str; 6] = ["claude", "gpt-5", "opus", "llm 7b", "sim/", "plain@"];

/// A run whose directory, subjects and answers all tell who answers.
fn telling(desk: &Desk) -> Endpoint {
    let said = "I am Claude Opus 4.7, not GPT-5.2 or Hospital LLM 7B. Diagnosis: Pneumonia";
    let settings = EndpointSettings { clinician: Clinician::always(said), ..EndpointSettings::default() };
    let endpoint = Endpoint::start_apart(settings).unwrap();
    let model = |name: &str| {
        format!(
            "[[subject]]\nagent = \"plain\"\nmodel = \"{name}\"\n[models.\"{name}\"]\napi = \"openai\"\nurl = \"{}/v1\"\n",
            endpoint.url()
        )
    };
    let study = format!(
        "[study]\nname = \"claude\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\npatients = 300\npairs = 4\n{}{}{}",
        model("sim/claude-opus-4-7"),
        model("sim/gpt-5.2"),
        model("hospital-llm-7b")
    );
    desk.write("study.toml", study);
    desk.waterjar("run study.toml --out claude-run");
    endpoint
}

#[test]
fn no_page_header_or_redirect_for_a_rater_names_a_model() {
    let desk = Desk::new();
    let _endpoint = telling(&desk);
    let served = Served::start(&[&desk.path("claude-run")]);
    let mut owner = Visitor::default();
    let at = "/runs/claude-run/einstellung/projects";
    let mut named = 0;
    for form in ["preference", "diagnosis_followed", "failure_mode", "trap_pair_quality", "question_quality"] {
        let name = format!("claude-{form}");
        let fields = [
            ("name", name.as_str()),
            ("form", form),
            ("items", "6"),
            ("seed", "1"),
            ("raters", "anna = corridor seven"),
        ];
        let made = owner.post(&served, at, &fields);
        if form == "failure_mode" && made.status == 422 {
            assert!(made.body.contains("nothing could be drawn"), "{}", made.body);
            continue;
        }
        assert_eq!(made.status, 200, "{}", made.body);
        let link = made.body.split("/r/").nth(1).unwrap().split('"').next().unwrap();
        let link = format!("/r/{link}");
        let mut anna = Visitor::default();
        let mut seen = vec![anna.get(&served, &link), anna.send(&served, "POST", &link, "", "")];
        let rate = seen[1].location();
        seen.push(Visitor::default().get(&served, &rate));
        seen.push(anna.get(&served, &rate));
        for place in 1..=6 {
            let shown = anna.get(&served, &format!("{rate}/{place}"));
            assert!(shown.status == 200 || shown.status == 404, "{}", shown.status);
            if shown.status == 200 && (form == "preference" || form == "diagnosis_followed") {
                named += 1;
                assert!(shown.body.contains("I am ▮▮▮"), "the answer is there, the name is not: {}", shown.body);
            }
            if shown.status == 200 && form == "trap_pair_quality" {
                // The patient does say what is marked in the first text.
                assert!(shown.body.contains("<mark>") && shown.body.contains("<ins>"), "{}", shown.body);
                assert!(!shown.body.contains("<del>"), "{}", shown.body);
            }
            seen.push(shown);
            seen.push(anna.post(&served, &format!("{rate}/{place}"), &[("action", "rate"), ("better", "up")]));
            seen.push(anna.post(&served, &format!("{rate}/{place}"), &[("action", "draft"), ("better", "left")]));
            seen.push(anna.post(&served, &format!("{rate}/{place}"), &[("action", "skip")]));
        }
        seen.push(anna.get(&served, &rate));
        seen.push(anna.get(&served, &format!("{rate}/999")));
        seen.push(anna.post(&served, &format!("{rate}/1"), &[("action", "undo")]));
        for wrong in
            [[("name", "anna"), ("password", "wrong wrong")], [("name", "anna"), ("password", "corridor seven")]]
        {
            seen.push(anna.post(&served, &format!("{rate}/sign-in"), &wrong));
        }
        seen.push(anna.send(&served, "POST", &format!("{rate}/sign-out"), "", ""));
        for answer in &seen {
            let all = format!("{}\n{}", answer.head, answer.body).to_lowercase();
            for name in NAMES {
                assert!(!all.contains(name), "{form}: {name} in\n{all}");
            }
        }
    }
    assert!(named >= 6, "{named}");
    let refused = owner.post(
        &served,
        at,
        &[("name", "x"), ("form", "preference"), ("items", "2"), ("seed", "1"), ("raters", "claude")],
    );
    assert!(refused.status == 422 && refused.body.contains("called after a model"), "{}", refused.body);
}

#[test]
fn sides_change_and_what_is_kept_is_whose_answer_it_was() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let mut owner = Visitor::default();
    // A built-in reader's name is a word like others: a rater may be called so.
    let raters = "anna\nsymptoms only";
    let fields = [("name", "sides"), ("form", "preference"), ("items", "20"), ("seed", "3"), ("raters", raters)];
    let links = project(&served, &mut owner, PROJECTS, &fields);
    for link in links.values() {
        let mut rater = Visitor::default();
        let rate = enter(&served, &mut rater, link);
        for place in 1..=20 {
            let fields = [("action", "rate"), ("better", "left"), ("safe", "none")];
            assert_eq!(rater.post(&served, &format!("{rate}/{place}"), &fields).status, 303);
        }
    }
    let jsonl = owner.get(&served, &format!("{PROJECTS}/sides/ratings.jsonl")).body;
    let rows: Vec<serde_json::Value> = jsonl.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 40);
    for row in &rows {
        let kept = row["answers"]["better"][0].as_str().unwrap();
        assert_eq!(kept, if row["swapped"] == true { "second" } else { "first" }, "{row}");
        assert_eq!(row["subjects"].as_array().unwrap().len(), 2);
    }
    let swapped = rows.iter().filter(|row| row["swapped"] == true).count();
    assert!((8..=32).contains(&swapped), "by chance: {swapped} of 40");
}

#[test]
fn runs_are_the_owners_and_forged_or_guessed_requests_stay_out() {
    let desk = Desk::new();
    let run = copied(&desk);
    desk.write("password", "a long enough one\n");
    let file = desk.path("password");
    let served = Served::with(&[&run], &["--password-file", &file.to_string_lossy()]);
    let mut owner = Visitor::default();
    for path in ["/", "/runs/run", "/runs/run/einstellung", PROJECTS, "/nowhere"] {
        let sent = owner.get(&served, path);
        assert!(sent.status == 303 && sent.location().starts_with("/sign-in?to="), "{path}: {}", sent.status);
    }
    assert_eq!(owner.post(&served, PROJECTS, &pilot("anna")).status, 401);
    let signed = owner.post(&served, "/sign-in", &[("password", "a long enough one"), ("to", "//evil.example")]);
    assert!(signed.status == 303 && signed.location() == "/", "{}", signed.head);
    assert!(signed.head.contains("httponly; samesite=strict"), "{}", signed.head);
    assert_eq!(owner.get(&served, "/").status, 200);
    let forged = "Origin: http://evil.example\r\nSec-Fetch-Site: cross-site\r\n";
    assert_eq!(owner.send(&served, "POST", PROJECTS, "name=x", forged).status, 403, "of another site");
    let links = project(&served, &mut owner, PROJECTS, &pilot("anna\nben = corridor seven"));
    let second: Vec<_> =
        pilot("anna").into_iter().map(|(key, value)| (key, if key == "name" { "other" } else { value })).collect();
    let others = project(&served, &mut owner, PROJECTS, &second);
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    assert_eq!(anna.get(&served, "/runs/run").status, 303, "a rater is no owner");
    let mut stranger = Visitor::default();
    let other = enter(&served, &mut stranger, &others["anna"]);
    assert_eq!(
        (anna.get(&served, &rate).status, anna.get(&served, &other).status),
        (200, 401),
        "each their own project"
    );
    assert_eq!(anna.get(&served, "/r/0123456789").status, 404);
    // By password; the eleventh guess has to wait, the right one too.
    let at = format!("{rate}/sign-in");
    let right = [("name", "ben"), ("password", "corridor seven")];
    assert_eq!(Visitor::default().post(&served, &at, &right).status, 303);
    let none = [("name", "anna"), ("password", "")];
    assert_eq!(Visitor::default().post(&served, &at, &none).status, 401, "who has no password cannot give one");
    for _ in 0..10 {
        assert_eq!(Visitor::default().post(&served, &at, &[("name", "ben"), ("password", "guess")]).status, 401);
    }
    let waits = Visitor::default().post(&served, &at, &right);
    assert!(waits.status == 429 && waits.head.contains("retry-after: "), "{}", waits.head);
    // Blocked is out at once; another link ends the old one.
    owner.post(&served, &format!("{PROJECTS}/pilot"), &[("action", "block"), ("rater", "anna")]);
    assert_eq!((anna.get(&served, &rate).status, anna.get(&served, &links["anna"]).status), (401, 404));
    owner.post(&served, "/sign-out", &[]);
    assert_eq!(owner.get(&served, "/").status, 303);
    // Other machines may reach a server with a password.
    let open =
        Served::with(&[&run], &["--password-file", &file.to_string_lossy(), "--url", "https://rate.example.org"]);
    assert_eq!(open.get_as("/sign-in", "rate.example.org").status, 200);
    assert_eq!(open.get_as("/sign-in", "rate.example.org:443").status, 200);
    assert_eq!(open.get_as("/sign-in", "evil.example").status, 421);
    // A proxy that asks by the address it knows: the form comes from a page of ours all the same.
    let sign_in = |origin: &str| {
        let origin = format!("Origin: {origin}\r\nSec-Fetch-Site: same-origin\r\n");
        Visitor::default().send(&open, "POST", "/sign-in", "password=a+long+enough+one", &origin).status
    };
    assert_eq!((sign_in("https://rate.example.org"), sign_in("https://evil.example")), (303, 403));
    for more in ["--listen 0.0.0.0:0", "--url https://rate.example.org", "--url https://", "--url https://a.example/x"]
    {
        let refused = Desk::new().waterjar(&format!("serve {} {more}", run.display()));
        assert_eq!(refused.code, Some(2), "{more}: {}", refused.stderr);
    }
}

#[test]
fn what_goes_wrong_tells_a_rater_nothing_of_runs() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let links = project(&served, &mut Visitor::default(), PROJECTS, &pilot("anna"));
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    // Another run beside it whose ratings are broken, and a second server that finds the ratings taken.
    std::fs::create_dir_all(desk.path("a-secret-run")).unwrap();
    std::fs::copy(run.join("run.sqlite"), desk.path("a-secret-run/run.sqlite")).unwrap();
    std::fs::write(desk.path("a-secret-run/ratings.sqlite"), "no database at all, but long enough to be looked at")
        .unwrap();
    let second = Served::start(&[&desk.path("a-secret-run"), &run]);
    for path in [rate.as_str(), &format!("{rate}/1"), &format!("{rate}/x"), &links["anna"], "/r/0123"] {
        let told = anna.get(&second, path);
        assert!((400..600).contains(&told.status), "{path}: {}", told.status);
        assert!(
            !told.body.contains("secret") && !told.body.contains("sqlite") && !told.body.contains("href=\"/\""),
            "{}",
            told.body
        );
    }
    served.kill();
    assert_eq!(anna.get(&second, &rate).status, 200, "free again");
}

#[test]
fn a_project_that_cannot_be_made_says_why() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let mut owner = Visitor::default();
    project(&served, &mut owner, PROJECTS, &pilot("anna"));
    let mut refused = |form: &str| {
        let fields = [("name", "pilot"), ("form", form), ("items", "4"), ("seed", "1"), ("raters", "anna")];
        let told = owner.post(&served, "/runs/run/parity/projects", &fields);
        assert_eq!(told.status, 422, "{}", told.body);
        told.body
    };
    let traps = refused("trap_pair_quality");
    let told = "is about suites of the kind einstellung, and the suite `parity` is parity; forms that fit: preference, divergence";
    assert!(traps.contains(told), "{traps}");
    for (suite, fits, is_offered) in [
        ("parity", "divergence", true),
        ("parity", "trap_pair_quality", false),
        ("einstellung", "trap_pair_quality", true),
        ("einstellung", "causal_sensitivity", false),
    ] {
        let page = served.page(&format!("/runs/run/{suite}/projects"));
        assert_eq!(page.contains(&format!("value=\"{fits}\"")), is_offered, "{suite} {fits}");
        assert!(page.contains("name=\"form\"") && page.contains(" checked> <span>"), "the first is chosen: {page}");
    }
    let taken = refused("preference");
    assert!(taken.contains("There is a project called “pilot” in the suite “einstellung”"), "{taken}");
}

#[test]
fn a_project_goes_as_long_as_nobody_has_said_anything() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let mut owner = Visitor::default();
    let at = format!("{PROJECTS}/pilot");
    let sure = [("action", "delete"), ("sure", "yes")];
    let links = project(&served, &mut owner, PROJECTS, &pilot("anna"));
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    let page = owner.get(&served, &at).body;
    assert!(page.contains("Nobody has rated yet.") && !page.contains("It takes two raters."), "{page}");
    let unsure = owner.post(&served, &at, &sure[..1]);
    assert!(unsure.status == 409 && unsure.body.contains("tick the box"), "{}", unsure.body);
    assert_eq!(owner.post(&served, &at, &sure).location(), PROJECTS);
    assert_eq!(owner.get(&served, &at).status, 404);
    assert_eq!((anna.get(&served, &rate).status, anna.get(&served, &links["anna"]).status), (404, 404));
    // The name is free again. Somebody who has begun has said something.
    let links = project(&served, &mut owner, PROJECTS, &pilot("anna"));
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    let begun = anna.post(&served, &format!("{rate}/1"), &[("action", "draft"), ("first", "right")]);
    assert_eq!(begun.status, 204);
    assert!(!owner.get(&served, &at).body.contains("Delete this project"));
    let kept = owner.post(&served, &at, &sure);
    assert!(kept.status == 409 && kept.body.contains("what was said is kept"), "{}", kept.body);
    assert_eq!(anna.get(&served, &rate).status, 200);
    // One rater who has rated agrees with nobody yet.
    let rated = [("action", "rate"), ("first", "right"), ("second", "followed")];
    assert_eq!(anna.post(&served, &format!("{rate}/1"), &rated).status, 303);
    assert!(owner.get(&served, &at).body.contains("It takes two raters."));
}

#[test]
fn pages_speak_chinese_too() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let mut owner = Visitor::default();
    let links = project(&served, &mut owner, PROJECTS, &pilot("anna"));
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    let back = anna.get(&served, &format!("/language/zh?to={rate}/1"));
    assert_eq!(back.location(), format!("{rate}/1"));
    let page = anna.get(&served, &format!("{rate}/1")).body;
    assert!(
        page.contains("lang=\"zh\"") && page.contains("保存并继续") && page.contains("对第二个文本的回答"),
        "{page}"
    );
    owner.get(&served, "/language/zh?to=/");
    for (path, told) in [
        ("/", "运行"),
        ("/runs/run", "随机种子"),
        ("/runs/run/einstellung", "逐对比较"),
        ("/runs/run/einstellung/families", "关键词"),
        ("/runs/run/einstellung/compare", "精确 p"),
        (PROJECTS, "新建项目"),
        ("/runs/run/einstellung/projects/pilot", "一致性"),
        ("/nowhere", "无法显示"),
    ] {
        let page = owner.get(&served, path).body;
        assert!(page.contains("lang=\"zh\"") && page.contains(told), "{path}: {page}");
    }
    let Some(mut browser) = browser() else { return };
    let at = |path: &str| format!("http://{}{path}", served.at);
    browser.open(&at(&links["anna"]));
    browser.click("main button");
    browser.wait_for("location.pathname.startsWith('/rate/') && document.readyState === 'complete'");
    browser.open(&at(&format!("/language/zh?to={rate}/1")));
    browser.wait_for("location.pathname.endsWith('/1') && document.readyState === 'complete'");
    keep_looks(&mut browser, "rate-item-zh");
}

#[test]
fn a_form_of_ones_own_is_a_file_and_a_wrong_one_is_told_all_at_once() {
    let desk = Desk::new();
    let run = copied(&desk);
    std::fs::create_dir_all(desk.path("forms")).unwrap();
    let own = "id = \"urgency\"\ntitle = \"How urgent?\"\nabout = \"Say how soon.\"\nunit = \"question\"\n\
        [[questions]]\nid = \"soon\"\nask = \"How soon?\"\nkind = \"choice\"\n\
        options = [{ id = \"now\", label = \"now\" }, { id = \"later\", label = \"later\" }]\n\
        [[questions]]\nid = \"why\"\nask = \"Why?\"\nkind = \"words\"\n";
    desk.write("forms/urgency.toml", own);
    let folder = desk.path("forms");
    let served = Served::with(&[&run], &["--forms", &folder.to_string_lossy()]);
    let mut owner = Visitor::default();
    let fields = [("name", "urgent"), ("form", "urgency"), ("items", "3"), ("seed", "1"), ("raters", "anna")];
    let links = project(&served, &mut owner, PROJECTS, &fields);
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    let page = anna.get(&served, &format!("{rate}/1")).body;
    assert!(page.contains("How soon?") && page.contains("<textarea name=\"why\""), "{page}");
    let fields = [("action", "rate"), ("soon", "now"), ("why", "chest pain; \"now\"\n<b>")];
    assert_eq!(anna.post(&served, &format!("{rate}/1"), &fields).status, 303);
    let csv = owner.get(&served, &format!("{PROJECTS}/urgent/ratings.csv")).body;
    assert!(csv.contains("now,\"chest pain; \"\"now\"\"\n<b>\""), "{csv}");
    desk.write(
        "forms/urgency.toml",
        own.replace("[{ id = \"now\", label = \"now\" },", "[").replace("id = \"why\"", "id = \"soon\""),
    );
    let refused = desk.waterjar(&format!("serve {} --forms forms", Path::new("run").display()));
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    for told in ["urgency.toml", "two questions are called `soon`", "at least two options"] {
        assert!(refused.stderr.contains(told), "{told}: {}", refused.stderr);
    }
}
