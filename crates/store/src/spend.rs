//! What was used so far, a row for each model, so that a resumed run goes on counting.

use crate::insert::{Insert, Row};
use crate::sql::{Value, sql};
use crate::{Store, StoreError};
use waterjar_core::ModelId;

const INSERT: Insert = Insert {
    into: "INSERT INTO spend (model, calls, input, output, picodollars) VALUES",
    columns: 5,
    conflict: "ON CONFLICT (model) DO UPDATE SET calls = spend.calls + excluded.calls, \
        input = spend.input + excluded.input, output = spend.output + excluded.output, \
        picodollars = spend.picodollars + excluded.picodollars",
};
const ALL: &str = "SELECT model, calls, input, output, picodollars FROM spend ORDER BY model";

/// Added to what the model has used already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spend {
    pub model: ModelId,
    pub calls: u64,
    pub input: u64,
    pub output: u64,
    /// Millionths of a millionth of a dollar.
    pub picodollars: u64,
}

impl Spend {
    pub fn none(model: ModelId) -> Self {
        Self { model, calls: 0, input: 0, output: 0, picodollars: 0 }
    }

    pub fn add(&mut self, other: &Self) {
        self.calls += other.calls;
        self.input += other.input;
        self.output += other.output;
        self.picodollars += other.picodollars;
    }
}

impl Store {
    /// What every model has used, in the order of their names.
    pub async fn spend(&self) -> Result<Vec<Spend>, StoreError> {
        let rows: Vec<(String, i64, i64, i64, i64)> = self.database.rows(sql(ALL)).await?;
        let count = |n: i64| u64::try_from(n).unwrap_or(0);
        let spend = |(model, calls, input, output, picodollars): (String, i64, i64, i64, i64)| Spend {
            model: ModelId::new(model),
            calls: count(calls),
            input: count(input),
            output: count(output),
            picodollars: count(picodollars),
        };
        Ok(rows.into_iter().map(spend).collect())
    }
}

impl Row for Spend {
    const INSERT: Insert = INSERT;

    fn values(self, into: &mut Vec<Value>) {
        into.extend([
            self.model.as_str().to_owned().into(),
            signed(self.calls).into(),
            signed(self.input).into(),
            signed(self.output).into(),
            signed(self.picodollars).into(),
        ]);
    }
}

fn signed(n: u64) -> i64 {
    i64::try_from(n).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::new_run;

    #[tokio::test]
    async fn spending_adds_up_for_each_model_within_and_across_batches() {
        let run = new_run().await;
        let writer = run.store.writer();
        for _ in 0..2 {
            for model in ["b", "a", "b"] {
                let spend = Spend { model: model.into(), calls: 1, input: 10, output: 3, picodollars: 5 };
                writer.spend(spend).await.unwrap();
            }
            writer.flush().await.unwrap();
        }
        let of =
            |model: &str, n| Spend { model: model.into(), calls: n, input: 10 * n, output: 3 * n, picodollars: 5 * n };
        assert_eq!(run.store.spend().await.unwrap(), [of("a", 2), of("b", 4)]);
    }
}
