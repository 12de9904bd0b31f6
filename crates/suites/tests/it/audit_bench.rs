//! A pair with answers of our choosing, and an auditor with words of our choosing.

use crate::sample::{CTX, Pair, base, make, quickstart};
use async_trait::async_trait;
use std::sync::{Arc, Mutex};
use waterjar_core::{
    Audit, ChatModel, ChatReply, ChatRequest, Conclusion, ConditionId, Ending, Family, FamilyVerdict, Member,
    ModelError, ModelId, Response, SubjectId, Suite, SuiteContext, SuiteError, SuiteId, Variant,
};
use waterjar_suites::einstellung::Einstellung;

/// Says one thing after the other, and counts.
pub struct Auditor {
    id: ModelId,
    says: Mutex<Vec<Result<String, ModelError>>>,
    /// The first message of each request.
    pub asked: Mutex<Vec<String>>,
}

impl Auditor {
    pub fn new(says: &[&str]) -> Arc<Self> {
        Self::with(says.iter().map(|&it| Ok(it.to_owned())).collect())
    }

    pub fn with(mut says: Vec<Result<String, ModelError>>) -> Arc<Self> {
        says.reverse();
        Arc::new(Self { id: "sim/auditor".into(), says: Mutex::new(says), asked: Mutex::default() })
    }

    pub fn asked(&self) -> usize {
        self.asked.lock().unwrap().len()
    }
}

#[async_trait]
impl ChatModel for Auditor {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn chat(&self, request: &ChatRequest) -> Result<ChatReply, ModelError> {
        self.asked.lock().unwrap().push(request.messages[0].content.clone());
        let says = self.says.lock().unwrap().pop().expect("it is asked no more than planned");
        says.map(ChatReply::text)
    }
}

/// One pair to answer.
pub struct Bench {
    pub suite: Einstellung,
    pub pair: Pair,
}

impl Bench {
    pub async fn new() -> Self {
        let made = make(quickstart(), 300).await;
        Self { suite: made.suite, pair: made.families.into_iter().next().unwrap() }
    }

    pub fn name(&self, condition: &ConditionId) -> String {
        base().condition(condition).unwrap().name.clone()
    }

    /// The verdict where the control is right and the trap is answered like this.
    pub async fn judged(&self, trap: Conclusion, auditor: Option<Arc<Auditor>>) -> Result<FamilyVerdict, SuiteError> {
        let control = said(&format!("1. {} (0.9)", self.name(&self.pair.truth())));
        judged(&self.suite, &self.pair, control, trap, auditor).await
    }

    /// The audit of an answer that keeps the old diagnosis after this reasoning.
    pub async fn audit(&self, reasoning: &str, auditor: Option<Arc<Auditor>>) -> Audit {
        let kept = said(&format!("{reasoning}\n\n1. {} (0.8)", self.name(&self.pair.truth())));
        let verdict = self.judged(kept, auditor).await.unwrap();
        verdict.ruling("trap").unwrap().audit.clone().expect("a trapped answer is audited")
    }
}

pub async fn judged(
    suite: &Einstellung,
    pair: &Pair,
    control: Conclusion,
    trap: Conclusion,
    auditor: Option<Arc<Auditor>>,
) -> Result<FamilyVerdict, SuiteError> {
    let member = |variant: &Variant, conclusion: Conclusion| Member {
        variant: variant.clone(),
        response: Some(Response {
            variant: variant.id.clone(),
            subject: SubjectId::from("plain@x"),
            repeat: 0,
            ending: Ending::Ok(conclusion),
        }),
    };
    let family = Family {
        suite: SuiteId::from("einstellung"),
        id: pair.control.family.clone(),
        subject: SubjectId::from("plain@x"),
        repeat: 0,
        members: vec![member(&pair.control, control), member(&pair.trap, trap)],
    };
    let auditor = auditor.map(|it| it as Arc<dyn ChatModel>);
    suite.judge(&SuiteContext { auditor, ..CTX }, &family).await
}

pub fn said(text: &str) -> Conclusion {
    Conclusion { text: text.to_owned(), reasoning: None, record: None }
}
