//! What a model needs before it can be asked, found out without asking anybody.

use crate::dialect::budget;
use crate::open::Opening;
use crate::{Api, Dialect, EndpointPolicy, ModelSpec, OpenModelError, vendors};
use reqwest::Url;
use std::net::IpAddr;
use waterjar_core::Reasoning;

#[derive(Clone, Debug)]
pub struct Description {
    pub api: Api,
    /// The name sent.
    pub model: String,
    /// Whether it is a server that people run themselves.
    pub local: bool,
    pub dialect: Dialect,
    pub thinking: Thinking,
    pub needs: Vec<Need>,
    url: Url,
}

/// A variable of the environment. What it holds is not in here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Need {
    pub variable: String,
    /// The header it is sent in; `None` for the key.
    pub header: Option<String>,
    pub required: bool,
    pub is_set: bool,
}

/// How much a model thinks before it answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Thinking {
    No,
    /// So many tokens at most, by what the study says.
    Budget(u32),
    /// It does, and nobody said how much.
    Unstated,
}

/// The error is one that no variable but that of the address would put right.
pub fn describe(
    id: &str,
    spec: Option<&ModelSpec>,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Result<Description, OpenModelError> {
    let spec = spec.cloned().unwrap_or_default();
    let opening = Opening { id, spec: &spec, variable };
    let row = opening.row()?;
    let url = opening.url(row)?;
    let is_set = |name: &str| variable(name).is_some_and(|text| !text.trim().is_empty());
    let key = opening.key_variable(row, &url).map(|(variable, required)| Need {
        variable: variable.to_owned(),
        header: None,
        required,
        is_set: is_set(variable),
    });
    let in_header = spec.headers.iter().filter_map(|(name, value)| {
        let variable = value.strip_prefix('$')?;
        let header = Some(name.clone());
        Some(Need { variable: variable.to_owned(), header, required: true, is_set: is_set(variable) })
    });
    let needs = key.into_iter().chain(in_header).collect();
    let model = opening.name_sent().to_owned();
    let dialect = row.dialect(&model);
    let thinking = thinking(spec.reasoning, &dialect);
    Ok(Description { api: row.api, model, local: row.local, thinking, dialect, needs, url })
}

impl Description {
    /// Scheme, host and port: what shares limits.
    pub fn origin(&self) -> String {
        self.url.origin().ascii_serialization()
    }

    pub fn host(&self) -> &str {
        self.url.host_str().unwrap_or_default().trim_matches(['[', ']'])
    }

    pub fn port(&self) -> u16 {
        self.url.port_or_known_default().unwrap_or(0)
    }

    /// The host as a number, where it is written as one.
    pub fn address(&self) -> Option<IpAddr> {
        self.host().parse().ok()
    }

    /// Whether a request to it would be refused, as far as can be told without a name server.
    pub fn is_refused_by(&self, policy: EndpointPolicy) -> bool {
        let elsewhere = vendors::is_hosted(&self.url) || policy.check_number(&self.url).is_err();
        policy == EndpointPolicy::LocalOnly && elsewhere
    }

    /// Its address on another host: path and query stay.
    pub fn url_at(&self, origin: &str) -> String {
        let query = self.url.query().map(|query| format!("?{query}")).unwrap_or_default();
        format!("{origin}{}{query}", self.url.path())
    }
}

fn thinking(asked: Option<Reasoning>, dialect: &Dialect) -> Thinking {
    let sampling = waterjar_core::Sampling { reasoning: asked, ..Default::default() };
    match dialect.admit(&sampling).0.reasoning {
        Some(Reasoning::Off) => Thinking::No,
        Some(reasoning) => budget(reasoning).map_or(Thinking::No, Thinking::Budget),
        None if dialect.thinks_unasked() => Thinking::Unstated,
        None => Thinking::No,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(id: &str, spec: &str, set: &[&str]) -> Description {
        let spec: ModelSpec = toml::from_str(spec).expect("the test writes a spec");
        let variable = |name: &str| set.contains(&name).then(|| "canary-1234567".to_owned());
        describe(id, Some(&spec), &variable).expect("it can be described")
    }

    #[test]
    fn keys_are_named_and_never_shown() {
        let spec = "headers = { x-team = 'a', x-token = '$WARD_TOKEN' }";
        let it = described("openai/gpt-5", spec, &["WARD_TOKEN"]);
        let needs: Vec<(&str, bool)> = it.needs.iter().map(|need| (need.variable.as_str(), need.is_set)).collect();
        assert_eq!(needs, [("OPENAI_API_KEY", false), ("WARD_TOKEN", true)]);
        assert!(!format!("{it:?}").contains("canary"));
        assert!(!described("vllm/x", "", &[]).needs[0].required);
    }

    #[test]
    fn where_it_may_not_be_asked_is_known_without_a_name_server() {
        let refused = |id: &str, spec: &str| described(id, spec, &[]).is_refused_by(EndpointPolicy::LocalOnly);
        assert!(refused("openai/gpt-5", ""));
        assert!(refused("local/x", "url = 'http://8.8.8.8/v1'"));
        assert!(!refused("local/x", "url = 'http://10.0.0.5/v1'"));
        assert!(!refused("local/x", "url = 'http://gpu.ward.example/v1'"));
        assert!(!described("openai/gpt-5", "", &[]).is_refused_by(EndpointPolicy::Any));
    }

    #[test]
    fn at_another_host_the_path_stays() {
        let at = |id: &str, spec: &str| described(id, spec, &[]).url_at("http://127.0.0.1:9");
        assert_eq!(at("gemini/x", ""), "http://127.0.0.1:9/v1beta");
        assert_eq!(
            at("local/x", "url = 'https://h/openai/v1?api-version=2'"),
            "http://127.0.0.1:9/openai/v1?api-version=2"
        );
    }

    #[test]
    fn how_much_a_model_thinks_is_said_by_the_study_or_by_its_vendor() {
        let thinks = |id: &str, spec: &str| described(id, spec, &[]).thinking;
        assert_eq!(thinks("openai/gpt-5", ""), Thinking::Unstated);
        assert_eq!(thinks("openai/gpt-5", "reasoning = 'low'"), Thinking::Budget(1024));
        assert_eq!(thinks("openai/gpt-5", "reasoning = 'off'"), Thinking::Unstated, "it cannot be turned off");
        assert_eq!(thinks("openai/gpt-4o", ""), Thinking::No);
        for id in
            ["gemini/gemini-2.5-flash", "xai/grok-4", "zhipu/glm-4.5", "dashscope/qwen3-32b", "vllm/Qwen/Qwen3-32B"]
        {
            assert_eq!(thinks(id, ""), Thinking::Unstated, "{id}");
        }
        for id in ["gemini/gemini-2.5-flash-lite", "dashscope/qwen-plus", "vllm/Qwen/Qwen3-4B-Instruct-2507"] {
            assert_eq!(thinks(id, ""), Thinking::No, "{id}");
        }
        assert_eq!(thinks("gemini/gemini-2.5-flash", "reasoning = 'off'"), Thinking::No);
        assert_eq!(thinks("anthropic/claude-sonnet-4-5", "reasoning = { tokens = 2000 }"), Thinking::Budget(2000));
    }
}
