//! id and spec → a model that can be asked

use crate::http::Endpoint;
use crate::key::Key;
use crate::policy::check_all;
use crate::secrets::Secrets;
use crate::vendors::{self, Auth, KeyNeed, VendorRow};
use crate::{EndpointPolicy, ModelSpec, Vendor};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use std::net::ToSocketAddrs;
use std::time::Duration;
use waterjar_core::{ModelId, slip};

/// Why a model cannot be asked at all. Nothing here holds a key.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpenModelError {
    #[error("`{model}` names no vendor: write vendor/model, as in openai/gpt-5, or give it a `url`")]
    NoVendor { model: String },
    #[error("`{model}` is not asked in OpenAI's format, and only that one has embeddings here")]
    NoEmbeddings { model: String },
    #[error("no vendor is called `{asked}`: {hint}")]
    UnknownVendor { asked: String, hint: String },
    #[error("`{model}` needs a key: set {variable}")]
    MissingKey { model: String, variable: String },
    #[error("mode: `{model}` has no batches: only OpenAI's and Anthropic's formats do")]
    NoBatches { model: String },
    #[error("`{model}` is a program that cannot be started: {why}")]
    NoProgram { model: String, why: String },
    #[error("`{model}` is a program that wants {variable}: set it, or take it out of `env`")]
    MissingVariable { model: String, variable: String },
    #[error("what {variable} holds cannot be sent in a header")]
    BadKey { variable: String },
    #[error("`{model}` needs an address: set {variable}, or give it a `url`{}", also(key))]
    MissingUrl {
        model: String,
        variable: String,
        /// The variable of the key, where that is not set either.
        key: Option<String>,
    },
    #[error("the url of `{model}` cannot be used: {why}")]
    BadUrl { model: String, why: String },
    #[error("the header `{name}` of `{model}` cannot be sent: {why}")]
    BadHeader { model: String, name: String, why: String },
    #[error("the timeout of `{model}` must be a positive number of seconds")]
    BadTimeout { model: String },
    #[error(
        "`{model}` is at {host}, outside this machine and its private networks, and only local endpoints are allowed"
    )]
    NotLocal { model: String, host: String },
    #[error(
        "`{model}` is at {host}, a name that does not resolve: it cannot be known to be local, and only local endpoints are allowed"
    )]
    NoAddress { model: String, host: String },
}

fn also(key: &Option<String>) -> String {
    key.as_ref().map(|key| format!("; it also needs a key: set {key}")).unwrap_or_default()
}

/// The gateway ends an attempt earlier, after what the study says; this is for those who ask without it.
const TIMEOUT: Duration = Duration::from_secs(3600);

/// Opens a model, reading its key from the environment.
pub fn open(id: &str, spec: Option<&ModelSpec>, policy: EndpointPolicy) -> Result<Vendor, OpenModelError> {
    open_with(id, spec, policy, &|variable| std::env::var(variable).ok())
}

/// Opens a model with variables from elsewhere.
pub fn open_with(
    id: &str,
    spec: Option<&ModelSpec>,
    policy: EndpointPolicy,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Vendor, OpenModelError> {
    let spec = spec.cloned().unwrap_or_default();
    let opening = Opening { id, spec: &spec, variable };
    let row = opening.row()?;
    let url = opening.url(row)?;
    opening.check_local(&url, policy)?;
    let key = opening.key(row, &url)?;
    let (headers, secrets) = opening.headers(row, key.as_ref())?;
    let model = opening.name_sent().to_owned();
    let dialect = row.dialect(&model);
    let endpoint = Endpoint { url, headers, key, secrets, policy, timeout: opening.timeout()? };
    Ok(Vendor::new(ModelId::new(id), model, row, dialect, endpoint, spec))
}

pub(crate) struct Opening<'a> {
    pub id: &'a str,
    pub spec: &'a ModelSpec,
    pub variable: &'a dyn Fn(&str) -> Option<String>,
}

impl Opening<'_> {
    fn model(&self) -> String {
        self.id.to_owned()
    }

    fn vendor(&self) -> Option<&str> {
        self.id.split_once('/').map(|(vendor, _)| vendor)
    }

    /// Only the study chooses it: the name it gives, or what follows the vendor.
    pub fn name_sent(&self) -> &str {
        let after_vendor = self.id.split_once('/').map_or(self.id, |(_, model)| model);
        self.spec.model.as_deref().unwrap_or(after_vendor)
    }

    /// The vendor's own row, unless the study says that it speaks like another.
    pub fn row(&self) -> Result<&'static VendorRow, OpenModelError> {
        let table = vendors::all();
        let own = self.vendor().and_then(|vendor| table.get(vendor));
        match (self.spec.api.as_deref(), own) {
            (Some(api), Some(own)) if table.get(api).is_some_and(|row| row.api == own.api) && is_format(api) => Ok(own),
            (Some("openai"), None) => Ok(&table["compatible"]),
            (Some(api), _) => table.get(api).ok_or_else(|| unknown(api)),
            (None, Some(own)) => Ok(own),
            (None, None) if self.spec.url.is_some() => Ok(&table["compatible"]),
            (None, None) => Err(match self.vendor() {
                Some(vendor) => unknown(vendor),
                None => OpenModelError::NoVendor { model: self.model() },
            }),
        }
    }

    pub fn url(&self, row: &VendorRow) -> Result<Url, OpenModelError> {
        let from_variable = || row.url_env.as_deref().and_then(self.variable);
        let own = self.spec.url.clone().or_else(|| row.url.clone());
        let text = own.or_else(|| from_variable().map(azure_address)).ok_or_else(|| {
            let variable = row.url_env.clone().unwrap_or_else(|| "`url` in the study".into());
            let key = self.spec.key_env.clone().unwrap_or_else(|| row.key_env.clone());
            let key = (row.key == KeyNeed::Required && self.key_in(&key).is_none()).then_some(key);
            OpenModelError::MissingUrl { model: self.model(), variable, key }
        })?;
        let bad = |why: &str| OpenModelError::BadUrl { model: self.model(), why: why.into() };
        let text = text.trim();
        if !["http://", "https://"].iter().any(|scheme| text.to_ascii_lowercase().starts_with(scheme)) {
            return Err(bad(&format!(
                "`{}` must begin with http:// or https://",
                text.split('?').next().unwrap_or(text)
            )));
        }
        let mut url = Url::parse(text).map_err(|error| bad(&error.to_string()))?;
        if url.password().is_some()
            || !url.username().is_empty()
            || url.query_pairs().any(|(name, _)| sounds_secret(&name))
        {
            return Err(bad("it holds a credential, and addresses are stored; name a variable with `key_env` instead"));
        }
        if url.path() == "/" {
            url.set_path(row.api.version_path());
        }
        if let Some(base) = url.path().trim_end_matches('/').strip_suffix("/chat/completions").map(str::to_owned) {
            url.set_path(&base);
        }
        Ok(url)
    }

    /// Refuses at once what would be refused at the first call. A vendor on the internet is known without a name server.
    fn check_local(&self, url: &Url, policy: EndpointPolicy) -> Result<(), OpenModelError> {
        if policy == EndpointPolicy::Any {
            return Ok(());
        }
        let host = url.host_str().unwrap_or_default();
        let refuse = || OpenModelError::NotLocal { model: self.model(), host: host.into() };
        if vendors::is_hosted(url) || policy.check_number(url).is_err() {
            return Err(refuse());
        }
        // What cannot be known to be local is not asked; the send checks again.
        match (host.trim_matches(['[', ']']), 0).to_socket_addrs() {
            Ok(addresses) => check_all(host, &addresses.collect::<Vec<_>>()).map_err(|_| refuse()),
            Err(_) => Err(OpenModelError::NoAddress { model: self.model(), host: host.into() }),
        }
    }

    /// A vendor's key goes to the vendor's host. For another host the study must name the variable.
    fn key(&self, row: &VendorRow, url: &Url) -> Result<Option<Key>, OpenModelError> {
        let Some((variable, required)) = self.key_variable(row, url) else { return Ok(None) };
        match self.key_in(variable) {
            Some(key) => Ok(Some(key)),
            None if required => Err(OpenModelError::MissingKey { model: self.model(), variable: variable.into() }),
            None => Ok(None),
        }
    }

    /// The variable that holds the key, and whether nothing goes without it.
    pub fn key_variable<'b>(&'b self, row: &'b VendorRow, url: &Url) -> Option<(&'b str, bool)> {
        match &self.spec.key_env {
            Some(variable) => Some((variable.as_str(), true)),
            None if self.is_home(row, url) => Some((row.key_env.as_str(), row.key == KeyNeed::Required)),
            None => None,
        }
    }

    /// Whether this is the vendor's own host. Servers that people run themselves are at home on this machine and in private networks, if
    /// the address is written as a number: a name may lead anywhere.
    fn is_home(&self, row: &VendorRow, url: &Url) -> bool {
        let host = url.host_str().unwrap_or_default();
        let number = host.trim_matches(['[', ']']).parse();
        let near = host == "localhost" || number.is_ok_and(|address| EndpointPolicy::LocalOnly.allows(address));
        let known = row.url.as_deref().and_then(|home| Url::parse(home).ok());
        let hosts = row.hosts.as_deref();
        (row.local && near)
            || known.is_some_and(|home| home.host_str() == url.host_str())
            || hosts.is_some_and(|ending| host.ends_with(ending))
            // The user's own variable says where it is.
            || (row.url_env.is_some() && self.spec.url.is_none())
    }

    pub fn key_in(&self, variable: &str) -> Option<Key> {
        let text = (self.variable)(variable).filter(|text| !text.trim().is_empty())?;
        Some(Key::new(variable, &text))
    }

    /// What is sent with every request, and what of it must not be kept.
    pub fn headers(&self, row: &VendorRow, key: Option<&Key>) -> Result<(HeaderMap, Secrets), OpenModelError> {
        let mut headers = HeaderMap::new();
        let mut secrets = Secrets::of(key);
        for (name, value) in &self.spec.headers {
            let (name, content) = self.header(name, value)?;
            if value.starts_with('$') {
                secrets.add(content.to_str().unwrap_or_default());
            }
            headers.insert(name, content);
        }
        if let Some(key) = key {
            let (name, text) = match row.auth {
                Auth::Bearer => ("authorization", format!("Bearer {}", key.expose())),
                Auth::ApiKey => ("api-key", key.expose().to_owned()),
                Auth::XApiKey => ("x-api-key", key.expose().to_owned()),
                Auth::XGoogApiKey => ("x-goog-api-key", key.expose().to_owned()),
            };
            let mut value =
                HeaderValue::from_str(&text).map_err(|_| OpenModelError::BadKey { variable: key.variable.clone() })?;
            value.set_sensitive(true);
            headers.insert(HeaderName::from_static(name), value);
        }
        Ok((headers, secrets))
    }

    fn header(&self, name: &str, value: &str) -> Result<(HeaderName, HeaderValue), OpenModelError> {
        let bad = |why: &str| OpenModelError::BadHeader { model: self.model(), name: name.into(), why: why.into() };
        let text = match value.strip_prefix('$') {
            Some(variable) => (self.variable)(variable).ok_or_else(|| bad(&format!("set {variable}")))?,
            None if sounds_secret(name) => {
                return Err(bad("studies are stored; write `$NAME` and set that variable, or use `key_env`"));
            }
            None => value.to_owned(),
        };
        let header = HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad("its name is not one of a header"))?;
        let mut content =
            HeaderValue::from_str(text.trim()).map_err(|_| bad("its value holds a character that may not be sent"))?;
        content.set_sensitive(true);
        Ok((header, content))
    }

    fn timeout(&self) -> Result<Duration, OpenModelError> {
        let Some(seconds) = self.spec.timeout_seconds else { return Ok(TIMEOUT) };
        let timeout = Duration::try_from_secs_f64(seconds).ok().filter(|timeout| !timeout.is_zero());
        timeout.ok_or_else(|| OpenModelError::BadTimeout { model: self.model() })
    }
}

/// Whether what stands under this name is probably a secret: of a header, or in an address.
fn sounds_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "token", "key", "secret", "cookie", "pass", "sig", "cred"].iter().any(|word| name.contains(word))
}

/// The words that name a format rather than a vendor's dialect.
fn is_format(api: &str) -> bool {
    matches!(api, "openai" | "anthropic" | "gemini" | "waterjar")
}

/// Azure's variable holds the resource, below which the v1 interface is.
fn azure_address(endpoint: String) -> String {
    let endpoint = endpoint.trim_end_matches('/');
    if endpoint.contains("/openai") { endpoint.to_owned() } else { format!("{endpoint}/openai/v1") }
}

fn unknown(asked: &str) -> OpenModelError {
    let names = || vendors::all().keys().map(String::as_str);
    let hint = slip::did_you_mean(asked, names()).unwrap_or_else(|| {
        format!(
            "the vendors are {}; any other address takes a `url` under [models.\"{asked}/…\"]",
            names().collect::<Vec<_>>().join(", ")
        )
    });
    OpenModelError::UnknownVendor { asked: asked.into(), hint }
}
