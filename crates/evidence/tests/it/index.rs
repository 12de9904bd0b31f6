use waterjar_evidence::{Article, EvidenceSource, FullText, Query, starter};

fn article(id: &str, title: &str, text: &str) -> Article {
    Article { id: id.into(), title: title.into(), text: text.into(), url: None, condition: None }
}

fn check(articles: &[(&str, &str, &str)], query: Query, expected: &[&str]) {
    let mut articles: Vec<_> = articles.iter().map(|(id, title, text)| article(id, title, text)).collect();
    let index = FullText::in_memory("test", articles.clone()).unwrap();
    let found = index.find(&query, 10).unwrap();
    assert_eq!(found.iter().map(|it| it.id.as_str()).collect::<Vec<_>>(), expected);
    articles.reverse();
    let other = FullText::in_memory("test", articles).unwrap();
    assert_eq!(other.find(&query, 10).unwrap(), found, "the order in which articles are given decides nothing");
}

#[test]
fn words_are_found_by_their_stem_and_in_either_spelling() {
    let articles =
        [("a", "x", "both ankles were swelling"), ("b", "x", "severe anemia"), ("c", "x", "nothing of the kind")];
    check(&articles, Query::text("ankle swells"), &["a"]);
    check(&articles, Query::text("ANAEMIA"), &["b"]);
}

#[test]
fn rare_words_count_more_than_common_ones() {
    let articles = [("a", "x", "pain and fever"), ("b", "x", "pain and rash"), ("c", "x", "pain and cough")];
    check(&articles, Query::text("pain with rash"), &["b", "a", "c"]);
}

#[test]
fn a_title_says_what_a_text_is_about() {
    let articles = [("a", "Pseudogout", "unlike gout gout gout it likes the knee"), ("b", "Gout", "it likes the toe")];
    check(&articles, Query::condition("Gout"), &["b", "a"]);
    check(&articles, Query::condition("Gout").about("knee"), &["b", "a"]);
}

#[test]
fn equal_scores_are_ordered_by_id() {
    let ids: Vec<String> = (0..60).map(|number| format!("{:02}", (number * 37) % 60)).collect();
    let articles: Vec<_> =
        ids.iter().map(|id| (id.as_str(), "x", "fever, rash, cough and a very sore throat")).collect();
    let expected: Vec<String> = (0..10).map(|number| format!("{number:02}")).collect();
    let expected: Vec<&str> = expected.iter().map(String::as_str).collect();
    check(&articles, Query::text("throat cough rash"), &expected);
}

#[test]
fn a_question_without_words_finds_nothing() {
    let articles = [("a", "x", "the pain")];
    check(&articles, Query::text("the of and ?"), &[]);
    check(&articles, Query::default(), &[]);
    let index = starter().unwrap();
    assert_eq!(index.find(&Query::text("fever"), 0).unwrap(), []);
}

#[test]
fn the_same_articles_have_the_same_fingerprint_and_others_another() {
    let fingerprint = |text: &str| FullText::in_memory("test", vec![article("a", "x", text)]).unwrap().fingerprint();
    assert_eq!(fingerprint("fever"), fingerprint("fever"));
    assert_ne!(fingerprint("fever"), fingerprint("fevers"));
}

#[test]
fn a_passage_of_the_starter_articles_can_be_shown() {
    let found =
        starter().unwrap().find(&Query::text("a tearing pain that travels between the shoulder blades"), 1).unwrap();
    let [passage] = found.try_into().unwrap();
    assert_eq!((passage.source.as_str(), passage.id.as_str()), ("starter", "aortic_dissection"));
    assert_eq!(passage.condition, Some("aortic_dissection".into()));
    assert!(passage.text.starts_with("Aortic dissection strikes within seconds."), "{}", passage.text);
    assert!(passage.score > 0.0);
}

#[test]
fn the_index_can_be_asked_from_many_threads() {
    let index = starter().unwrap();
    let query = Query::text("swollen calf after a long flight");
    let expected = index.find(&query, 5).unwrap();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| (0..50).for_each(|_| assert_eq!(index.find(&query, 5).unwrap(), expected)));
        }
    });
}
