//! A real browser, driven over the pipe that Chromium offers for it: no driver program, no socket.

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a page may take before a test gives up on it.
const PATIENCE: Duration = Duration::from_secs(60);

/// One window. Every method panics with what the browser said: a test may.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    sent: u64,
    session: Option<String>,
    _profile: TempDir,
}

impl Browser {
    /// `None` where there is no Chromium.
    pub fn start() -> Option<Self> {
        let profile = tempfile::tempdir().expect("there is room for a profile");
        // The pipe is expected on descriptors 3 and 4; the shell ties them to those we have.
        let script = "exec chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
            --disable-background-networking --disable-component-update --disable-sync --hide-scrollbars \
            --remote-debugging-pipe --user-data-dir=\"$1\" 3<&0 4>&1 >/dev/null 2>/dev/null";
        Command::new("chromium").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().ok()?;
        let mut child = Command::new("sh")
            .args(["-c", script, "sh"])
            .arg(profile.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell can be started");
        let to = child.stdin.take().expect("it was piped");
        let from = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut browser = Self { child, to, from, sent: 0, session: None, _profile: profile };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": target["targetId"], "flatten": true }));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser.call("Page.enable", json!({}));
        Some(browser)
    }

    fn call(&mut self, method: &str, params: Value) -> Value {
        self.ask(method, params).unwrap_or_else(|error| panic!("{method}: {error}"))
    }

    /// The same where the browser may have nothing to say.
    fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        self.sent += 1;
        let mut message = json!({ "id": self.sent, "method": method, "params": params });
        if let Some(session) = &self.session {
            message["sessionId"] = session.as_str().into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).expect("the browser listens");
        loop {
            let mut answer = Vec::new();
            self.from.read_until(0, &mut answer).expect("the browser answers");
            assert!(!answer.is_empty(), "the browser is gone; it was asked to {method}");
            let answer: Value = serde_json::from_slice(&answer[..answer.len() - 1]).expect("it speaks JSON");
            if answer["id"].as_u64() == Some(self.sent) {
                let error = &answer["error"];
                return if error.is_null() { Ok(answer["result"].clone()) } else { Err(error.clone()) };
            }
        }
    }

    /// Opens a page and waits until it is all there.
    pub fn open(&mut self, address: &str) {
        let opened = self.call("Page.navigate", json!({ "url": address }));
        assert!(opened["errorText"].is_null(), "{address}: {}", opened["errorText"]);
        self.wait_for("document.readyState === 'complete'");
    }

    /// What a script has for a value.
    pub fn value(&mut self, script: &str) -> Value {
        let params = json!({ "expression": script, "returnByValue": true, "awaitPromise": true });
        let answer = self.call("Runtime.evaluate", params);
        assert!(answer["exceptionDetails"].is_null(), "{script}: {}", answer["exceptionDetails"]);
        answer["result"]["value"].clone()
    }

    pub fn text(&mut self, selector: &str) -> String {
        let script = format!("document.querySelector({})?.innerText ?? ''", json!(selector));
        self.value(&script).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a script is true, also over the change of a page.
    pub fn wait_for(&mut self, script: &str) {
        let begun = Instant::now();
        loop {
            let params = json!({ "expression": script, "returnByValue": true });
            // While a page goes and another comes there is nobody to ask.
            let answer = self.ask("Runtime.evaluate", params);
            if answer.is_ok_and(|answer| answer["result"]["value"] == json!(true)) {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "never came true: {script}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Presses on an element, as a pointer does.
    pub fn click(&mut self, selector: &str) {
        let script = format!(
            "(() => {{ const it = document.querySelector({}); it.scrollIntoView({{ block: 'center', behavior: 'instant' }}); \
             const box = it.getClientRects()[0]; return [box.x + box.width / 2, box.y + box.height / 2]; }})()",
            json!(selector)
        );
        let at = self.value(&script);
        assert!(at[0].is_number(), "there is no {selector}");
        for kind in ["mousePressed", "mouseReleased"] {
            let params = json!({ "type": kind, "x": at[0], "y": at[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// Presses a key with a letter on it, or `Enter`.
    pub fn press(&mut self, key: &str) {
        let text = if key == "Enter" { "\r" } else { key };
        for kind in ["keyDown", "keyUp"] {
            self.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key, "text": text }));
        }
    }

    /// How large the window is, and whether the reader likes it dark.
    pub fn look(&mut self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.call("Emulation.setDeviceMetricsOverride", size);
        let scheme = if dark { "dark" } else { "light" };
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "features": features }));
    }

    /// Keeps what the page looks like, for people to look at.
    pub fn screenshot(&mut self, path: &Path) {
        let shot = self.call("Page.captureScreenshot", json!({ "captureBeyondViewport": true }));
        let bytes = base64::Engine::decode(
            &base64::engine::general_purpose::STANDARD,
            shot["data"].as_str().unwrap_or_default(),
        );
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).expect("the folder can be made");
        }
        std::fs::write(path, bytes.expect("it is base64")).expect("the picture can be kept");
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
