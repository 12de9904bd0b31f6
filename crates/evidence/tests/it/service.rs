//! What holds for every service.

use crate::settings::{leading_to, settings_at};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use waterjar_evidence::{
    Endpoints, EvidenceCache, EvidenceError, EvidenceSource, MemoryCache, OpenTargets, Passage, Problem, PubMed, Query,
    RemoteSettings,
};
use waterjar_testkit::{Act, CannedServer};

const SEARCH: &str = include_str!("../fixtures/search_disease.json");
const DISEASE: &str = include_str!("../fixtures/disease.json");

async fn ask(settings: RemoteSettings) -> Result<Vec<Passage>, EvidenceError> {
    OpenTargets::new(settings)?.search(&Query::condition("Gout"), 3).await
}

fn status(line: &'static str, headers: &'static str) -> Act {
    Act::Answer(line, headers, "{\"message\": \"not now\"}".into())
}

#[tokio::test]
async fn a_busy_or_broken_service_is_asked_again() {
    let acts = vec![
        status("429 Too Many Requests", "retry-after: 0\r\n"),
        status("503 Service Unavailable", ""),
        Act::ok(SEARCH),
        Act::HangUp,
        Act::CutOff(DISEASE.into()),
        Act::ok(DISEASE),
    ];
    let server = CannedServer::new(acts);
    assert_eq!(ask(leading_to(&server)).await.unwrap().len(), 3);
    assert_eq!(server.heard().len(), 6);
}

#[tokio::test]
async fn a_wait_that_is_too_long_is_not_waited() {
    let server = CannedServer::new(vec![status("429 Too Many Requests", "retry-after: 3600\r\n")]);
    let error = ask(leading_to(&server)).await.unwrap_err();
    assert_eq!(server.heard().len(), 1);
    let told = error.to_string();
    assert!(
        told.contains("busy after 1 requests") && told.contains("a wait of 3600 s, and 30 s are allowed"),
        "{told}"
    );
    assert!(!told.contains("NCBI"), "{told}");
}

#[tokio::test]
async fn attempts_come_to_an_end() {
    for (line, expected) in [
        ("429 Too Many Requests", "it is busy after 4 requests"),
        ("502 Bad Gateway", "it answers with status 502 ({\"message\": \"not now\"})"),
    ] {
        let server = CannedServer::new(vec![status(line, "")]);
        let told = ask(leading_to(&server)).await.unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
        assert_eq!(server.heard().len(), 4);
    }
}

#[tokio::test]
async fn a_refusal_and_a_redirect_are_not_repeated() {
    for (line, headers, expected) in [
        ("403 Forbidden", "", "status 403: {\"message\": \"not now\"}"),
        ("302 Found", "location: http://192.0.2.1/\r\n", "redirects are not followed"),
    ] {
        let server = CannedServer::new(vec![status(line, headers)]);
        let told = ask(leading_to(&server)).await.unwrap_err().to_string();
        assert!(told.contains(expected), "{told}");
        assert_eq!(server.heard().len(), 1);
    }
}

#[tokio::test]
async fn silence_ends_in_a_timeout() {
    let server = CannedServer::new(vec![Act::Stall]);
    let settings = RemoteSettings { timeout: Duration::from_millis(50), attempts: 2, ..leading_to(&server) };
    let told = ask(settings).await.unwrap_err().to_string();
    assert!(told.contains("no complete reply from 127.0.0.1 within 0.05 s"), "{told}");
    assert_eq!(server.heard().len(), 2);
}

#[tokio::test]
async fn a_service_that_is_not_there_is_named() {
    let settings = RemoteSettings { attempts: 1, ..settings_at("http://127.0.0.1:1/v4") };
    let told = ask(settings).await.unwrap_err().to_string();
    assert!(told.starts_with("open-targets: no connection to 127.0.0.1"), "{told}");
    assert!(told.contains("leave the source out"), "{told}");
}

#[tokio::test]
async fn local_endpoints_refuse_the_internet_before_any_request() {
    let local = || RemoteSettings { endpoints: Endpoints::Local, ..RemoteSettings::default() };
    let query = Query::condition("Gout");
    let pubmed = PubMed::new(None, None, local()).unwrap();
    let open_targets = OpenTargets::new(local()).unwrap();
    for (answer, host) in [
        (pubmed.search(&query, 3).await, "eutils.ncbi.nlm.nih.gov"),
        (open_targets.search(&query, 3).await, "api.platform.opentargets.org"),
    ] {
        let error = answer.unwrap_err();
        assert_eq!(error.problem, Problem::Forbidden { host: host.into() });
        assert!(error.to_string().contains("[privacy] endpoints"), "{error}");
    }
    assert!(pubmed.allowed().is_err() && open_targets.allowed().is_err());
}

#[tokio::test]
async fn local_endpoints_reach_a_mirror_on_this_machine() {
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(DISEASE)]);
    let url = server.url("/entrez/eutils").replace("127.0.0.1", "localhost");
    let settings = RemoteSettings { endpoints: Endpoints::Local, ..settings_at(&url) };
    assert_eq!(ask(settings).await.unwrap().len(), 3);
}

#[tokio::test]
async fn a_reply_is_fetched_once_and_kept_by_what_decides_it() {
    let cache: Arc<dyn EvidenceCache> = Arc::new(MemoryCache::default());
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(DISEASE)]);
    let settings = RemoteSettings { cache: Arc::clone(&cache), ..leading_to(&server) };
    let first = ask(settings.clone()).await.unwrap();
    assert_eq!(ask(settings.clone()).await.unwrap(), first, "another source with the same cache");
    assert_eq!(server.heard().len(), 2);
    let other = OpenTargets::new(settings).unwrap();
    assert!(other.search(&Query::condition("Malaria"), 3).await.is_err(), "the server answers with the disease now");
    assert_eq!(server.heard().len(), 3);
}

#[tokio::test]
async fn the_key_and_the_sender_decide_no_answer_and_are_no_part_of_the_cache() {
    let cache: Arc<dyn EvidenceCache> = Arc::new(MemoryCache::default());
    let server = CannedServer::new(vec![Act::ok(r#"{"esearchresult":{"idlist":[]}}"#)]);
    for (key, email) in [(None, None), (Some("c0ffee-canary"), Some("a@b.example"))] {
        let settings = RemoteSettings { cache: Arc::clone(&cache), ..leading_to(&server) };
        PubMed::new(key, email, settings).unwrap().search(&Query::condition("Gout"), 3).await.unwrap();
    }
    assert_eq!(server.heard().len(), 1);
}

#[tokio::test]
async fn what_could_not_be_read_is_not_kept() {
    let cache: Arc<dyn EvidenceCache> = Arc::new(MemoryCache::default());
    let server = CannedServer::new(vec![Act::ok("<html>"), Act::ok(SEARCH), Act::ok(DISEASE)]);
    let settings = RemoteSettings { cache, ..leading_to(&server) };
    assert!(ask(settings.clone()).await.is_err());
    assert_eq!(ask(settings).await.unwrap().len(), 3);
}

struct FullDisk;

#[async_trait]
impl EvidenceCache for FullDisk {
    async fn get(&self, _: &str) -> Result<Option<String>, String> {
        Ok(None)
    }

    async fn put(&self, _: &str, _: &str) -> Result<(), String> {
        Err("the disk is full".into())
    }
}

#[tokio::test]
async fn a_cache_that_fails_is_told() {
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(DISEASE)]);
    let error = ask(RemoteSettings { cache: Arc::new(FullDisk), ..leading_to(&server) }).await.unwrap_err();
    assert_eq!(error.to_string(), "open-targets: the cache of replies failed: the disk is full");
}

#[test]
fn an_address_with_a_password_is_refused_without_repeating_it() {
    let error = OpenTargets::new(settings_at("https://me:hunter2@mirror.example/v4")).err().unwrap();
    assert!(!format!("{error} {error:?}").contains("hunter2"), "{error}");
    assert!(error.to_string().contains("without a user or a key in it"), "{error}");
}
