//! The smallest HTTP client: shows what a connection really did, which a good client hides.

use std::io;
use std::net::SocketAddr;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// One connection, kept open from request to request.
pub struct RawClient {
    stream: TcpStream,
    buffer: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RawReply {
    pub status: u16,
    /// Names in small letters.
    pub headers: Vec<(String, String)>,
    /// As much of it as came.
    pub body: Vec<u8>,
    pub end: RawEnd,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RawEnd {
    /// As long as its Content-Length.
    Whole,
    Closed,
    Reset,
}

impl RawClient {
    pub async fn connect(addr: SocketAddr) -> io::Result<Self> {
        let stream = TcpStream::connect(addr).await?;
        stream.set_nodelay(true)?;
        Ok(Self { stream, buffer: Vec::with_capacity(4096) })
    }

    pub async fn post(&mut self, path: &str, headers: &[(&str, &str)], body: &[u8]) -> io::Result<RawReply> {
        self.send(&request("POST", path, headers, body)).await
    }

    pub async fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> io::Result<RawReply> {
        self.send(&request("GET", path, headers, b"")).await
    }

    /// Bytes made by [`request`]. An error where the connection ends before a whole head.
    pub async fn send(&mut self, request: &[u8]) -> io::Result<RawReply> {
        self.stream.write_all(request).await?;
        let head = self.head().await?;
        let mut reply = parse_head(&self.buffer[..head])?;
        self.buffer.drain(..head);
        let length = reply.header("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
        while self.buffer.len() < length {
            match self.stream.read_buf(&mut self.buffer).await {
                Ok(0) => {
                    reply.end = RawEnd::Closed;
                    break;
                }
                Ok(_) => {}
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => {
                    reply.end = RawEnd::Reset;
                    break;
                }
                Err(error) => return Err(error),
            }
        }
        let rest = self.buffer.split_off(length.min(self.buffer.len()));
        reply.body = std::mem::replace(&mut self.buffer, rest);
        Ok(reply)
    }

    /// What comes although nothing was asked.
    pub async fn unasked(&mut self, patience: Duration) -> Vec<u8> {
        while let Ok(Ok(1..)) = tokio::time::timeout(patience, self.stream.read_buf(&mut self.buffer)).await {}
        std::mem::take(&mut self.buffer)
    }

    async fn head(&mut self) -> io::Result<usize> {
        loop {
            if let Some(at) = self.buffer.windows(4).position(|it| it == b"\r\n\r\n") {
                return Ok(at + 4);
            }
            if self.stream.read_buf(&mut self.buffer).await? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
        }
    }
}

impl RawReply {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    pub fn json(&self) -> serde_json::Result<serde_json::Value> {
        serde_json::from_slice(&self.body)
    }
}

pub fn request(method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<u8> {
    let mut head = format!("{method} {path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n");
    head += &format!("content-length: {}\r\n", body.len());
    for (name, value) in headers {
        head += &format!("{name}: {value}\r\n");
    }
    [head.as_bytes(), b"\r\n", body].concat()
}

fn parse_head(head: &[u8]) -> io::Result<RawReply> {
    let bad = || io::Error::new(io::ErrorKind::InvalidData, "not the head of a reply");
    let head = std::str::from_utf8(head).map_err(|_| bad())?;
    let mut lines = head.split("\r\n");
    let status = lines.next().and_then(|line| line.split(' ').nth(1)?.parse().ok()).ok_or_else(bad)?;
    let headers = lines.filter_map(|line| line.split_once(": "));
    let headers = headers.map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned())).collect();
    Ok(RawReply { status, headers, body: Vec::new(), end: RawEnd::Whole })
}
