//! The columns of a table, and what stands in them.

use arrow::array::{ArrayBuilder, ArrayRef, BooleanBuilder, Float64Builder, Int32Builder, StringBuilder};
use arrow::datatypes::{DataType, Field};
use serde::Serialize;
use std::borrow::Cow;

/// One column, as the schema declares it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: &'static str,
    pub kind: Kind,
    /// Whether a row may have nothing there.
    pub optional: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Text,
    /// What nobody filters by, as JSON in text.
    Json,
    Whole,
    Number,
    Flag,
}

impl Column {
    pub(super) const fn of(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, optional: false }
    }

    pub(super) const fn maybe(name: &'static str, kind: Kind) -> Self {
        Self { name, kind, optional: true }
    }

    pub(super) fn field(&self) -> Field {
        Field::new(self.name, self.kind.arrow(), self.optional)
    }
}

impl Kind {
    fn arrow(self) -> DataType {
        match self {
            Self::Text | Self::Json => DataType::Utf8,
            Self::Whole => DataType::Int32,
            Self::Number => DataType::Float64,
            Self::Flag => DataType::Boolean,
        }
    }

    /// As the `datasets` library calls it.
    pub fn feature(self) -> &'static str {
        match self {
            Self::Text | Self::Json => "string",
            Self::Whole => "int32",
            Self::Number => "float64",
            Self::Flag => "bool",
        }
    }
}

/// What stands in one column of one row.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    Text(Cow<'a, str>),
    Whole(u32),
    Number(f64),
    Flag(bool),
    Nothing,
}

impl<'a> Cell<'a> {
    pub fn text(text: &'a str) -> Self {
        Self::Text(text.into())
    }

    pub fn maybe(text: Option<&'a str>) -> Self {
        text.map_or(Self::Nothing, Self::text)
    }

    pub fn json(content: &impl Serialize) -> Self {
        Self::Text(serde_json::to_string(content).expect("the nouns of the pipeline are JSON").into())
    }

    pub fn maybe_json(content: Option<&impl Serialize>) -> Self {
        content.map_or(Self::Nothing, Self::json)
    }

    /// What is no number is no score.
    pub fn maybe_number(number: Option<f64>) -> Self {
        number.filter(|it| it.is_finite()).map_or(Self::Nothing, Self::Number)
    }

    pub fn bytes(&self) -> usize {
        if let Self::Text(text) = self { text.len() } else { 8 }
    }
}

/// Some rows of one column on their way into a file.
pub(super) enum Filling {
    Text(StringBuilder),
    Whole(Int32Builder),
    Number(Float64Builder),
    Flag(BooleanBuilder),
}

impl Filling {
    pub fn of(column: &Column) -> Self {
        match column.kind {
            Kind::Text | Kind::Json => Self::Text(StringBuilder::new()),
            Kind::Whole => Self::Whole(Int32Builder::new()),
            Kind::Number => Self::Number(Float64Builder::new()),
            Kind::Flag => Self::Flag(BooleanBuilder::new()),
        }
    }

    pub fn add(&mut self, cell: &Cell<'_>) {
        match (self, cell) {
            (Self::Text(column), Cell::Text(text)) => column.append_value(text),
            (Self::Whole(column), Cell::Whole(n)) => column.append_value(i32::try_from(*n).unwrap_or(i32::MAX)),
            (Self::Number(column), Cell::Number(number)) => column.append_value(*number),
            (Self::Flag(column), Cell::Flag(flag)) => column.append_value(*flag),
            (Self::Text(column), _) => column.append_null(),
            (Self::Whole(column), _) => column.append_null(),
            (Self::Number(column), _) => column.append_null(),
            (Self::Flag(column), _) => column.append_null(),
        }
    }

    pub fn take(&mut self) -> ArrayRef {
        match self {
            Self::Text(column) => ArrayBuilder::finish(column),
            Self::Whole(column) => ArrayBuilder::finish(column),
            Self::Number(column) => ArrayBuilder::finish(column),
            Self::Flag(column) => ArrayBuilder::finish(column),
        }
    }
}
