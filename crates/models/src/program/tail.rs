//! The last words of a program: the end of what it wrote to its standard error.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Mutex, PoisonError};

const MOST: usize = 2000;
const LINES: usize = 6;

/// Everything is read, so that no program waits for a reader; only the end is kept.
#[derive(Clone, Default)]
pub(super) struct Tail(Arc<Mutex<VecDeque<u8>>>);

impl Tail {
    /// Until the stream ends.
    pub fn read(&self, mut from: impl Read) {
        let mut piece = [0; 8192];
        while let Ok(some) = from.read(&mut piece) {
            if some == 0 {
                return;
            }
            let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            kept.extend(&piece[..some]);
            let surplus = kept.len().saturating_sub(MOST);
            kept.drain(..surplus);
        }
    }

    /// The last lines, in one.
    pub fn told(&self) -> Option<String> {
        let kept: Vec<u8> = self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().copied().collect();
        let text = String::from_utf8_lossy(&kept);
        let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(LINES)..];
        (!last.is_empty()).then(|| last.join(" / "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_end_is_kept() {
        let tail = Tail::default();
        assert_eq!(tail.told(), None);
        let flood = "x".repeat(100_000) + "\n";
        tail.read((flood + "Traceback:\n\n  KeyError: 'messages'\n").as_bytes());
        let told = tail.told().expect("there is something");
        assert!(told.ends_with("Traceback: / KeyError: 'messages'") && told.len() < MOST + 20, "{told}");
    }
}
