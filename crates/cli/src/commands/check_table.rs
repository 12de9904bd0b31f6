//! `waterjar check-table`: are printed percentages possible for the stated number of cases?

use crate::cli::CheckTableArgs;
use crate::exit::Exit;
use crate::output::{Output, table};
use anyhow::Result;
use csv::Position;
use serde_json::json;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use waterjar_core::{SourceError, counted};
use waterjar_engine::EngineError;
use waterjar_exchange::table::{bad_row, cells, row_line};
use waterjar_scoring::stats::printed::{Kind, Of, PrintedColumn, PrintedFigure, misfits, more_than_all};

const HOW: &str = "a head is a name, or a name and what it is: `trap: of base`, `dxy: in thirds`, `wrong: part`, `right: part worth 1`, \
                   `css: score share`, `A: group of 129`";
const SEPARATORS: &str = "cells are parted as in the head, by commas, semicolons or tabs; a cell that holds one of these stands in quotes: \"1,500\"";
const LAYOUT: &str = "it wants a row for each subject and a column for each figure, in percent: `model,n,base,trap: of base`, then \
                      `plain@gestalt,600,99.8,35.7`";
/// As many as `--n` takes.
const CASES: RangeInclusive<u64> = 1..=10_000_000;

pub fn run(args: &CheckTableArgs, out: &Output) -> Result<Exit> {
    let read = Table::read(&args.file).map_err(EngineError::from)?;
    let looked = read.look(args).map_err(EngineError::from)?;
    if args.json {
        out.json(&json!({
            "schema": "waterjar.table/1",
            "rows": looked.iter().map(|it| json!({
                "row": it.name, "n": it.n, "possible": it.possible(), "impossible": it.misfits, "fits": it.fits,
            })).collect::<Vec<_>>(),
            "together": args.n.map(|n| Together::of(&read, &looked, n, args.within)).map(|it| json!({
                "stated": it.stated, "rows_that_fit": it.fits, "best": it.best, "rows_that_fit_best": it.most, "rows": it.rows,
            })),
        }))?;
    } else {
        let rows: Vec<(&str, String)> = looked.iter().map(|it| (it.name.as_str(), it.verdict())).collect();
        out.print(&table::list(&rows));
        // It looks at every row again and again, so only where it is shown.
        if let Some(n) = args.n.filter(|_| looked.iter().filter(|it| it.printed).count() > 1) {
            out.print(&Together::of(&read, &looked, n, args.within).told());
        }
    }
    let possible = looked.iter().all(|it| it.misfits.is_empty());
    Ok(if possible { Exit::Done } else { Exit::BoundBroken })
}

struct Looked {
    name: String,
    n: u64,
    /// Whether there is any figure to look at.
    printed: bool,
    misfits: Vec<String>,
    more_than_all: Vec<String>,
    /// Numbers of cases with which the row would be possible, the nearest first; none are looked for where it is.
    fits: Vec<u64>,
}

impl Looked {
    /// Nothing printed is neither.
    fn possible(&self) -> Option<bool> {
        self.printed.then_some(self.misfits.is_empty())
    }

    fn verdict(&self) -> String {
        match (self.possible(), self.more_than_all.as_slice()) {
            (None, _) => "nothing printed".to_owned(),
            (Some(true), _) => format!("possible with {}", self.n),
            (Some(false), []) => format!("{}; {}", self.not_possible(), told_fits(&self.fits)),
            (Some(false), [one]) => format!("{}; {one} is more than 100 %", self.not_possible()),
            (Some(false), some) => format!("{}; {} are more than 100 %", self.not_possible(), some.join(", ")),
        }
    }

    fn not_possible(&self) -> String {
        format!("not possible with {}: {}", self.n, self.misfits.join(", "))
    }
}

/// `782 would do`
fn told_fits(fits: &[u64]) -> String {
    let shown: Vec<String> = fits.iter().take(5).map(u64::to_string).collect();
    match (shown.as_slice(), fits.len() > 5) {
        ([], _) => "no number nearby would do".to_owned(),
        (shown, true) => {
            format!("{} and {} nearby would do", shown.join(", "), counted((fits.len() - 5) as u64, "other", "others"))
        }
        (shown, false) => format!("{} would do", shown.join(", ")),
    }
}

/// From so many fewer to so many more.
fn around(n: u64, within: u64) -> impl Iterator<Item = u64> {
    n.saturating_sub(within).max(1)..=n + within
}

/// The number of cases near the stated one with which most rows are possible.
struct Together {
    stated: u64,
    fits: usize,
    best: u64,
    most: usize,
    /// Those that print anything.
    rows: usize,
}

impl Together {
    fn of(read: &Table, looked: &[Looked], stated: u64, within: u64) -> Self {
        let rows: Vec<(&PrintedRow, &Looked)> = read.rows.iter().zip(looked).filter(|(_, it)| it.printed).collect();
        let fits = |row: &PrintedRow, it: &Looked, n: u64| match it.misfits.is_empty() {
            true => n == stated || misfits(&read.columns, &row.cells, n).is_empty(),
            // Those nearby have been looked for already.
            false => it.fits.contains(&n),
        };
        let fitting = |n: u64| rows.iter().filter(|(row, it)| fits(row, it, n)).count();
        let counted = around(stated, within).map(|n| (fitting(n), n));
        let best = counted.max_by_key(|(fitting, n)| (*fitting, std::cmp::Reverse(n.abs_diff(stated))));
        let (most, best) = best.unwrap_or((fitting(stated), stated));
        Self { stated, fits: fitting(stated), best, most, rows: rows.len() }
    }

    /// `50 fits 1 of 2 rows; 48 fits 2`, or the first half where nothing nearby is better.
    fn told(&self) -> String {
        let Self { stated, fits, best, most, rows } = self;
        let better = if best == stated { String::new() } else { format!("; {best} fits {most}") };
        let rows = counted(*rows as u64, "row", "rows");
        format!("{stated} fits {fits} of {rows}{better}\n")
    }
}

struct Table {
    file: TableFile,
    columns: Vec<PrintedColumn>,
    has_n: bool,
    rows: Vec<PrintedRow>,
}

struct PrintedRow {
    place: Position,
    name: String,
    n: Option<u64>,
    cells: Vec<Option<PrintedFigure>>,
}

impl Table {
    fn look(&self, args: &CheckTableArgs) -> Result<Vec<Looked>, SourceError> {
        if self.has_n && args.n.is_some() {
            return Err(self
                .file
                .bad("has a column `n`, and --n says of how many cases all rows are")
                .with_hint("leave --n out, or take the column `n` out of the table"));
        }
        self.rows.iter().map(|row| self.look_at(row, args)).collect()
    }

    fn look_at(&self, row: &PrintedRow, args: &CheckTableArgs) -> Result<Looked, SourceError> {
        let n = row.n.or(args.n).ok_or_else(|| {
            self.file.bad_at(&row.place, "does not say of how many cases it is").with_hint(match self.has_n {
                true => "fill its cell in the column `n`",
                false => "say --n N for all rows, or give the table a column `n`",
            })
        })?;
        let named = |found: Vec<usize>| found.into_iter().map(|at| self.columns[at].name.clone()).collect::<Vec<_>>();
        let bad = named(misfits(&self.columns, &row.cells, n));
        let more_than_all = named(more_than_all(&self.columns, &row.cells));
        let mut fits: Vec<u64> = match bad.is_empty() || !more_than_all.is_empty() {
            true => Vec::new(),
            false => around(n, args.within).filter(|n| misfits(&self.columns, &row.cells, *n).is_empty()).collect(),
        };
        fits.sort_by_key(|it| (it.abs_diff(n), *it));
        let printed = row.cells.iter().any(Option::is_some);
        Ok(Looked { name: row.name.clone(), n, printed, misfits: bad, more_than_all, fits })
    }

    fn read(path: &Path) -> Result<Self, SourceError> {
        let file = TableFile(path.to_owned());
        let mut reader = cells(path, csv::ReaderBuilder::new().trim(csv::Trim::All))?;
        let head = reader.headers().map_err(|error| bad_row(path, &error))?.clone();
        let heads = Heads::read(&head.iter().collect::<Vec<_>>())
            .map_err(|(problem, hint)| file.bad(problem).with_hint(hint))?;
        let mut rows = Vec::new();
        for record in reader.records() {
            rows.push(heads.row(&file, &record.map_err(|error| file.told(&error))?)?);
        }
        if rows.is_empty() || heads.figures.is_empty() {
            return Err(file
                .bad("holds no figures")
                .with_hint("a head, then a row each: a name, and what is printed of it"));
        }
        let columns = heads.figures.into_iter().map(|it| it.column).collect();
        Ok(Self { columns, has_n: heads.n_at.is_some(), rows, file })
    }
}

/// Knows the lines of what is wrong in it.
struct TableFile(PathBuf);

impl TableFile {
    fn bad(&self, problem: impl Into<String>) -> SourceError {
        SourceError::at(&self.0, problem)
    }

    fn bad_at(&self, place: &Position, problem: impl Into<String>) -> SourceError {
        SourceError::at_line(&self.0, row_line(&self.0, place), problem)
    }

    fn told(&self, error: &csv::Error) -> SourceError {
        let told = bad_row(&self.0, error);
        match error.kind() {
            csv::ErrorKind::UnequalLengths { .. } => told.with_hint(SEPARATORS),
            _ => told,
        }
    }
}

/// The first column names the rows; `n` is the number of cases of each, where it stands there.
struct Heads {
    n_at: Option<usize>,
    figures: Vec<FigureHead>,
}

struct FigureHead {
    at: usize,
    /// Printed as a share of one.
    share: bool,
    column: PrintedColumn,
}

/// What is wrong with a head, and what to do.
type BadHead = (String, &'static str);

impl Heads {
    fn read(heads: &[&str]) -> Result<Self, BadHead> {
        if ["subject", "metric", "value"].iter().all(|own| heads.contains(own)) {
            let problem = "has a row for each figure, as `waterjar report --format csv` writes them for programs";
            return Err((problem.to_owned(), LAYOUT));
        }
        no_name_twice(heads)?;
        let n_at = heads.iter().position(|it| is_n(it));
        let at: Vec<usize> = (1..heads.len()).filter(|at| Some(*at) != n_at).collect();
        let names: Vec<&str> = at.iter().map(|at| name_of(heads[*at])).collect();
        let figure = |at: usize| {
            let kind = kind(heads[at], &names)?;
            Ok(FigureHead {
                at,
                share: is_share(heads[at]),
                column: PrintedColumn { name: name_of(heads[at]).to_owned(), kind },
            })
        };
        let figures = at.into_iter().map(figure).collect::<Result<Vec<_>, String>>();
        let figures =
            figures.and_then(|figures| no_circle(&figures).map(|()| figures)).map_err(|problem| (problem, HOW))?;
        Ok(Self { n_at, figures })
    }

    fn row(&self, file: &TableFile, record: &csv::StringRecord) -> Result<PrintedRow, SourceError> {
        let place = record.position().cloned().unwrap_or_else(Position::new);
        let cell = |at: usize| record.get(at).unwrap_or_default();
        let figure = |head: &FigureHead| match (cell(head.at), PrintedFigure::read(cell(head.at), head.share)) {
            ("" | "-" | "–" | "—", _) => Ok(None),
            (_, Some(figure)) => Ok(Some(figure)),
            (cell, None) => Err(file
                .bad_at(&place, format!("`{cell}` is no percentage"))
                .with_hint(format!("leave a cell empty, or put –, where nothing is printed; {LAYOUT}"))),
        };
        let cells = self.figures.iter().map(figure).collect::<Result<_, _>>()?;
        let n = match self.n_at.map(cell).filter(|it| !it.is_empty()) {
            Some(text) => Some(number_of_cases(text).ok_or_else(|| {
                let hint =
                    format!("it is from {} to {}; commas only part thousands: 1,500", CASES.start(), CASES.end());
                file.bad_at(&place, format!("`{text}` is no number of cases")).with_hint(hint)
            })?),
            None => None,
        };
        Ok(PrintedRow { place, name: cell(0).to_owned(), n, cells })
    }
}

/// A figure could be of either. Columns without a name, which spreadsheets leave behind, cannot be meant.
fn no_name_twice(heads: &[&str]) -> Result<(), BadHead> {
    for (at, head) in heads.iter().enumerate() {
        let name = name_of(head);
        let same = |other: &&str| name_of(other) == name || (is_n(other) && is_n(head));
        if !name.is_empty() && heads[..at].iter().any(same) {
            return Err((format!("has two columns called `{name}`"), "give each column a name of its own"));
        }
    }
    Ok(())
}

fn is_n(head: &str) -> bool {
    head.eq_ignore_ascii_case("n")
}

/// `5383` or `5,383`; but `1,5` may be one and a half.
fn number_of_cases(text: &str) -> Option<u64> {
    let digits = |it: &str| !it.is_empty() && it.bytes().all(|c| c.is_ascii_digit());
    let grouped = match text.split(',').collect::<Vec<_>>().as_slice() {
        [plain] => digits(plain),
        [first, rest @ ..] => digits(first) && first.len() <= 3 && rest.iter().all(|it| digits(it) && it.len() == 3),
        [] => false,
    };
    text.replace(',', "").parse().ok().filter(|number| grouped && CASES.contains(number))
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
    let no_cases = |word: &str| {
        format!("`{head}`: `{word}` is no number of cases; it is from {} to {}", CASES.start(), CASES.end())
    };
    let of = |word: &str| match (number_of_cases(word), names.iter().position(|name| *name == word)) {
        (Some(number), _) => Ok(Of::Number(number)),
        (None, Some(column)) => Ok(Of::Column(column)),
        (None, None) if word.starts_with(|c: char| c.is_ascii_digit()) => Err(no_cases(word)),
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
            let worth: f64 = worth.replace(',', ".").parse().map_err(|_| not_known())?;
            if !(worth >= 0.0 && (2.0 * worth).fract() == 0.0 && worth <= 100.0) {
                return Err(format!("`{head}`: what a case is worth is counted in halves: 0, 0.5, 1"));
            }
            Kind::Part { worth }
        }
        ["score"] => Kind::Score,
        ["group", "of", most] => Kind::Group { most: number_of_cases(most).ok_or_else(|| no_cases(most))? },
        _ => return Err(not_known()),
    })
}

/// A share of a share of itself has no beginning; and what it is a share of must be counted whole.
fn no_circle(figures: &[FigureHead]) -> Result<(), String> {
    for start in figures.iter().map(|it| &it.column) {
        let mut at = &start.kind;
        for _ in 0..=figures.len() {
            let Kind::Share { of: Of::Column(next), .. } = at else { break };
            let column = &figures[*next].column;
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
