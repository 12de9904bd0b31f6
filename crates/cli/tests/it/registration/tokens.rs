//! `waterjar register --token`: the token of a time-stamping authority says when the lock was there.

use super::{page, refused, system};
use crate::sample::{Desk, quick};

const SETTINGS: &str = "[req]
distinguished_name = dn
x509_extensions = ext
prompt = no
[dn]
CN = Test authority
[ext]
extendedKeyUsage = critical,timeStamping
[tsa]
default_tsa = one
[one]
serial = serial
signer_cert = cert.pem
signer_key = key.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha384, sha512
";

/// A declared study, and an authority of our own made with openssl. It has these settings too.
fn authority(more: &str) -> Desk {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    desk.write("tsa.cnf", format!("{SETTINGS}{more}"));
    desk.write("serial", "01\n");
    let make = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out cert.pem -days 2 -config tsa.cnf";
    openssl(&desk, make);
    desk
}

fn openssl(desk: &Desk, words: &str) {
    system(desk, &words.split(' ').collect::<Vec<_>>());
}

/// What the authority replies to a question about the lock.
fn stamp(desk: &Desk, hash: &str, reply: &str) {
    openssl(desk, &format!("openssl ts -query -data small.lock {hash} -cert -out query.tsq"));
    openssl(desk, &format!("openssl ts -reply -config tsa.cnf -queryfile query.tsq -out {reply}"));
}

#[test]
fn the_token_of_an_authority_says_when() {
    let desk = authority("");
    for (hash, reply) in [("-sha256", "a.tsr"), ("-sha512", "b.tsr")] {
        stamp(&desk, hash, reply);
        let ended = desk.done(&format!("register small.toml --token {reply}"));
        assert!(ended.stderr.contains("of policy 1.2.3.4.1, not verified here"), "{}", ended.stderr);
    }
    // The token alone, without the reply around it.
    openssl(&desk, "openssl ts -reply -in a.tsr -token_out -out bare.tst");
    desk.done("register small.toml --token bare.tst");
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("by time-stamp token"), "{}", page(&desk));
    assert!(desk.path("run/study.tsr").is_file());
}

#[test]
fn what_is_no_token_of_the_lock_is_refused() {
    let desk = authority("");
    refused(&desk, "register small.toml --token small.toml", "is no time-stamp token");
    refused(&desk, "register small.toml --token none.tsr", "cannot be read");
    stamp(&desk, "-sha256", "a.tsr");
    let lock = desk.read("small.lock");
    desk.write("small.lock", format!("{lock}\n"));
    refused(&desk, "register small.toml --token a.tsr", "is of another file than this lock");
    desk.write("small.tsr", std::fs::read(desk.path("a.tsr")).unwrap());
    refused(&desk, "run small.toml --out run", "small.tsr: is of another file than this lock");
}

#[test]
fn a_token_that_cannot_be_read_is_not_taken_for_none() {
    let desk = Desk::with_study(&quick());
    desk.done("register small.toml");
    std::fs::create_dir(desk.path("small.tsr")).unwrap();
    refused(&desk, "run small.toml --out run", "small.tsr: the token cannot be read");
}

/// As authorities do whose list of certificates names the one they sign with.
#[test]
fn an_authority_may_send_its_certificate_twice() {
    let desk = authority("certs = cert.pem\n");
    stamp(&desk, "-sha256", "twice.tsr");
    openssl(&desk, "openssl ts -verify -data small.lock -in twice.tsr -CAfile cert.pem");
    desk.done("register small.toml --token twice.tsr");
    desk.done("run small.toml --out run");
    assert!(page(&desk).contains("by time-stamp token"), "{}", page(&desk));
}

#[test]
fn declaring_anew_sets_the_old_token_aside() {
    let desk = authority("");
    for aside in ["small.tsr.old", "small.tsr.old2"] {
        stamp(&desk, "-sha256", "reply.tsr");
        desk.done("register small.toml --token reply.tsr");
        // The clock tells seconds: in the same one, the lock would be the same.
        std::thread::sleep(std::time::Duration::from_millis(1100));
        let ended = desk.done("register small.toml --again");
        assert!(
            ended.stderr.contains(&format!("small.tsr was of an earlier lock and is {aside} now")),
            "{}",
            ended.stderr
        );
        assert!(desk.path(aside).is_file() && !desk.path("small.tsr").exists());
    }
    desk.done("run small.toml --out run");
    assert!(!page(&desk).contains("by time-stamp token"), "{}", page(&desk));
}

/// Whoever holds a token can write another year into it: only the signature would tell.
#[test]
fn the_report_does_not_vouch_for_the_time_of_a_token() {
    let desk = authority("");
    stamp(&desk, "-sha256", "a.tsr");
    desk.write("altered.tsr", with_year_2001(std::fs::read(desk.path("a.tsr")).unwrap()));
    desk.done("register small.toml --token altered.tsr");
    desk.done("run small.toml --out run");
    let page = page(&desk);
    let (_, told) = page.split_once("declared 2001-").unwrap();
    let (told, _) = told.split_once("</li>").unwrap();
    assert!(told.ends_with("of policy 1.2.3.4.1, not verified here"), "{told}");
}

/// The first `GeneralizedTime` (tag 24, 15 bytes) is when the token was made.
fn with_year_2001(mut token: Vec<u8>) -> Vec<u8> {
    let at = token.windows(3).position(|it| it == [24, 15, b'2']).unwrap();
    token[at + 2..at + 6].copy_from_slice(b"2001");
    token
}
