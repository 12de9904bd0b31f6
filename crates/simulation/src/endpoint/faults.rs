//! What can go wrong, and how often.

use super::Content;
use rand::RngExt;
use std::time::Duration;
use waterjar_core::Seed;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Fault {
    /// An error status with the vendor's error body; 502 with the page of a proxy.
    Status { status: u16, retry_after: RetryAfter },
    /// 429 that no waiting helps against: the account is empty.
    Quota,
    /// 401.
    Unauthorized,
    /// 401 whose message repeats the key in full.
    EchoedKey,
    /// 400: the prompt is too long.
    ContextLength,
    /// 404: no such model.
    UnknownModel,
    /// 400: this form of structured output is not known. Only where one is asked for.
    SchemaUnsupported,
    /// 200 whose body is the vendor's error.
    ErrorIn200,
    /// The connection is reset before a byte of the reply.
    Reset,
    /// The connection is reset in the middle of the body.
    ResetMidBody,
    /// The reply is made and billed, then the connection is reset: the retry is served and billed again.
    LostReply,
    /// The connection is closed in good order before a byte of the reply.
    Closed,
    /// Nothing comes for so long; then the connection is closed.
    Stall(Duration),
    /// Half of the body comes, then nothing for so long; then the connection is closed.
    StallMidBody(Duration),
    /// The whole reply comes, this much later than it would.
    Slow(Duration),
    /// The whole reply comes, spread over this time in small pieces.
    Drip(Duration),
    /// The body ends before its Content-Length.
    Truncated,
    /// The body is cut but of the length it says: 200, not JSON.
    InvalidJson,
    /// The same reply twice on the connection.
    Duplicate,
    /// The structured answer is cut: not JSON.
    BrokenAnswer,
    /// The structured answer violates its schema.
    WrongSchema,
    /// The structured answer stands in a code fence.
    Fenced,
    /// The structured answer has prose around it.
    ProseAround,
    /// The structured answer has commas before closing brackets.
    TrailingCommas,
    /// The structured answer has full-width colons and commas.
    FullWidth,
    /// 200 without an answer.
    Empty,
    /// The model declines.
    Refusal,
    /// The vendor's filter withholds the answer.
    ContentFilter,
    /// The answer is cut at the token limit.
    Length,
}

/// How a 429 or 503 says when to come back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    Unsaid,
    Seconds(u32),
    /// `retry-after-ms`, as OpenAI and Azure send it.
    Millis(u32),
    /// A date so many seconds ahead.
    Date(u32),
}

impl RetryAfter {
    pub(super) fn seconds(self) -> Option<f64> {
        match self {
            Self::Unsaid => None,
            Self::Seconds(seconds) | Self::Date(seconds) => Some(f64::from(seconds)),
            Self::Millis(millis) => Some(f64::from(millis) / 1000.0),
        }
    }
}

impl Fault {
    pub const fn status(status: u16) -> Self {
        Self::Status { status, retry_after: RetryAfter::Unsaid }
    }

    /// Rate-limited, with a word on when to come back.
    pub const fn rate_limited(retry_after: RetryAfter) -> Self {
        Self::Status { status: 429, retry_after }
    }

    /// What another attempt may get past. `patience` is longer than the caller waits for a reply.
    pub fn transient(patience: Duration) -> Vec<Self> {
        let mut faults = vec![
            Self::rate_limited(RetryAfter::Unsaid),
            Self::rate_limited(RetryAfter::Seconds(0)),
            Self::rate_limited(RetryAfter::Millis(20)),
        ];
        faults.extend([500, 502, 503, 529].map(Self::status));
        faults.extend([
            Self::Reset,
            Self::ResetMidBody,
            Self::LostReply,
            Self::Closed,
            Self::Stall(patience),
            Self::StallMidBody(patience),
            Self::Truncated,
            Self::InvalidJson,
        ]);
        faults
    }

    /// What costs time or reading, but no answer.
    pub fn harmless() -> Vec<Self> {
        vec![
            Self::Slow(Duration::from_millis(50)),
            Self::Drip(Duration::from_millis(100)),
            Self::Duplicate,
            Self::Fenced,
            Self::ProseAround,
            Self::TrailingCommas,
            Self::FullWidth,
        ]
    }

    /// What the same request would meet again, or an answer that cannot be used.
    pub fn lasting() -> Vec<Self> {
        vec![
            Self::Quota,
            Self::Unauthorized,
            Self::EchoedKey,
            Self::ContextLength,
            Self::UnknownModel,
            Self::SchemaUnsupported,
            Self::ErrorIn200,
            Self::BrokenAnswer,
            Self::WrongSchema,
            Self::Empty,
            Self::Refusal,
            Self::ContentFilter,
            Self::Length,
        ]
    }

    pub fn all(patience: Duration) -> Vec<Self> {
        [Self::transient(patience), Self::harmless(), Self::lasting()].concat()
    }

    /// Whether the client holds a usable answer afterwards. Of a drip nobody knows: the client may have left.
    pub(super) fn leaves_an_answer(self) -> bool {
        matches!(
            self,
            Self::Slow(_) | Self::Duplicate | Self::Fenced | Self::ProseAround | Self::TrailingCommas | Self::FullWidth
        )
    }

    /// Whether it only means something for an answer as structured text.
    pub(super) fn needs_text_schema(self) -> bool {
        matches!(self, Self::BrokenAnswer | Self::Fenced | Self::ProseAround | Self::TrailingCommas | Self::FullWidth)
    }
}

/// Faults by chance. Whether a request is faulted depends on seed, content and attempt, never on the order of requests.
#[derive(Clone, Debug, PartialEq)]
pub struct Faults {
    /// The share of attempts that is faulted.
    pub rate: f64,
    pub kinds: Vec<Fault>,
    pub seed: Seed,
    /// After so many faults a request is left alone, so that whoever retries often enough gets its answer.
    pub most_per_request: Option<u32>,
}

impl Faults {
    pub const fn none() -> Self {
        Self { rate: 0.0, kinds: Vec::new(), seed: Seed(0), most_per_request: None }
    }

    /// At most three for each request.
    pub fn new(rate: f64, kinds: Vec<Fault>, seed: Seed) -> Self {
        Self { rate, kinds, seed, most_per_request: Some(3) }
    }

    /// `attempt` counts from zero; `faulted` is how often this content was faulted by chance before.
    pub(super) fn draw(&self, content: Content, attempt: u32, faulted: u32) -> Option<Fault> {
        if self.rate <= 0.0 || self.kinds.is_empty() || self.most_per_request.is_some_and(|most| faulted >= most) {
            return None;
        }
        let mut rng = self.seed.rng("fault", &content.attempt(attempt));
        let (lot, which): (f64, f64) = (rng.random(), rng.random());
        let at = ((which * self.kinds.len() as f64) as usize).min(self.kinds.len() - 1);
        (lot < self.rate).then(|| self.kinds[at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn content(n: u32) -> Content {
        Content::of("/v1/chat/completions", &n.to_le_bytes())
    }

    #[test]
    fn the_rate_is_kept_and_every_kind_comes() {
        let faults = Faults::new(0.3, Fault::all(Duration::from_secs(1)), Seed(7));
        let drawn: Vec<Fault> = (0..10_000).filter_map(|n| faults.draw(content(n), 0, 0)).collect();
        assert!((2850..3150).contains(&drawn.len()), "{}", drawn.len());
        assert!(faults.kinds.iter().all(|kind| drawn.contains(kind)));
    }

    #[test]
    fn a_draw_depends_on_seed_content_and_attempt() {
        let draws = |seed, attempt| {
            let faults = Faults::new(0.5, vec![Fault::Reset, Fault::Empty], Seed(seed));
            (0..64).map(|n| faults.draw(content(n), attempt, 0)).collect::<Vec<_>>()
        };
        assert_eq!(draws(7, 0), draws(7, 0));
        assert_ne!(draws(7, 0), draws(8, 0));
        assert_ne!(draws(7, 0), draws(7, 1));
    }

    #[test]
    fn a_request_is_left_alone_after_enough_faults() {
        let faults = Faults::new(1.0, vec![Fault::Reset], Seed(7));
        assert!(faults.draw(content(1), 2, 2).is_some());
        assert!(faults.draw(content(1), 3, 3).is_none());
        let for_ever = Faults { most_per_request: None, ..faults };
        assert!(for_ever.draw(content(1), 99, 99).is_some());
    }
}
