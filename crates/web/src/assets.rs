//! Style sheet, script and icon, served from the program itself. Their names hold a hash of them, so that a browser may keep them for good.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use std::sync::LazyLock;

pub struct Assets {
    pub style: Asset,
    pub script: Asset,
    pub icon: Asset,
}

pub struct Asset {
    /// `app-1f2e3d4c.css`
    pub name: String,
    kind: &'static str,
    text: String,
}

pub static ASSETS: LazyLock<Assets> = LazyLock::new(|| Assets {
    style: Asset::new("css", "text/css; charset=utf-8", waterjar_report::style() + include_str!("../static/app.css")),
    script: Asset::new("js", "text/javascript; charset=utf-8", include_str!("../static/app.js").to_owned()),
    icon: Asset::new("svg", "image/svg+xml", include_str!("../static/icon.svg").to_owned()),
});

impl Asset {
    fn new(extension: &str, kind: &'static str, text: String) -> Self {
        let hash = blake3::hash(text.as_bytes()).to_hex();
        Self { name: format!("app-{}.{extension}", &hash[..10]), kind, text }
    }
}

pub async fn serve(Path(name): Path<String>) -> Response {
    let found = [&ASSETS.style, &ASSETS.script, &ASSETS.icon].into_iter().find(|asset| asset.name == name);
    match found {
        Some(asset) => {
            let headers = [(CONTENT_TYPE, asset.kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
            (headers, asset.text.as_str()).into_response()
        }
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The style sheet is shared with the drawings, and in those `bar` is an interval.
    #[test]
    fn a_printed_page_keeps_the_intervals_of_its_figures() {
        let (_, printed) = ASSETS.style.text.rsplit_once("@media print {").expect("the site has rules for paper");
        let (hidden, _) = printed.split_once('{').expect("which hide what nobody can press there");
        assert!(hidden.split(',').any(|it| it.trim() == "header.bar"), "{hidden}");
        assert!(hidden.split(',').all(|it| it.trim() != ".bar"), "{hidden}");
    }
}
