//! variants → responses: every subject is asked what it was not asked before.

use super::course::{Course, apart};
use super::{
    PAGE,
    models::Models,
    outages::{Outages, Reason},
    stopping::reaches,
};
use crate::export::ResponsesFile;
use crate::gateway::Purpose;
use crate::key::Keys;
use crate::{EngineError, Pass, PlannedSubject, PlannedSuite, Run, RunEvent, Stop};
use futures::StreamExt;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::{Semaphore, mpsc};
use waterjar_core::{
    Agent, AgentError, ChatModel, Ending, Facts, Failure, FailureState, ModelError, Prompt, Response, SubjectId,
    SuiteId, VariantId,
};
use waterjar_store::{Begun, NewResponse, Page, Shard, Store, StoreError, StoredFamily, Writer};

/// Questions looked up ahead of those being asked.
const AHEAD: usize = 2048;

/// `file`, where it is wanted, gets what is sure before the last answer is there.
pub async fn answer(
    run: &Run<'_>,
    planned: &PlannedSuite,
    file: Option<&mut ResponsesFile>,
) -> Result<(), EngineError> {
    let variants = run.store.variants(planned.id()).await?;
    if variants == 0 {
        let problem = format!("holds no variants of `{}` yet", planned.id());
        return Err(EngineError::file(run.dir.path(), problem).with_hint("make them with `waterjar vary`"));
    }
    let total = variants * planned.asked().count() as u64 * u64::from(run.plan.repeats);
    (run.tell)(RunEvent::Started { suite: planned.id().clone(), pass: Pass::Answer, total: Some(total) });
    refuse_what_was_learnt(run, planned).await?;
    let writer = run.store.writer();
    let models = Models::open(run, planned, &writer).await?;
    let cores = cores();
    let pass = Answering::new(run, planned, &models, &writer, cores);
    let (send, items) = mpsc::channel(AHEAD);
    // Looking up what is open and asking it go on side by side, so that no subject waits at the end of a page.
    let finding = async {
        pass.find_open(send).await?;
        match file {
            Some(file) => pass.write_ahead(file).await,
            None => Ok(()),
        }
    };
    let (found, asked) = tokio::join!(finding, pass.ask(items));
    let kept = (models.flush().await, writer.flush().await);
    kept.0?;
    kept.1?;
    asked.and(found)?;
    (run.tell)(RunEvent::Finished { pass: Pass::Answer });
    Ok(())
}

/// Built-in subjects are bound by the processor, so more of them at once than it has cores for gain nothing.
pub(crate) fn cores() -> Arc<Semaphore> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    Arc::new(Semaphore::new(2 * cores))
}

/// Before the first question: an agent that has learnt from a test case proves nothing, and answers cost money.
pub(crate) async fn refuse_what_was_learnt(run: &Run<'_>, planned: &PlannedSuite) -> Result<(), EngineError> {
    let subjects: Vec<&PlannedSubject> = planned.subjects.iter().filter(|it| it.agent.remembers()).collect();
    let mut after = (!subjects.is_empty()).then_some(0);
    while let Some(position) = after {
        let page = run.store.families_page(planned.id(), position, PAGE).await?;
        for control in page.items.iter().filter_map(|family| family.variants.first()) {
            let text = planned.suite().ask(control).text;
            let patient = control.facts.as_ref().map(Facts::patient);
            for subject in &subjects {
                if let Some(problem) = subject.agent.has_seen(&control.case, &text, patient.as_deref()) {
                    return Err(EngineError::study(format!("subject `{}`", subject.id), problem));
                }
            }
        }
        after = page.next;
    }
    Ok(())
}

struct Answering<'a> {
    run: &'a Run<'a>,
    planned: &'a PlannedSuite,
    models: &'a Models<'a>,
    writer: &'a Writer,
    cores: Arc<Semaphore>,
    done: AtomicU64,
    /// By page of families: the last of them, and how many answers are not stored yet.
    pages: Mutex<Vec<(i64, usize)>>,
    /// The subject, where this is a part of the pass that others do beside us.
    part_of: Option<SubjectId>,
}

impl<'a> Answering<'a> {
    fn new(
        run: &'a Run<'a>,
        planned: &'a PlannedSuite,
        models: &'a Models<'a>,
        writer: &'a Writer,
        cores: Arc<Semaphore>,
    ) -> Self {
        Self { run, planned, models, writer, cores, done: AtomicU64::new(0), pages: Mutex::default(), part_of: None }
    }

    fn pages(&self) -> MutexGuard<'_, Vec<(i64, usize)>> {
        self.pages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The pages at the beginning of which every answer is stored. When everything open was found, few others are left.
    async fn write_ahead(&self, file: &mut ResponsesFile) -> Result<(), EngineError> {
        let Some(last) = self.pages().iter().take_while(|(_, open)| *open == 0).last().map(|(last, _)| *last) else {
            return Ok(());
        };
        self.writer.flush().await?;
        file.up_to(&self.run.store, self.planned.id(), last).await
    }
}

/// The families after a position, as much of them as questions are made of.
pub(crate) async fn to_ask(
    store: &Store,
    planned: &PlannedSuite,
    after: i64,
    limit: u32,
) -> Result<Page<StoredFamily>, StoreError> {
    if planned.suite().asks_by_text() {
        store.told_page(planned.id(), after, limit).await
    } else {
        store.families_page(planned.id(), after, limit).await
    }
}

/// What a subject is asked.
pub(crate) struct Question {
    pub key: String,
    /// The family's place in the benchmark and the variant's in the family.
    position: i64,
    ord: u32,
    variant: VariantId,
    prompt: Prompt,
    repeat: u32,
}

/// The key holds all that decides the answer, and nothing else.
pub(crate) fn questions<'a>(
    planned: &'a PlannedSuite,
    subject: &PlannedSubject,
    fingerprint: &str,
    repeats: u32,
    families: &'a [StoredFamily],
) -> impl Iterator<Item = Question> + 'a {
    let suite = planned.suite();
    let keys = Keys::beginning_with(&(suite.id(), &subject.id, (fingerprint, subject.agent.fingerprint())));
    let variants = families
        .iter()
        .flat_map(|family| family.variants.iter().zip(0..).map(|(variant, ord)| (family.position, ord, variant)));
    variants.flat_map(move |(position, ord, variant)| {
        let prompt = suite.ask(variant);
        let question = |repeat| Question {
            key: keys.of(&(&variant.id, &prompt, repeat)),
            position,
            ord,
            variant: variant.id.clone(),
            prompt: prompt.clone(),
            repeat,
        };
        (0..repeats).map(question).collect::<Vec<_>>()
    })
}

/// One question to one subject.
struct Item {
    question: Question,
    subject: SubjectId,
    agent: Arc<dyn Agent>,
    model_id: String,
    model: Arc<dyn ChatModel>,
    /// `None` for models that wait on a network: the gateway has limits for them.
    cores: Option<Arc<Semaphore>>,
}

impl Answering<'_> {
    async fn find_open(&self, send: mpsc::Sender<Item>) -> Result<(), EngineError> {
        let mut after = 0;
        let reaches = reaches(self.run.plan, self.planned, &self.run.store).await?;
        // Every repeat is a question with a prompt of its own.
        let size = (PAGE / self.run.plan.repeats.max(1)).max(1);
        loop {
            let page = to_ask(&self.run.store, self.planned, after, size).await?;
            self.pages().extend(page.items.last().map(|family| (family.position, 0)));
            for subject in self.planned.asked() {
                let last = reaches.get(&subject.id).map_or(i64::MAX, |reach| reach.position);
                let families = &page.items[..page.items.partition_point(|family| family.position <= last)];
                if families.is_empty() {
                    continue;
                }
                let answered = self.run.store.answered(self.planned.id(), &subject.id, after, size).await?;
                let open = self.open_items(subject, families, &answered)?;
                if let Some((_, known)) = self.pages().last_mut() {
                    *known += open.len();
                }
                for item in open {
                    // A receiver that is gone has stopped, or has an error of its own to tell.
                    if send.send(item).await.is_err() {
                        return Ok(());
                    }
                }
            }
            match page.next {
                Some(next) => after = next,
                None => return Ok(()),
            }
        }
    }

    fn open_items(
        &self,
        subject: &PlannedSubject,
        families: &[StoredFamily],
        answered: &HashSet<String>,
    ) -> Result<Vec<Item>, EngineError> {
        let fingerprint = self.models.fingerprint(&subject.model);
        let questions = questions(self.planned, subject, &fingerprint, self.run.plan.repeats, families);
        let mut open = Vec::new();
        for question in questions {
            if answered.contains(&question.key) {
                self.progress();
                continue;
            }
            open.push(Item {
                question,
                subject: subject.id.clone(),
                agent: Arc::clone(&subject.agent),
                model_id: subject.model.clone(),
                model: self.models.get(&subject.model)?,
                cores: (!self.models.is_remote(&subject.model)).then(|| Arc::clone(&self.cores)),
            });
        }
        Ok(open)
    }

    /// After a wish to stop, or the first error that ends the pass, nothing more is asked; what is under way is waited
    /// for and kept.
    async fn ask(&self, items: mpsc::Receiver<Item>) -> Result<(), EngineError> {
        let course = Course::new(&self.run.stop, &self.models.door);
        let mut outages = Outages::new(&self.models.door);
        let items = futures::stream::unfold(items, async |mut items| {
            if !course.goes_on() {
                return None;
            }
            items.recv().await.map(|item| (item, items))
        });
        let respond = |item| respond(self.planned, item, self.run.stop.clone());
        let mut work = std::pin::pin!(items.map(respond).buffer_unordered(self.run.plan.at_once()));
        while let Some(done) = course.next(&mut work).await {
            let kept = match done {
                Ok(Some(ended)) => self.keep(ended, &mut outages).await,
                Ok(None) => Ok(()),
                Err(error) => Err(error),
            };
            if let Err(error) = kept {
                course.end(error);
            }
        }
        course.result()?;
        if let Some(subject) = self.part_of.as_ref().filter(|_| outages.holds_some()) {
            outages = outages.unless_silent(self.open_questions(subject).await?)?;
        }
        for new in outages.rest() {
            self.store(&new).await?;
        }
        Ok(())
    }

    /// How many answers of the subject are not stored yet, in the whole run.
    async fn open_questions(&self, subject: &SubjectId) -> Result<u64, EngineError> {
        self.writer.flush().await?;
        let (store, suite) = (&self.run.store, self.planned.id());
        let all = store.variants(suite).await? * u64::from(self.run.plan.repeats);
        let stored = store.subjects(suite).await?.get(subject).map_or(0, |it| it.responses);
        Ok(all.saturating_sub(stored))
    }

    /// What a model over a network had no say in is held back until it is known whether it is out.
    async fn keep(&self, ended: Ended, outages: &mut Outages<NewResponse>) -> Result<(), EngineError> {
        let Ended { model, new, outage } = ended;
        let Some(reason) = outage.filter(|_| self.models.is_remote(&model)) else { return self.store(&new).await };
        for held in outages.failed(&model, reason, new)? {
            self.store(&held).await?;
        }
        Ok(())
    }

    async fn store(&self, new: &NewResponse) -> Result<(), EngineError> {
        self.writer.response(new).await?;
        let mut pages = self.pages();
        let at = pages.partition_point(|(last, _)| *last < new.position);
        if let Some((_, open)) = pages.get_mut(at) {
            *open = open.saturating_sub(1);
        }
        drop(pages);
        self.progress();
        Ok(())
    }

    fn progress(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.run.tell)(RunEvent::Progress { pass: Pass::Answer, done });
    }
}

/// A part of the pass: one subject, a few families. Returns when all of it is kept.
pub(crate) async fn shard(
    run: &Run<'_>,
    planned: &PlannedSuite,
    models: &Models<'_>,
    cores: &Arc<Semaphore>,
    shard: &Shard,
    begun: Begun,
) -> Result<u64, EngineError> {
    let Some(subject) = planned.subjects.iter().find(|it| it.id.as_str() == shard.subject) else {
        return Err(EngineError::Lost(format!("`{}` is no subject of the study", shard.subject)));
    };
    let writer = run.store.writer();
    let mut pass = Answering::new(run, planned, models, &writer, Arc::clone(cores));
    pass.part_of = Some(subject.id.clone());
    let page = to_ask(&run.store, planned, shard.after, shard.families).await?;
    let answered = run.store.answered(planned.id(), &subject.id, shard.after, shard.families).await?;
    let items = pass.open_items(subject, &page.items, &answered)?;
    let asked = items.len() as u64;
    let key = shard.key();
    let done = if begun.times <= TOGETHER { pass.together(items).await } else { pass.alone(items, &key, begun).await };
    let kept = (models.flush().await, writer.flush().await);
    kept.0?;
    kept.1?;
    done?;
    Ok(asked)
}

/// How often the questions of a part are asked together. If its workers died each time, one of the questions may be what they died of.
const TOGETHER: u32 = 2;
/// Of so many deaths over one question alone it is given up.
const MOST_DEATHS: u32 = 3;

impl Answering<'_> {
    async fn together(&self, items: Vec<Item>) -> Result<(), EngineError> {
        let (send, waiting) = mpsc::channel(items.len().max(1));
        for item in items {
            send.try_send(item).map_err(|_| EngineError::Lost("a question found no room".to_owned()))?;
        }
        drop(send);
        self.ask(waiting).await
    }

    async fn alone(&self, items: Vec<Item>, shard: &str, begun: Begun) -> Result<(), EngineError> {
        for item in items {
            let question = &item.question;
            let deaths =
                begun.suspect.as_ref().filter(|(key, _)| *key == question.key).map_or(0, |(_, deaths)| *deaths);
            if deaths >= MOST_DEATHS {
                let detail = format!("{deaths} workers died while this was being answered");
                let ending = Ending::Failed(Failure::new(FailureState::TransportError, detail));
                let Question { key, position, ord, variant, repeat, .. } = item.question;
                let response = Response { variant, subject: item.subject, repeat, ending };
                self.store(&NewResponse { suite: self.planned.id().clone(), position, ord, key, response }).await?;
                continue;
            }
            self.run.store.suspect(shard, &question.key).await?;
            self.together(vec![item]).await?;
            self.models.flush().await?;
            self.writer.flush().await?;
            self.run.store.clear_suspect(shard).await?;
        }
        Ok(())
    }
}

/// What transcripts call a question to a subject.
pub fn item_of(suite: &SuiteId, position: i64, ord: u32, subject: &SubjectId, repeat: u32) -> String {
    format!("{suite}/{position:08}/{ord}/{subject}/{repeat}")
}

/// Failures are forgotten, so that they are asked again as if never asked; tells how many there were.
pub async fn forget_failed(run: &Run<'_>, planned: &PlannedSuite) -> Result<u64, EngineError> {
    let (store, suite) = (&run.store, planned.id());
    let mut failed = store.failed(suite).await?;
    // What failed elsewhere cannot be asked for here.
    failed.retain(|it| !planned.subjects.iter().any(|known| known.id == it.subject && known.is_elsewhere()));
    store.forget(suite, &failed, |it| item_of(suite, it.position, it.ord, &it.subject, it.repeat)).await?;
    Ok(failed.len() as u64)
}

/// How a question ended.
struct Ended {
    /// Who was asked.
    model: String,
    new: NewResponse,
    /// Why there is no answer, where the model had no say in it.
    outage: Option<Reason>,
}

/// A failure ends as what it is: stored, counted, never scored as wrong. Only an empty purse, a forbidden address and an
/// endpoint that is closed end the pass instead, because every other question would end the same way.
/// `None` when nothing more was to be asked.
async fn respond(planned: &PlannedSuite, item: Item, stop: Stop) -> Result<Option<Ended>, EngineError> {
    let Item { question, subject, agent, model_id, model, cores } = item;
    let Question { key, position, ord, variant, prompt, repeat } = question;
    let _core = match cores {
        Some(cores) => cores.acquire_owned().await.ok(),
        None => None,
    };
    if stop.is_requested() {
        return Ok(None);
    }
    let agent_id = agent.id().clone();
    let purpose = Purpose::subject(item_of(planned.id(), position, ord, &subject, repeat));
    // A number of its own, so that no cache answers what is asked anew.
    let number = repeat | prompt.again << 16;
    let work = async move { agent.answer(&*model, &prompt, number).await };
    let answered = apart(purpose.scope(work)).await;
    let lost = |error| EngineError::Lost(format!("agent `{agent_id}` on {variant}: {error}"));
    let mut outage = None;
    let ending = match answered.map_err(lost)? {
        Ok(conclusion) => Ending::Ok(conclusion),
        Err(AgentError::Model(ModelError::Stopped)) => return Ok(None),
        Err(AgentError::Model(error)) if error.ends_the_run() => return Err(error.into()),
        Err(error) => {
            if let AgentError::Model(error) = &error {
                outage = error.is_outage().then(|| Reason::of(error));
            }
            Ending::Failed(Failure::from(&error))
        }
    };
    let response = Response { variant, subject, repeat, ending };
    let new = NewResponse { suite: planned.id().clone(), position, ord, key, response };
    Ok(Some(Ended { model: model_id, new, outage }))
}
