//! Cutting a pass into parts, and waiting until others have done them.

use super::Others;
use crate::passes::models::Models;
use crate::passes::{PAGE, answer, judge as judging};
use crate::{EngineError, Pass, PlannedSubject, PlannedSuite, Run, RunEvent};
use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep};
use waterjar_core::{SubjectId, counted};
use waterjar_store::{Left, Shard, StoredFamily, Trouble};

/// Questions in one part. A worker that dies costs no more than its calls, whatever the size; a part costs the queue some milliseconds.
const QUESTIONS: u64 = 32;
/// Of a part that fails again and again; each time it waits longer.
const MOST_FAILURES: u64 = 5;
/// Parts put into the queue in one statement.
const AT_ONCE: usize = 500;
const LOOK: Duration = Duration::from_millis(300);
/// Until whoever waits is told that nobody works, or that nothing comes of it; then once in a while.
const NOBODY: Duration = Duration::from_secs(5);
const SILENCE: Duration = Duration::from_secs(60);
/// Rounds in which workers leave as much open as they found.
const MOST_ROUNDS: u32 = 3;

pub(crate) async fn answer(run: &Run<'_>, planned: &PlannedSuite, others: &Others) -> Result<(), EngineError> {
    let variants = run.store.variants(planned.id()).await?;
    if variants == 0 {
        let problem = format!("holds no variants of `{}` yet", planned.id());
        return Err(EngineError::file(run.dir.path(), problem).with_hint("make them with `waterjar vary`"));
    }
    answer::refuse_what_was_learnt(run, planned).await?;
    let total = variants * planned.asked().count() as u64 * u64::from(run.plan.repeats);
    Waiting { run, planned, others, pass: Pass::Answer, total, said: Mutex::default() }.until_done().await
}

pub(crate) async fn judge(run: &Run<'_>, planned: &PlannedSuite, others: &Others) -> Result<(), EngineError> {
    let families = run.store.counts(planned.id()).await?.kept;
    let total = families * planned.subjects.len() as u64 * u64::from(run.plan.repeats);
    judging::announce(run, planned).await?;
    Waiting { run, planned, others, pass: Pass::Judge, total, said: Mutex::default() }.until_done().await
}

struct Waiting<'a> {
    run: &'a Run<'a>,
    planned: &'a PlannedSuite,
    others: &'a Others,
    pass: Pass,
    total: u64,
    said: Mutex<HashSet<String>>,
}

impl Waiting<'_> {
    /// What is open is put into the queue. When that is empty and something is open still, it is put there again.
    async fn until_done(&self) -> Result<(), EngineError> {
        let (run, pass) = (self.run, self.pass);
        (run.tell)(RunEvent::Started { suite: self.planned.id().clone(), pass, total: Some(self.total) });
        run.store.forget_troubles().await?;
        let (mut before, mut rounds) = (u64::MAX, 0);
        loop {
            let open = self.put_open().await?;
            if open == 0 {
                break;
            }
            rounds = if open < before { 0 } else { rounds + 1 };
            if rounds >= MOST_ROUNDS {
                let problem = format!("workers left {open} parts of `{}` as they were", self.planned.id());
                return Err(EngineError::Lost(problem));
            }
            before = open;
            let waited = self.until_queue_is_empty().await;
            if waited.is_err() {
                self.others.queue.clear(self.run_name()).await?;
            }
            waited?;
        }
        (run.tell)(RunEvent::Progress { pass, done: self.total });
        (run.tell)(RunEvent::Finished { pass });
        Ok(())
    }

    /// Tells how many parts there are.
    async fn put_open(&self) -> Result<u64, EngineError> {
        let writer = self.run.store.writer();
        let models = Models::open(self.run, self.planned, &writer).await?;
        // What an earlier start of this process left in the queue: what waits is put there anew, what somebody has stays with them. Nobody
        // can take any of it in between.
        self.others.queue.clear(self.run_name()).await?;
        let taken = self.others.queue.taken(self.run_name()).await?;
        let judges = self.pass == Pass::Judge;
        let mut parts: Vec<Shard> = Vec::new();
        let (mut after, mut n) = (0, 0);
        loop {
            self.run.check_stop()?;
            let page = answer::to_ask(&self.run.store, self.planned, after, PAGE).await?;
            for subject in self.planned.subjects.iter().filter(|it| judges || !it.is_elsewhere()) {
                let open = self.open(subject, &models, &page.items, after).await?;
                let found = self.parts(subject, &models, &page.items, &open, after);
                n += found.len() as u64;
                parts.extend(found.into_iter().filter(|part| !taken.contains(&part.key())));
            }
            if parts.len() >= AT_ONCE || page.next.is_none() {
                for some in parts.chunks(AT_ONCE) {
                    self.others.queue.add(some).await?;
                }
                parts.clear();
            }
            match page.next {
                Some(next) => after = next,
                None => return Ok(n),
            }
        }
    }

    /// The positions of those families in which something is open for a subject.
    async fn open(
        &self,
        subject: &PlannedSubject,
        models: &Models<'_>,
        families: &[StoredFamily],
        after: i64,
    ) -> Result<Vec<i64>, EngineError> {
        let (run, planned) = (self.run, self.planned);
        if self.pass == Pass::Judge {
            return judging::open_in(run, planned, models, &subject.id, after, PAGE).await;
        }
        let answered = run.store.answered(planned.id(), &subject.id, after, PAGE).await?;
        let fingerprint = models.fingerprint(&subject.model);
        let is_open = |family: &StoredFamily| {
            answer::questions(planned, subject, &fingerprint, run.plan.repeats, std::slice::from_ref(family))
                .any(|question| !answered.contains(&question.key))
        };
        Ok(families.iter().filter(|family| is_open(family)).map(|family| family.position).collect())
    }

    /// The families in parts; those parts in which something is open.
    fn parts(
        &self,
        subject: &PlannedSubject,
        models: &Models<'_>,
        families: &[StoredFamily],
        open: &[i64],
        mut after: i64,
    ) -> Vec<Shard> {
        let labels = self.labels(&subject.model, models);
        let mut parts = Vec::new();
        for some in families.chunks(self.families_in_part(families)) {
            if some.iter().any(|family| open.binary_search(&family.position).is_ok()) {
                parts.push(Shard {
                    run: self.run_name().to_owned(),
                    study: self.run.plan.identity.clone(),
                    pass: self.pass_name().to_owned(),
                    suite: self.planned.id().to_string(),
                    subject: subject.id.to_string(),
                    after,
                    families: u32::try_from(some.len()).unwrap_or(u32::MAX),
                    labels: labels.clone(),
                });
            }
            after = some.last().map_or(after, |family| family.position);
        }
        parts
    }

    /// So many of them that they make about as many questions as a part should have.
    fn families_in_part(&self, families: &[StoredFamily]) -> usize {
        let variants: usize = families.iter().map(|family| family.variants.len()).sum();
        let each = match self.pass {
            Pass::Judge => 1,
            _ => (variants / families.len().max(1)).max(1) as u64 * u64::from(self.run.plan.repeats),
        };
        usize::try_from(QUESTIONS / each).unwrap_or(1).max(1)
    }

    /// What workers choose by: the pass, and whether the work waits for a model or for the processor.
    fn labels(&self, subject: &str, models: &Models<'_>) -> Vec<String> {
        let mut asked: Vec<String> = match self.pass {
            Pass::Judge => {
                let roles = self.planned.suite().roles();
                roles.judges.into_iter().chain(roles.auditor).collect()
            }
            _ => vec![subject.to_owned()],
        };
        asked.retain(|id| models.is_remote(id));
        asked.sort();
        asked.dedup();
        let mut labels = vec![self.pass_name().to_owned()];
        if asked.is_empty() {
            labels.push("cpu".to_owned());
        }
        labels.extend(asked.into_iter().map(|id| format!("model:{id}")));
        labels
    }

    /// How much of the pass is in the store.
    async fn done(&self) -> Result<u64, EngineError> {
        let (store, planned) = (&self.run.store, self.planned);
        let by_subject: BTreeMap<SubjectId, u64> = match self.pass {
            Pass::Judge => store.judged(planned.id(), &planned.suite().judge_id()).await?,
            _ => store.subjects(planned.id()).await?.into_iter().map(|(id, it)| (id, it.responses)).collect(),
        };
        Ok(planned.subjects.iter().filter_map(|it| by_subject.get(&it.id)).sum())
    }

    async fn until_queue_is_empty(&self) -> Result<(), EngineError> {
        let (mut before, mut since) = (None, Instant::now());
        let (mut done_before, mut progress) = (None, Instant::now());
        loop {
            self.run.check_stop()?;
            self.run.store.hold().await?;
            self.heed(&self.run.store.troubles().await?, progress.elapsed())?;
            let left = self.others.queue.left(self.run_name()).await?;
            let done = self.done().await?;
            (self.run.tell)(RunEvent::Progress { pass: self.pass, done });
            if left.waiting + left.taken == 0 {
                return Ok(());
            }
            if done_before != Some(done) {
                (done_before, progress) = (Some(done), Instant::now());
            }
            if before != Some((left, done)) {
                (before, since) = (Some((left, done)), Instant::now());
            }
            // What dead workers had stays with them until another worker looks.
            if since.elapsed() > if left.taken == 0 { NOBODY } else { SILENCE } {
                since = Instant::now() + SILENCE;
                (self.run.tell)(RunEvent::Notice(self.standing_still(left)));
            }
            sleep(LOOK).await;
        }
    }

    /// Why nothing seems to come, and what to do about it.
    fn standing_still(&self, left: Left) -> String {
        let address = self.others.queue.server().shown();
        let Left { waiting, taken, later, within } = left;
        match taken {
            0 if later > 0 => format!(
                "{} not be done and will be tried again within {within} s; {} waiting",
                counted(later, "part could", "parts could"),
                counted(waiting - later, "other is", "others are")
            ),
            0 => {
                let parts = counted(waiting, "part waits", "parts wait");
                format!("{parts} and nobody takes any: start `waterjar worker --store {address}`")
            }
            taken => format!(
                "nothing has come of the {taken} parts that workers have, {waiting} more wait: does `waterjar worker --store {address}` \
                 still run?"
            ),
        }
    }

    /// What every other part would end with too ends the run; the rest is tried again a few times.
    fn heed(&self, troubles: &[Trouble], idle: Duration) -> Result<(), EngineError> {
        for trouble in troubles {
            let message = trouble.message.clone();
            return Err(match trouble.kind.as_str() {
                "budget" => EngineError::Budget(without(&message, "stopped by the budget: ")),
                "closed" => EngineError::Closed(without(&message, "stopped: ")),
                "forbidden" => EngineError::Forbidden(message),
                // It may be the only one that cannot; whoever waits can see to it.
                "worker" => {
                    self.say_once(message);
                    continue;
                }
                _ if trouble.times < MOST_FAILURES => continue,
                // One worker may have the wrong key while another gets answers.
                "outage" if idle < SILENCE => {
                    self.say_once(message);
                    continue;
                }
                "outage" => EngineError::Closed(message),
                _ => EngineError::Lost(format!(
                    "{} failed {} times, the last time: {message}",
                    trouble.shard, trouble.times
                )),
            });
        }
        Ok(())
    }

    fn say_once(&self, text: String) {
        let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        if said.insert(text.clone()) {
            (self.run.tell)(RunEvent::Notice(text));
        }
    }

    fn run_name(&self) -> &str {
        self.run.store.run_name().unwrap_or_default()
    }

    fn pass_name(&self) -> &'static str {
        if self.pass == Pass::Judge { "judge" } else { "answer" }
    }
}

fn without(message: &str, prefix: &str) -> String {
    message.strip_prefix(prefix).unwrap_or(message).to_owned()
}
