//! What `efetch` says of articles.

use crate::Problem;
use roxmltree::{Document, Node, ParsingOptions};

#[derive(Debug, PartialEq, Eq)]
pub(super) struct Record {
    pub pmid: String,
    pub title: String,
    /// Its parts as paragraphs, each with its label. Empty where there is none.
    pub summary: String,
    /// `Journal name, 2019`
    pub published: String,
}

/// `<PubmedArticleSet>` with articles and chapters of books.
pub(super) fn records(text: &str) -> Result<Vec<Record>, Problem> {
    // A document type stands in every reply. The parser fetches nothing and bounds what entities expand to.
    let options = ParsingOptions { allow_dtd: true, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, options).map_err(|error| malformed(&error.to_string()))?;
    let root = document.root_element();
    if root.has_tag_name("eFetchResult") {
        let error = root.children().find(|node| node.has_tag_name("ERROR")).map(words).unwrap_or_default();
        return Err(Problem::Refused { status: 200, message: error });
    }
    if !root.has_tag_name("PubmedArticleSet") {
        return Err(malformed(&format!("it is <{}> and not <PubmedArticleSet>", root.tag_name().name())));
    }
    let known = |node: &Node<'_, '_>| node.has_tag_name("PubmedArticle") || node.has_tag_name("PubmedBookArticle");
    root.children().filter(known).map(record).collect()
}

fn record(article: Node<'_, '_>) -> Result<Record, Problem> {
    let first = |name: &str| article.descendants().find(|node| node.has_tag_name(name));
    let pmid = first("PMID").map(words).filter(|pmid| !pmid.is_empty());
    let pmid = pmid.ok_or_else(|| malformed("an article has no PMID"))?;
    let title = first("ArticleTitle").or_else(|| first("BookTitle")).map(words).unwrap_or_default();
    // Summaries in plain language and other tongues stand in <OtherAbstract>.
    let parts =
        first("Abstract").into_iter().flat_map(|node| node.children().filter(|it| it.has_tag_name("AbstractText")));
    let parts = parts.map(|part| match part.attribute("Label") {
        Some(label) if !label.is_empty() => format!("{label}: {}", words(part)),
        _ => words(part),
    });
    let summary = parts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join("\n\n");
    Ok(Record { pmid, title, summary, published: published(article) })
}

fn published(article: Node<'_, '_>) -> String {
    let first = |name: &str| article.descendants().find(|node| node.has_tag_name(name));
    let journal = first("Journal").and_then(|node| node.children().find(|it| it.has_tag_name("Title")));
    let journal = journal.or_else(|| first("BookTitle")).map(words);
    let date = first("PubDate").and_then(|node| {
        let year = node.children().find(|it| it.has_tag_name("Year")).map(words);
        // "2000 Spring", "1998 Dec-1999 Jan"
        let loose = node.children().find(|it| it.has_tag_name("MedlineDate")).map(words);
        year.or_else(|| loose.map(|text| text.chars().take(4).collect()))
    });
    journal.into_iter().chain(date).collect::<Vec<_>>().join(", ")
}

/// All text below, also within `<i>` and `<sup>`, with single spaces.
fn words(node: Node<'_, '_>) -> String {
    let text: String = node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn malformed(what: &str) -> Problem {
    Problem::Malformed(format!("efetch: {what}"))
}
