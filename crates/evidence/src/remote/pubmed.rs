//! PubMed by the E-utilities: `esearch` finds, `efetch` brings the abstracts.

use super::key::Key;
use super::service::{Ask, Body, Service};
use super::settings::RemoteSettings;
use super::xml::{Record, records};
use crate::words::is_stop_word;
use crate::{EvidenceError, EvidenceSource, Passage, Problem, Query};
use async_trait::async_trait;
use serde::Deserialize;

/// Where the key is read from by whoever has an environment.
pub const KEY_VARIABLE: &str = "NCBI_API_KEY";

const ID: &str = "pubmed";
const HOME: &str = "https://eutils.ncbi.nlm.nih.gov/entrez/eutils";
/// What NCBI allows without a key and with one.
const WITHOUT_KEY: u32 = 3;
const WITH_KEY: u32 = 10;
/// A search of more words finds what has one of them and is about something else.
const MOST_WORDS: usize = 12;

/// NCBI counts requests by address and key: make one for a process, and share it.
pub struct PubMed {
    service: Service,
}

impl PubMed {
    /// `key` is optional and raises the limit; `email` is whom NCBI writes to before it blocks a program.
    pub fn new(key: Option<&str>, email: Option<&str>, settings: RemoteSettings) -> Result<Self, EvidenceError> {
        let key = key.and_then(Key::new);
        let per_second = if key.is_some() { WITH_KEY } else { WITHOUT_KEY };
        let email = email.map(|email| ("email", email.to_owned()));
        let sender = [("tool", "waterjar".to_owned())].into_iter().chain(email).collect();
        let service = Service::new(ID, HOME, per_second, settings)?.sending(sender).with_key(key);
        Ok(Self { service })
    }

    /// Whether the study lets requests go there.
    pub fn allowed(&self) -> Result<(), EvidenceError> {
        self.service.allowed()
    }

    async fn find(&self, term: String, limit: usize) -> Result<Vec<String>, EvidenceError> {
        let asked = vec![
            ("db", "pubmed".to_owned()),
            ("term", term),
            ("retmax", limit.to_string()),
            ("retmode", "json".to_owned()),
            ("sort", "relevance".to_owned()),
        ];
        self.service.ask(&Ask { path: "esearch.fcgi", body: Body::Form(asked) }, ids).await
    }

    async fn fetch(&self, ids: &[String]) -> Result<Vec<Record>, EvidenceError> {
        let asked = vec![
            ("db", "pubmed".to_owned()),
            ("id", ids.join(",")),
            ("rettype", "abstract".to_owned()),
            ("retmode", "xml".to_owned()),
        ];
        self.service.ask(&Ask { path: "efetch.fcgi", body: Body::Form(asked) }, fetched).await
    }
}

fn fetched(text: &str) -> Result<Vec<Record>, Problem> {
    busy(text).and_then(|()| records(text))
}

pub(crate) fn passages(text: &str) -> Result<Vec<Passage>, Problem> {
    let told = fetched(text)?.into_iter().filter(|record| !record.summary.is_empty());
    Ok(told.enumerate().map(|(rank, record)| passage(rank, record)).collect())
}

#[async_trait]
impl EvidenceSource for PubMed {
    fn id(&self) -> &str {
        self.service.id()
    }

    fn fingerprint(&self) -> String {
        self.service.fingerprint()
    }

    /// One passage for each article with an abstract, in PubMed's order.
    async fn search(&self, query: &Query, limit: usize) -> Result<Vec<Passage>, EvidenceError> {
        self.allowed()?;
        let Some(term) = term(query).filter(|_| limit > 0) else { return Ok(Vec::new()) };
        let ids = self.find(term, limit).await?;
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let records = self.fetch(&ids).await?;
        let rank = |record: &Record| ids.iter().position(|id| *id == record.pmid);
        let mut ranked: Vec<_> = records.into_iter().filter_map(|record| Some((rank(&record)?, record))).collect();
        ranked.retain(|(_, record)| !record.summary.is_empty());
        ranked.sort_by_key(|(rank, _)| *rank);
        Ok(ranked.into_iter().map(|(rank, record)| passage(rank, record)).collect())
    }
}

fn passage(rank: usize, record: Record) -> Passage {
    let title = match record.published.as_str() {
        "" => record.title,
        published => format!("{} ({published})", record.title),
    };
    Passage {
        source: ID.to_owned(),
        url: Some(format!("https://pubmed.ncbi.nlm.nih.gov/{}/", record.pmid)),
        id: record.pmid,
        title,
        text: record.summary,
        condition: None,
        score: 1.0 / (rank as f32 + 1.0),
    }
}

/// `"gout"[tiab] AND (toe OR swollen) AND hasabstract`: the condition must be there, one of the words should.
fn term(query: &Query) -> Option<String> {
    let condition = query.condition.as_deref().map(|name| words(name).join(" ")).filter(|name| !name.is_empty());
    let mut asked = words(&query.text);
    asked.retain(|word| word.chars().count() > 2 && !is_stop_word(word));
    asked.sort();
    asked.dedup();
    // The longest are the most telling; in the order of the alphabet, so that the same words are the same search.
    asked.sort_by_key(|word| std::cmp::Reverse(word.chars().count()));
    asked.truncate(MOST_WORDS);
    asked.sort();
    let condition = condition.map(|name| format!("\"{name}\"[tiab]"));
    let asked = (!asked.is_empty()).then(|| format!("({})", asked.join(" OR ")));
    let parts: Vec<String> = condition.into_iter().chain(asked).collect();
    (!parts.is_empty()).then(|| format!("{} AND hasabstract", parts.join(" AND ")))
}

/// In lower case, because AND, OR and NOT are operators in capitals only; without signs that are part of the search language.
fn words(text: &str) -> Vec<String> {
    let kept = |character: char| character.is_alphanumeric() || character == '-';
    let words = text.split(|character| !kept(character)).map(|word| word.trim_matches('-').to_lowercase());
    words.filter(|word| !word.is_empty()).collect()
}

#[derive(Deserialize)]
struct SearchReply {
    esearchresult: SearchResult,
}

#[derive(Deserialize)]
struct SearchResult {
    #[serde(default)]
    idlist: Option<Vec<String>>,
    #[serde(rename = "ERROR")]
    error: Option<String>,
}

fn ids(text: &str) -> Result<Vec<String>, Problem> {
    busy(text)?;
    let reply: SearchReply =
        serde_json::from_str(text).map_err(|error| Problem::Malformed(format!("esearch: {error}")))?;
    match reply.esearchresult {
        SearchResult { error: Some(message), .. } => Err(Problem::Refused { status: 200, message }),
        SearchResult { idlist: Some(ids), .. } => Ok(ids),
        SearchResult { idlist: None, .. } => Err(Problem::Malformed("esearch: there is no idlist".into())),
    }
}

/// Beyond the limit NCBI may answer 200 with an error of its own in the body.
fn busy(text: &str) -> Result<(), Problem> {
    #[derive(Deserialize)]
    struct Refusal {
        error: String,
    }
    let refusal = text.trim_start().starts_with('{').then(|| serde_json::from_str::<Refusal>(text).ok()).flatten();
    match refusal.map(|it| it.error) {
        Some(message) if message.contains("rate limit") => {
            Err(Problem::Busy { attempts: 0, message, key_helps: false })
        }
        Some(message) => Err(Problem::Refused { status: 200, message }),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(query: Query, expected: Option<&str>) {
        assert_eq!(term(&query).as_deref(), expected);
    }

    #[test]
    fn the_condition_must_be_there_and_one_of_the_words() {
        let query = Query::condition("Gout").about("The base of my big toe is swollen, swollen!");
        check(query, Some("\"gout\"[tiab] AND (base OR big OR swollen OR toe) AND hasabstract"));
        check(Query::condition("Crohn's disease"), Some("\"crohn s disease\"[tiab] AND hasabstract"));
        check(Query::text(" ."), None);
    }

    #[test]
    fn nothing_in_a_text_is_read_as_search_language() {
        let query = Query::text("fever[majr] NOT (\"cough\") AND rash*");
        check(query, Some("(cough OR fever OR majr OR rash) AND hasabstract"));
    }
}
