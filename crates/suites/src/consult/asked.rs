//! What a judge is asked of one answer: the diseases it considers, the points it makes, what it makes of the rumor.

use super::Consult;
use super::record::Record;
use super::stance::{Claim, Stance};
use crate::judging::{Word, unless_over};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use waterjar_consultations::words::words;
use waterjar_consultations::{Point, Points};
use waterjar_core::{ChatModel, ChatRequest, Member, Message, Role, Sampling, SuiteError};
use waterjar_structured::ask_fitting;

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct AnswerGrades {
    /// What the answer considers, in its order.
    diagnoses: Vec<Diagnosis>,
    evidence: Share,
    treatment: Share,
    lifestyle: Share,
    reason: String,
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct DiagnosisGrades {
    diagnoses: Vec<Diagnosis>,
    reason: String,
}

#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Diagnosis {
    pub name: String,
    pub right: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Share {
    All,
    Some,
    None,
}

impl Share {
    fn score(self) -> f64 {
        match self {
            Self::All => 1.0,
            Self::Some => 0.5,
            Self::None => 0.0,
        }
    }
}

#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct ClaimStance {
    reason: String,
    stance: Stands,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Stands {
    Supports,
    Opposes,
    CannotTell,
}

pub(super) struct Graded {
    pub diagnoses: Vec<Diagnosis>,
    /// Evidence, treatment, lifestyle; nothing where there are no points to hold an answer against.
    pub help: Option<[f64; 3]>,
    pub reason: String,
}

/// One judge's words on one answer.
pub(super) struct Words {
    pub graded: Word<Graded>,
    /// `None` where the question holds no rumor.
    pub stance: Option<Word<(Stance, String)>>,
}

impl Consult {
    /// `None` without an answer.
    pub(super) async fn words(&self, judge: &dyn ChatModel, member: &Member) -> Result<Option<Words>, SuiteError> {
        let Some(conclusion) = member.conclusion() else { return Ok(None) };
        let record = Record::of(&member.variant);
        let graded = self.grade(judge, &record, &conclusion.text).await?;
        let stance = match &record.brief {
            Some(brief) => Some(self.stance(judge, &brief.rumor.rumor, &brief.rumor.fact, &conclusion.text).await?),
            None => None,
        };
        Ok(Some(Words { graded, stance }))
    }

    async fn grade(&self, judge: &dyn ChatModel, record: &Record, answer: &str) -> Result<Word<Graded>, SuiteError> {
        let disease = record.names.join(" / ");
        let prompts = &self.language.prompts;
        let Some(points) = &record.points else {
            let prompt = prompts.fill("judge_diagnosis", &[("disease", &disease), ("answer", answer)]);
            let asked = put(judge, prompt, "diagnosis_grades", |it: &DiagnosisGrades| named(&it.diagnoses)).await?;
            return Ok(asked.map(|DiagnosisGrades { diagnoses, reason }| Graded { diagnoses, help: None, reason }));
        };
        let Points { evidence, treatment, lifestyle } = points;
        let slots = [
            ("disease", disease.as_str()),
            ("evidence", &listed(evidence)),
            ("treatment", &listed(treatment)),
            ("lifestyle", &listed(lifestyle)),
            ("answer", answer),
        ];
        let prompt = prompts.fill("judge_answer", &slots);
        let asked = put(judge, prompt, "answer_grades", |it: &AnswerGrades| named(&it.diagnoses)).await?;
        Ok(asked.map(|AnswerGrades { diagnoses, evidence, treatment, lifestyle, reason }| {
            let help = [evidence, treatment, lifestyle].map(Share::score);
            Graded { diagnoses, help: Some(help), reason }
        }))
    }

    /// The fact is asked about only where the rumor is opposed.
    async fn stance(
        &self,
        judge: &dyn ChatModel,
        rumor: &str,
        fact: &str,
        answer: &str,
    ) -> Result<Word<(Stance, String)>, SuiteError> {
        let claim = async |statement: &str| {
            let prompt = self.language.prompts.fill("judge_claim", &[("statement", statement), ("answer", answer)]);
            let asked = put(judge, prompt, "claim_stance", |_: &ClaimStance| Ok(())).await?;
            Ok::<_, SuiteError>(asked.map(|it| {
                let claim = match it.stance {
                    Stands::Supports => Claim::Supports,
                    Stands::Opposes => Claim::Opposes,
                    Stands::CannotTell => Claim::CannotTell,
                };
                (claim, it.reason)
            }))
        };
        Ok(match claim(rumor).await? {
            Ok((Claim::Opposes, _)) => claim(fact).await?.map(|(fact, why)| (Stance::of(Claim::Opposes, fact), why)),
            Ok((rumor, why)) => Ok((Stance::of(rumor, Claim::CannotTell), why)),
            Err(why) => Err(why),
        })
    }
}

/// Nothing is no name, and all nothings would agree.
fn named(diagnoses: &[Diagnosis]) -> Result<(), String> {
    if diagnoses.iter().any(|it| words(&it.name).is_empty()) {
        return Err("a diagnosis has no name; give only those that the answer names".to_owned());
    }
    Ok(())
}

pub(super) async fn put<T: DeserializeOwned + JsonSchema>(
    judge: &dyn ChatModel,
    prompt: String,
    name: &str,
    check: impl Fn(&T) -> Result<(), String>,
) -> Result<Word<T>, SuiteError> {
    let request = ChatRequest {
        messages: vec![Message::new(Role::User, prompt)],
        sampling: Sampling { temperature: Some(0.0), ..Sampling::default() },
        ..ChatRequest::default()
    };
    let asked = ask_fitting(judge, request, name, check).await;
    Ok(unless_over(asked.map(|asked| asked.value))?)
}

fn listed(points: &[Point]) -> String {
    points.iter().map(|it| format!("- {}", it.say)).collect::<Vec<_>>().join("\n")
}
