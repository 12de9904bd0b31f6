//! A family as rows: one for the family, one for each variant.

use crate::body::to_body;
use crate::insert::{Insert, Row};
use crate::sql::Value;
use crate::{FamilyOutcome, NewFamily, NewVariant, StoreError};

const INSERT_FAMILY: Insert = Insert {
    into: "INSERT INTO families (suite, position, id, case_id, grp, state, loss) VALUES",
    columns: 7,
    conflict: "ON CONFLICT DO NOTHING",
};
const INSERT_VARIANT: Insert = Insert {
    into: "INSERT INTO variants (suite, position, ord, id, role, hash, body) VALUES",
    columns: 7,
    conflict: "ON CONFLICT DO NOTHING",
};

#[derive(Debug)]
pub(crate) struct FamilyRow {
    suite: String,
    position: i64,
    id: String,
    case: String,
    group: String,
    state: &'static str,
    loss: Option<String>,
}

#[derive(Debug)]
pub(crate) struct VariantRow {
    suite: String,
    position: i64,
    ord: i64,
    id: String,
    role: String,
    hash: String,
    body: String,
}

/// The two travel together, so that they end up in one transaction.
pub(crate) fn rows_of(new: &NewFamily) -> Result<(FamilyRow, Vec<VariantRow>), StoreError> {
    let row = |state, loss| FamilyRow {
        suite: new.suite.as_str().to_owned(),
        position: new.position,
        id: new.id.as_str().to_owned(),
        case: new.case.as_str().to_owned(),
        group: new.group.clone(),
        state,
        loss,
    };
    let rows = |variants: &[NewVariant]| -> Result<Vec<VariantRow>, StoreError> {
        (0..).zip(variants).map(|(ord, made)| of(new, ord, made)).collect()
    };
    match &new.outcome {
        FamilyOutcome::Lost(loss, written) => Ok((row("lost", Some(loss.reason.clone())), rows(written)?)),
        FamilyOutcome::Made(variants) if variants.is_empty() => {
            Err(StoreError::EmptyFamily { family: new.id.to_string() })
        }
        FamilyOutcome::Made(variants) => Ok((row("kept", None), rows(variants)?)),
    }
}

fn of(family: &NewFamily, ord: i64, made: &NewVariant) -> Result<VariantRow, StoreError> {
    let variant = &made.variant;
    Ok(VariantRow {
        suite: family.suite.as_str().to_owned(),
        position: family.position,
        ord,
        id: variant.id.as_str().to_owned(),
        role: variant.role().to_owned(),
        hash: made.hash.clone(),
        body: to_body("variants", variant.id.as_str(), variant)?,
    })
}

impl Row for FamilyRow {
    const INSERT: Insert = INSERT_FAMILY;

    fn values(self, into: &mut Vec<Value>) {
        into.extend([
            self.suite.into(),
            self.position.into(),
            self.id.into(),
            self.case.into(),
            self.group.into(),
            self.state.into(),
            self.loss.into(),
        ]);
    }
}

impl Row for VariantRow {
    const INSERT: Insert = INSERT_VARIANT;

    fn long(&self) -> usize {
        self.body.len()
    }

    fn values(self, into: &mut Vec<Value>) {
        into.extend([
            self.suite.into(),
            self.position.into(),
            self.ord.into(),
            self.id.into(),
            self.role.into(),
            self.hash.into(),
            self.body.into(),
        ]);
    }
}
