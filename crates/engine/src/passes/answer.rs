//! variants → responses: every subject is asked what it was not asked before.

use super::{PAGE, at_once};
use crate::key::key_of;
use crate::{EngineError, Pass, PlannedSubject, PlannedSuite, Run, RunEvent};
use futures::StreamExt;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use waterjar_core::{Agent, ChatModel, Ending, Failure, Prompt, Response, VariantId};
use waterjar_store::{NewResponse, StoredFamily, Writer};

pub async fn answer(run: &Run<'_>, planned: &PlannedSuite) -> Result<(), EngineError> {
    let variants = run.store.counts(planned.id()).await?.variants;
    let total = variants * planned.subjects.len() as u64 * u64::from(run.plan.repeats);
    (run.tell)(RunEvent::Started { suite: planned.id().clone(), pass: Pass::Answer, total: Some(total) });
    let mut pass = Answering { run, planned, writer: run.store.writer(), models: HashMap::new(), done: 0 };
    let mut after = 0;
    loop {
        let page = run.store.families_page(planned.id(), after, PAGE).await?;
        for subject in &planned.subjects {
            let answered = run.store.answered(planned.id(), &subject.id, after, PAGE).await?;
            pass.ask(subject, &page.items, &answered).await?;
        }
        match page.next {
            Some(next) => after = next,
            None => break,
        }
    }
    (run.tell)(RunEvent::Finished { pass: Pass::Answer });
    Ok(())
}

struct Answering<'a> {
    run: &'a Run<'a>,
    planned: &'a PlannedSuite,
    writer: Writer,
    /// Made ready when first needed: a run that finds everything answered prepares nothing.
    models: HashMap<String, Arc<dyn ChatModel>>,
    done: u64,
}

/// One question to one subject.
struct Item {
    key: String,
    /// The family's place in the benchmark and the variant's in the family.
    position: i64,
    ord: u32,
    variant: VariantId,
    prompt: Prompt,
    repeat: u32,
}

impl Answering<'_> {
    async fn ask(
        &mut self,
        subject: &PlannedSubject,
        families: &[StoredFamily],
        answered: &HashSet<String>,
    ) -> Result<(), EngineError> {
        let (found, open): (Vec<Item>, Vec<Item>) =
            self.items(subject, families).into_iter().partition(|item| answered.contains(&item.key));
        self.done += found.len() as u64;
        if !open.is_empty() {
            let model = self.model(&subject.model)?;
            let stop = &self.run.stop;
            // After a wish to stop nothing more is asked; what is under way is waited for and kept.
            let mut work = futures::stream::iter(open)
                .take_while(|_| futures::future::ready(!stop.is_requested()))
                .map(|item| respond(Arc::clone(&subject.agent), Arc::clone(&model), item))
                .buffer_unordered(at_once());
            while let Some(done) = work.next().await {
                let (item, ending) = match done {
                    Ok(done) => done,
                    Err(error) => {
                        self.writer.flush().await?;
                        return Err(error);
                    }
                };
                let response = Response {
                    variant: item.variant.clone(),
                    subject: subject.id.clone(),
                    repeat: item.repeat,
                    ending,
                };
                let suite = self.planned.id().clone();
                let Item { key, position, ord, .. } = item;
                self.writer.response(&NewResponse { suite, position, ord, key, response }).await?;
                self.done += 1;
            }
            drop(work);
            self.writer.flush().await?;
        }
        (self.run.tell)(RunEvent::Progress { pass: Pass::Answer, done: self.done });
        self.run.check_stop()
    }

    /// The key holds all that decides the answer, and nothing else.
    fn items(&self, subject: &PlannedSubject, families: &[StoredFamily]) -> Vec<Item> {
        let suite = self.planned.suite();
        let fingerprint = self.planned.opened.models.fingerprint(&subject.model);
        let mut items = Vec::new();
        let variants = families
            .iter()
            .flat_map(|family| family.variants.iter().zip(0..).map(|(variant, ord)| (family.position, ord, variant)));
        for (position, ord, variant) in variants {
            let prompt = suite.ask(variant);
            for repeat in 0..self.run.plan.repeats {
                let asked = (suite.id(), &variant.id, &subject.id, &fingerprint, &prompt, repeat);
                items.push(Item {
                    key: key_of(&asked),
                    position,
                    ord,
                    variant: variant.id.clone(),
                    prompt: prompt.clone(),
                    repeat,
                });
            }
        }
        items
    }

    fn model(&mut self, id: &str) -> Result<Arc<dyn ChatModel>, EngineError> {
        if let Some(model) = self.models.get(id) {
            return Ok(Arc::clone(model));
        }
        (self.run.tell)(RunEvent::Preparing { model: id.to_owned() });
        let made = self.planned.opened.models.make(id);
        let model = made.map_err(|problem| EngineError::Model { model: id.to_owned(), problem })?;
        self.models.insert(id.to_owned(), Arc::clone(&model));
        Ok(model)
    }
}

/// A failure ends as what it is: stored, counted, never scored as wrong.
async fn respond(agent: Arc<dyn Agent>, model: Arc<dyn ChatModel>, item: Item) -> Result<(Item, Ending), EngineError> {
    let who = format!("agent `{}` on {}", agent.id(), item.variant);
    let task = tokio::spawn(async move {
        let ending = match agent.answer(&*model, &item.prompt, item.repeat).await {
            Ok(conclusion) => Ending::Ok(conclusion),
            Err(error) => Ending::Failed(Failure::from(&error)),
        };
        (item, ending)
    });
    task.await.map_err(|error| EngineError::Lost(format!("{who}: {error}")))
}
