//! A program must not outlive us, however we end. A small shell waits beside it for the end of a pipe that only we hold open: whether we
//! end well, panic or are killed, the pipe ends, and the shell ends the program and all it started, itself included.
//!
//! It is there before the program, and leads the process group that the program is started in: there is no moment without a keeper.
//! Linux could tell the program's own process (`PR_SET_PDEATHSIG`), but only by unsafe code, and not the children it starts.

use rustix::process::{Pid, Signal, kill_process_group};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};

/// Nobody ever writes to the pipe. The program has a second to end by itself: its standard input has ended, too.
const WATCH: &str = "read -r word; sleep 1; kill -s KILL 0";

pub(super) struct Keeper {
    shell: Child,
    group: Pid,
}

impl Keeper {
    pub fn start() -> io::Result<Self> {
        let shell = Command::new("/bin/sh")
            .args(["-c", WATCH])
            // It needs `sleep` and no secret of ours.
            .env_clear()
            .env("PATH", "/usr/bin:/bin")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            // Ctrl-C in the terminal is for us.
            .process_group(0)
            .spawn()?;
        let group = Pid::from_child(&shell);
        Ok(Self { shell, group })
    }

    /// Starts a program in its group.
    pub fn starts(&self, command: &mut Command) -> io::Result<Child> {
        command.process_group(self.group.as_raw_nonzero().get()).spawn()
    }

    pub fn group(&self) -> Group {
        Group(self.group)
    }

    /// The program has ended, and whatever it left behind ends with the keeper.
    pub fn go_home(mut self) {
        self.group().kill();
        let _ = self.shell.wait();
    }
}

/// A program and all it started, unless that left the group.
#[derive(Clone, Copy)]
pub(super) struct Group(Pid);

impl Group {
    pub fn kill(self) {
        // There is nothing to do where nobody is left.
        let _ = kill_process_group(self.0, Signal::KILL);
    }
}
