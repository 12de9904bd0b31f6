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

/// Vignettes in one text, each with the line it begins on, parted by lines of four hyphens and nothing else; lines that begin with `# ` before
/// the first are remarks.
pub(crate) fn blocks(content: &str) -> impl Iterator<Item = (usize, &str)> {
    let remarks: usize = content.split_inclusive('\n').take_while(|line| line.starts_with("# ")).map(str::len).sum();
    let mut line = content[..remarks].lines().count() + 1;
    let mut rest = Some(&content[remarks..]);
    let blocks = std::iter::from_fn(move || {
        let text = rest.take()?;
        let (first, mut end) = (line, 0);
        for row in text.split_inclusive('\n') {
            line += 1;
            if row.strip_suffix('\n').unwrap_or(row) == tagged::PARTING {
                rest = Some(&text[end + row.len()..]);
                break;
            }
            end += row.len();
        }
        Some((first, &text[..end]))
    });
    blocks.filter(|(_, block)| !block.trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_lines_of_four_hyphens_part() {
        let content = "# A remark.\nOne ----\n-----\n----\n\n----\n\\----\nTwo\n----";
        let found: Vec<_> = blocks(content).collect();
        assert_eq!(found, [(2, "One ----\n-----\n"), (7, "\\----\nTwo\n")]);
    }
}
