//! variants → responses: every subject is asked what it was not asked before.

use super::{AT_ONCE, PAGE, models::Models};
use crate::gateway::Purpose;
use crate::key::key_of;
use crate::{EngineError, Pass, PlannedSubject, PlannedSuite, Run, RunEvent};
use futures::StreamExt;
use std::collections::HashSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::mpsc;
use waterjar_core::{
    Agent, AgentError, ChatModel, Ending, Failure, ModelError, Prompt, Response, SubjectId, VariantId,
};
use waterjar_store::{NewResponse, StoredFamily};

/// Questions looked up ahead of those being asked.
const AHEAD: usize = 2048;

pub async fn answer(run: &Run<'_>, planned: &PlannedSuite) -> Result<(), EngineError> {
    let variants = run.store.counts(planned.id()).await?.variants;
    let total = variants * planned.subjects.len() as u64 * u64::from(run.plan.repeats);
    (run.tell)(RunEvent::Started { suite: planned.id().clone(), pass: Pass::Answer, total: Some(total) });
    let models = Models::open(run, planned).await?;
    let pass = Answering { run, planned, models: &models, done: AtomicU64::new(0) };
    let (send, items) = mpsc::channel(AHEAD);
    // Looking up what is open and asking it go on side by side, so that no subject waits at the end of a page.
    let (found, asked) = tokio::join!(pass.find_open(send), pass.ask(items));
    models.flush().await?;
    asked.and(found)?;
    run.check_stop()?;
    (run.tell)(RunEvent::Finished { pass: Pass::Answer });
    Ok(())
}

struct Answering<'a> {
    run: &'a Run<'a>,
    planned: &'a PlannedSuite,
    models: &'a Models<'a>,
    done: AtomicU64,
}

/// One question to one subject.
struct Item {
    key: String,
    /// The family's place in the benchmark and the variant's in the family.
    position: i64,
    ord: u32,
    variant: VariantId,
    subject: SubjectId,
    agent: Arc<dyn Agent>,
    model: Arc<dyn ChatModel>,
    prompt: Prompt,
    repeat: u32,
}

impl Answering<'_> {
    async fn find_open(&self, send: mpsc::Sender<Item>) -> Result<(), EngineError> {
        let mut after = 0;
        loop {
            let page = self.run.store.families_page(self.planned.id(), after, PAGE).await?;
            for subject in &self.planned.subjects {
                let answered = self.run.store.answered(self.planned.id(), &subject.id, after, PAGE).await?;
                for item in self.open_items(subject, &page.items, &answered)? {
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

    /// The key holds all that decides the answer, and nothing else.
    fn open_items(
        &self,
        subject: &PlannedSubject,
        families: &[StoredFamily],
        answered: &HashSet<String>,
    ) -> Result<Vec<Item>, EngineError> {
        let suite = self.planned.suite();
        let fingerprint = self.models.fingerprint(&subject.model);
        let mut open = Vec::new();
        let variants = families
            .iter()
            .flat_map(|family| family.variants.iter().zip(0..).map(|(variant, ord)| (family.position, ord, variant)));
        for (position, ord, variant) in variants {
            let prompt = suite.ask(variant);
            for repeat in 0..self.run.plan.repeats {
                let key = key_of(&(suite.id(), &variant.id, &subject.id, &fingerprint, &prompt, repeat));
                if answered.contains(&key) {
                    self.progress();
                    continue;
                }
                open.push(Item {
                    key,
                    position,
                    ord,
                    variant: variant.id.clone(),
                    subject: subject.id.clone(),
                    agent: Arc::clone(&subject.agent),
                    model: self.models.get(&subject.model)?,
                    prompt: prompt.clone(),
                    repeat,
                });
            }
        }
        Ok(open)
    }

    /// After a wish to stop, or the first error that ends the pass, nothing more is asked; what is under way is waited
    /// for and kept.
    async fn ask(&self, items: mpsc::Receiver<Item>) -> Result<(), EngineError> {
        let writer = self.run.store.writer();
        let ended: Mutex<Option<EngineError>> = Mutex::new(None);
        let reason = || ended.lock().unwrap_or_else(PoisonError::into_inner);
        let goes_on = || !self.run.stop.is_requested() && reason().is_none();
        let items = futures::stream::unfold(items, async |mut items| {
            if !goes_on() {
                return None;
            }
            items.recv().await.map(|item| (item, items))
        });
        let mut work = std::pin::pin!(items.map(|item| respond(self.planned, item)).buffer_unordered(AT_ONCE));
        while let Some(done) = work.next().await {
            match done {
                Ok(new) => {
                    writer.response(&new).await?;
                    self.progress();
                }
                // The first reason counts.
                Err(error) => {
                    reason().get_or_insert(error);
                }
            }
        }
        writer.flush().await?;
        reason().take().map_or(Ok(()), Err)
    }

    fn progress(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        (self.run.tell)(RunEvent::Progress { pass: Pass::Answer, done });
    }
}

/// A failure ends as what it is: stored, counted, never scored as wrong. Only an empty purse and a forbidden address
/// end the pass instead, because every other question would end the same way.
async fn respond(planned: &PlannedSuite, item: Item) -> Result<NewResponse, EngineError> {
    let Item { key, position, ord, variant, subject, agent, model, prompt, repeat } = item;
    let who = format!("agent `{}` on {variant}", agent.id());
    let purpose = Purpose::subject(format!("{}/{position:08}/{ord}/{subject}/{repeat}", planned.id()));
    let work = async move { agent.answer(&*model, &prompt, repeat).await };
    let answered = tokio::spawn(purpose.scope(work)).await;
    let ending = match answered.map_err(|error| EngineError::Lost(format!("{who}: {error}")))? {
        Ok(conclusion) => Ending::Ok(conclusion),
        Err(AgentError::Model(error @ (ModelError::Budget(_) | ModelError::Forbidden(_)))) => return Err(error.into()),
        Err(error) => Ending::Failed(Failure::from(&error)),
    };
    let response = Response { variant, subject, repeat, ending };
    Ok(NewResponse { suite: planned.id().clone(), position, ord, key, response })
}
