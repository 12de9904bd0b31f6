//! Vignettes of our own, shipped with the program. Illustrative; not for patient care.

use crate::{Vignette, tagged};

const FILES: [(&str, &str); 8] = [
    ("heart.txt", include_str!("../data/heart.txt")),
    ("lung.txt", include_str!("../data/lung.txt")),
    ("belly.txt", include_str!("../data/belly.txt")),
    ("head.txt", include_str!("../data/head.txt")),
    ("throat_and_children.txt", include_str!("../data/throat_and_children.txt")),
    ("joints_glands_blood.txt", include_str!("../data/joints_glands_blood.txt")),
    ("skin_infection_mind.txt", include_str!("../data/skin_infection_mind.txt")),
    ("sex_bound.txt", include_str!("../data/sex_bound.txt")),
];

/// All of them, in the order of the files. The last file holds those that a swap must refuse.
pub fn starter() -> Vec<Vignette> {
    FILES
        .iter()
        .flat_map(|(name, content)| {
            blocks(content).map(move |(line, block)| {
                tagged::read(block).unwrap_or_else(|error| panic!("{name}, line {line}: {error}"))
            })
        })
        .collect()
}

/// Vignettes in one text, parted by lines of four hyphens; lines that begin with `# ` before the first are remarks.
pub(crate) fn blocks(content: &str) -> impl Iterator<Item = (usize, &str)> {
    let remarks: usize = content.split_inclusive('\n').take_while(|line| line.starts_with("# ")).map(str::len).sum();
    let first = content[..remarks].lines().count() + 1;
    let mut line = first;
    content[remarks..].split("----\n").map(move |block| {
        let at = line;
        line += block.lines().count() + 1;
        (at, block)
    })
}
