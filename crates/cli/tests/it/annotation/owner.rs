//! Whoever makes projects.

use super::*;

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
    // Without the address of the project too, from the first page on.
    let mut ben = Visitor::default();
    assert!(ben.get(&served, "/sign-in").body.contains("href=\"/rate/sign-in\""));
    assert!(ben.get(&served, "/rate/sign-in").body.contains("action=\"/rate/sign-in\""));
    for wrong in [[("name", "ben"), ("password", "corridor six")], [("name", "zoe"), ("password", "corridor seven")]] {
        assert_eq!(ben.post(&served, "/rate/sign-in", &wrong).status, 401);
    }
    assert_eq!(ben.post(&served, "/rate/sign-in", &right).location(), rate);
    assert_eq!(ben.get(&served, &rate).status, 200);
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
        ("/nowhere", "找不到此页"),
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
