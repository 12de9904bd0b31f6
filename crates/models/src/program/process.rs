//! One program under way: lines to it, lines from it, and its end.

use super::Start;
use super::end::{ended, how_it_ended, told};
use super::keeper::{Group, Keeper};
use super::lines::{self, Unread, beginning};
use super::pool::Health;
use super::reply::reply_of;
use super::tail::Tail;
use serde_json::{Map, Value};
use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};
use tokio::sync::oneshot;
use waterjar_core::ModelError;

/// How long it may take to end once there is nothing more to ask.
const ENDS_BY_ITSELF: Duration = Duration::from_secs(1);
/// How long its last words are waited for once it has ended: a child of it may hold the stream open.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// Dropped, its standard input ends; whatever of it is left a second later is killed.
pub(super) struct Process {
    shared: Arc<Shared>,
    /// Gone only while it is dropped.
    lines: Option<Sender<Vec<u8>>>,
}

struct Shared {
    group: Group,
    state: Mutex<State>,
}

/// What becomes of a question.
pub(super) enum Told {
    Reply(Value),
    /// The process ended well after other replies, as one does that answers one question each: another may be asked.
    NotHeard,
    Failed(ModelError),
}

#[derive(Default)]
struct State {
    /// Who waits for which reply.
    waiting: HashMap<u64, oneshot::Sender<Told>>,
    /// Nobody waits for these any more; their replies may still come.
    given_up: HashSet<u64>,
    asked: u64,
    replies: u64,
    /// Why it was ended, where we ended it.
    doom: Option<String>,
    ended: bool,
}

impl State {
    fn is_over(&self) -> bool {
        self.ended || self.doom.is_some()
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Process {
    /// Starts it, with a keeper beside it. Three threads serve it: they hold nothing that outlives it.
    pub fn start(start: &Arc<Start>, health: &Arc<Health>) -> io::Result<Self> {
        let keeper = Keeper::start()?;
        let mut child = match keeper.starts(&mut command(start)) {
            Ok(child) => child,
            Err(error) => {
                keeper.go_home();
                return Err(error);
            }
        };
        let shared = Arc::new(Shared { group: keeper.group(), state: Mutex::default() });
        let (lines, to_write) = channel();
        let stdin = child.stdin.take().ok_or(io::ErrorKind::BrokenPipe)?;
        thread::Builder::new().name("program stdin".into()).spawn(move || write(stdin, &to_write))?;
        let (start, health, heard) = (Arc::clone(start), Arc::clone(health), Arc::clone(&shared));
        thread::Builder::new()
            .name("program stdout".into())
            .spawn(move || supervise(child, keeper, &start, &health, &heard))?;
        Ok(Self { shared, lines: Some(lines) })
    }

    /// It has ended, or will this moment.
    pub fn is_over(&self) -> bool {
        self.shared.state().is_over()
    }

    /// Questions it has not replied to.
    pub fn under_way(&self) -> usize {
        self.shared.state().waiting.len()
    }

    /// Sends a question. `None` where it has ended meanwhile.
    pub fn ask(&self, question: &Map<String, Value>) -> Option<Asked> {
        let (tell, told) = oneshot::channel();
        let mut state = self.shared.state();
        if state.is_over() {
            return None;
        }
        state.asked += 1;
        let id = state.asked;
        state.waiting.insert(id, tell);
        let asked = Asked { id, replies: state.replies, shared: Arc::clone(&self.shared), told };
        drop(state);
        let mut line = Map::with_capacity(question.len() + 1);
        line.insert("id".into(), id.to_string().into());
        line.extend(question.clone());
        let mut line = Value::Object(line).to_string().into_bytes();
        line.push(b'\n');
        // Where nobody writes any more it has ended, and whoever waits is told so.
        let _ = self.lines.as_ref().map(|lines| lines.send(line));
        Some(asked)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.lines.take());
        let shared = Arc::clone(&self.shared);
        // Where we end sooner, the keeper does the same.
        let _ = thread::Builder::new().name("program end".into()).spawn(move || {
            let waited = Instant::now();
            while !shared.state().ended {
                if waited.elapsed() > ENDS_BY_ITSELF {
                    return shared.group.kill();
                }
                thread::sleep(Duration::from_millis(20));
            }
        });
    }
}

/// A question on its way.
pub(super) struct Asked {
    id: u64,
    /// How many had been replied to when it was asked.
    replies: u64,
    shared: Arc<Shared>,
    told: oneshot::Receiver<Told>,
}

impl Asked {
    pub async fn told(mut self) -> Told {
        let told = (&mut self.told).await;
        told.unwrap_or_else(|_| Told::Failed(ModelError::Transport("the program ended".to_owned())))
    }
}

impl Drop for Asked {
    /// Given up: a program that replied to nothing since then hangs. One that replies to others may go on.
    fn drop(&mut self) {
        let mut state = self.shared.state();
        if state.waiting.remove(&self.id).is_none() || state.ended {
            return;
        }
        if state.replies > self.replies {
            state.given_up.insert(self.id);
        } else {
            state.doom.get_or_insert_with(|| "gave no reply in time and was ended".to_owned());
            drop(state);
            self.shared.group.kill();
        }
    }
}

fn command(start: &Start) -> Command {
    let program = &start.command[0];
    // Beside the study, wherever we were started.
    let path = if program.contains('/') { start.folder.join(program).into_os_string() } else { program.into() };
    let mut command = Command::new(path);
    command.args(&start.command[1..]).current_dir(&start.folder).env_clear().envs(start.variables.iter().cloned());
    // A line that waits in Python's own buffer is a reply that never comes.
    command.env("PYTHONUNBUFFERED", "1");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Until nobody sends any more, or it reads no more.
fn write(mut to: ChildStdin, lines: &Receiver<Vec<u8>>) {
    while let Ok(line) = lines.recv() {
        if to.write_all(&line).and_then(|()| to.flush()).is_err() {
            return;
        }
    }
}

fn supervise(mut child: Child, keeper: Keeper, start: &Start, health: &Health, shared: &Shared) {
    let tail = Tail::default();
    let stderr = child.stderr.take().map(|stderr| {
        let tail = tail.clone();
        thread::spawn(move || tail.read(stderr))
    });
    let unread = match child.stdout.take() {
        Some(stdout) => lines::read(stdout, start.longest_line, |line| hear(line, health, shared)),
        None => Unread::End,
    };
    if let Some(told) = told(&unread, start.longest_line) {
        shared.state().doom.get_or_insert(told);
        shared.group.kill();
    }
    let status = ended(&mut child, shared.group);
    keeper.go_home();
    if let Some(stderr) = stderr {
        let waited = Instant::now();
        while !stderr.is_finished() && waited.elapsed() < LAST_WORDS {
            thread::sleep(Duration::from_millis(5));
        }
    }
    let mut state = shared.state();
    state.ended = true;
    let waiting = std::mem::take(&mut state.waiting);
    let doom = state.doom.clone();
    let useful = state.replies > 0 || waiting.is_empty();
    drop(state);
    if doom.is_none() && useful && status.as_ref().is_some_and(ExitStatus::success) {
        waiting.into_values().for_each(|tell| drop(tell.send(Told::NotHeard)));
        return;
    }
    let how = doom.unwrap_or_else(|| how_it_ended(status));
    let words = tail.told().map(|words| format!("; its last words: {words}")).unwrap_or_default();
    let why = format!("{} {how}{words}", start.command.join(" "));
    health.failed(&why);
    for tell in waiting.into_values() {
        // It was sent, and a program may pay for what it asks others.
        let _ = tell.send(Told::Failed(ModelError::Transport(why.clone()).charged(None)));
    }
}

/// One line of the program. The error is that it is no reply.
fn hear(line: &[u8], health: &Health, shared: &Shared) -> Result<(), String> {
    let (id, reply) = reply_of(line)?;
    let mut state = shared.state();
    let known = id.is_some_and(|id| state.given_up.remove(&id));
    match id.and_then(|id| state.waiting.remove(&id)) {
        Some(tell) => {
            state.replies += 1;
            drop(state);
            health.replied();
            // Whoever waited may just have left.
            let _ = tell.send(Told::Reply(reply));
            Ok(())
        }
        None if known => {
            state.replies += 1;
            Ok(())
        }
        None => Err(format!(
            "printed a reply to a question that nobody asked or that it has replied to: `{}`",
            beginning(line)
        )),
    }
}
