//! A server that does as it was told and keeps what it was sent: for what no vendor, simulated or not, would do.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// What becomes of one connection.
#[derive(Clone)]
pub enum Act {
    /// Status line, further headers, body.
    Answer(&'static str, &'static str, String),
    /// Promises more than it sends.
    CutOff(String),
    /// Says nothing.
    Stall,
    /// Closes without a word.
    HangUp,
}

impl Act {
    pub fn ok(body: &str) -> Self {
        Self::Answer("200 OK", "", body.to_owned())
    }
}

/// On a port of its own. Its threads end with the process of the test.
pub struct CannedServer {
    origin: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl CannedServer {
    /// Acts in order; the last one repeats.
    pub fn new(acts: Vec<Act>) -> Self {
        Self::with(move |turn, _| acts[turn.min(acts.len() - 1)].clone())
    }

    pub fn answering(body: &str) -> Self {
        Self::new(vec![Act::ok(body)])
    }

    /// What to do is told by the number of the connection, from 0, and the request.
    pub fn with(tell: impl Fn(usize, &str) -> Act + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
        let origin = format!("http://{}", listener.local_addr().expect("it is bound"));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let (kept, tell) = (Arc::clone(&heard), Arc::new(tell));
        std::thread::spawn(move || {
            for (turn, stream) in listener.incoming().flatten().enumerate() {
                let (kept, tell) = (Arc::clone(&kept), Arc::clone(&tell));
                std::thread::spawn(move || {
                    let mut stream = BufReader::new(stream);
                    let Some(request) = hear(&mut stream) else { return };
                    let act = tell(turn, &request);
                    kept.lock().expect("no test panics while holding it").push(request);
                    perform(act, stream.into_inner());
                });
            }
        });
        Self { origin, heard }
    }

    /// `url("/v1")` is `http://127.0.0.1:40123/v1`
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.origin)
    }

    /// The requests so far, head and body.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().expect("no test panics while holding it").clone()
    }
}

/// Head, empty line and body; `None` where somebody came and asked nothing.
fn hear(stream: &mut BufReader<TcpStream>) -> Option<String> {
    let mut request = String::new();
    while !request.ends_with("\r\n\r\n") {
        stream.read_line(&mut request).ok().filter(|read| *read > 0)?;
    }
    let length = |line: &str| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse::<u64>().ok();
    let length = request.lines().find_map(length).unwrap_or(0);
    let mut body = Vec::new();
    stream.take(length).read_to_end(&mut body).ok()?;
    request.push_str(&String::from_utf8_lossy(&body));
    Some(request)
}

fn perform(act: Act, mut stream: TcpStream) {
    let reply = match act {
        Act::Answer(status, headers, body) => {
            format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        }
        Act::CutOff(body) => format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len() + 100),
        Act::Stall => return std::thread::sleep(Duration::from_secs(30)),
        Act::HangUp => return,
    };
    // Who has read enough may be gone.
    let _ = stream.write_all(reply.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All that comes back.
    fn ask(server: &CannedServer, body: &str) -> String {
        let mut stream = TcpStream::connect(server.url("").trim_start_matches("http://")).unwrap();
        write!(stream, "POST /v1 HTTP/1.1\r\nContent-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        let mut told = String::new();
        stream.read_to_string(&mut told).unwrap();
        told
    }

    #[test]
    fn it_acts_in_order_and_keeps_what_it_was_sent() {
        let server = CannedServer::new(vec![Act::HangUp, Act::ok("well")]);
        assert_eq!(ask(&server, "one"), "");
        for body in ["two", "three"] {
            assert!(ask(&server, body).ends_with("\r\nconnection: close\r\ncontent-length: 4\r\n\r\nwell"));
        }
        let bodies: Vec<String> =
            server.heard().iter().map(|it| it.split_once("\r\n\r\n").unwrap().1.to_owned()).collect();
        assert_eq!(bodies, ["one", "two", "three"]);
    }
}
