//! What the rules know of one candidate: how often it shows a feature, from cases learnt and articles read.

use crate::ecr::evidence::{Article, ArticleReader, Weight};
use crate::ecr::memory::IllnessGraph;
use crate::ecr::reasoner::Dossier;
use std::collections::HashMap;
use std::sync::{Arc, PoisonError, RwLock};

/// The least share worth telling from none; the scale of all strengths. A share of 1 is strength 1, this one is 0.
const FLOOR: f64 = 0.05;
/// The shares an article stands for weigh as those of so many cases.
const ARTICLE_CASES: f64 = 4.0;
/// The share of cases an article means by "typical" and by "some".
const TYPICAL: f64 = 0.7;
const LESS_COMMON: f64 = 0.35;
/// With as many cases, a feature never seen speaks against the candidate with half its strength.
const FEW: f64 = 3.0;

pub struct Profiles {
    reader: ArticleReader,
    /// By a hash of condition and passages: reading an article takes longer than a case.
    read: RwLock<HashMap<blake3::Hash, Arc<Article>>>,
}

pub struct Profile<'a> {
    illness: Option<&'a IllnessGraph>,
    article: Option<Arc<Article>>,
    cases: f64,
}

/// What a feature, when it is there, says of a candidate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Bears {
    For { strength: f64, if_denied: f64 },
    Against { strength: f64 },
    Nothing,
}

impl Profiles {
    pub fn new(reader: ArticleReader) -> Self {
        Self { reader, read: RwLock::new(HashMap::new()) }
    }

    pub fn of<'a>(&self, dossier: &Dossier<'a>) -> Profile<'a> {
        let article = (!dossier.passages.is_empty()).then(|| self.article(dossier));
        let read = if article.is_some() { ARTICLE_CASES } else { 0.0 };
        let cases = dossier.illness.map_or(0.0, |graph| f64::from(graph.cases)) + read;
        Profile { illness: dossier.illness, article, cases }
    }

    fn article(&self, dossier: &Dossier<'_>) -> Arc<Article> {
        let mut hasher = blake3::Hasher::new();
        hasher.update(dossier.condition.as_bytes());
        for passage in dossier.passages {
            hasher.update(passage.text.as_bytes());
        }
        let key = hasher.finalize();
        if let Some(known) = self.read.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Arc::clone(known);
        }
        let article = Arc::new(self.reader.read(dossier.condition, dossier.passages));
        self.read.write().unwrap_or_else(PoisonError::into_inner).insert(key, Arc::clone(&article));
        article
    }
}

impl Profile<'_> {
    pub fn contents(&self) -> impl Iterator<Item = &str> {
        let learnt = self.illness.into_iter().flat_map(|graph| graph.features.iter().map(|it| it.content.as_str()));
        let read = self.article.iter().flat_map(|article| article.named.keys().map(String::as_str));
        learnt.chain(read)
    }

    pub fn bears(&self, content: &str) -> Bears {
        if self.cases == 0.0 {
            return Bears::Nothing;
        }
        let learnt = self.illness.and_then(|graph| graph.feature(content)).map_or(0.0, |it| f64::from(it.present));
        let said = self.article.as_ref().and_then(|article| article.named.get(content));
        let read = match said {
            Some(Weight::Typical) => TYPICAL * ARTICLE_CASES,
            Some(Weight::LessCommon) => LESS_COMMON * ARTICLE_CASES,
            Some(Weight::Against) | None => 0.0,
        };
        if learnt + read == 0.0 {
            // Never seen: the more cases, the more that says.
            let strength = if said == Some(&Weight::Against) { 1.0 } else { self.cases / (self.cases + FEW) };
            return Bears::Against { strength };
        }
        // Half a case of each kind before the first (Jeffreys).
        let share = (learnt + read + 0.5) / (self.cases + 1.0);
        Bears::For { strength: scaled(share / FLOOR), if_denied: scaled(1.0 / (1.0 - share)) }
    }

    pub fn credit(&self, content: &str) -> i32 {
        self.illness.and_then(|graph| graph.feature(content)).map_or(0, |it| it.credit)
    }
}

/// The logarithm of a ratio, in units of that of 1 to the floor.
fn scaled(ratio: f64) -> f64 {
    (ratio.ln() / (1.0 / FLOOR).ln()).clamp(0.0, 1.0)
}
