//! A full disk, made with a small file system in a name space of its own.

use crate::language_models::study;
use crate::sample::{Desk, assert_same, files, program, quick};
use std::process::Command;
use std::time::Duration;
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings, Latency};

/// The exit code for "this machine does not let us".
const NOT_ALLOWED: i32 = 99;

/// Runs the study on a disk of so many kilobytes and copies what it leaves. `None` where that is not allowed.
fn run_on_small_disk(desk: &Desk, kilobytes: u32, left: &str) -> Option<(i32, String)> {
    let script = "mount -t tmpfs -o size=\"$1\"k none disk || exit 99; \"$2\" run small.toml --out disk/run --quiet >/dev/null; \
                  code=$?; if [ -d disk/run ]; then cp -a disk/run \"$3\"; fi; exit $code";
    std::fs::create_dir_all(desk.path("disk")).unwrap();
    let output = Command::new("unshare")
        .args(["--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", &kilobytes.to_string()])
        .arg(program())
        .arg(left)
        .current_dir(desk.path("."))
        .output();
    let Ok(output) = output else {
        eprintln!("skipped: there is no `unshare`");
        return None;
    };
    let stderr = String::from_utf8(output.stderr).unwrap();
    let code = output.status.code().unwrap();
    if code == NOT_ALLOWED || stderr.contains("unshare") {
        eprintln!("skipped: no small disk can be mounted: {stderr}");
        return None;
    }
    Some((code, stderr))
}

#[test]
fn a_full_disk_ends_with_4_and_a_hint_and_with_room_the_run_goes_on() {
    let desk = Desk::with_study(&quick());
    desk.done("run small.toml --out undisturbed --quiet");
    let undisturbed = files(&desk.path("undisturbed"));
    // Full while opening, screening, answering, and while the files beside the database are written.
    let mut full = 0;
    for kilobytes in [40, 300, 1000, 1700, 2200] {
        let left = format!("left-{kilobytes}");
        let Some((code, stderr)) = run_on_small_disk(&desk, kilobytes, &left) else { return };
        if code == 0 {
            continue;
        }
        full += 1;
        assert_eq!(code, 4, "{kilobytes} k: {stderr}");
        assert!(stderr.contains("error: ") && stderr.contains("hint: "), "{kilobytes} k: {stderr}");
        assert!(stderr.contains("space"), "{kilobytes} k: {stderr}");
        if desk.path(&left).exists() {
            let parts: Vec<String> = desk.names(&left).into_iter().filter(|name| name.ends_with(".part")).collect();
            assert_eq!(parts, Vec::<String>::new(), "{kilobytes} k: something is half-written");
        }
        desk.done(&format!("run small.toml --out {left} --quiet"));
        assert_same(&files(&desk.path(&left)), &undisturbed);
    }
    assert!(full >= 3, "only {full} of the disks were too small");
}

#[test]
fn with_nowhere_to_keep_answers_nobody_is_asked_for_more() {
    let latency = Latency::Fixed(Duration::from_millis(20));
    let endpoint = Endpoint::start_apart(EndpointSettings { latency, ..EndpointSettings::default() }).unwrap();
    let study = study("openai", &format!("{}/v1", endpoint.url()), "").replace("key_env = \"SIM_KEY\"\n", "");
    let study = study
        .replace("patients = 3600", "patients = 700\nranking = \"any\"")
        .replace("timeout = 2.0", "timeout = 2.0\nconcurrency = 2");
    let desk = Desk::with_study(&study);
    let mut hits = 0;
    for kilobytes in [2000, 2300, 2600, 2900, 3200] {
        let before = endpoint.stats().requests;
        let left = format!("left-{kilobytes}");
        let Some((code, stderr)) = run_on_small_disk(&desk, kilobytes, &left) else { return };
        let asked = endpoint.stats().requests - before;
        eprintln!("{kilobytes} k: {code}, {asked} asked");
        if code != 4 || asked == 0 || !desk.path(&left).join("variants.jsonl").exists() {
            continue;
        }
        // What came before the disk was full is kept, and of the rest only what was under way is asked a second time.
        assert!(stderr.contains("space"), "{stderr}");
        desk.done(&format!("run small.toml --out {left} --quiet"));
        let twice = endpoint.stats().requests - before - 60;
        assert!(asked < 60 && twice < 30, "{kilobytes} k: {asked} asked, {twice} of them twice");
        hits += 1;
    }
    assert!(hits > 0, "no disk was full while subjects were asked");
}
