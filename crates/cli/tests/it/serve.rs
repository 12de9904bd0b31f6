//! Runs in a browser: pages over real HTTP, some of them in a real browser.

use crate::charts;
use crate::sample::{Desk, quick, shared_run};
use crate::served::{Served, Visitor, browser, keep_looks, links};
use waterjar_testkit::clinician::Clinician;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

const CASES: &str = "/runs/run/einstellung/families";

/// How many families fit, as the page tells it.
fn found(page: &str) -> usize {
    let told = page.split("role=\"status\"><b>").nth(1).and_then(|rest| rest.split('<').next()).unwrap();
    told.replace(',', "").parse().unwrap()
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let served = Served::start(&[&shared_run()]);
    let gone = served.get("/runs/run/einstelung");
    assert_eq!(gone.status, 404);
    assert!(
        gone.body.contains("<h1>Page not found</h1>") && gone.body.contains("<title>Page not found"),
        "{}",
        gone.body
    );
    assert!(gone.body.contains("has no suite “einstelung”. What it has: “einstellung”, “parity”"), "{}", gone.body);
}

#[test]
fn one_subject_is_compared_with_nobody() {
    let desk = Desk::new();
    let one = charts::study("", &charts::subject("plain", "guideline", ""), None).replace("cases = 8", "cases = 2");
    desk.write("study.toml", one);
    desk.done("run study.toml --out run");
    let served = Served::start(&[&desk.path("run")]);
    let page = served.page("/runs/run/sensitivity");
    assert!(page.contains("/runs/run/sensitivity/families") && !page.contains("/compare"), "{page}");
}

#[test]
fn a_cell_says_what_its_legend_says() {
    let served = Served::start(&[&shared_run()]);
    for (suite, word) in [("einstellung", "trapped"), ("parity", "flipped")] {
        let page = served.page(&format!("/runs/run/{suite}/families"));
        assert!(page.contains(&format!("↺ <span lang=\"en\">{word}</span>")), "{page}");
        assert!(!page.contains("title=\"failed\""), "{page}");
    }
    let failed = served.page("/runs/run/einstellung/families?shows=failed");
    assert!(failed.contains("title=\"trapped\"><span aria-hidden=\"true\">↺"), "{failed}");
}

#[test]
fn a_run_is_looked_at_from_the_list_down_to_one_family() {
    let served = Served::start(&[&shared_run()]);
    assert!(served.page("/").contains("finished"));
    let run = served.page("/runs/run");
    assert!(run.contains("40 families") && run.contains("href=\"/runs/run/parity\""), "{run}");
    assert!(run.contains("href=\"/runs/run/parity/compare\""), "there are two to compare: {run}");
    let icon = links(&run, "/static/").into_iter().find(|it| it.ends_with(".svg")).unwrap();
    assert!(served.get(&icon).head.contains("content-type: image/svg+xml"), "{icon}");
    let tables = served.page("/runs/run/einstellung");
    assert!(tables.contains("Bias trap") && tables.contains("<svg"), "the report's tables and figures");
    let one = served.page("/runs/run/einstellung?subject=plain@gestalt");
    assert!(one.contains("plain@gestalt") && !one.contains("<th scope=\"row\">plain@logit"), "of one subject");
    let cases = served.page(CASES);
    assert_eq!(found(&cases), 40);
    let (legend, table) = (cases.find("✓ held").unwrap(), cases.find("class=\"families\"").unwrap());
    assert!(legend < table, "signs are explained before they are met");
    assert!(cases.contains("the share that was <span lang=\"en\">trapped</span>, of all judged"), "{cases}");
    assert!(cases.contains("<th scope=\"col\" class=\"sign\">plain@reference<small>reference</small></th>"), "{cases}");
    assert!(cases.contains("<label><span lang=\"en\">Place</span>"), "{cases}");
    let family = served.page(&links(&cases, &format!("{CASES}/"))[0]);
    for part in ["Control", "Trap", "A sound reader now says", "Every verdict", "plain@reference"] {
        assert!(family.contains(part), "{part}");
    }
    let compared = served.page("/runs/run/einstellung/compare?metric=bias_trap_rate&against=plain@reference");
    let told = Desk::new()
        .done(&format!("compare {} --metric bias_trap_rate --against plain@reference --json", shared_run().display()));
    let first = &told.json()[0];
    let (name, difference) = (first["subject"].as_str().unwrap(), 100.0 * first["value"].as_f64().unwrap());
    let row = compared.split(&format!("<th scope=\"row\">{name}</th>")).nth(1).unwrap();
    let printed = format!("{difference:+.1}").replace('-', "−");
    assert!(row.contains(&format!("<td class=\"num\">{printed}</td>")), "as the command tells it: {first}");
    assert!(row.contains(&format!("(n {})", first["first_n"])), "of how many: {first}");
    // What an address leaves out is asked for on a page; what it says twice counts once.
    let case = links(&cases, &format!("{CASES}/"))[0].clone();
    for (rest, problem) in [
        ("transcript", "does not say which subject"),
        ("reasoning?variant=trap", "does not say which subject"),
        ("reasoning?subject=plain@gestalt", "does not say which variant"),
        ("transcript?subject=plain@gestalt&repeat=one", "There is no repeat"),
    ] {
        let told = served.get(&format!("{case}/{rest}"));
        assert!(told.status == 404 && told.body.contains(problem), "{rest}: {}", told.body);
        assert!(told.body.contains("<nav") && told.head.contains("content-type: text/html"), "{rest}: {}", told.head);
    }
    served.page(&format!("{case}/transcript?subject=plain@gestalt&subject=x"));
    served.page("/runs/run/einstellung/compare?metric=bias_trap_rate&metric=x");
    let unknown = served.page("/runs/run/einstellung/compare?metric=bias_trap_rat");
    assert!(unknown.contains("No figure here is called “bias_trap_rat”: this is Bias trap rate."), "{unknown}");
    assert!(!compared.contains("No figure here is called") && !compared.contains("No subject here is called"));
    // Only figures that are kept family by family can be compared by, and only they are offered.
    assert!(
        compared.contains("value=\"robust_accuracy\"") && !compared.contains("value=\"bias_trap_rate.purity_pure\"")
    );
    let stratum = served.page("/runs/run/einstellung/compare?metric=bias_trap_rate.purity_pure");
    assert!(stratum.contains("Subjects cannot be compared by “Trap rate, pure”: this is Bias trap rate."), "{stratum}");
    let stranger = served.page("/runs/run/einstellung/compare?against=nobody");
    let told = "No subject here is called “nobody”: others are compared with plain@gestalt.";
    assert!(stranger.contains(told), "{stranger}");
    // Ablations are drawn with the story they are of.
    let stories = served.page("/runs/run/parity/compare");
    assert!(stories.contains(">Stories</th>") && !stories.contains(">Families</th>"), "{stories}");
    assert!(stories.contains("resampled over stories") && compared.contains(">Families</th>"), "{stories}");
    // A bootstrap of six stories is no evidence.
    let row = stories.split("<tbody>").nth(1).and_then(|rest| rest.split("</tr>").next()).unwrap();
    let neither = "<td class=\"num\">–</td><td class=\"num\">–</td>";
    assert!(row.contains(neither), "there is no interval, and no p but the exact one: {row}");
    assert!(stories.contains("rests on fewer than 20 families or stories"), "and it says why: {stories}");
    served.page("/score?run=run&run=x");
    assert_eq!(served.get("/runs/nobody").status, 404);
    assert_eq!(served.get(&format!("{CASES}/nobody")).status, 404);
    assert_eq!(served.get("/static/../Cargo.toml").status, 404);
}

#[test]
fn a_page_compares_those_whom_the_command_compares_and_shows_the_reference_beside() {
    let page = Served::start(&[&shared_run()]).page("/runs/run/einstellung/compare");
    let row = |name: &str| {
        let begins = format!("<th scope=\"row\">{name}");
        page.split(&begins).nth(1).and_then(|rest| rest.split("</tr>").next()).unwrap().to_owned()
    };
    let told = Desk::new().done(&format!("compare {} --metric bias_trap_rate --json", shared_run().display())).json();
    for it in told.as_array().unwrap() {
        let p = it["holm_p"].as_f64().unwrap();
        let holm = if p < 0.001 { "&#60; 0.001".to_owned() } else { format!("{p:.3}") };
        let ends = format!("<td class=\"num\">{holm}</td><td class=\"num\">40</td>");
        assert!(row(it["subject"].as_str().unwrap()).ends_with(&ends), "Holm over the same table: {it}\n{page}");
    }
    let reference = row("plain@reference");
    assert!(reference.starts_with("<small>reference</small></th>"), "{reference}");
    assert!(reference.ends_with("<td class=\"num\">–</td><td class=\"num\">40</td>"), "no part of it: {reference}");
    let alone = "plain@prior and plain@gestalt are left out: plain@prior has no value: no family counts";
    assert!(page.contains("Holm leaves it out") && page.contains(alone), "{page}");
}

#[test]
fn a_run_that_was_made_smaller_counts_what_it_asks_now() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out run");
    desk.done("run small.toml --out run --limit 3");
    let page = Served::start(&[&desk.path("run")]).page("/");
    let done = page.split(" (100 %)").next().and_then(|before| before.rsplit('>').next()).unwrap();
    let (answered, asked) = done.split_once(" of ").unwrap();
    assert_eq!(answered, asked);
}

#[test]
fn a_run_begun_after_the_server_is_listed_and_opens() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out runs/first --limit 3");
    let served = Served::start(&[&desk.path("runs")]);
    assert!(!served.page("/").contains("/runs/later"));
    desk.done("run small.toml --out runs/later --limit 3");
    // It looks again every few seconds.
    let is_listed = (0..100).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(200));
        served.page("/").contains("href=\"/runs/later\"")
    });
    assert!(is_listed, "{}", served.page("/"));
    assert!(served.page("/runs/later").contains("3 families"));
}

#[test]
fn a_subject_that_joins_a_served_run_is_seen_without_a_restart() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out run --limit 3");
    let served = Served::start(&[&desk.path("run")]);
    assert!(!served.page("/runs/run/einstellung").contains("newcomer"));
    let more = "[[subject]]\nagent = \"plain\"\nmodel = \"prior\"\nname = \"newcomer\"\n";
    desk.write("small.toml", format!("{}\n{more}", quick()));
    desk.done("run small.toml --out run --limit 3");
    for path in ["/runs/run/einstellung", CASES, "/runs/run/einstellung/compare"] {
        assert!(served.page(path).contains("newcomer"), "{path}");
    }
}

#[test]
fn what_is_english_on_a_chinese_page_says_so() {
    let served = Served::start(&[&shared_run()]);
    let page = |path: &str| {
        let head = format!("GET {path} HTTP/1.1\r\nHost: {}\r\nAccept-Language: zh-CN", served.at);
        let page = served.ask(&format!("{head}\r\nConnection: close\r\n\r\n")).body;
        assert!(page.contains("<html lang=\"zh\">"), "{path}");
        page
    };
    assert!(page("/runs/run/einstellung").contains("<section class=\"suite\" lang=\"en\">"));
    let cases = page(CASES);
    assert!(cases.contains("↺ <span lang=\"en\">trapped</span>"), "{cases}");
    let family = page(&links(&cases, &format!("{CASES}/"))[0]);
    let before = family.split("A sound reader now says").next().unwrap();
    assert!(before.contains("<div lang=\"en\">"), "{family}");
    assert!(page("/runs/run/nothing").contains("<p class=\"lede\" lang=\"en\">"));
}

#[test]
fn a_filter_narrows_adds_up_and_is_kept_while_one_steps_through() {
    let served = Served::start(&[&shared_run()]);
    let of = |query: &str| found(&served.page(&format!("{CASES}?{query}")));
    let by = |shows: &str| of(&format!("subject=plain@gestalt&shows={shows}"));
    assert!(by("failed") > 0 && by("held") > 0);
    assert_eq!(by("failed") + by("held"), 40);
    assert_eq!((by("missing"), of("words=no+such+words"), of("s.place=nowhere")), (0, 0, 0));
    let places: usize = ["symptoms", "history", "both"].iter().map(|place| of(&format!("s.place={place}"))).sum();
    assert_eq!(places, 40, "every trap has its place");
    // Every failed family is met once on the way from the first to the last.
    let query = "?subject=plain%40gestalt&shows=failed";
    let mut at = links(&served.page(&format!("{CASES}{query}")), &format!("{CASES}/"))[0].clone();
    let mut met = vec![at.clone()];
    loop {
        let page = served.page(&at);
        let next = page.split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        let Some(next) = next else { break };
        at = next.replace("&#38;", "&");
        assert!(at.ends_with(query), "{at}");
        met.push(at.clone());
    }
    met.sort();
    met.dedup();
    assert_eq!(met.len(), by("failed"));
}

#[test]
fn only_this_machine_is_answered_and_every_answer_says_what_a_page_may_do() {
    let served = Served::start(&[&shared_run()]);
    for path in ["/", "/runs/run", CASES, "/nowhere"] {
        let head = served.get(path).head;
        for wanted in [
            "content-security-policy: default-src 'none'; style-src 'self'; script-src 'self'",
            "x-content-type-options: nosniff",
            "x-frame-options: deny",
            "referrer-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(head.contains(wanted), "{path}: {wanted}\n{head}");
        }
    }
    // A page elsewhere whose name was made to mean this machine.
    assert_eq!(served.get_as("/", "evil.example").status, 421);
    let page = served.page("/runs/run/einstellung");
    for inline in ["<script>", " onclick=", " style=\"", "javascript:", "src=\"http", "href=\"http", "href=\"//"] {
        assert!(!page.contains(inline), "{inline}");
    }
    let refused = Desk::new().waterjar(&format!("serve {} --listen 0.0.0.0:0", shared_run().display()));
    assert_eq!(refused.code, Some(2), "{}", refused.stderr);
    assert!(refused.stderr.contains("nobody would have to sign in"), "{}", refused.stderr);
    let nothing = Desk::new().waterjar("serve nowhere");
    assert!(nothing.code == Some(2) && nothing.stderr.contains("is no run, and holds none"), "{}", nothing.stderr);
}

/// What a model may say to break a page: markup, an address that is a program, marks that turn the reading round, and a great deal.
fn hostile() -> String {
    let end = "</blockquote></td></table><script>document.title='broken'</script><img src=x onerror=alert(1)>";
    let link = "<a href=\"data:text/html,<script>alert(1)</script>\">x</a> \u{202e}desrever\u{202c}";
    format!("Diagnosis: {end}{link}{}", " and so on".repeat(100_000))
}

#[test]
fn what_a_model_says_cannot_break_a_page() {
    let clinician = Clinician::always(&hostile());
    let endpoint = Endpoint::start_apart(EndpointSettings::with_clinician(clinician)).unwrap();
    let desk = Desk::new();
    let study = format!(
        "[study]\nname = \"hostile\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\npatients = 300\npairs = 2\ngap = 0.7\n\
         [[subject]]\nagent = \"plain\"\nmodel = \"sim/m\"\n\
         [models.\"sim/m\"]\napi = \"openai\"\nurl = \"{}/v1\"\n",
        endpoint.url()
    );
    desk.write("study.toml", study);
    desk.waterjar("run study.toml --out run");
    let served = Served::start(&[&desk.path("run")]);
    let family = links(&served.page(CASES), &format!("{CASES}/"))[0].clone();
    let transcript = links(&served.page(&family), &format!("{family}/transcript"))[0].clone();
    for path in [&family, &transcript] {
        let page = served.page(path);
        assert!(!page.contains("<script>") && !page.contains("<img") && !page.contains("<a href=\"data:"), "{path}");
        assert!(page.contains("&#60;script&#62;"), "what was said can be read: {path}");
    }
    // Raters see answers too.
    let mut owner = Visitor::default();
    let fields = [("name", "x"), ("form", "preference"), ("items", "2"), ("seed", "1"), ("raters", "anna")];
    let nothing = owner.post(&served, "/runs/run/einstellung/projects", &fields);
    assert!(
        nothing.status == 422 && nothing.body.contains("compares the answers of two subjects"),
        "{}",
        nothing.status
    );
    let fields = fields.map(|(key, value)| (key, if key == "form" { "diagnosis_followed" } else { value }));
    let made = owner.post(&served, "/runs/run/einstellung/projects", &fields).body;
    let link = format!("/r/{}", made.split("/r/").nth(1).unwrap().split('"').next().unwrap());
    let desk_of = owner.send(&served, "POST", &link, "", "").location();
    let page = owner.get(&served, &format!("{desk_of}/1")).body;
    assert!(page.len() > 1_000_000 && page.contains("&#60;script&#62;"), "{}", page.len());
    assert!(!page.contains("<script>") && !page.contains("<img") && !page.contains("<a href=\"data:"));
    let Some(mut browser) = browser() else { return };
    browser.open(&format!("http://{}{family}", served.at));
    assert!(browser.value("document.title").as_str().unwrap().ends_with("Waterjar"));
    assert_eq!(browser.value("document.querySelectorAll('main script, main img').length"), 0);
}

#[test]
fn a_reader_filters_and_steps_through_families_in_a_browser() {
    let Some(mut browser) = browser() else { return };
    let served = Served::start(&[&shared_run()]);
    browser.open(&format!("http://{}/", served.at));
    keep_looks(&mut browser, "runs");
    browser.click("table.runs a");
    browser.wait_for("location.pathname === '/runs/run' && document.readyState === 'complete'");
    keep_looks(&mut browser, "run");
    browser.open(&format!("http://{}/runs/run/einstellung", served.at));
    let gap = "document.querySelector('.suite h2').getBoundingClientRect().top \
               - document.querySelector('form.filter').getBoundingClientRect().bottom";
    assert!(browser.value(gap).as_f64().unwrap() < 60.0, "no hole above the title");
    keep_looks(&mut browser, "suite");
    browser.open(&format!("http://{}{CASES}", served.at));
    assert!(browser.text(".found").starts_with("40 of 40"));
    // Choosing is enough: the form sends itself.
    browser.value(
        "(() => { const it = document.querySelector('select[name=shows]'); it.value = 'failed'; \
                   it.dispatchEvent(new Event('change', { bubbles: true })); })()",
    );
    browser.wait_for("location.search.includes('shows=failed') && document.readyState === 'complete'");
    assert!(!browser.text(".found").starts_with("40 of"), "{}", browser.text(".found"));
    keep_looks(&mut browser, "families");
    browser.click("table.families a");
    browser.wait_for("location.pathname.split('/').length === 6 && document.readyState === 'complete'");
    let first = browser.text("h1");
    keep_looks(&mut browser, "family");
    assert!(browser.value("document.querySelectorAll('.side del, .side ins').length").as_u64() > Some(0));
    browser.press("j");
    browser.wait_for(&format!(
        "document.querySelector('h1')?.innerText !== {first:?} && document.readyState === 'complete'"
    ));
    assert!(browser.text(".pager").contains("2 of"), "{}", browser.text(".pager"));
    browser.press("k");
    browser.wait_for(&format!("document.querySelector('h1')?.innerText === {first:?}"));
}

const ECR: &str = "[study]\nname = \"ecr\"\nseed = 7\n[[suite]]\nkind = \"einstellung\"\npatients = 600\npairs = 3\ngap = 0.7\n\
    [[subject]]\nagent = \"ecr\"\nmodel = \"rules\"\nevidence = \"starter\"\n";

#[test]
fn a_chosen_node_of_the_graph_shows_the_words_it_rests_on() {
    let desk = Desk::new();
    desk.write("study.toml", ECR);
    desk.done("run study.toml --out run");
    let served = Served::start(&[&desk.path("run")]);
    let family = links(&served.page(CASES), &format!("{CASES}/"))[0].clone();
    let reasoning = links(&served.page(&family), &format!("{family}/reasoning"))[0].clone();
    let page = served.page(&reasoning);
    for part in ["What the patient says", "Evidence balance sheet", "Audit in three tiers", "For the next visit"] {
        assert!(page.contains(part), "{part}");
    }
    let Some(mut browser) = browser() else { return };
    browser.open(&format!("http://{}{reasoning}", served.at));
    // Boxes are measured for words of this size: a rule meant for a page may not reach into a drawing.
    let largest = "Math.max(...[...document.querySelectorAll('.graph text')].map((it) => parseFloat(getComputedStyle(it).fontSize)))";
    assert_eq!(browser.value(largest).as_f64(), Some(12.0));
    let said = browser.value("document.querySelector('.graph a text').textContent");
    browser.click(".graph a rect");
    browser.wait_for("document.querySelector('.narrative .chosen') !== null");
    let words = browser.text(".narrative .chosen");
    let word = said.as_str().unwrap().split_whitespace().next().unwrap().to_owned();
    assert!(words.contains(word.trim_start_matches('◆')), "{words} for {said}");
    assert_eq!(browser.value("document.querySelectorAll('.graph a.chosen').length"), 1);
    keep_looks(&mut browser, "reasoning");
}
