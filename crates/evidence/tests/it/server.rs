//! A server that answers each connection as told and keeps what it was sent.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use waterjar_evidence::RemoteSettings;

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

pub fn ok(body: &str) -> Act {
    Act::Answer("200 OK", "", body.into())
}

pub struct Server {
    pub url: String,
    heard: Arc<Mutex<Vec<String>>>,
}

impl Server {
    /// Acts in order; the last one repeats.
    pub async fn start(acts: Vec<Act>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/entrez/eutils", listener.local_addr().unwrap());
        let heard = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&heard);
        tokio::spawn(async move {
            let mut turn = 0;
            while let Ok((stream, _)) = listener.accept().await {
                let act = acts[turn.min(acts.len() - 1)].clone();
                turn += 1;
                let kept = Arc::clone(&kept);
                tokio::spawn(async move { serve(stream, act, &kept).await });
            }
        });
        Self { url, heard }
    }

    /// The requests so far, head and body.
    pub fn heard(&self) -> Vec<String> {
        self.heard.lock().unwrap().clone()
    }

    /// Settings that lead here and wait for nothing.
    pub fn settings(&self) -> RemoteSettings {
        RemoteSettings { first_wait: Duration::from_millis(1), ..settings_at(&self.url) }
    }
}

pub fn settings_at(url: &str) -> RemoteSettings {
    RemoteSettings { url: Some(url.into()), ..RemoteSettings::default() }
}

async fn serve(mut stream: TcpStream, act: Act, kept: &Mutex<Vec<String>>) {
    let request = read(&mut stream).await;
    kept.lock().unwrap().push(request);
    let text = match act {
        Act::Answer(status, headers, body) => {
            format!("HTTP/1.1 {status}\r\n{headers}connection: close\r\ncontent-length: {}\r\n\r\n{body}", body.len())
        }
        Act::CutOff(body) => format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n{body}", body.len() + 100),
        Act::Stall => return tokio::time::sleep(Duration::from_secs(30)).await,
        Act::HangUp => return,
    };
    _ = stream.write_all(text.as_bytes()).await;
    _ = stream.shutdown().await;
}

async fn read(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer).await.unwrap_or(0);
        bytes.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            if count == 0 {
                return text;
            }
            continue;
        };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok()).unwrap_or(0);
        if body.len() >= length || count == 0 {
            return text;
        }
    }
}
