//! Figures are data until `report` draws them, so that suites know nothing of HTML.

use crate::Metric;
use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Figure {
    /// A word that can be a file name and an anchor.
    pub id: String,
    pub title: String,
    /// What to look for, in one or two sentences.
    pub caption: String,
    pub chart: Chart,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Chart {
    /// Shares 0..1 by row and column, drawn in the order given, which the caption tells; an empty cell has no cases.
    Heatmap {
        /// What the cells are: `Bias trap rate`.
        #[serde(default)]
        value: String,
        rows: Vec<String>,
        columns: Vec<String>,
        cells: Vec<Vec<Option<Cell>>>,
    },
    Scatter {
        x: Axis,
        y: Axis,
        points: Vec<Point>,
    },
    /// One line per series over named steps.
    Lines {
        x: Axis,
        y: Axis,
        steps: Vec<String>,
        series: Vec<Series>,
    },
    /// One value with its interval per row, in the given order.
    Dots {
        x: Axis,
        rows: Vec<Dot>,
    },
    /// The parts of a whole, one bar per row.
    Stacked {
        parts: Vec<String>,
        bars: Vec<Bar>,
    },
    /// Places in two league tables, joined; 1 stands at the top.
    Slope {
        steps: [String; 2],
        ranks: Vec<Ranks>,
    },
    /// The same rows several times, a small panel each, on one axis.
    Multiples {
        x: Axis,
        panels: Vec<Panel>,
    },
    /// Many things that need no name, a small panel each: how often each pair of values occurs.
    Clouds {
        x: Axis,
        y: Axis,
        clouds: Vec<Cloud>,
    },
    /// How values are spread, one histogram below the other.
    Histograms {
        x: Axis,
        /// What the heights are: `Share of pairs`.
        #[serde(default)]
        y: String,
        panels: Vec<Histogram>,
    },
    /// Groups of bars, one bar per series in each.
    Grouped {
        x: Axis,
        series: Vec<String>,
        groups: Vec<Group>,
    },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Histogram {
    pub title: String,
    /// How many values there are; 0 where nobody said.
    #[serde(default)]
    pub n: u64,
    /// From left to right.
    pub columns: Vec<Column>,
    /// A line across, and what is shaded around it.
    pub mark: Option<f64>,
    pub band: Option<Band>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    pub low: f64,
    pub high: f64,
    pub share: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Band {
    pub low: f64,
    pub high: f64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Group {
    pub label: String,
    /// One per series; `None` where there are no cases.
    pub values: Vec<Option<Estimate>>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cell {
    pub value: f64,
    pub n: u64,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    pub label: String,
    pub low: f64,
    pub high: f64,
}

impl Axis {
    /// From none to all.
    pub fn share(label: &str) -> Self {
        Self { label: label.to_owned(), low: 0.0, high: 1.0 }
    }

    /// As much of that as the intervals take, in tenths.
    pub fn shares_shown<'a>(label: &str, shown: impl Iterator<Item = &'a Estimate>) -> Self {
        let (low, high) = shown.fold((1.0_f64, 0.0_f64), |(low, high), it| (low.min(it.low), high.max(it.high)));
        let (low, high) = ((low * 10.0).floor() / 10.0, (high * 10.0).ceil() / 10.0);
        if low < high { Self { label: label.to_owned(), low, high } } else { Self::share(label) }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    pub label: String,
    pub x: Estimate,
    pub y: Estimate,
    /// Drawn hollow: there for orientation.
    pub reference: bool,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Dot {
    pub label: String,
    pub value: Estimate,
    /// Drawn hollow: there for orientation.
    pub reference: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
    pub n: u64,
}

impl Estimate {
    /// `None` where there is no value. Without an interval it is a point.
    pub fn of(metric: &Metric) -> Option<Self> {
        let value = metric.value?;
        Some(Self { value, low: metric.low.unwrap_or(value), high: metric.high.unwrap_or(value), n: metric.n })
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Series {
    pub name: String,
    /// One entry per step; `None` where there are no cases.
    pub values: Vec<Option<Estimate>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Bar {
    pub label: String,
    /// One share per part, adding up to one; `None` where there are no cases.
    pub shares: Vec<Option<Estimate>>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ranks {
    pub name: String,
    /// In the one table and in the other.
    pub places: [Estimate; 2],
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Panel {
    pub title: String,
    pub rows: Vec<Dot>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Cloud {
    pub title: String,
    pub spots: Vec<Spot>,
}

/// How many things have these two values.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    pub x: f64,
    pub y: f64,
    pub n: u64,
}
