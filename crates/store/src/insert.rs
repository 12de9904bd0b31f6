//! Many rows in one statement.

use crate::sql::Value;

/// The constant parts of an insert; the placeholders between them depend on how many rows there are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Insert {
    /// `INSERT INTO table (columns) VALUES`
    pub into: &'static str,
    pub columns: usize,
    /// `ON CONFLICT …`
    pub conflict: &'static str,
}

pub(crate) trait Row {
    const INSERT: Insert;
    /// Bytes of its texts that may be long; the others are names and keys.
    fn long(&self) -> usize {
        0
    }
    /// As many values as `INSERT` has columns, in their order.
    fn values(self, into: &mut Vec<Value>);
}

/// The rows of one table, their values one after the other.
#[derive(Debug)]
pub(crate) struct Filled {
    pub insert: Insert,
    pub values: Vec<Value>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) enum Places {
    /// `?`, for SQLite: sqlx looks every numbered one up by name in SQLite's list of them, which makes a statement cost the square of its
    /// placeholders.
    Unnumbered,
    /// `$1`, as PostgreSQL wants them.
    Numbered,
}

/// A statement costs a visit to the connection's thread, whatever it holds. Beyond this the visits no longer show.
const MOST_ROWS: usize = 128;

impl Filled {
    pub fn of<R: Row>(rows: Vec<R>) -> Self {
        let mut values = Vec::with_capacity(rows.len() * R::INSERT.columns);
        rows.into_iter().for_each(|row| row.values(&mut values));
        Self { insert: R::INSERT, values }
    }

    /// Statements of at most so many rows, each with its values.
    pub fn chunks(&self, most: usize, places: Places) -> impl Iterator<Item = (String, &[Value])> {
        let columns = self.insert.columns;
        let mut rest = self.values.as_slice();
        std::iter::from_fn(move || {
            let waiting = rest.len() / columns;
            let rows = (waiting > 0).then(|| chunk_size(waiting.min(most)))?;
            let (chunk, after) = rest.split_at(rows * columns);
            rest = after;
            Some((self.insert.for_rows(rows, places), chunk))
        })
    }
}

/// Powers of two, so that a table needs eight prepared statements and not one for each possible number of rows.
pub(crate) fn chunk_size(waiting: usize) -> usize {
    let most = waiting.min(MOST_ROWS);
    1 << most.ilog2()
}

impl Insert {
    pub fn for_rows(&self, rows: usize, places: Places) -> String {
        let mut sql = String::with_capacity(self.into.len() + rows * (self.columns * 5 + 4) + self.conflict.len() + 1);
        sql.push_str(self.into);
        let mut number = 0;
        for row in 0..rows {
            sql.push_str(if row == 0 { " (" } else { ", (" });
            for column in 0..self.columns {
                number += 1;
                if column > 0 {
                    sql.push_str(", ");
                }
                places.push(number, &mut sql);
            }
            sql.push(')');
        }
        sql.push(' ');
        sql.push_str(self.conflict);
        sql
    }
}

impl Places {
    /// Counted from 1.
    pub fn push(self, number: usize, sql: &mut String) {
        match self {
            Self::Unnumbered => sql.push('?'),
            Self::Numbered => {
                sql.push('$');
                sql.push_str(&number.to_string());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INSERT: Insert =
        Insert { into: "INSERT INTO meta (key, value) VALUES", columns: 2, conflict: "ON CONFLICT DO NOTHING" };

    #[test]
    fn every_row_has_a_place_for_every_column() {
        for (places, written) in [(Places::Unnumbered, "(?, ?), (?, ?)"), (Places::Numbered, "($1, $2), ($3, $4)")] {
            let sql = INSERT.for_rows(2, places);
            assert_eq!(sql, format!("INSERT INTO meta (key, value) VALUES {written} ON CONFLICT DO NOTHING"));
        }
    }

    #[test]
    fn any_number_of_rows_is_cut_into_powers_of_two() {
        let values = vec![Value::Int(1); 2 * (128 + 128 + 11)];
        let filled = Filled { insert: INSERT, values };
        let rows = |most| filled.chunks(most, Places::Numbered).map(|(_, values)| values.len() / 2).collect::<Vec<_>>();
        assert_eq!(rows(usize::MAX), [128, 128, 8, 2, 1]);
        assert_eq!(rows(1), vec![1; 267]);
    }
}
