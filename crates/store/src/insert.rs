//! Many rows in one statement.

use sqlx::query::Query;
use sqlx::sqlite::{Sqlite, SqliteArguments, SqliteConnection, SqliteRow};

pub(crate) type Statement = Query<'static, Sqlite, SqliteArguments>;

/// The constant parts of an insert; the placeholders between them depend on how many rows there are.
pub(crate) struct Insert {
    /// `INSERT INTO table (columns) VALUES`
    pub into: &'static str,
    pub columns: usize,
    /// `ON CONFLICT …`
    pub conflict: &'static str,
}

pub(crate) trait Row {
    const INSERT: Insert;
    /// Binds as many values as `INSERT` has columns, in their order.
    fn bind(self, statement: Statement) -> Statement;
}

/// A statement costs a visit to the connection's thread, whatever it holds. Beyond this the visits no longer show.
const MOST_ROWS: usize = 128;

/// What the statement returns, for those that do.
pub(crate) async fn insert_all<R: Row>(
    connection: &mut SqliteConnection,
    rows: Vec<R>,
) -> Result<Vec<SqliteRow>, sqlx::Error> {
    let mut returned = Vec::new();
    let mut rows = rows.into_iter();
    while rows.len() > 0 {
        let chunk = chunk_size(rows.len());
        let sql = R::INSERT.for_rows(chunk);
        // Safe: the text is made of constants and of placeholders.
        let mut statement = sqlx::query(sqlx::AssertSqlSafe(sql));
        for row in rows.by_ref().take(chunk) {
            statement = row.bind(statement);
        }
        returned.extend(statement.fetch_all(&mut *connection).await?);
    }
    Ok(returned)
}

/// Powers of two, so that a table needs eight prepared statements and not one for each possible number of rows.
fn chunk_size(waiting: usize) -> usize {
    let most = waiting.min(MOST_ROWS);
    1 << most.ilog2()
}

impl Insert {
    /// The placeholders have no numbers (PostgreSQL will want them): sqlx looks every numbered one up by name in SQLite's list of them, which
    /// makes a statement cost the square of its placeholders.
    pub fn for_rows(&self, rows: usize) -> String {
        let mut sql = String::with_capacity(self.into.len() + rows * (self.columns * 3 + 4) + self.conflict.len() + 1);
        sql.push_str(self.into);
        for row in 0..rows {
            sql.push_str(if row == 0 { " (" } else { ", (" });
            for column in 0..self.columns {
                sql.push_str(if column == 0 { "?" } else { ", ?" });
            }
            sql.push(')');
        }
        sql.push(' ');
        sql.push_str(self.conflict);
        sql
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_place_for_every_column() {
        let insert =
            Insert { into: "INSERT INTO meta (key, value) VALUES", columns: 2, conflict: "ON CONFLICT DO NOTHING" };
        assert_eq!(insert.for_rows(2), "INSERT INTO meta (key, value) VALUES (?, ?), (?, ?) ON CONFLICT DO NOTHING");
    }

    #[test]
    fn any_number_of_rows_is_cut_into_powers_of_two() {
        let mut waiting = 128 + 128 + 11;
        let mut chunks = Vec::new();
        while waiting > 0 {
            chunks.push(chunk_size(waiting));
            waiting -= chunk_size(waiting);
        }
        assert_eq!(chunks, [128, 128, 8, 2, 1]);
    }
}
