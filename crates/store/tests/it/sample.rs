//! Small things to store.

use std::path::PathBuf;
use tempfile::TempDir;
use waterjar_core::{
    Candidate, Case, CaseId, Conclusion, ConditionId, Edit, Ending, Expectation, Facts, Failure, FailureState,
    FamilyId, FamilyVerdict, Intervention, JudgeId, Loss, Outcome, Quota, Response, Ruling, Sex, SubjectId, SuiteId,
    Variant, VariantId,
};
use waterjar_store::{FamilyOutcome, Mode, NewCase, NewFamily, NewResponse, NewVariant, NewVerdict, Store};

/// A directory with a run in it, gone when it is dropped.
pub struct Run {
    pub dir: TempDir,
    pub store: Store,
}

/// On the server that `WATERJAR_STORE_ON` names, where it names one: `scripts/test` runs every test of the store a second time with it.
pub async fn new_run() -> Run {
    let (dir, path) = new_place();
    let store = Store::open(path, Mode::Create).await.expect("a new run can be made");
    Run { dir, store }
}

/// In a file, whatever is tested: for what only a file can do.
pub async fn new_file() -> Run {
    let dir = tempfile::tempdir().expect("the system has a temporary directory");
    let store = Store::open(dir.path().join("run.sqlite"), Mode::Create).await.expect("a new run can be made");
    Run { dir, store }
}

/// Where a run may be made.
pub fn new_place() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().expect("the system has a temporary directory");
    if let Ok(server) = std::env::var("WATERJAR_STORE_ON") {
        let team = dir.path().file_name().expect("it has a name").to_string_lossy().replace('.', "t");
        let address = format!("{server}?team={team}&run=r");
        std::fs::write(dir.path().join("run.postgres"), address).expect("the directory can be written");
    }
    let place = place_in(&dir);
    (dir, place)
}

fn place_in(dir: &TempDir) -> PathBuf {
    let pointer = dir.path().join("run.postgres");
    if pointer.exists() { pointer } else { dir.path().join("run.sqlite") }
}

impl Run {
    pub fn path(&self) -> PathBuf {
        place_in(&self.dir)
    }

    /// Families 1 to n, kept.
    pub async fn with_families(self, n: i64) -> Self {
        let writer = self.store.writer();
        for position in 1..=n {
            writer.family(&family(position)).await.unwrap();
        }
        writer.flush().await.unwrap();
        self.store.settle(&suite(), EVERYTHING).await.unwrap();
        self
    }
}

pub const EVERYTHING: Quota = Quota { families: None, per_group: None };

pub fn suite() -> SuiteId {
    SuiteId::from("einstellung")
}

pub fn case(id: &str) -> Case {
    Case {
        id: CaseId::from(id),
        source: "sample".to_owned(),
        text: format!("I am {id} and my chest hurts when I breathe in."),
        facts: Some(Facts {
            sex: Sex::F,
            age: 54,
            findings: Vec::new(),
            condition: ConditionId::from("pulmonary_embolism"),
            differential: vec![Candidate { condition: ConditionId::from("pleurisy"), probability: 0.1 + 0.2 }],
        }),
        made: Vec::new(),
    }
}

pub fn new_case(id: &str, group: &str, rank: i64) -> NewCase {
    NewCase { suite: suite(), group: group.to_owned(), rank, case: case(id) }
}

pub fn family_id(position: i64) -> FamilyId {
    FamilyId::new(format!("case-{position}"))
}

pub fn variant(position: i64, role: &str) -> Variant {
    let condition = ConditionId::from("pulmonary_embolism");
    let change = Intervention {
        name: role.to_owned(),
        edits: vec![Edit { removed: "a long flight".to_owned(), inserted: "a bad cold".to_owned() }],
    };
    Variant {
        id: VariantId::new(format!("case-{position}/{role}")),
        family: family_id(position),
        case: CaseId::new(format!("case-{position}")),
        text: format!("Story {position}, told as {role}."),
        facts: None,
        intervention: (role != "control").then_some(change),
        expectation: Expectation::Names { condition },
        strata: [("edits".to_owned(), "1".to_owned())].into(),
        record: serde_json::json!({ "odds": 0.30000000000000004 }),
    }
}

pub fn family(position: i64) -> NewFamily {
    let made = |role: &str| NewVariant { variant: variant(position, role), hash: format!("hash of {position}/{role}") };
    NewFamily {
        suite: suite(),
        id: family_id(position),
        case: CaseId::new(format!("case-{position}")),
        position,
        group: if position % 2 == 0 { "even" } else { "odd" }.to_owned(),
        outcome: FamilyOutcome::Made(vec![made("control"), made("trap")]),
    }
}

pub fn lost(position: i64, reason: &str) -> NewFamily {
    NewFamily { outcome: FamilyOutcome::Lost(Loss::new(reason), Vec::new()), ..family(position) }
}

pub fn response(position: i64, role: &str, subject: &str) -> NewResponse {
    NewResponse {
        suite: suite(),
        position,
        ord: u32::from(role == "trap"),
        key: format!("{position}/{role} to {subject}"),
        response: Response {
            variant: VariantId::new(format!("case-{position}/{role}")),
            subject: SubjectId::from(subject),
            repeat: 0,
            ending: Ending::Ok(Conclusion {
                text: format!("{subject} says pulmonary embolism"),
                reasoning: None,
                record: None,
            }),
        },
    }
}

pub fn failure(position: i64, role: &str, subject: &str) -> NewResponse {
    let mut new = response(position, role, subject);
    new.response.ending = Ending::Failed(Failure::new(FailureState::Timeout, "no reply in 60 s"));
    new
}

pub fn verdict(position: i64, subject: &str, key: &str) -> NewVerdict {
    NewVerdict {
        suite: suite(),
        position,
        key: key.to_owned(),
        verdict: FamilyVerdict {
            family: family_id(position),
            subject: SubjectId::from(subject),
            repeat: 0,
            judge: JudgeId::from("rules"),
            rulings: vec![Ruling::new(
                VariantId::new(format!("case-{position}/trap")),
                "trap",
                Outcome::Trapped,
                "the old diagnosis",
            )],
            strata: [].into(),
        },
    }
}
