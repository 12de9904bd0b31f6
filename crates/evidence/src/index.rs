//! A full-text index (BM25) over articles, in memory or on disk.

use crate::words::{ANALYZER, analyzer, terms};
use crate::{Article, EvidenceError, EvidenceSource, Passage, Problem, Query};
use async_trait::async_trait;
use std::cmp::Ordering;
use std::path::Path;
use tantivy::collector::TopDocs;
use tantivy::indexer::NoMergePolicy;
use tantivy::query::{BooleanQuery, BoostQuery, TermQuery};
use tantivy::schema::{Field, IndexRecordOption, STORED, Schema, TextFieldIndexing, TextOptions, Value};
use tantivy::tokenizer::TextAnalyzer;
use tantivy::{Index, IndexReader, ReloadPolicy, Searcher, TantivyDocument, Term};

/// What the writer may hold before it starts another segment. Memory is only taken as it is needed.
const WRITER_MEMORY: usize = 1 << 30;
/// A word in the title says what the text is about: it counts as if it stood in the text so often.
const TITLE: usize = 2;
/// A text that has the condition in its title is what was asked for, whatever else is said.
const CONDITION: f32 = 4.0;
/// Of a long question, such as a whole narrative.
const MOST_WORDS: usize = 16;

pub struct FullText {
    id: String,
    fingerprint: String,
    reader: IndexReader,
    analyzer: TextAnalyzer,
    fields: Fields,
}

#[derive(Clone, Copy)]
struct Fields {
    words: Field,
    id: Field,
    title: Field,
    text: Field,
    url: Field,
    condition: Field,
}

impl FullText {
    pub fn in_memory(id: &str, articles: Vec<Article>) -> Result<Self, EvidenceError> {
        let fingerprint = fingerprint(&articles);
        let built = builder().create_in_ram().and_then(|index| fill(&index, articles).map(|()| index));
        built.and_then(|index| Self::over(id, fingerprint, &index)).map_err(|error| failed("made", &error).at(id))
    }

    /// Into an empty directory.
    pub(crate) fn write(dir: &Path, articles: Vec<Article>) -> Result<(), Problem> {
        let written = builder().create_in_dir(dir).and_then(|index| fill(&index, articles));
        written.map_err(|error| failed(&format!("written to {}", dir.display()), &error))
    }

    pub(crate) fn open(id: &str, dir: &Path, fingerprint: String) -> Result<Self, Problem> {
        let opened = Index::open_in_dir(dir).and_then(|index| Self::over(id, fingerprint, &index));
        opened.map_err(|error| failed(&format!("opened in {}", dir.display()), &error))
    }

    fn over(id: &str, fingerprint: String, index: &Index) -> tantivy::Result<Self> {
        index.tokenizers().register(ANALYZER, analyzer());
        let schema = index.schema();
        let field = |name| schema.get_field(name);
        let fields = Fields {
            words: field("words")?,
            id: field("id")?,
            title: field("title")?,
            text: field("text")?,
            url: field("url")?,
            condition: field("condition")?,
        };
        // Nothing is ever added to an index, so nobody need watch for changes.
        let reader = index.reader_builder().reload_policy(ReloadPolicy::Manual).try_into()?;
        Ok(Self { id: id.to_owned(), fingerprint, reader, analyzer: analyzer(), fields })
    }

    /// How many articles there are.
    pub fn len(&self) -> usize {
        usize::try_from(self.reader.searcher().num_docs()).unwrap_or(usize::MAX)
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same as [`EvidenceSource::search`], for callers that do not wait.
    pub fn find(&self, query: &Query, limit: usize) -> Result<Vec<Passage>, EvidenceError> {
        self.ranked(query, limit).map_err(|error| failed("searched", &error).at(&self.id))
    }

    fn ranked(&self, query: &Query, limit: usize) -> tantivy::Result<Vec<Passage>> {
        let searcher = self.reader.searcher();
        let wanted = self.question(&searcher, query)?;
        if limit == 0 || wanted.clauses().is_empty() {
            return Ok(Vec::new());
        }
        // A few more than asked for: equal texts may differ in the last digit of their score, and the id decides between them.
        let top = searcher
            .search(&wanted, &TopDocs::with_limit(limit.saturating_mul(2).saturating_add(8)).order_by_score())?;
        let mut passages = Vec::with_capacity(top.len());
        for (score, place) in top {
            passages.push(self.passage(&searcher.doc(place)?, score));
        }
        passages.sort_by(|a, b| b.score.partial_cmp(&a.score).unwrap_or(Ordering::Equal).then_with(|| a.id.cmp(&b.id)));
        passages.truncate(limit);
        Ok(passages)
    }

    fn question(&self, searcher: &Searcher, query: &Query) -> tantivy::Result<BooleanQuery> {
        let mut analyzer = self.analyzer.clone();
        let named = terms(&mut analyzer, query.condition.as_deref().unwrap_or_default());
        let mut words = terms(&mut analyzer, &query.text);
        words.retain(|word| !named.contains(word));
        let words = self.rarest(searcher, words)?;
        let clause = |field: Field, word: &str, boost: f32| {
            let term = TermQuery::new(Term::from_field_text(field, word), IndexRecordOption::WithFreqs);
            Box::new(BoostQuery::new(Box::new(term), boost)) as Box<dyn tantivy::query::Query>
        };
        let titles = named.iter().map(|word| clause(self.fields.title, word, CONDITION));
        let texts = named.iter().chain(&words).map(|word| clause(self.fields.words, word, 1.0));
        Ok(BooleanQuery::union(titles.chain(texts).collect()))
    }

    /// The words that stand in the fewest texts, in the order of the question. They make nearly all of a BM25 score, and the
    /// others nearly all of the work.
    fn rarest(&self, searcher: &Searcher, words: Vec<String>) -> tantivy::Result<Vec<String>> {
        let mut counted = Vec::with_capacity(words.len());
        for (place, word) in words.into_iter().enumerate() {
            let texts = searcher.doc_freq(&Term::from_field_text(self.fields.words, &word))?;
            counted.extend((texts > 0).then_some((texts, place, word)));
        }
        counted.sort_unstable();
        counted.truncate(MOST_WORDS);
        counted.sort_unstable_by_key(|(_, place, _)| *place);
        Ok(counted.into_iter().map(|(_, _, word)| word).collect())
    }

    fn passage(&self, document: &TantivyDocument, score: f32) -> Passage {
        let text = |field| document.get_first(field).and_then(|value| value.as_str()).map(str::to_owned);
        Passage {
            source: self.id.clone(),
            id: text(self.fields.id).unwrap_or_default(),
            title: text(self.fields.title).unwrap_or_default(),
            text: text(self.fields.text).unwrap_or_default(),
            url: text(self.fields.url),
            condition: text(self.fields.condition).map(|id| id.as_str().into()),
            score: (score * 1e4).round() / 1e4,
        }
    }
}

#[async_trait]
impl EvidenceSource for FullText {
    fn id(&self) -> &str {
        &self.id
    }

    fn fingerprint(&self) -> String {
        self.fingerprint.clone()
    }

    async fn search(&self, query: &Query, limit: usize) -> Result<Vec<Passage>, EvidenceError> {
        self.find(query, limit)
    }
}

/// A hash of the articles and of how they are cut into words.
fn fingerprint(articles: &[Article]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(ANALYZER.as_bytes());
    for article in articles {
        let condition = article.condition.as_ref().map_or("", |id| id.as_str());
        for part in [&article.id, &article.title, &article.text, article.url.as_deref().unwrap_or(""), condition] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
    }
    hasher.finalize().to_hex().to_string()
}

fn builder() -> tantivy::IndexBuilder {
    let mut schema = Schema::builder();
    // Phrases are not searched, so positions are not kept.
    let indexing = TextFieldIndexing::default().set_tokenizer(ANALYZER).set_index_option(IndexRecordOption::WithFreqs);
    let searched = TextOptions::default().set_indexing_options(indexing);
    schema.add_text_field("words", searched.clone());
    schema.add_text_field("title", searched.set_stored());
    for stored in ["id", "text", "url", "condition"] {
        schema.add_text_field(stored, STORED);
    }
    Index::builder().schema(schema.build())
}

/// In the order of their ids and on one thread, so that the same articles make the same index.
fn fill(index: &Index, mut articles: Vec<Article>) -> tantivy::Result<()> {
    index.tokenizers().register(ANALYZER, analyzer());
    articles.sort_by(|a, b| a.id.cmp(&b.id));
    let schema = index.schema();
    let mut writer = index.writer_with_num_threads(1, WRITER_MEMORY)?;
    writer.set_merge_policy(Box::new(NoMergePolicy));
    for article in articles {
        let mut document = TantivyDocument::default();
        let words = schema.get_field("words")?;
        (0..TITLE).for_each(|_| document.add_text(words, &article.title));
        document.add_text(words, &article.text);
        let optional = [("url", article.url), ("condition", article.condition.map(|id| id.to_string()))];
        let given = [("id", article.id), ("title", article.title), ("text", article.text)];
        for (name, value) in
            given.into_iter().chain(optional.into_iter().filter_map(|(name, value)| Some((name, value?))))
        {
            document.add_text(schema.get_field(name)?, value);
        }
        writer.add_document(document)?;
    }
    writer.commit()?;
    let segments = index.searchable_segment_ids()?;
    if segments.len() > 1 {
        writer.merge(&segments).wait()?;
    }
    writer.wait_merging_threads()
}

fn failed(what: &str, error: &tantivy::TantivyError) -> Problem {
    Problem::Local(format!("the index cannot be {what}: {error}"))
}
