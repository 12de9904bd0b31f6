//! Stopped in the middle, whether politely or not, a run goes on and ends as if nothing had happened.

use crate::sample::{Desk, SMALL, assert_same, files, program, quick};
use std::fs::Permissions;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

fn start(desk: &Desk, out: &str) -> Child {
    Command::new(program())
        .args(["run", "small.toml", "--out", out])
        .current_dir(desk.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Moments that nobody chose; the first number is printed so that they can be had again.
struct Moments(u64);

impl Moments {
    fn new() -> Self {
        let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos() as u64;
        eprintln!("moments from {seed}");
        Self(seed)
    }

    /// Between nothing and all of `within`.
    fn next(&mut self, within: Duration) -> Duration {
        // The linear congruential generator of Knuth's MMIX.
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        within.mul_f64((self.0 >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

#[test]
fn killed_at_ten_random_moments_it_ends_with_the_same_figures() {
    let desk = Desk::with_study(&quick());
    let began = Instant::now();
    desk.done("run small.toml --out undisturbed");
    let undisturbed = files(&desk.path("undisturbed"));
    let whole = began.elapsed();
    let mut moments = Moments::new();
    let mut kills = 0;
    for attempt in 0..40 {
        let out = format!("killed-{attempt}");
        // Until it finishes before its moment has come.
        while kills < 10 && killed(&desk, &out, moments.next(whole)) {
            kills += 1;
        }
        desk.done(&format!("run small.toml --out {out}"));
        assert_same(&files(&desk.path(&out)), &undisturbed);
        assert_no_parts(&desk.path(&out));
        if kills == 10 {
            return;
        }
    }
    panic!("only {kills} kills hit in 40 runs");
}

/// Whether the run was still going when its moment came.
fn killed(desk: &Desk, out: &str, moment: Duration) -> bool {
    let mut child = start(desk, out);
    std::thread::sleep(moment);
    child.kill().unwrap();
    child.wait().unwrap().signal() == Some(9)
}

/// What was being written when the process died may lie aside, but only until the next run.
fn assert_no_parts(dir: &Path) {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let parts: Vec<String> = entries.filter(|name| name.ends_with(".part")).collect();
    assert_eq!(parts, Vec::<String>::new());
}

#[test]
fn an_interrupt_ends_with_4_and_the_run_goes_on_later() {
    let desk = Desk::with_study(&quick().replace("patients = 3600\npairs = 40", "patients = 5000\npairs = 200"));
    let mut interrupted = 0;
    for moment in ["screening cases", "asking subjects", "judging answers"] {
        let mut child = start(&desk, "run");
        let mut talk = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| line.unwrap());
        if talk.by_ref().any(|line| line.contains(moment)) {
            // Without `unsafe` a signal is sent by another program.
            let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
            assert!(sent.success());
        }
        let rest: String = talk.collect::<Vec<_>>().join("\n");
        let code = child.wait().unwrap().code();
        // It may have been done before it heard; then it ends as usual.
        assert!(code == Some(4) || code == Some(0), "{code:?} {rest}");
        if code == Some(4) {
            interrupted += 1;
            assert!(rest.contains("error: interrupted\nhint: start the same command again"), "{rest}");
            assert!(!desk.path("run/report.html").exists());
        }
    }
    assert!(interrupted > 0, "no interrupt came in time");
    desk.done("run small.toml --out run");
    desk.done("run small.toml --out undisturbed");
    assert_same(&files(&desk.path("run")), &files(&desk.path("undisturbed")));
}

#[test]
fn a_rehearsal_whose_terminal_is_closed_leaves_nothing_behind() {
    let desk = Desk::with_study(&quick().replace("patients = 3600\npairs = 40", "patients = 5000\npairs = 200"));
    let place = desk.path("temporary");
    std::fs::create_dir(&place).unwrap();
    let mut child = Command::new(program())
        .args(["rehearse", "small.toml"])
        .env("TMPDIR", &place)
        .current_dir(desk.path("."))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut talk = BufReader::new(child.stderr.take().unwrap()).lines().map(|line| line.unwrap());
    if talk.by_ref().any(|line| line.contains("asking subjects")) {
        // It may have been done in between.
        for folder in std::fs::read_dir(&place).unwrap().flatten() {
            assert!(folder.file_name().to_string_lossy().starts_with("waterjar-rehearsal-"), "{folder:?}");
            let mode = folder.metadata().map_or(0o700, |it| it.permissions().mode() & 0o777);
            assert_eq!(mode, 0o700);
        }
        // Twice, as a session that ends may do.
        for _ in 0..2 {
            let _ = Command::new("kill").args(["-HUP", &child.id().to_string()]).stderr(Stdio::null()).status();
        }
    }
    let rest: String = talk.collect::<Vec<_>>().join("\n");
    let code = child.wait().unwrap().code();
    assert!(code == Some(4) || code == Some(0), "{code:?} {rest}");
    assert_eq!(std::fs::read_dir(&place).unwrap().count(), 0, "{rest}");
}

#[test]
fn a_new_run_is_its_owners_alone_and_a_directory_that_was_there_stays_as_it_was() {
    let desk = Desk::with_study(SMALL);
    let mode = |name: &str| std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o777;
    desk.done("vary small.toml --out new");
    assert_eq!(mode("new"), 0o700);
    std::fs::create_dir(desk.path("shared")).unwrap();
    std::fs::set_permissions(desk.path("shared"), Permissions::from_mode(0o750)).unwrap();
    desk.done("vary small.toml --out shared");
    assert_eq!(mode("shared"), 0o750);
}

#[test]
fn a_second_process_is_kept_out() {
    let desk = Desk::with_study(&SMALL.replace("patients = 3600", "patients = 6000"));
    let mut first = start(&desk, "run");
    let mut talk = BufReader::new(first.stderr.take().unwrap()).lines();
    assert!(talk.next().unwrap().unwrap().contains("small → run"), "the run is open now");
    let second = desk.waterjar("run small.toml --out run");
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(second.code, Some(2), "{}", second.stderr);
    assert!(
        second.stderr.contains("is being written by another process") && second.stderr.contains("hint: "),
        "{}",
        second.stderr
    );
}
