//! The paths of batches and of the files they are made of.

use crate::format::Format;
use hyper::Method;

/// What a request about batches is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Route {
    Upload,
    File(String),
    Create(Format),
    List(Format),
    Look(Format, String),
    Results(String),
}

impl Route {
    pub fn of(method: &Method, path: &str) -> Option<Self> {
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let at = parts.iter().position(|part| ["files", "batches"].contains(part))?;
        let format = if at > 0 && parts[at - 1] == "messages" { Format::Anthropic } else { Format::OpenAi };
        match (method.as_str(), &parts[at..]) {
            ("POST", ["files"]) => Some(Self::Upload),
            ("GET", ["files", id, "content"]) => Some(Self::File((*id).to_owned())),
            ("POST", ["batches"]) => Some(Self::Create(format)),
            ("GET", ["batches"]) => Some(Self::List(format)),
            ("GET", ["batches", id]) => Some(Self::Look(format, (*id).to_owned())),
            ("GET", ["batches", id, "results"]) => Some(Self::Results((*id).to_owned())),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: &Method, path: &str, expected: Option<Route>) {
        assert_eq!(Route::of(method, path), expected, "{method} {path}");
    }

    #[test]
    fn both_vendors_are_told_apart_and_questions_are_left_alone() {
        check(&Method::POST, "/v1/files", Some(Route::Upload));
        check(&Method::GET, "/v1/files/out-batch_1/content", Some(Route::File("out-batch_1".into())));
        check(&Method::POST, "/v1/batches", Some(Route::Create(Format::OpenAi)));
        check(&Method::POST, "/v1/messages/batches", Some(Route::Create(Format::Anthropic)));
        check(&Method::GET, "/v1/messages/batches", Some(Route::List(Format::Anthropic)));
        check(&Method::GET, "/v1/batches/b", Some(Route::Look(Format::OpenAi, "b".into())));
        check(&Method::GET, "/v1/messages/batches/b/results", Some(Route::Results("b".into())));
        check(&Method::POST, "/v1/messages", None);
        check(&Method::POST, "/v1/chat/completions", None);
    }
}
