use crate::settings::leading_to;
use waterjar_evidence::{EvidenceError, EvidenceSource, OpenTargets, Passage, Query};
use waterjar_testkit::{Act, CannedServer};

const SEARCH: &str = include_str!("../fixtures/search_disease.json");
const DISEASE: &str = include_str!("../fixtures/disease.json");

async fn ask(server: &CannedServer, limit: usize) -> Result<Vec<Passage>, EvidenceError> {
    let source = OpenTargets::new(leading_to(server)).unwrap();
    source.search(&Query::condition("Gout").about("toe"), limit).await
}

async fn check(acts: Vec<Act>, expected: &str) {
    let server = CannedServer::new(acts);
    let told = ask(&server, 3).await.unwrap_err().to_string();
    assert!(told.starts_with("open-targets: ") && told.contains(expected), "{told}");
}

#[tokio::test]
async fn the_disease_of_that_very_name_is_told_in_three_passages() {
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(DISEASE)]);
    let found = ask(&server, 5).await.unwrap();
    let ids: Vec<_> = found.iter().map(|it| (it.id.as_str(), it.title.as_str())).collect();
    let expected = [
        ("EFO_0004274/description", "gout"),
        ("EFO_0004274/phenotypes", "gout: phenotypes"),
        ("EFO_0004274/targets", "gout: associated targets"),
    ];
    assert_eq!(ids, expected);
    let phenotypes = "Very frequent: Gout, Joint swelling.\nOccasional: Nephrolithiasis.\nHow often is not said: Fever.\n\
                      Not found: Skin rash.\n2 more are not listed here.";
    assert_eq!(found[1].text, phenotypes);
    let targets = "SLC2A9 (solute carrier family 2 member 9), 0.71: genetic association, literature.\n\
                   XDH (xanthine dehydrogenase), 0.55: known drug.";
    assert_eq!(found[2].text, targets);
    assert_eq!(found[0].url.as_deref(), Some("https://platform.opentargets.org/disease/EFO_0004274"));
}

#[tokio::test]
async fn the_questions_are_graphql_with_variables() {
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(DISEASE)]);
    assert_eq!(ask(&server, 1).await.unwrap().len(), 1);
    let bodies: Vec<serde_json::Value> = server
        .heard()
        .iter()
        .map(|request| {
            assert!(request.starts_with("POST /entrez/eutils/graphql HTTP/1.1"), "{request}");
            serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap()
        })
        .collect();
    assert_eq!(bodies[0]["variables"], serde_json::json!({"name": "Gout", "size": 10}));
    assert_eq!(bodies[1]["variables"]["id"], "EFO_0004274");
    assert!(bodies[0]["query"].as_str().unwrap().contains("search(queryString: $name"));
    assert!(bodies[1]["query"].as_str().unwrap().contains("phenotypeHPO { id name }"));
}

#[tokio::test]
async fn a_name_nobody_knows_finds_nothing() {
    let server = CannedServer::new(vec![Act::ok(r#"{"data":{"search":{"hits":[]}}}"#)]);
    assert_eq!(ask(&server, 3).await, Ok(Vec::new()));
}

#[tokio::test]
async fn what_the_platform_does_not_have_is_left_out() {
    let bare = r#"{"data":{"disease":{"id":"EFO_0004274","name":"gout","description":null,"phenotypes":null,"associatedTargets":{"count":0,"rows":[]}}}}"#;
    let server = CannedServer::new(vec![Act::ok(SEARCH), Act::ok(bare)]);
    assert_eq!(ask(&server, 3).await, Ok(Vec::new()));
}

#[tokio::test]
async fn errors_of_graphql_are_errors_also_beside_data() {
    let errors = r#"{"data":{"search":null},"errors":[{"message":"Cannot query field 'hitz'","path":["search"]}]}"#;
    check(vec![Act::ok(errors)], "it refused the request with status 200: Cannot query field 'hitz'").await;
}

#[tokio::test]
async fn what_cannot_be_read_is_an_error_and_never_no_hit() {
    check(vec![Act::ok("<html>")], "its reply cannot be read: expected value").await;
    check(vec![Act::ok(r#"{"data":{"search":{"total":1}}}"#)], "missing field `hits`").await;
    check(vec![Act::ok(r#"{"data":null}"#)], "neither data nor errors").await;
    check(vec![Act::ok(SEARCH), Act::ok(r#"{"data":{"disease":null}}"#)], "it found EFO_0004274 and does not know it")
        .await;
    check(vec![Act::ok(SEARCH), Act::ok(&DISEASE[..900])], "its reply cannot be read: EOF").await;
}
