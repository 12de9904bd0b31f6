//! Rows that go into the database in one transaction.

use crate::cases::CaseRow;
use crate::family_rows::{FamilyRow, VariantRow};
use crate::insert::{Filled, Row};
use crate::replies::ReplyRow;
use crate::responses::ResponseRow;
use crate::spend::Spend;
use crate::transcripts::TranscriptRow;
use crate::verdicts::VerdictRow;
use crate::{Store, StoreError};
use std::collections::HashSet;

/// Sorted by table, so that each table gets few statements with many rows.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    cases: Vec<CaseRow>,
    families: Vec<FamilyRow>,
    variants: Vec<VariantRow>,
    responses: Vec<ResponseRow>,
    verdicts: Vec<VerdictRow>,
    replies: Vec<ReplyRow>,
    calls: Vec<TranscriptRow>,
    /// One row for each model: a statement may not name a row twice.
    spend: Vec<Spend>,
}

#[derive(Debug)]
pub(crate) enum Item {
    Case(CaseRow),
    Family(FamilyRow, Vec<VariantRow>),
    Response(ResponseRow),
    Verdict(VerdictRow),
    Reply(ReplyRow),
    Call(TranscriptRow),
    Spend(Spend),
}

impl Item {
    /// What it takes while it waits, in bytes: nearly all of it is texts.
    pub fn room(&self) -> usize {
        match self {
            Self::Case(row) => row.long(),
            Self::Family(_, variants) => variants.iter().map(Row::long).sum(),
            Self::Response(row) => row.long(),
            Self::Verdict(row) => row.long(),
            Self::Reply(row) => row.long(),
            Self::Call(row) => row.long(),
            Self::Spend(_) => 0,
        }
    }
}

impl Batch {
    pub fn add(&mut self, item: Item) {
        match item {
            Item::Case(row) => self.cases.push(row),
            Item::Family(row, variants) => {
                self.families.push(row);
                self.variants.extend(variants);
            }
            Item::Response(row) => self.responses.push(row),
            Item::Verdict(row) => self.verdicts.push(row),
            Item::Reply(row) => self.replies.push(row),
            Item::Call(row) => self.calls.push(row),
            Item::Spend(more) => match self.spend.iter_mut().find(|spend| spend.model == more.model) {
                Some(spend) => spend.add(&more),
                None => self.spend.push(more),
            },
        }
    }

    pub fn rows(&self) -> usize {
        let pipeline =
            self.cases.len() + self.families.len() + self.variants.len() + self.responses.len() + self.verdicts.len();
        pipeline + self.replies.len() + self.calls.len() + self.spend.len()
    }

    /// All or nothing. Gives back the first case that was there already.
    pub async fn store(self, store: &Store) -> Result<Option<String>, StoreError> {
        let sent: Vec<String> = self.cases.iter().map(|case| case.id.clone()).collect();
        // What is referred to comes before what refers to it.
        let tables = vec![
            Filled::of(self.cases),
            Filled::of(self.families),
            Filled::of(self.variants),
            Filled::of(self.responses),
            Filled::of(self.verdicts),
            Filled::of(self.replies),
            Filled::of(self.calls),
            Filled::of(self.spend),
        ];
        // Only cases tell what they were not: there already.
        let mut fresh: HashSet<String> = store.database.insert(tables).await?.into_iter().collect();
        Ok(sent.into_iter().find(|id| !fresh.remove(id)))
    }
}
