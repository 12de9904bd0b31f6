//! `waterjar check-table`: are printed percentages possible for the stated number of cases?

use crate::cli::CheckTableArgs;
use crate::exit::Exit;
use crate::output::{Output, table};
use anyhow::Result;
use serde_json::json;
use std::path::Path;
use waterjar_core::SourceError;
use waterjar_engine::EngineError;
use waterjar_scoring::stats::printed::{Kind, Of, PrintedColumn, PrintedFigure, misfits};

const HOW: &str = "a head is a name, or a name and what it is: `trap: of base`, `dxy: in thirds`, `wrong: part`, `right: part worth 1`, \
                   `css: score share`, `A: group of 129`";

pub fn run(args: &CheckTableArgs, out: &Output) -> Result<Exit> {
    let read = Table::read(&args.file).map_err(EngineError::from)?;
    let looked: Vec<Looked> =
        read.rows.iter().map(|row| read.look(row, args)).collect::<Result<_, _>>().map_err(EngineError::from)?;
    let fitting = |n: u64| read.rows.iter().filter(|row| misfits(&read.columns, &row.cells, n).is_empty()).count();
    let together = args.n.map(|stated| {
        let best = around(stated, args.within).max_by_key(|n| (fitting(*n), std::cmp::Reverse(n.abs_diff(stated))));
        let best = best.unwrap_or(stated);
        (stated, fitting(stated), best, fitting(best))
    });
    let possible = looked.iter().all(|it| it.misfits.is_empty());
    if args.json {
        out.json(&json!({
            "schema": "waterjar.table/1",
            "rows": looked.iter().map(|it| json!({
                "row": it.name, "n": it.n, "possible": it.misfits.is_empty(), "impossible": it.misfits, "fits": it.fits,
            })).collect::<Vec<_>>(),
            "together": together.map(|(stated, fits, best, most)| json!({
                "stated": stated, "rows_that_fit": fits, "best": best, "rows_that_fit_best": most, "rows": looked.len(),
            })),
        }))?;
    } else {
        let told = |it: &Looked| {
            let verdict = match it.misfits.as_slice() {
                [] => format!("possible with {}", it.n),
                bad => format!("not possible with {}: {}{}", it.n, bad.join(", "), told_fits(&it.fits)),
            };
            (it.name.clone(), verdict)
        };
        let rows: Vec<(String, String)> = looked.iter().map(told).collect();
        let rows: Vec<(&str, String)> = rows.iter().map(|(name, verdict)| (name.as_str(), verdict.clone())).collect();
        out.print(&table::list(&rows));
        if let Some((stated, fits, best, most)) = together.filter(|_| looked.len() > 1) {
            let all = looked.len();
            out.print(&format!("{stated} fits {fits} of {all} rows; {best} fits {most}\n"));
        }
    }
    Ok(if possible { Exit::Done } else { Exit::BoundBroken })
}

/// `; 782 would do`
fn told_fits(fits: &[u64]) -> String {
    let shown: Vec<String> = fits.iter().take(5).map(u64::to_string).collect();
    match (shown.as_slice(), fits.len() > 5) {
        ([], _) => "; no number nearby would do".to_owned(),
        (shown, true) => format!("; {} and {} others nearby would do", shown.join(", "), fits.len() - 5),
        (shown, false) => format!("; {} would do", shown.join(", ")),
    }
}

/// From so many fewer to so many more.
fn around(n: u64, within: u64) -> impl Iterator<Item = u64> {
    n.saturating_sub(within).max(1)..=n + within
}

struct Looked {
    name: String,
    n: u64,
    misfits: Vec<String>,
    /// Numbers of cases with which the row would be possible, the nearest first.
    fits: Vec<u64>,
}

struct Table {
    place: String,
    columns: Vec<PrintedColumn>,
    rows: Vec<PrintedRow>,
}

struct PrintedRow {
    line: u64,
    name: String,
    n: Option<u64>,
    cells: Vec<Option<PrintedFigure>>,
}

impl Table {
    fn look(&self, row: &PrintedRow, args: &CheckTableArgs) -> Result<Looked, SourceError> {
        let n = row.n.or(args.n).ok_or_else(|| {
            SourceError::new(format!("{}, line {}", self.place, row.line), "does not say of how many cases it is")
                .with_hint("say --n N for all rows, or give the table a column `n`")
        })?;
        let bad = misfits(&self.columns, &row.cells, n);
        let mut fits: Vec<u64> = match bad.is_empty() {
            true => Vec::new(),
            false => around(n, args.within).filter(|n| misfits(&self.columns, &row.cells, *n).is_empty()).collect(),
        };
        fits.sort_by_key(|it| (it.abs_diff(n), *it));
        let names = bad.into_iter().map(|at| self.columns[at].name.clone());
        Ok(Looked { name: row.name.clone(), n, misfits: names.collect(), fits })
    }

    /// The first column names the rows; `n` is the number of cases of each, where it stands there.
    fn read(path: &Path) -> Result<Self, SourceError> {
        let place = path.display().to_string();
        let bad = |problem: String| SourceError::new(&place, problem);
        let mut reader =
            csv::ReaderBuilder::new().trim(csv::Trim::All).from_path(path).map_err(|it| bad(it.to_string()))?;
        let head = reader.headers().map_err(|it| bad(it.to_string()))?.clone();
        let heads: Vec<&str> = head.iter().collect();
        let n_at = heads.iter().position(|it| it.eq_ignore_ascii_case("n"));
        let figures: Vec<usize> = (1..heads.len()).filter(|at| Some(*at) != n_at).collect();
        let names: Vec<&str> = figures.iter().map(|at| name_of(heads[*at])).collect();
        let mut columns = Vec::new();
        for at in &figures {
            let kind = kind(heads[*at], &names).map_err(|problem| bad(problem).with_hint(HOW))?;
            columns.push((PrintedColumn { name: name_of(heads[*at]).to_owned(), kind }, is_share(heads[*at])));
        }
        no_circle(&columns).map_err(|problem| bad(problem).with_hint(HOW))?;
        let mut rows = Vec::new();
        for record in reader.records() {
            let record = record.map_err(|it| bad(it.to_string()))?;
            let line = record.position().map_or(0, csv::Position::line);
            let wrong = |cell: &str, what: &str| {
                SourceError::at_line(path, line, format!("`{cell}` is no {what}"))
                    .with_hint("leave a cell empty, or put –, where nothing is printed")
            };
            let mut cells = Vec::new();
            for (at, (_, share)) in figures.iter().zip(&columns) {
                let cell = record.get(*at).unwrap_or_default();
                let figure = PrintedFigure::read(cell, *share);
                if figure.is_none() && !matches!(cell, "" | "-" | "–" | "—") {
                    return Err(wrong(cell, "percentage"));
                }
                cells.push(figure);
            }
            let n = match n_at.and_then(|at| record.get(at)).filter(|it| !it.is_empty()) {
                Some(text) => Some(text.replace(',', "").parse().map_err(|_| wrong(text, "number of cases"))?),
                None => None,
            };
            rows.push(PrintedRow { line, name: record.get(0).unwrap_or_default().to_owned(), n, cells });
        }
        if rows.is_empty() || columns.is_empty() {
            return Err(bad("holds no figures".to_owned())
                .with_hint("a head, then a row each: a name, and what is printed of it"));
        }
        Ok(Self { place, columns: columns.into_iter().map(|(column, _)| column).collect(), rows })
    }
}

fn name_of(head: &str) -> &str {
    head.split_once(':').map_or(head, |(name, _)| name).trim()
}

fn is_share(head: &str) -> bool {
    head.split_once(':').is_some_and(|(_, words)| words.split_whitespace().any(|word| word == "share"))
}

/// What stands behind the colon of a head.
fn kind(head: &str, names: &[&str]) -> Result<Kind, String> {
    let words = head.split_once(':').map_or("", |(_, words)| words);
    let words: Vec<&str> = words.split_whitespace().filter(|word| *word != "share").collect();
    let not_known = || format!("`{head}` is not a head this reads");
    let number = |word: &str| word.replace(',', "").parse::<u64>().ok().filter(|it| *it > 0);
    let of = |word: &str| match (number(word), names.iter().position(|name| *name == word)) {
        (Some(number), _) => Ok(Of::Number(number)),
        (None, Some(column)) => Ok(Of::Column(column)),
        (None, None) => Err(format!("`{head}` is of `{word}`, which is neither a number nor a column")),
    };
    let steps = |word: &str| match word {
        "halves" => Ok(2),
        "thirds" => Ok(3),
        "quarters" => Ok(4),
        "fifths" => Ok(5),
        _ => Err(not_known()),
    };
    Ok(match words.as_slice() {
        [] => Kind::Share { of: Of::All, steps: 1 },
        ["of", word] => Kind::Share { of: of(word)?, steps: 1 },
        ["in", word] => Kind::Share { of: Of::All, steps: steps(word)? },
        ["of", word, "in", step] => Kind::Share { of: of(word)?, steps: steps(step)? },
        ["part"] => Kind::Part { worth: 0.0 },
        ["part", "worth", worth] => {
            let worth: f64 = worth.parse().map_err(|_| not_known())?;
            if !(worth >= 0.0 && (2.0 * worth).fract() == 0.0 && worth <= 100.0) {
                return Err(format!("`{head}`: what a case is worth is counted in halves: 0, 0.5, 1"));
            }
            Kind::Part { worth }
        }
        ["score"] => Kind::Score,
        ["group", "of", most] => Kind::Group { most: number(most).ok_or_else(not_known)? },
        _ => return Err(not_known()),
    })
}

/// A share of a share of itself has no beginning; and what it is a share of must be counted whole.
fn no_circle(columns: &[(PrintedColumn, bool)]) -> Result<(), String> {
    for (start, _) in columns {
        let mut at = &start.kind;
        for _ in 0..=columns.len() {
            let Kind::Share { of: Of::Column(next), .. } = at else { break };
            let (column, _) = &columns[*next];
            if !matches!(column.kind, Kind::Share { steps: 1, .. } | Kind::Part { .. }) {
                return Err(format!("`{}` counts no cases that `{}` could be a share of", column.name, start.name));
            }
            if column.name == start.name {
                return Err(format!("`{}` is a share of itself", start.name));
            }
            at = &column.kind;
        }
    }
    Ok(())
}
