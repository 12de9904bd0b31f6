//! Ways of using a model to answer a prompt. A new agent is a folder here and a row in `all()`.

pub mod direct;
pub mod plain;
pub mod warned;

mod once;

pub use direct::Direct;
pub use plain::Plain;
pub use warned::Warned;

use waterjar_core::Agent;

/// One row of the table of agents.
#[derive(Clone, Copy, Debug)]
pub struct AgentKind {
    /// The name of the agent's folder.
    pub id: &'static str,
    pub about: &'static str,
    pub make: fn() -> Box<dyn Agent>,
}

pub fn all() -> &'static [AgentKind] {
    const ALL: &[AgentKind] = &[
        AgentKind {
            id: "direct",
            about: "asks once for the ranked list alone, without reasoning",
            make: || Box::new(Direct::default()),
        },
        AgentKind {
            id: "plain",
            about: "asks once, step by step, for a ranked list (zero-shot chain of thought)",
            make: || Box::new(Plain::default()),
        },
        AgentKind {
            id: "warned",
            about: "as plain, told beforehand that a typical picture may mislead",
            make: || Box::new(Warned::default()),
        },
    ];
    ALL
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_folder_is_in_the_table_and_has_a_readme() {
        let src = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        for entry in std::fs::read_dir(&src).unwrap() {
            let folder = entry.unwrap().path();
            if !folder.is_dir() {
                continue;
            }
            let name = folder.file_name().unwrap().to_string_lossy().into_owned();
            assert!(
                all().iter().any(|kind| kind.id == name),
                "agents/src/{name} is not in the table yet: add a row for it to `all()` in agents/src/lib.rs"
            );
            assert!(
                folder.join("README.md").is_file(),
                "agents/src/{name} has no README.md yet: say what the agent is, its paper, where we differ, and its version"
            );
        }
    }

    #[test]
    fn every_agent_goes_by_the_name_of_its_row_and_folder() {
        for kind in all() {
            assert_eq!((kind.make)().id().as_str(), kind.id);
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src").join(kind.id);
            assert!(folder.is_dir(), "`{}` is in the table but has no folder agents/src/{}", kind.id, kind.id);
        }
    }
}
