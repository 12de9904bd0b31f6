//! The one way in for rows by the thousand: a task that gathers them into transactions.

use crate::batch::{Batch, Item};
use crate::cases::CaseRow;
use crate::family_rows;
use crate::replies::ReplyRow;
use crate::responses::ResponseRow;
use crate::transcripts::TranscriptRow;
use crate::verdicts::VerdictRow;
use crate::{NewCall, NewCase, NewFamily, NewReply, NewResponse, NewVerdict, Spend, Store, StoreError};
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};
use waterjar_core::CaseId;

/// Takes rows and commits them every `ENOUGH_ROWS` rows or `LONG_ENOUGH`, whichever comes first.
///
/// A row is safe when a later [`Writer::flush`] has returned. Sending waits while the queue is full, so a slow disk slows the run down
/// instead of filling the memory. After the first error nothing more is written and every call gives that error; a new writer begins afresh.
#[derive(Clone)]
pub struct Writer {
    queue: mpsc::Sender<Message>,
    told: Arc<Told>,
}

const ENOUGH_ROWS: usize = 64;
const LONG_ENOUGH: Duration = Duration::from_millis(50);
/// What is waiting anyway goes along, up to here: larger transactions cost less a row.
const MOST_ROWS: usize = 512;
const QUEUE: usize = 512;

/// What the task tells all handles.
#[derive(Default)]
struct Told {
    failure: OnceLock<StoreError>,
    repeated_case: OnceLock<CaseId>,
}

enum Message {
    Item(Item),
    Flush(oneshot::Sender<()>),
}

impl Store {
    /// Needs a Tokio runtime, on which the task runs until the last clone of the writer is dropped.
    pub fn writer(&self) -> Writer {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let told = Arc::new(Told::default());
        tokio::spawn(write(self.clone(), waiting, Arc::clone(&told)));
        Writer { queue, told }
    }
}

impl Writer {
    pub async fn case(&self, new: &NewCase) -> Result<(), StoreError> {
        self.send(Item::Case(CaseRow::of(new)?)).await
    }

    /// The family and its variants are stored together or not at all.
    pub async fn family(&self, new: &NewFamily) -> Result<(), StoreError> {
        let (family, variants) = family_rows::rows_of(new)?;
        self.send(Item::Family(family, variants)).await
    }

    pub async fn response(&self, new: &NewResponse) -> Result<(), StoreError> {
        self.send(Item::Response(ResponseRow::of(new)?)).await
    }

    pub async fn verdict(&self, new: &NewVerdict) -> Result<(), StoreError> {
        self.send(Item::Verdict(VerdictRow::of(new)?)).await
    }

    pub async fn reply(&self, new: &NewReply<'_>) -> Result<(), StoreError> {
        self.send(Item::Reply(ReplyRow::of(new)?)).await
    }

    pub async fn call(&self, new: &NewCall<'_>) -> Result<(), StoreError> {
        self.send(Item::Call(TranscriptRow::of(new)?)).await
    }

    /// Adds to what the model has used.
    pub async fn spend(&self, more: Spend) -> Result<(), StoreError> {
        self.send(Item::Spend(more)).await
    }

    /// Returns when everything sent before is committed, or with the first error.
    pub async fn flush(&self) -> Result<(), StoreError> {
        let (done, committed) = oneshot::channel();
        // A task that is gone answers neither; `check` tells why.
        if self.queue.send(Message::Flush(done)).await.is_ok() && committed.await.is_ok() {
            return self.check();
        }
        self.check()?;
        Err(StoreError::WriterStopped)
    }

    /// The first case that was sent although the store had it. Cases come from one reading of a source, so its ids are not unique.
    pub fn repeated_case(&self) -> Option<&CaseId> {
        self.told.repeated_case.get()
    }

    async fn send(&self, item: Item) -> Result<(), StoreError> {
        self.check()?;
        if self.queue.send(Message::Item(item)).await.is_ok() {
            return Ok(());
        }
        self.check()?;
        Err(StoreError::WriterStopped)
    }

    fn check(&self) -> Result<(), StoreError> {
        self.told.failure.get().cloned().map_or(Ok(()), Err)
    }
}

/// The task. It ends when all handles are dropped and the queue is empty.
async fn write(store: Store, mut waiting: mpsc::Receiver<Message>, told: Arc<Told>) {
    while let Some(first) = waiting.recv().await {
        let (batch, flushes) = gather(first, &mut waiting).await;
        // After an error the queue is emptied without writing: a later row must not be there when an earlier one is not.
        if told.failure.get().is_none() && batch.rows() > 0 {
            match batch.store(&store).await {
                Ok(Some(repeated)) => {
                    let _ = told.repeated_case.set(CaseId::new(repeated));
                }
                Ok(None) => {}
                Err(error) => {
                    let _ = told.failure.set(error);
                }
            }
        }
        for done in flushes {
            // Whoever asked may have gone.
            let _ = done.send(());
        }
    }
}

/// Waits for enough rows or long enough, but for nothing once somebody wants a flush.
async fn gather(first: Message, waiting: &mut mpsc::Receiver<Message>) -> (Batch, Vec<oneshot::Sender<()>>) {
    let mut batch = Batch::default();
    let mut flushes = Vec::new();
    let deadline = Instant::now() + LONG_ENOUGH;
    let mut next = Some(first);
    while let Some(message) = next {
        match message {
            Message::Item(item) => batch.add(item),
            Message::Flush(done) => flushes.push(done),
        }
        next = if batch.rows() >= MOST_ROWS {
            None
        } else if batch.rows() >= ENOUGH_ROWS || !flushes.is_empty() {
            waiting.try_recv().ok()
        } else {
            timeout_at(deadline, waiting.recv()).await.ok().flatten()
        };
    }
    (batch, flushes)
}
