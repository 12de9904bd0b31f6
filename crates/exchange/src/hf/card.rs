//! The card of a data set: a head for programs, and what a reader should know.

use super::column::Column;
use super::shards::Written;
use std::fmt::Write;

/// What the card says beside the tables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    pub name: String,
    pub license: License,
    /// How it was made, in Markdown.
    pub made: String,
}

/// On which terms it may be used, as Hugging Face spells them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum License {
    Apache2,
    CcBy4,
    /// As its sources say.
    OfSources,
}

pub(super) type Tables<'a> = [(&'static str, &'static [Column], &'a Written); 3];

pub(super) fn text(about: &About, tables: Tables<'_>) -> String {
    let mut text = head(about, tables);
    let _ = write!(
        text,
        "\n# {}\n\n**Illustrative, not for patient care.** The cases are made to test readers, not to advise anybody.\n\n{INTRODUCTION}\n{}\n",
        about.name,
        about.made.trim_end()
    );
    text.push_str(USE);
    text
}

fn head(about: &About, tables: Tables<'_>) -> String {
    let mut text = String::from("---\n");
    let name = serde_json::to_string(&about.name).expect("a text is JSON");
    let _ = writeln!(text, "pretty_name: {name}");
    text.push_str(match about.license {
        License::Apache2 => "license: apache-2.0\n",
        License::CcBy4 => "license: cc-by-4.0\n",
        License::OfSources => "license: other\nlicense_name: as-the-sources-say\n",
    });
    text.push_str(
        "task_categories:\n- text-generation\ntags:\n- medical\n- evaluation\n- counterfactual\n- waterjar\n",
    );
    let _ = writeln!(text, "size_categories:\n- {}", size(tables[0].2.rows));
    text.push_str("configs:\n");
    for (at, (name, ..)) in tables.iter().enumerate() {
        let _ = writeln!(text, "- config_name: {name}");
        if at == 0 {
            text.push_str("  default: true\n");
        }
        let _ = writeln!(text, "  data_files:\n  - split: test\n    path: data/{name}-*.parquet");
    }
    text.push_str("dataset_info:\n");
    for (name, columns, written) in tables {
        let _ = writeln!(text, "- config_name: {name}\n  features:");
        for column in columns {
            let _ = writeln!(text, "  - name: {}\n    dtype: {}", column.name, column.kind.feature());
        }
        let Written { rows, bytes, unpacked, .. } = written;
        let _ = writeln!(text, "  splits:\n  - name: test\n    num_bytes: {unpacked}\n    num_examples: {rows}");
        let _ = writeln!(text, "  download_size: {bytes}\n  dataset_size: {unpacked}");
    }
    text.push_str("---\n");
    text
}

fn size(rows: u64) -> &'static str {
    match rows {
        0..1_000 => "n<1K",
        1_000..10_000 => "1K<n<10K",
        10_000..100_000 => "10K<n<100K",
        100_000..1_000_000 => "100K<n<1M",
        _ => "n>1M",
    }
}

const INTRODUCTION: &str = "\
A counterfactual benchmark of clinical questions with what subjects answered and how they were judged. A *family* is one case, \
asked about as it is (the control) and with one fact changed (its other variants); what a sound reader does under each change was \
written down before a model answered (`expectation`).
";

const USE: &str = "
## Tables

- `benchmark`: a row per variant. `task` and `text` are what is asked; `expectation` is `names`, `flips`, `holds`, `recommends` or
  `shifts`, `expected` what a sound reader says, `expected_not` what was right before the fact changed. `question` is a hash of what is
  asked. Where nobody knows which answer is right (`parity`, with a finding removed) there is no `expected_condition`, and `expected` says
  what the answer is compared with: `one answer to all wordings`, `the same answer as the original's`.
- `responses`: a row per answer. `state` is `ok` or why there is no answer; a missing answer has no text, and is no wrong one.
- `verdicts`: a row per ruling. `outcome` is `right`, `partly`, `trapped` (the fact changed and the answer did not), `missed` or
  `missing`.

Columns that nobody filters by hold JSON: `intervention`, `facts`, `strata`, `record`, `ranking`, `parts`, `audit`. `jsonl/` has the same
rows whole, as `waterjar` keeps them.
";
