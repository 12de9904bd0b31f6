//! Open Targets Platform by GraphQL: a disease by its name, its phenotypes with their frequency, the targets associated with it.

use super::service::{Ask, Body, Service};
use super::settings::RemoteSettings;
use crate::{EvidenceError, EvidenceSource, Passage, Problem, Query};
use async_trait::async_trait;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

mod disease;

use disease::Disease;

const ID: &str = "open-targets";
const HOME: &str = "https://api.platform.opentargets.org/api/v4";
/// The platform names no limit and asks for moderation.
const PER_SECOND: u32 = 5;
/// Enough to find the disease that is called exactly so among those that are called alike.
const HITS: u32 = 10;

pub struct OpenTargets {
    service: Service,
}

impl OpenTargets {
    pub fn new(settings: RemoteSettings) -> Result<Self, EvidenceError> {
        Ok(Self { service: Service::new(ID, HOME, PER_SECOND, settings)? })
    }

    /// Whether the study lets requests go there.
    pub fn allowed(&self) -> Result<(), EvidenceError> {
        self.service.allowed()
    }

    async fn find(&self, name: &str) -> Result<Option<Hit>, EvidenceError> {
        let variables = json!({ "name": name, "size": HITS });
        let found: Search = self.ask(include_str!("open_targets/search.graphql"), variables).await?;
        let mut hits = found.search.hits;
        let exact = hits.iter().position(|hit| hit.name.eq_ignore_ascii_case(name));
        Ok((!hits.is_empty()).then(|| hits.swap_remove(exact.unwrap_or(0))))
    }

    async fn disease(&self, id: &str) -> Result<Disease, EvidenceError> {
        let variables = json!({ "id": id, "phenotypes": disease::PHENOTYPES, "targets": disease::TARGETS });
        let found: DiseaseData = self.ask(include_str!("open_targets/disease.graphql"), variables).await?;
        found.disease.ok_or_else(|| Problem::Malformed(format!("it found {id} and does not know it")).at(ID))
    }

    async fn ask<T: DeserializeOwned>(&self, query: &str, variables: Value) -> Result<T, EvidenceError> {
        let body = Body::Json(json!({ "query": query, "variables": variables }));
        self.service.ask(&Ask { path: "graphql", body }, data).await
    }
}

#[async_trait]
impl EvidenceSource for OpenTargets {
    fn id(&self) -> &str {
        self.service.id()
    }

    fn fingerprint(&self) -> String {
        self.service.fingerprint()
    }

    /// What the platform knows of one disease: the condition of the query, or its text where it names none.
    async fn search(&self, query: &Query, limit: usize) -> Result<Vec<Passage>, EvidenceError> {
        self.allowed()?;
        let name = query.condition.as_deref().unwrap_or(&query.text).trim();
        if name.is_empty() || limit == 0 {
            return Ok(Vec::new());
        }
        let Some(hit) = self.find(name).await? else { return Ok(Vec::new()) };
        let mut passages = self.disease(&hit.id).await?.passages(ID);
        passages.truncate(limit);
        Ok(passages)
    }
}

#[derive(Deserialize)]
struct Search {
    search: Hits,
}

#[derive(Deserialize)]
struct Hits {
    hits: Vec<Hit>,
}

#[derive(Deserialize)]
struct Hit {
    id: String,
    name: String,
}

#[derive(Deserialize)]
struct DiseaseData {
    disease: Option<Disease>,
}

#[derive(Deserialize)]
struct Reply<T> {
    data: Option<T>,
    #[serde(default)]
    errors: Vec<GraphQlError>,
}

#[derive(Deserialize)]
struct GraphQlError {
    message: String,
}

/// GraphQL answers 200 also when it refuses; data beside errors has holes, so it is not taken.
fn data<T: DeserializeOwned>(text: &str) -> Result<T, Problem> {
    let refusal: Reply<Value> = serde_json::from_str(text).map_err(|error| Problem::Malformed(error.to_string()))?;
    if !refusal.errors.is_empty() {
        let messages: Vec<String> = refusal.errors.into_iter().map(|error| error.message).collect();
        return Err(Problem::Refused { status: 200, message: messages.join("; ") });
    }
    let reply: Reply<T> = serde_json::from_str(text).map_err(|error| Problem::Malformed(error.to_string()))?;
    reply.data.ok_or_else(|| Problem::Malformed("it holds neither data nor errors".into()))
}

pub(crate) fn passages(text: &str) -> Result<Vec<Passage>, Problem> {
    let found: DiseaseData = data(text)?;
    Ok(found.disease.map(|it| it.passages(ID)).unwrap_or_default())
}
