//! `waterjar register --commit`: the commit that holds the lock says when it was there.

use super::{page, refused, system};
use crate::sample::{Desk, quick};
use std::process::Command;

/// A desk in a repository, with somebody who commits.
fn repository() -> Desk {
    let desk = Desk::with_study(&quick());
    for words in ["init -q", "config user.email us@example.org", "config user.name us"] {
        git(&desk, words);
    }
    desk
}

fn git(desk: &Desk, words: &str) {
    system(desk, &[&["git"], words.split(' ').collect::<Vec<_>>().as_slice()].concat());
}

/// What is to be committed next.
fn staged(desk: &Desk) -> String {
    let told = Command::new("git").args(["status", "--porcelain", "-uno"]).current_dir(desk.path("")).output().unwrap();
    String::from_utf8(told.stdout).unwrap()
}

/// Runs the study, which no commit speaks for.
fn no_commit_speaks(desk: &Desk) {
    desk.done("run small.toml --out run");
    assert!(page(desk).contains("by the clock of the machine"), "{}", page(desk));
    assert!(!page(desk).contains("by git commit "), "{}", page(desk));
}

#[test]
fn the_commit_that_holds_the_lock_says_when() {
    let desk = repository();
    desk.write("other.txt", "not ours to commit");
    git(&desk, "add other.txt");
    let ended = desk.done("register small.toml --commit");
    assert!(ended.stderr.contains("git commit "), "{}", ended.stderr);
    let files =
        Command::new("git").args(["show", "--name-only", "--format=%s"]).current_dir(desk.path("")).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&files.stdout), "Register the study small\n\nsmall.lock\n");
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("by git commit "));
    // Changed since the commit: it no longer speaks for the lock.
    let lock = desk.read("small.lock");
    desk.write("small.lock", format!("{lock}\n"));
    no_commit_speaks(&desk);
}

#[test]
fn the_commit_that_took_the_lock_away_does_not_speak_for_it() {
    let desk = repository();
    desk.done("register small.toml --commit");
    git(&desk, "rm -q --cached small.lock");
    git(&desk, "commit -q -m Away");
    desk.done("register small.toml --again");
    no_commit_speaks(&desk);
}

/// What it leads to can be changed without a commit.
#[cfg(unix)]
#[test]
fn the_commit_of_a_link_does_not_speak_for_what_it_leads_to() {
    let desk = repository();
    std::os::unix::fs::symlink("elsewhere", desk.path("small.lock")).unwrap();
    git(&desk, "add small.lock");
    git(&desk, "commit -q -m Link");
    desk.done("register small.toml --again");
    no_commit_speaks(&desk);
}

/// A name that is a pattern to git means only itself.
#[test]
fn only_the_lock_is_committed_whatever_it_is_called() {
    let desk = repository();
    desk.write("s*l.toml", quick());
    desk.write("small.lock", "not ours to commit");
    desk.done("register s*l.toml --commit");
    git(&desk, "cat-file -e HEAD:s*l.lock");
    assert_eq!(staged(&desk), "");
}

#[test]
fn a_lock_that_is_there_can_be_committed_later() {
    let desk = repository();
    desk.done("register small.toml");
    let lock = desk.read("small.lock");
    refused(&desk, "register small.toml", "small.lock: is there already, and declares the same");
    for _ in 0..2 {
        let ended = desk.done("register small.toml --commit");
        assert!(ended.stderr.contains("declares the same; it stays as it is"), "{}", ended.stderr);
        assert!(ended.stderr.contains("git commit "), "{}", ended.stderr);
    }
    assert_eq!(desk.read("small.lock"), lock);
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("by git commit "));
}

#[test]
fn a_lock_of_another_declaration_is_neither_changed_nor_committed() {
    let desk = repository();
    desk.done("register small.toml");
    let lock = desk.read("small.lock");
    desk.write("small.toml", quick().replace("seed = 7", "seed = 8"));
    for words in ["register small.toml", "register small.toml --commit"] {
        refused(&desk, words, "small.lock: is there already, of another declaration; changed since: ");
    }
    assert_eq!((desk.read("small.lock"), staged(&desk)), (lock, String::new()));
    desk.write("small.lock", "not a lock");
    refused(&desk, "register small.toml --commit", "small.lock: is no lock");
    assert_eq!(desk.read("small.lock"), "not a lock");
}

#[test]
fn git_says_why_there_is_no_commit() {
    let desk = Desk::with_study(&quick());
    refused(&desk, "register small.toml --commit", "not a git repository");
    let desk = repository();
    desk.write(".gitignore", "*.lock\n");
    refused(&desk, "register small.toml --commit", "ignored by one of your .gitignore files");
    assert_eq!(staged(&desk), "");
}

#[test]
fn what_cannot_be_committed_does_not_stay_staged() {
    let desk = repository();
    git(&desk, "config user.useConfigOnly true");
    git(&desk, "config --unset user.email");
    // Nobody's own settings, where an address may be.
    let alone = [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_SYSTEM", "/dev/null"), ("EMAIL", "")];
    let ended = desk.waterjar_with(&alone, "register small.toml --commit");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert!(ended.stderr.contains("Please tell me who you are"), "{}", ended.stderr);
    assert_eq!(staged(&desk), "", "before the first commit");
    git(&desk, "config user.email us@example.org");
    desk.done("register small.toml --again --commit");
    std::thread::sleep(std::time::Duration::from_millis(1100));
    git(&desk, "config --unset user.email");
    let ended = desk.waterjar_with(&alone, "register small.toml --again --commit");
    assert_eq!(ended.code, Some(2), "{}", ended.stderr);
    assert_eq!(staged(&desk), " M small.lock\n", "changed, and not staged");
}
