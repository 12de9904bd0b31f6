//! `waterjar register`: who says when a study was declared, and what was changed since.

use crate::sample::{Desk, quick};
use std::process::Command;

fn system(desk: &Desk, words: &[&str]) {
    let ended = Command::new(words[0]).args(&words[1..]).current_dir(desk.path("")).output().unwrap();
    assert!(ended.status.success(), "{words:?}: {}", String::from_utf8_lossy(&ended.stderr));
}

/// With spaces folded, so that a line of the page is a line here.
fn page(desk: &Desk) -> String {
    desk.read("run/report.html").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn a_study_declared_first_is_registered_before_the_first_question() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("yes: declared before the first question, and run as declared"));
    assert!(page(&desk).contains("by the clock of the machine that declared it"));
    assert_eq!(desk.json("run/metrics.json")["registered"], true);
}

#[test]
fn a_study_declared_afterwards_is_not_registered() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out run");
    // The clock tells seconds.
    std::thread::sleep(std::time::Duration::from_millis(1100));
    desk.done("register small.toml");
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("no: declared after the first question"));
    assert_eq!(desk.json("run/metrics.json")["registered"], false);
}

#[test]
fn every_deviation_is_listed() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.done("run small.toml --out run --set suite.gap=0.25");
    let page = page(&desk);
    assert!(page.contains("declared before the first question, and deviated from"), "{page}");
    assert!(page.contains("changed since it was declared: einstellung.settings"), "{page}");
    assert_eq!(desk.json("run/metrics.json")["registered"], false);
}

#[test]
fn the_commit_that_holds_the_lock_says_when() {
    let desk = Desk::with_study(&quick());
    for words in ["init -q", "config user.email us@example.org", "config user.name us"] {
        system(&desk, &[&["git"], words.split(' ').collect::<Vec<_>>().as_slice()].concat());
    }
    desk.write("other.txt", "not ours to commit");
    system(&desk, &["git", "add", "other.txt"]);
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
    desk.done("run small.toml --out run");
    assert!(!page(&desk).contains("by git commit "));
}

/// An authority of our own, made with openssl.
#[test]
fn the_token_of_an_authority_says_when() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.write(
        "tsa.cnf",
        "[req]\ndistinguished_name = dn\nx509_extensions = ext\nprompt = no\n[dn]\nCN = Test authority\n[ext]\nextendedKeyUsage = critical,timeStamping\n\
         [tsa]\ndefault_tsa = one\n[one]\nserial = serial\nsigner_cert = cert.pem\nsigner_key = key.pem\nsigner_digest = sha256\n\
         default_policy = 1.2.3.4.1\ndigests = sha256, sha384, sha512\n",
    );
    desk.write("serial", "01\n");
    system(
        &desk,
        &[
            "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem",
            "-days", "2", "-config", "tsa.cnf",
        ],
    );
    for (hash, reply) in [("-sha256", "a.tsr"), ("-sha512", "b.tsr")] {
        system(&desk, &["openssl", "ts", "-query", "-data", "small.lock", hash, "-cert", "-out", "query.tsq"]);
        system(&desk, &["openssl", "ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query.tsq", "-out", reply]);
        let ended = desk.done(&format!("register small.toml --token {reply}"));
        assert!(ended.stderr.contains("of policy 1.2.3.4.1"), "{}", ended.stderr);
    }
    // The token alone, without the reply around it.
    system(&desk, &["openssl", "ts", "-reply", "-in", "a.tsr", "-token_out", "-out", "bare.tst"]);
    desk.done("register small.toml --token bare.tst");
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("by time-stamp token"), "{}", page(&desk));
    assert!(desk.path("run/study.tsr").is_file());

    let bad = |name: &str, told: &str| {
        let ended = desk.waterjar(&format!("register small.toml --token {name}"));
        assert_eq!(ended.code, Some(2), "{name}");
        assert!(ended.stderr.contains(told), "{name}: {}", ended.stderr);
    };
    bad("small.toml", "is no time-stamp token");
    bad("none.tsr", "cannot be read");
    desk.done("register small.toml --again");
    bad("a.tsr", "is of another file than this lock");
    let ended = desk.waterjar("run small.toml --out other");
    assert_eq!(ended.code, Some(2), "a token of another lock stays beside it");
    assert!(ended.stderr.contains("small.tsr"), "{}", ended.stderr);
}
