//! Every block of commands in the README and below `docs`, in order, a folder to each page; tables in a block `text` below one must be what it
//! prints.
//!
//! A fence `sh` is run. `sh (exit 1)` must end so. Any other note in brackets says why it is not run here, and the test lists it. The
//! folder holds `studies`, `docs/examples` and, but for the README itself, the run that the README begins with. So that it all takes less than
//! a minute, the studies of the repository are cut short, as [`PRELUDE`] tells; the README's own figures are checked by
//! `scripts/check-quickstart`.

use super::printed::wrong as wrong_rows;
use super::{Fence, fences, files, read, root};
use crate::sample::{Desk, program};
use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use waterjar_testkit::endpoint::{Endpoint, EndpointSettings};

/// What other tools do between our commands is done by hand there: `exchange::export::the_commands_of_the_page_work`.
const TESTED_ELSEWHERE: [&str; 1] = ["docs/exchange.md"];

/// `waterjar` as documents have it: servers run beside what follows, and studies of the repository are cut short.
const PRELUDE: &str = r#"
set -e -o pipefail
beside=()
trap 'for it in "${beside[@]}"; do kill "$it" 2>/dev/null || true; done' EXIT
waterjar() {
    local more=()
    case "$1 $2 $*" in
    *" --limit "*|*" --per-condition "*) ;;
    "run studies/"*|"vary studies/"*|"rehearse studies/"*|"run runs/"*|"vary runs/"*) more=(--limit 12) ;;
    "evolve studies/"*) more=(--per-condition 1) ;;
    esac
    case "$1" in
    serve)
        command waterjar "$@" --listen "127.0.0.1:$PORT" &
        beside+=($!)
        for _ in $(seq 200); do
            if (exec 3<>"/dev/tcp/127.0.0.1/$PORT") 2>/dev/null; then return 0; fi
            sleep 0.05
        done
        return 1
        ;;
    worker)
        command waterjar "$@" &
        beside+=($!)
        wait "$planner"
        ;;
    run)
        case "$*" in
        *--workers-only*)
            command waterjar "$@" "${more[@]}" &
            planner=$!
            ;;
        *) command waterjar "$@" "${more[@]}" ;;
        esac
        ;;
    *) command waterjar "$@" "${more[@]}" ;;
    esac
}
"#;

enum Wants {
    /// This exit code.
    Code(i32),
    /// Not to be run, and why.
    Left(String),
}

/// What is there on some machines only.
const NEEDS: [(&str, &str); 2] =
    [("needs PostgreSQL", "WATERJAR_TEST_POSTGRES"), ("needs MiniLM", "WATERJAR_EMBEDDER")];

fn wants(fence: &Fence) -> Wants {
    let Some(note) = &fence.note else { return Wants::Code(0) };
    if let Some(code) = note.strip_prefix("exit ") {
        return Wants::Code(code.parse().unwrap());
    }
    let is_here = |(said, variable): &(&str, &str)| note.starts_with(said) && std::env::var_os(variable).is_some();
    if NEEDS.iter().any(is_here) { Wants::Code(0) } else { Wants::Left(note.clone()) }
}

/// The folder of a page.
fn desk() -> Desk {
    let desk = Desk::new();
    for folder in ["studies", "docs/examples"] {
        copy(&root().join(folder), &desk.path(folder));
    }
    desk
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.path().is_dir() { copy(&entry.path(), &to) } else { fs::copy(entry.path(), to).map(drop).unwrap() }
    }
}

/// A port that nobody has; the moment until a server takes it is short.
fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// What a block prints; or says, when it goes wrong.
fn carry_out(desk: &Desk, fence: &Fence, endpoint: &str, code: i32) -> Result<String, String> {
    let port = free_port().to_string();
    let server = std::env::var("WATERJAR_TEST_POSTGRES").unwrap_or_default();
    let text = fence
        .text
        .replace("cargo run --release -- ", "waterjar ")
        .replace("http://127.0.0.1:8000", endpoint)
        .replace("127.0.0.1:8787", &format!("127.0.0.1:{port}"))
        .replace("postgres://waterjar@db.example/waterjar", &format!("{server}?team=documents{}", std::process::id()));
    let path = format!("{}:{}", program().parent().unwrap().display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    bash.arg("-c").arg(format!("{PRELUDE}\n{text}")).current_dir(desk.path(".")).env("PATH", path).env("PORT", port);
    bash.env("WATERJAR_CACHE", desk.path(".cache")).env("HOME", desk.path("."));
    let output = bash.output().unwrap();
    let told = [output.stdout, output.stderr].map(|told| String::from_utf8_lossy(&told).into_owned()).concat();
    if output.status.code() == Some(code) {
        return Ok(told);
    }
    Err(format!("line {}: ended with {:?}, not {code}\n{}{told}", fence.line, output.status.code(), fence.text))
}

#[test]
fn every_command_of_the_documents_runs() {
    let pages: Vec<String> = ["README.md".to_owned()].into_iter().chain(files("docs", ".md")).collect();
    let first = desk();
    first.done("run studies/quickstart.toml --limit 12");
    let endpoint = Endpoint::start_apart(EndpointSettings::default()).unwrap();
    let url = endpoint.url();
    let (next, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let (wrong, left) = (Mutex::new(Vec::new()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let shows = |fence: &Fence| ["sh", "text"].contains(&fence.language.as_str());
            let blocks: Vec<Fence> = fences(&read(page)).into_iter().filter(shows).collect();
            if !blocks.iter().any(|fence| fence.language == "sh") || TESTED_ELSEWHERE.contains(&page.as_str()) {
                continue;
            }
            let (desk, begun) = (desk(), std::time::Instant::now());
            if page != "README.md" {
                copy(&first.path("runs/quickstart"), &desk.path("runs/quickstart"));
            }
            let mut printed = None;
            for fence in &blocks {
                if fence.language == "text" {
                    let rows = printed.as_deref().map(|output| wrong_rows(&fence.text, output)).unwrap_or_default();
                    let told = |row: &String| format!("{page}, below line {}: not printed: {row}", fence.line);
                    wrong.lock().unwrap().extend(rows.iter().map(told));
                    continue;
                }
                printed = None;
                match wants(fence) {
                    Wants::Left(why) => left.lock().unwrap().push(format!("{page}, line {}: {why}", fence.line)),
                    Wants::Code(code) => {
                        ran.fetch_add(1, Ordering::Relaxed);
                        match carry_out(&desk, fence, &url, code) {
                            Ok(told) => printed = Some(told),
                            Err(told) => {
                                wrong.lock().unwrap().push(format!("{page}, {told}"));
                                break; // What follows leans on it.
                            }
                        }
                    }
                }
            }
            eprintln!("{page}: {:.1} s", begun.elapsed().as_secs_f64());
        }
    };
    std::thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    eprintln!("not run here:\n{}", left.into_inner().unwrap().join("\n"));
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    assert!(ran.into_inner() >= 30, "blocks are found");
}
