//! How a reply goes over the wire. A plain one passes; a faulted one is held back until it is whole, then misplayed.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Manner {
    Reset,
    ResetMidBody,
    Closed,
    Truncated,
    StallMidBody(Duration),
    Drip(Duration),
    Twice,
}

/// How the next reply on a connection is to be played.
#[derive(Clone, Default)]
pub(super) struct NextManner(Arc<Mutex<Option<Manner>>>);

impl NextManner {
    pub fn set(&self, manner: Manner) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(manner);
    }

    fn is_set(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn take(&self) -> Option<Manner> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

pub(super) struct Wire {
    stream: TcpStream,
    next: NextManner,
    held: Vec<u8>,
    play: Option<Play>,
}

impl Wire {
    pub fn new(stream: TcpStream) -> (Self, NextManner) {
        let next = NextManner::default();
        (Self { stream, next: next.clone(), held: Vec::new(), play: None }, next)
    }

    fn holds(&self) -> bool {
        !self.held.is_empty() || self.next.is_set()
    }
}

struct Play {
    bytes: Vec<u8>,
    sent: usize,
    until: usize,
    piece: usize,
    pause: Duration,
    before_end: Duration,
    end: End,
    sleep: Option<Pin<Box<Sleep>>>,
}

#[derive(Clone, Copy)]
enum End {
    Open,
    Closed,
    Reset,
}

/// Long enough for the client to have read what came before a reset, which would otherwise be thrown away with it.
const SEEN: Duration = Duration::from_millis(20);
/// Between two pieces of a drip; the timer counts whole milliseconds.
const DRIP: Duration = Duration::from_millis(10);

impl Play {
    fn new(manner: Manner, mut bytes: Vec<u8>) -> Self {
        let body = bytes.windows(4).position(|it| it == b"\r\n\r\n").map_or(0, |at| at + 4);
        let middle = body + (bytes.len() - body) / 2;
        let whole = bytes.len();
        let (until, before_end, end) = match manner {
            Manner::Reset => (0, Duration::ZERO, End::Reset),
            Manner::ResetMidBody => (middle, SEEN, End::Reset),
            Manner::Closed => (0, Duration::ZERO, End::Closed),
            Manner::Truncated => (middle, Duration::ZERO, End::Closed),
            Manner::StallMidBody(time) => (middle, time, End::Closed),
            Manner::Drip(_) => (whole, Duration::ZERO, End::Open),
            Manner::Twice => {
                bytes.extend_from_within(..);
                (bytes.len(), Duration::ZERO, End::Open)
            }
        };
        let (piece, pause) = match manner {
            Manner::Drip(time) => {
                let pieces = (time.as_millis() / DRIP.as_millis()).max(1);
                (whole.div_ceil(usize::try_from(pieces).unwrap_or(usize::MAX)).max(1), DRIP)
            }
            _ => (usize::MAX, Duration::ZERO),
        };
        Self { bytes, sent: 0, until, piece, pause, before_end, end, sleep: None }
    }

    fn poll(&mut self, stream: &mut TcpStream, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        loop {
            if let Some(sleep) = &mut self.sleep {
                ready!(sleep.as_mut().poll(cx));
                self.sleep = None;
            }
            if self.sent < self.until {
                let to = self.sent.saturating_add(self.piece).min(self.until);
                self.sent += ready!(Pin::new(&mut *stream).poll_write(cx, &self.bytes[self.sent..to]))?;
                if !self.pause.is_zero() {
                    self.sleep = Some(Box::pin(tokio::time::sleep(self.pause)));
                }
            } else if !self.before_end.is_zero() {
                let wait = std::mem::take(&mut self.before_end);
                self.sleep = Some(Box::pin(tokio::time::sleep(wait)));
            } else {
                return Poll::Ready(self.finish(stream));
            }
        }
    }

    /// The error makes the server drop the connection.
    fn finish(&self, stream: &TcpStream) -> io::Result<()> {
        match self.end {
            End::Open => Ok(()),
            End::Closed => Err(io::ErrorKind::ConnectionAborted.into()),
            End::Reset => {
                // Closing without lingering sends a reset.
                stream.set_zero_linger()?;
                Err(io::ErrorKind::ConnectionReset.into())
            }
        }
    }
}

impl AsyncRead for Wire {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, buf: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buf)
    }
}

impl AsyncWrite for Wire {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.holds() {
            self.held.extend_from_slice(bytes);
            return Poll::Ready(Ok(bytes.len()));
        }
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bufs: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        if self.holds() {
            for buf in bufs {
                self.held.extend_from_slice(buf);
            }
            return Poll::Ready(Ok(bufs.iter().map(|buf| buf.len()).sum()));
        }
        Pin::new(&mut self.stream).poll_write_vectored(cx, bufs)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// The server flushes when it has written a whole reply: replies are one piece.
    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let this = &mut *self;
        if this.play.is_none()
            && !this.held.is_empty()
            && let Some(manner) = this.next.take()
        {
            this.play = Some(Play::new(manner, std::mem::take(&mut this.held)));
        }
        if let Some(play) = &mut this.play {
            ready!(play.poll(&mut this.stream, cx))?;
            this.play = None;
        }
        Pin::new(&mut this.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
