//! `waterjar serve` as tests use it: a server of its own, somebody who asks it, and a browser.

use crate::sample::program;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use waterjar_testkit::Browser;

/// `waterjar serve` on a port of its own; stopped with the test.
pub struct Served {
    child: Child,
    /// `127.0.0.1:40123`
    pub at: String,
}

pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Served {
    pub fn start(runs: &[&Path]) -> Self {
        Self::with(runs, &[])
    }

    pub fn with(runs: &[&Path], more: &[&str]) -> Self {
        Self::by(serve(runs).args(more))
    }

    pub fn by(command: &mut Command) -> Self {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stderr.take().unwrap()).read_line(&mut line).unwrap();
        let at = line.split("http://").nth(1).and_then(|rest| rest.split('/').next());
        Self { at: at.unwrap_or_else(|| panic!("{line}")).to_owned(), child }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.get_as(path, &self.at)
    }

    pub fn get_as(&self, path: &str, host: &str) -> Answer {
        self.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"))
    }

    /// Sends a request as it stands.
    pub fn ask(&self, request: &str) -> Answer {
        let mut stream = TcpStream::connect(&self.at).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer { status, head: head.to_ascii_lowercase(), body: body.to_owned() }
    }

    pub fn page(&self, path: &str) -> String {
        let answer = self.get(path);
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.body
    }

    /// As service managers do, and Ctrl-C.
    pub fn stop(mut self, signal: &str) {
        // Without `unsafe` a signal is sent by another program.
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        assert!(self.child.wait().unwrap().success());
    }

    /// As `kill -9` does.
    pub fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The command that serves these runs on a free port.
pub fn serve(runs: &[&Path]) -> Command {
    let mut command = Command::new(program());
    command.args(["serve", "--listen", "127.0.0.1:0"]).args(runs);
    command
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Somebody with a browser's memory: cookies are kept and sent, with the paths they were given for.
#[derive(Default)]
pub struct Visitor {
    cookies: BTreeMap<String, (String, String)>,
}

impl Visitor {
    pub fn get(&mut self, served: &Served, path: &str) -> Answer {
        self.send(served, "GET", path, "", "")
    }

    pub fn post(&mut self, served: &Served, path: &str, fields: &[(&str, &str)]) -> Answer {
        let form: Vec<String> = fields.iter().map(|(key, value)| format!("{key}={}", in_hex(value))).collect();
        self.send(served, "POST", path, &form.join("&"), "")
    }

    /// With further headers, each with its line end.
    pub fn send(&mut self, served: &Served, method: &str, path: &str, body: &str, more: &str) -> Answer {
        let fits = |(_, (at, _)): &(&String, &(String, String))| path.starts_with(at.as_str());
        let cookies: Vec<String> =
            self.cookies.iter().filter(fits).map(|(name, (_, value))| format!("{name}={value}")).collect();
        let answer = served.ask(&format!(
            "{method} {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\nCookie: {}\r\n\
             Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n{more}\r\n{body}",
            served.at,
            cookies.join("; "),
            body.len()
        ));
        for line in answer.head.lines().filter_map(|line| line.strip_prefix("set-cookie: ")) {
            let (name, value) = line.split(';').next().unwrap().split_once('=').unwrap();
            let at = line.split("path=").nth(1).unwrap().split(';').next().unwrap();
            self.cookies.insert(name.to_owned(), (at.to_owned(), value.to_owned()));
        }
        answer
    }
}

impl Answer {
    /// Where it sends the browser.
    pub fn location(&self) -> String {
        let line = self.head.lines().find_map(|line| line.strip_prefix("location: "));
        line.unwrap_or_else(|| panic!("{} {}", self.head, self.body)).to_owned()
    }
}

fn in_hex(value: &str) -> String {
    value.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

/// The addresses in a page that begin so, in their order.
pub fn links(page: &str, beginning: &str) -> Vec<String> {
    let found = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    found.filter(|it| it.starts_with(beginning)).map(|it| it.replace("&#38;", "&")).collect()
}

pub fn browser() -> Option<Browser> {
    let browser = Browser::start();
    if browser.is_none() {
        eprintln!("skipped: there is no Chromium");
    }
    browser
}

fn pictures() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("pictures")
}

/// Desktop and phone, light and dark.
pub fn keep_looks(browser: &mut Browser, name: &str) {
    for (width, dark) in [(1280, false), (1280, true), (390, false)] {
        browser.look(width, 900, dark);
        // Only tables and graphs may be wider than the window, each in a frame of its own that scrolls.
        let wide = browser.value("document.documentElement.scrollWidth").as_u64();
        assert!(wide <= Some(u64::from(width)), "{name} at {width}: {wide:?}");
        let shade = if dark { "dark" } else { "light" };
        browser.screenshot(&pictures().join(format!("{name}-{width}-{shade}.png")));
    }
    browser.look(1280, 900, false);
}
