//! Asking a service: allowed, cached, paced, repeated when it helps.

use super::key::Key;
use super::pace::Pace;
use super::retry;
use super::send::{Reply, post};
use super::settings::RemoteSettings;
use crate::{EvidenceError, Problem};
use reqwest::Url;
use std::time::Duration;

/// How much of a refusal is told.
const LONGEST_MESSAGE: usize = 200;

pub(super) struct Service {
    id: &'static str,
    base: Url,
    settings: RemoteSettings,
    pace: Pace,
    /// Sent with every form. It decides no answer, so it is no part of a cache key.
    sender: Vec<(&'static str, String)>,
    key: Option<Key>,
    takes_key: bool,
}

pub(super) struct Ask {
    pub path: &'static str,
    pub body: Body,
}

pub(super) enum Body {
    Form(Vec<(&'static str, String)>),
    Json(serde_json::Value),
}

/// A failed attempt: what is wrong, whether another may pass, and how long the service wants us to wait.
struct Failed {
    problem: Problem,
    again: bool,
    wait: Option<Duration>,
}

impl From<Problem> for Failed {
    fn from(problem: Problem) -> Self {
        let again = matches!(problem, Problem::Unreachable(_) | Problem::Timeout(_) | Problem::Busy { .. });
        Self { problem, again, wait: None }
    }
}

impl Service {
    /// At `home`, unless the settings name another address.
    pub fn new(id: &'static str, home: &str, per_second: u32, settings: RemoteSettings) -> Result<Self, EvidenceError> {
        let base = address(settings.url.as_deref().unwrap_or(home)).map_err(|problem| problem.at(id))?;
        let pace = Pace::per_second(per_second);
        Ok(Self { id, base, settings, pace, sender: Vec::new(), key: None, takes_key: false })
    }

    pub fn sending(self, sender: Vec<(&'static str, String)>) -> Self {
        Self { sender, ..self }
    }

    /// For a service that takes a key, whether or not there is one.
    pub fn with_key(self, key: Option<Key>) -> Self {
        Self { key, takes_key: true, ..self }
    }

    pub fn id(&self) -> &'static str {
        self.id
    }

    pub fn fingerprint(&self) -> String {
        format!("{} {}", self.id, self.base)
    }

    /// Whether requests may go there at all.
    pub fn allowed(&self) -> Result<(), EvidenceError> {
        if self.settings.endpoints.allow(&self.base) {
            return Ok(());
        }
        let host = self.base.host_str().unwrap_or_default().to_owned();
        Err(Problem::Forbidden { host }.at(self.id))
    }

    /// Fetches a reply and reads it; what cannot be read is not kept.
    pub async fn ask<T>(&self, ask: &Ask, read: impl Fn(&str) -> Result<T, Problem>) -> Result<T, EvidenceError> {
        self.allowed()?;
        let (key, cache) = (self.cache_key(ask), &self.settings.cache);
        let failed = |error| Problem::Cache(error).at(self.id);
        if let Some(kept) = cache.get(&key).await.map_err(failed)?
            && let Ok(answer) = read(&kept)
        {
            return Ok(answer);
        }
        let (body, answer) = self.fetch(ask, &read).await.map_err(|problem| problem.at(self.id))?;
        cache.put(&key, &body).await.map_err(failed)?;
        Ok(answer)
    }

    async fn fetch<T>(&self, ask: &Ask, read: &impl Fn(&str) -> Result<T, Problem>) -> Result<(String, T), Problem> {
        let mut attempt = 1;
        loop {
            self.pace.wait().await;
            let failed = match self.attempt(ask).await {
                Ok(body) => match read(&body) {
                    Ok(answer) => return Ok((body, answer)),
                    Err(problem) => problem.into(),
                },
                Err(failed) => failed,
            };
            match retry::wait(&self.settings, attempt, failed.wait).filter(|_| failed.again) {
                Some(wait) => self.pace.pause(wait),
                None => return Err(self.told(failed, attempt)),
            }
            attempt += 1;
        }
    }

    async fn attempt(&self, ask: &Ask) -> Result<String, Failed> {
        let (kind, body) = match &ask.body {
            Body::Json(body) => ("application/json", body.to_string()),
            // In the body rather than in the address, which proxies and servers write down.
            Body::Form(asked) => {
                let key = self.key.iter().map(|key| ("api_key", key.expose()));
                let given = asked.iter().chain(&self.sender).map(|(name, value)| (*name, value.as_str()));
                ("application/x-www-form-urlencoded", form(given.chain(key)))
            }
        };
        let mut reply = post(self.at(ask.path), kind, body, self.settings.timeout).await?;
        if let Some(key) = &self.key {
            reply.body = key.scrub(&reply.body);
        }
        accept(reply)
    }

    fn at(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        if let Ok(mut segments) = url.path_segments_mut() {
            segments.pop_if_empty().push(path);
        }
        url
    }

    fn cache_key(&self, ask: &Ask) -> String {
        let body = match &ask.body {
            Body::Json(body) => body.to_string(),
            Body::Form(asked) => form(asked.iter().map(|(name, value)| (*name, value.as_str()))),
        };
        let mut hasher = blake3::Hasher::new();
        for part in ["evidence 1", self.id, self.at(ask.path).as_str(), &body] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        hasher.finalize().to_hex().to_string()
    }

    fn told(&self, failed: Failed, attempts: u32) -> Problem {
        let Problem::Busy { message, .. } = failed.problem else { return failed.problem };
        let longest = self.settings.longest_wait;
        let message = match failed.wait.filter(|wait| *wait > longest) {
            Some(wait) => {
                format!("{message}; it wants a wait of {} s, and {} s are allowed", wait.as_secs(), longest.as_secs())
            }
            None => message,
        };
        Problem::Busy { attempts, message, key_helps: self.takes_key && self.key.is_none() }
    }
}

fn address(text: &str) -> Result<Url, Problem> {
    let usable = |url: &Url| {
        let plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
        matches!(url.scheme(), "http" | "https") && url.has_host() && plain
    };
    // What stands before an @ may be a password.
    let shown = text.rsplit('@').next().unwrap_or_default().split('?').next().unwrap_or_default();
    Url::parse(text).ok().filter(usable).ok_or_else(|| Problem::BadAddress(shown.to_owned()))
}

fn form<'a>(fields: impl Iterator<Item = (&'a str, &'a str)>) -> String {
    let mut url = Url::parse("http://form").expect("it is written right");
    url.query_pairs_mut().extend_pairs(fields);
    url.query().unwrap_or_default().to_owned()
}

fn accept(reply: Reply) -> Result<String, Failed> {
    let (status, wait) = (reply.status, reply.retry_after);
    let message = excerpt(&reply.body);
    let (problem, again) = match status {
        200..=299 => return Ok(reply.body),
        429 => (Problem::Busy { attempts: 0, message, key_helps: false }, true),
        408 | 500..=599 => (Problem::Unreachable(format!("it answers with status {status} ({message})")), true),
        300..=399 => {
            let message = "it sends us elsewhere, and redirects are not followed".to_owned();
            (Problem::Refused { status, message }, false)
        }
        _ => (Problem::Refused { status, message }, false),
    };
    Err(Failed { problem, again, wait })
}

fn excerpt(body: &str) -> String {
    let words = body.split_whitespace().collect::<Vec<_>>().join(" ");
    match words.char_indices().nth(LONGEST_MESSAGE) {
        Some((end, _)) => format!("{}…", &words[..end]),
        None if words.is_empty() => "it says no more".to_owned(),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: Result<&str, &str>) {
        let read = address(text).map(|url| url.to_string());
        assert_eq!(read, expected.map(str::to_owned).map_err(|shown| Problem::BadAddress(shown.into())));
    }

    #[test]
    fn an_address_is_http_and_holds_no_secret() {
        check("https://h.example/v4", Ok("https://h.example/v4"));
        check("ftp://h.example", Err("ftp://h.example"));
        check("h.example", Err("h.example"));
        check("https://me:secret@h.example/v4", Err("h.example/v4"));
        check("https://h.example/v4?api_key=secret", Err("https://h.example/v4"));
    }

    #[test]
    fn a_long_refusal_is_cut_between_characters() {
        assert_eq!(excerpt(&"ä ".repeat(300)).chars().count(), LONGEST_MESSAGE + 1);
        assert_eq!(excerpt(" \n"), "it says no more");
    }
}
