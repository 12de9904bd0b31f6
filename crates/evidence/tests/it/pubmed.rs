use crate::settings::leading_to;
use waterjar_evidence::{EvidenceError, EvidenceSource, Passage, Problem, PubMed, Query};
use waterjar_testkit::{Act, CannedServer};

const SEARCH: &str = include_str!("../fixtures/esearch.json");
const FETCH: &str = include_str!("../fixtures/efetch.xml");
const NOTHING: &str = r#"{"header":{},"esearchresult":{"count":"0","retmax":"0","retstart":"0","idlist":[],"errorlist":{"phrasesnotfound":["x"],"fieldsnotfound":[]}}}"#;

async fn ask(server: &CannedServer, key: Option<&str>) -> Result<Vec<Passage>, EvidenceError> {
    let pubmed = PubMed::new(key, Some("lab@ward.example"), leading_to(server)).unwrap();
    pubmed.search(&Query::condition("Gout").about("My toe is swollen."), 3).await
}

async fn check(acts: Vec<Act>, expected: &str) {
    let server = CannedServer::new(acts);
    let told = ask(&server, None).await.unwrap_err().to_string();
    assert!(told.starts_with("pubmed: ") && told.contains(expected), "{told}");
}

#[tokio::test]
async fn abstracts_come_in_the_order_of_the_search() {
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(FETCH)]);
    let found = ask(&server, None).await.unwrap();
    let ids: Vec<_> = found.iter().map(|it| it.id.as_str()).collect();
    // The chapter has no abstract: there is nothing to read.
    assert_eq!(ids, ["90000002", "90000001"]);
    assert_eq!(found[0].title, "Podagra after a feast. (Invented letters, 1998)");
    assert_eq!(found[0].text, "A swollen toe after seafood & beer.");
    assert_eq!(found[0].url.as_deref(), Some("https://pubmed.ncbi.nlm.nih.gov/90000002/"));
    assert!(found[0].score > found[1].score);
}

#[tokio::test]
async fn labelled_parts_marks_and_entities_become_text() {
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(FETCH)]);
    let found = ask(&server, None).await.unwrap();
    let title = "Serum urate >6 mg/dl and the first attack of gout: an invented cohort. (Journal of invented rheumatology, 2019)";
    assert_eq!(found[1].title, title);
    let text = "BACKGROUND: The first attack often takes the base of the big toe.\n\n\
                RESULTS: Attacks began at night; CO2 and Na+ were unchanged.";
    assert_eq!(found[1].text, text);
}

#[tokio::test]
async fn requests_say_who_asks_and_keep_the_key_out_of_the_address() {
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(FETCH)]);
    ask(&server, Some("c0ffee-canary")).await.unwrap();
    let [search, fetch] = server.heard().try_into().unwrap();
    assert!(search.starts_with("POST /entrez/eutils/esearch.fcgi HTTP/1.1"), "{search}");
    assert!(
        search.contains("db=pubmed&term=%22gout%22%5Btiab%5D+AND+%28swollen+OR+toe%29+AND+hasabstract&retmax=3"),
        "{search}"
    );
    assert!(fetch.starts_with("POST /entrez/eutils/efetch.fcgi HTTP/1.1"), "{fetch}");
    assert!(fetch.contains("id=90000002%2C90000001%2C90000003&rettype=abstract&retmode=xml"), "{fetch}");
    for request in [search, fetch] {
        let (head, body) = request.split_once("\r\n\r\n").unwrap();
        assert!(body.ends_with("&tool=waterjar&email=lab%40ward.example&api_key=c0ffee-canary"), "{body}");
        assert!(!head.contains("canary") && head.contains("user-agent: waterjar/"), "{head}");
    }
}

#[tokio::test]
async fn without_a_hit_nothing_is_fetched() {
    let server = CannedServer::new(vec![Act::ok(NOTHING)]);
    assert_eq!(ask(&server, None).await, Ok(Vec::new()));
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn a_question_without_words_asks_nobody() {
    let server = CannedServer::new(vec![Act::ok(NOTHING)]);
    let pubmed = PubMed::new(None, None, leading_to(&server)).unwrap();
    assert_eq!(pubmed.search(&Query::text("?"), 3).await, Ok(Vec::new()));
    assert_eq!(pubmed.search(&Query::condition("Gout"), 0).await, Ok(Vec::new()));
    assert!(server.heard().is_empty());
}

#[tokio::test]
async fn what_cannot_be_read_is_an_error_and_never_no_hit() {
    check(vec![Act::ok("<html>maintenance</html>")], "its reply cannot be read: esearch: expected value at line 1")
        .await;
    check(vec![Act::ok(r#"{"esearchresult":{"count":"3"}}"#)], "there is no idlist").await;
    check(vec![Act::ok(SEARCH), Act::ok("<PubmedArticleSet><PubmedArticle>")], "its reply cannot be read: efetch: ")
        .await;
    check(vec![Act::ok(SEARCH), Act::ok("<html/>")], "it is <html> and not <PubmedArticleSet>").await;
    check(
        vec![Act::ok(SEARCH), Act::ok("<PubmedArticleSet><PubmedArticle/></PubmedArticleSet>")],
        "an article has no PMID",
    )
    .await;
}

#[tokio::test]
async fn entities_that_swell_are_not_expanded() {
    let mut bomb = String::from("<!DOCTYPE PubmedArticleSet [<!ENTITY a0 \"lol\">");
    for level in 1..12 {
        bomb += &format!("<!ENTITY a{level} \"{}\">", format!("&a{};", level - 1).repeat(10));
    }
    bomb += "]><PubmedArticleSet><PubmedArticle>&a11;</PubmedArticle></PubmedArticleSet>";
    check(vec![Act::ok(SEARCH), Act::ok(&bomb)], "its reply cannot be read: efetch: ").await;
}

#[tokio::test]
async fn errors_inside_a_good_status_are_errors() {
    let error = r#"{"header":{},"esearchresult":{"ERROR":"Invalid db name specified: pubmedd"}}"#;
    check(vec![Act::ok(error)], "it refused the request with status 200: Invalid db name specified").await;
    let error = "<?xml version=\"1.0\"?><eFetchResult><ERROR>ID list is empty!</ERROR></eFetchResult>";
    check(vec![Act::ok(SEARCH), Act::ok(error)], "ID list is empty!").await;
}

#[tokio::test]
async fn the_limit_in_a_good_status_is_waited_out() {
    let limit = r#"{"error":"API rate limit exceeded","api-key":"192.0.2.1","count":"4","limit":"3"}"#;
    let server = CannedServer::new(vec![Act::ok(limit), Act::ok(SEARCH), Act::ok(limit), Act::ok(FETCH)]);
    assert_eq!(ask(&server, None).await.unwrap().len(), 2);
    assert_eq!(server.heard().len(), 4);
    let server = CannedServer::new(vec![Act::ok(limit)]);
    let error = ask(&server, None).await.unwrap_err();
    assert!(matches!(error.problem, Problem::Busy { attempts: 4, .. }), "{error:?}");
    assert!(error.to_string().contains("set NCBI_API_KEY"), "{error}");
}

#[tokio::test]
async fn a_key_that_is_refused_is_not_repeated_in_the_error() {
    let refusal = r#"{"error":"API key invalid","api-key":"c0ffee-canary","type":"api-key","status":"unknown"}"#;
    for act in [Act::Answer("400 Bad Request", "", refusal.into()), Act::ok(refusal)] {
        let server = CannedServer::new(vec![act]);
        let error = ask(&server, Some(" c0ffee-canary\n")).await.unwrap_err();
        assert!(error.to_string().contains("API key invalid"), "{error}");
        assert!(!format!("{error} {error:?}").contains("canary"), "{error:?}");
        assert_eq!(server.heard().len(), 1, "a refusal is not repeated");
    }
}
