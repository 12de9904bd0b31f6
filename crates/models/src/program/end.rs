//! How a program ended, by itself or by us.

use super::keeper::Group;
use super::lines::Unread;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

/// How long a program may take to end once it says nothing more.
const ENDS_WITHIN: Duration = Duration::from_secs(2);

/// Why it is ended, where what it printed is a reason.
pub(super) fn told(unread: &Unread, longest: usize) -> Option<String> {
    let bytes = if longest >= 1 << 20 { format!("{} MB", longest >> 20) } else { format!("{longest} bytes") };
    match unread {
        Unread::End => None,
        Unread::TooLong(begins) => {
            Some(format!("printed a line of more than {bytes} and was ended; it begins: `{begins}`"))
        }
        Unread::Nothing => Some(format!("printed more than {bytes} of empty lines and was ended")),
        Unread::Refused(why) => Some(format!("{why}; it was ended")),
    }
}

/// Its standard output has ended, so it is about to; if not, it is helped.
pub(super) fn ended(child: &mut Child, group: Group) -> Option<ExitStatus> {
    let waited = Instant::now();
    let mut pause = Duration::from_millis(1);
    while waited.elapsed() < ENDS_WITHIN {
        match child.try_wait() {
            Ok(Some(status)) => return Some(status),
            Ok(None) => thread::sleep(pause),
            Err(_) => return None,
        }
        pause = (pause * 2).min(Duration::from_millis(50));
    }
    group.kill();
    child.wait().ok()
}

pub(super) fn how_it_ended(status: Option<ExitStatus>) -> String {
    match status.map(|status| (status.code(), status.signal())) {
        Some((Some(0), _)) => "ended without a reply".to_owned(),
        Some((Some(code), _)) => format!("ended with code {code}"),
        Some((_, Some(signal))) => format!("was ended by signal {signal}"),
        _ => "ended".to_owned(),
    }
}
