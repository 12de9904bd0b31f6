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
use tokio::sync::{Notify, Semaphore, SemaphorePermit, mpsc, oneshot};
use tokio::time::timeout;
use waterjar_core::CaseId;

/// Takes rows and commits them after `LONG_ENOUGH`, or sooner when `ENOUGH` are waiting.
///
/// A row is safe when a later [`Writer::flush`] has returned. Sending waits while the queue is full, by rows or by bytes, so a slow disk slows
/// the run down instead of filling the memory. After the first error nothing more is written and every call gives that error; a new writer begins afresh.
#[derive(Clone)]
pub struct Writer {
    queue: mpsc::Sender<Message>,
    shared: Arc<Shared>,
}

const LONG_ENOUGH: Duration = Duration::from_millis(50);
const ENOUGH: usize = 1024;
/// In one transaction: what came while the last one was written goes along.
const MOST_ROWS: usize = 2048;
/// What comes within the tenth of a second in which the `-wal` is copied back.
const QUEUE: usize = 4096;
/// Kilobytes that wait, or are being written: some 2,700 rows of the usual two or three, and fewer of long traces.
const ROOM: usize = 8 * 1024;

/// Between the task and all handles.
struct Shared {
    /// Kilobytes for which there is room. Closed when the task has ended.
    room: Semaphore,
    /// Not to wait any longer.
    now: Notify,
    failure: OnceLock<StoreError>,
    repeated_case: OnceLock<CaseId>,
}

enum Message {
    /// With the kilobytes it was given.
    Item(Item, usize),
    Flush(oneshot::Sender<()>),
}

impl Store {
    /// Needs a Tokio runtime, on which the task runs until the last clone of the writer is dropped.
    pub fn writer(&self) -> Writer {
        let (queue, waiting) = mpsc::channel(QUEUE);
        let shared = Arc::new(Shared {
            room: Semaphore::new(ROOM),
            now: Notify::new(),
            failure: OnceLock::new(),
            repeated_case: OnceLock::new(),
        });
        tokio::spawn(write(self.clone(), waiting, Arc::clone(&shared)));
        Writer { queue, shared }
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
        let sent = self.queue.send(Message::Flush(done)).await;
        self.shared.now.notify_one();
        // A task that is gone answers neither; `check` tells why.
        if sent.is_ok() && committed.await.is_ok() {
            return self.check();
        }
        self.check()?;
        Err(StoreError::WriterStopped)
    }

    /// The first case that was sent although the store had it. Cases come from one reading of a source, so its ids are not unique.
    pub fn repeated_case(&self) -> Option<&CaseId> {
        self.shared.repeated_case.get()
    }

    /// The first error, after which nothing more is written.
    pub fn failure(&self) -> Option<StoreError> {
        self.shared.failure.get().cloned()
    }

    async fn send(&self, item: Item) -> Result<(), StoreError> {
        self.check()?;
        // Whoever is given up while waiting gives back what it had: both are kept only by sending.
        if let (Some(room), Ok(place)) = (self.room(&item).await, self.queue.reserve().await) {
            place.send(Message::Item(item, room.num_permits()));
            room.forget();
            // Nothing is left for who waits: permits go to them first.
            let is_full = self.shared.room.available_permits() == 0;
            if is_full || self.queue.capacity() <= QUEUE - ENOUGH {
                self.shared.now.notify_one();
            }
            return Ok(());
        }
        self.check()?;
        Err(StoreError::WriterStopped)
    }

    /// Waits until there is room for the item. What is larger than all there is gets all of it. None when the task has ended.
    async fn room(&self, item: &Item) -> Option<SemaphorePermit<'_>> {
        let needed = (1 + item.room() / 1024).min(ROOM) as u32;
        let room = &self.shared.room;
        if let Ok(got) = room.try_acquire_many(needed) {
            return Some(got);
        }
        self.shared.now.notify_one();
        room.acquire_many(needed).await.ok()
    }

    fn check(&self) -> Result<(), StoreError> {
        self.failure().map_or(Ok(()), Err)
    }
}

/// The task. It ends when all handles are dropped and the queue is empty.
async fn write(store: Store, mut waiting: mpsc::Receiver<Message>, shared: Arc<Shared>) {
    let _closing = Closing(&shared.room);
    while let Some(first) = waiting.recv().await {
        if matches!(first, Message::Item(..)) && waiting.len() < ENOUGH {
            // Asleep, and not woken by every row that comes.
            let _ = timeout(LONG_ENOUGH, shared.now.notified()).await;
        }
        let Gathered { batch, room, flushes } = gather(first, &mut waiting);
        // After an error the queue is emptied without writing: a later row must not be there when an earlier one is not.
        if shared.failure.get().is_none() && batch.rows() > 0 {
            match batch.store(&store).await {
                Ok(Some(repeated)) => {
                    let _ = shared.repeated_case.set(CaseId::new(repeated));
                }
                Ok(None) => {}
                Err(error) => {
                    let _ = shared.failure.set(error);
                }
            }
        }
        shared.room.add_permits(room);
        for done in flushes {
            // Whoever asked may have gone.
            let _ = done.send(());
        }
    }
}

/// Also when the task ends by a panic, nobody waits for room that never comes.
struct Closing<'a>(&'a Semaphore);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

#[derive(Default)]
struct Gathered {
    batch: Batch,
    /// Kilobytes that are free again once it is written.
    room: usize,
    flushes: Vec<oneshot::Sender<()>>,
}

/// All that is waiting, up to a transaction's worth.
fn gather(first: Message, waiting: &mut mpsc::Receiver<Message>) -> Gathered {
    let mut gathered = Gathered::default();
    let mut next = Some(first);
    while let Some(message) = next {
        match message {
            Message::Item(item, room) => {
                gathered.batch.add(item);
                gathered.room += room;
            }
            Message::Flush(done) => gathered.flushes.push(done),
        }
        next = if gathered.batch.rows() < MOST_ROWS { waiting.try_recv().ok() } else { None };
    }
    gathered
}
