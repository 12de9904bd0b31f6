//! Whoever is asked.

use super::*;
use crate::sample::objects;

const NAMES: [&str; 6] = ["claude", "gpt-5", "opus", "llm 7b", "sim/", "plain@"];

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
    assert!((of("people") - of("judge_on_part")).abs() > 0.01, "{trap}");
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
fn skipping_what_is_rated_leaves_it_and_taking_back_restores_what_was_said_before() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let mut owner = Visitor::default();
    let links = project(&served, &mut owner, PROJECTS, &pilot("anna"));
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    let first = format!("{rate}/1");
    let mut says = |second: &str| {
        let fields = [("action", "rate"), ("first", "right"), ("second", second)];
        assert_eq!(anna.post(&served, &first, &fields).status, 303);
    };
    says("followed");
    says("stayed");
    let mut now = || {
        let rows = objects(&owner.get(&served, &format!("{PROJECTS}/pilot/ratings.jsonl")).body);
        (rows[0]["state"].as_str().unwrap().to_owned(), rows[0]["answers"]["second"][0].as_str().unwrap().to_owned())
    };
    let is = |state: &str, second: &str| (state.to_owned(), second.to_owned());
    // Skipping leaves it, also with nothing chosen, and goes on.
    assert_eq!(anna.post(&served, &first, &[("action", "skip")]).location(), format!("{rate}/2"));
    assert_eq!(now(), is("rated", "stayed"));
    for state in [is("rated", "followed"), is("withdrawn", "followed")] {
        assert_eq!(anna.post(&served, &first, &[("action", "undo")]).location(), first);
        assert_eq!(now(), state);
    }
    // What was skipped first is skipped again.
    anna.post(&served, &first, &[("action", "skip"), ("first", "right"), ("second", "other")]);
    anna.post(&served, &first, &[("action", "rate"), ("first", "right"), ("second", "followed")]);
    anna.post(&served, &first, &[("action", "undo")]);
    assert_eq!(now(), is("skipped", "other"));
}

#[test]
fn a_clinician_says_whether_the_key_is_right_and_it_is_counted_by_what_was_changed() {
    let desk = Desk::new();
    let run = copied(&desk);
    let served = Served::start(&[&run]);
    let mut owner = Visitor::default();
    let fields = [("name", "keys"), ("form", "key_right"), ("items", "6"), ("seed", "1"), ("stratify", "role")];
    let links = project(&served, &mut owner, PROJECTS, &[&fields[..], &[("raters", "anna")]].concat());
    let mut anna = Visitor::default();
    let rate = enter(&served, &mut anna, &links["anna"]);
    for place in 1..=6 {
        let page = anna.get(&served, &format!("{rate}/{place}")).body;
        assert!(page.contains("What should follow") && page.contains("A sound reader"), "{page}");
        assert!(page.contains("What differs") && !page.contains("Answer to the"), "{page}");
        let key = if place == 1 { "wrong" } else { "right" };
        let said = [("action", "rate"), ("key", key), ("why", "another would fit")];
        assert_eq!(anna.post(&served, &format!("{rate}/{place}"), &said).status, 303);
    }
    let results = owner.get(&served, &format!("{PROJECTS}/keys/results.csv")).body;
    assert!(results.starts_with("question,role,answer,said,items,share,low,high\n"), "{results}");
    assert!(results.contains("\nkey,,right,5,6,0.8333,") && results.contains("\nkey,trap,right,"), "{results}");
    let page = owner.get(&served, &format!("{PROJECTS}/keys")).body;
    assert!(page.contains("What people say") && page.contains("<td>the key is right</td>"), "{page}");
    assert!(owner.get(&served, &format!("{PROJECTS}/keys/ratings.csv")).body.contains("another would fit"));
}

#[test]
fn a_server_that_is_stopped_leaves_every_rating_in_one_file() {
    for signal in ["-INT", "-TERM"] {
        let desk = Desk::new();
        let run = copied(&desk);
        let served = Served::start(&[&run]);
        let mut owner = Visitor::default();
        let links = project(&served, &mut owner, PROJECTS, &pilot("anna"));
        let mut anna = Visitor::default();
        let rate = enter(&served, &mut anna, &links["anna"]);
        let fields = [("action", "rate"), ("first", "right"), ("second", "followed")];
        assert_eq!(anna.post(&served, &format!("{rate}/1"), &fields).status, 303);
        served.stop(signal);
        assert!(!run.join("ratings.sqlite-wal").exists(), "{signal}");
        let served = Served::start(&[&run]);
        let jsonl = owner.get(&served, &format!("{PROJECTS}/pilot/ratings.jsonl")).body;
        assert_eq!(jsonl.lines().count(), 1, "{signal}: {jsonl}");
    }
}

/// A run whose directory, subjects and answers all tell who answers.
fn telling(desk: &Desk) -> Endpoint {
    let said = "I am Claude Opus 4.7, not GPT-5.2 or Hospital LLM 7B. Diagnosis: Pneumonia";
    let settings = EndpointSettings::with_clinician(Clinician::always(said));
    let endpoint = Endpoint::start_apart(settings).unwrap();
    let model = |name: &str| {
        format!(
            "[[subject]]\nagent = \"plain\"\nmodel = \"{name}\"\n[models.\"{name}\"]\napi = \"openai\"\nurl = \"{}/v1\"\n",
            endpoint.url()
        )
    };
    let study = format!(
        "[study]\nname = \"claude\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\npatients = 300\npairs = 4\ngap = 0.7\n{}{}{}",
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
                // What differs is named before the texts, and leads to its place in them.
                let place = shown.body.split("<a href=\"#").nth(1).and_then(|it| it.split('"').next()).unwrap();
                assert!(shown.body.contains(&format!(" id=\"{place}\" data-change=\"1\"")), "{}", shown.body);
                assert!(shown.body.contains("next-change"), "{}", shown.body);
                // Whose diagnosis a question is about has a name.
                assert!(shown.body.contains("<b>First text:</b> <span lang=\"en\">"), "{}", shown.body);
                assert!(shown.body.contains("<b>Second text:</b> <span lang=\"en\">"), "{}", shown.body);
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
    let rows = objects(&jsonl);
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
