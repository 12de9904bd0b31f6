//! The stages of agents that work in teams (`mdagents`, `dylan`, `medagents`), answered from their prompts: each member sees
//! the patient with the clinician's eyes, and some lots decide who doubts, speaks and objects.

use super::{Clinician, Consultation, wording};
use crate::format::Asked;
use serde_json::{Value, json};
use waterjar_core::Role;

impl Clinician {
    /// Part of every clinician: a rehearsal need not know which agents a study names.
    #[must_use]
    pub(super) fn working_in_teams(self) -> Self {
        self.on("expert_opinion", |clinician, asked| View::of(clinician, asked).opinion())
            .on("case_complexity", |clinician, asked| View::of(clinician, asked).complexity())
            .on("expert_team", |clinician, asked| View::of(clinician, asked).experts())
            .on("specialist_teams", |clinician, asked| View::of(clinician, asked).teams())
            .on("panel_summary", |clinician, asked| View::of(clinician, asked).report())
            .on("panel_messages", |clinician, asked| View::of(clinician, asked).messages())
            .on("tie_break", |clinician, asked| View::of(clinician, asked).tie_break())
            .on("team_tasks", |clinician, asked| View::of(clinician, asked).tasks())
            .on("team_findings", |clinician, asked| json!({ "findings": View::of(clinician, asked).thoughts() }))
            .on("team_report", |clinician, asked| json!({ "report": View::of(clinician, asked).thoughts() }))
            .on("wants_to_speak", |clinician, asked| json!({ "speak": View::of(clinician, asked).yes(SPEAKS) }))
            .on("addressees", |clinician, asked| View::of(clinician, asked).addressees())
            .on("panel_message", |clinician, asked| json!({ "message": View::of(clinician, asked).thoughts() }))
            .on("scored_opinion", |clinician, asked| View::of(clinician, asked).scored())
            .on("best_two", |clinician, asked| View::of(clinician, asked).best_two())
            .on("medical_domains", |clinician, asked| View::of(clinician, asked).domains())
            .on("domain_analysis", |clinician, asked| json!({ "analysis": View::of(clinician, asked).thoughts() }))
            .on("consultation_report", |clinician, asked| View::of(clinician, asked).report())
            .on("report_vote", |clinician, asked| json!({ "agrees": View::of(clinician, asked).yes(APPROVES) }))
            .on("report_advice", |clinician, asked| json!({ "advice": View::of(clinician, asked).thoughts() }))
    }
}

/// The share of first opinions that put the second condition first.
const DOUBTS: f64 = 0.4;
/// The same after hearing others.
const STILL_DOUBTS: f64 = 0.2;
const SPEAKS: f64 = 0.3;
const APPROVES: f64 = 0.85;

/// Fields to call in beside those of the conditions thought of.
const FIELDS: [&str; 9] = [
    "internal medicine",
    "emergency medicine",
    "general practice",
    "radiology",
    "infectious diseases",
    "clinical pharmacology",
    "laboratory medicine",
    "geriatrics",
    "public health",
];

/// What somebody who is asked for one stage of an answer has before them.
pub(super) struct View<'a> {
    pub clinician: &'a Clinician,
    /// Who they are told to be.
    role: &'a str,
    /// What is theirs to do.
    pub part: &'a str,
    pub patient: &'a str,
    pub consultation: Option<Consultation>,
}

impl<'a> View<'a> {
    pub fn of(clinician: &'a Clinician, asked: &'a Asked) -> Self {
        let said = || asked.request.messages.iter().filter(|it| it.role == Role::User).map(|it| it.content.as_str());
        // When something is asked again, what to do stands before that.
        let own = |text: &&str| {
            !text.starts_with("Your answer could not be used") && !text.starts_with("Answer with one JSON")
        };
        let text = said().rfind(own).unwrap_or_default();
        let patient = said().find_map(|text| text.split_once("<patient>\n")?.1.split("\n</patient>").next());
        let patient = patient.unwrap_or_default();
        let part = text.rsplit_once("</patient>").map_or(text, |(_, part)| part);
        Self { clinician, role: asked.system(), part, patient, consultation: clinician.consult(patient) }
    }

    /// Between 0 and 1, by who is asked what about whom.
    fn lot(&self, purpose: &str) -> f64 {
        let thing = format!("{}\n{}\n{}", self.role, self.patient, self.part);
        self.clinician.seed().rank(purpose, &thing) as f64 / i64::MAX as f64
    }

    fn yes(&self, share: f64) -> &'static str {
        if self.lot("yes") < share { "yes" } else { "no" }
    }

    pub fn thoughts(&self) -> String {
        self.consultation.as_ref().map_or("The account does not say enough.".to_owned(), wording::thoughts)
    }

    /// The names with rounded confidences; somebody in doubt puts the second one first, by a little.
    fn ranked(&self) -> Vec<(String, f64)> {
        let Some(consultation) = &self.consultation else { return vec![("Undifferentiated illness".to_owned(), 0.1)] };
        let mut ranked = consultation.ranked.clone();
        let heard_others = self.part.contains(" (0.") || self.part.contains("report");
        let doubts = if heard_others { STILL_DOUBTS } else { DOUBTS };
        if let [first, second, ..] = ranked.as_mut_slice()
            && self.lot("doubt") < doubts
        {
            let both = first.1 + second.1;
            std::mem::swap(first, second);
            (first.1, second.1) = (both * 0.6, both * 0.4);
        }
        ranked.into_iter().map(|(name, p)| (name, (p * 100.0).floor() / 100.0)).collect()
    }

    fn opinion(&self) -> Value {
        let ranked = self.ranked();
        let listed: Vec<Value> = ranked.iter().map(|(name, p)| json!({ "condition": name, "confidence": p })).collect();
        json!({ "reasoning": self.thoughts(), "ranked": listed })
    }

    /// The more a patient tells of, the harder the case.
    fn complexity(&self) -> Value {
        let told = self.clinician.patient(self.patient).map_or(0, |it| it.findings.len());
        let class = match told {
            0..=9 => "basic",
            10..=13 => "intermediate",
            _ => "advanced",
        };
        json!({ "reason": format!("The patient tells of {told} findings."), "complexity": class })
    }

    /// The fields of the conditions thought of, then others.
    fn fields(&self) -> Vec<String> {
        let thought_of = self.consultation.iter().flat_map(|it| &it.ranked).filter_map(|(name, _)| {
            let condition = self.clinician.base().conditions().iter().find(|it| it.name == *name)?;
            Some(condition.specialty.clone()).filter(|it| !it.is_empty())
        });
        let mut fields: Vec<String> = Vec::new();
        for field in thought_of.chain(FIELDS.map(str::to_owned)) {
            if !fields.contains(&field) {
                fields.push(field);
            }
        }
        fields
    }

    fn domains(&self) -> Value {
        json!({ "domains": self.fields().into_iter().take(self.wanted()).collect::<Vec<_>>() })
    }

    /// “exactly 5 …”
    fn wanted(&self) -> usize {
        let after = self.part.split("xactly ").nth(1).unwrap_or_default();
        after.split_whitespace().next().and_then(|word| word.parse().ok()).unwrap_or(1)
    }

    /// The second works under the first.
    fn experts(&self) -> Value {
        let fields = self.fields();
        let role = |field: &str| format!("Specialist in {field}");
        let expert = |(at, field): (usize, &String)| {
            let lead = (at == 1).then(|| role(&fields[0]));
            json!({ "role": role(field), "expertise": field, "reports_to": lead })
        };
        json!({ "experts": fields.iter().take(self.wanted()).enumerate().map(expert).collect::<Vec<_>>() })
    }

    fn teams(&self) -> Value {
        let fields = self.fields();
        let named = [("Admission", "initial_assessment"), ("Work-up", "further_work_up"), ("Review", "final_review")];
        let team = |(at, (name, purpose)): (usize, &(&str, &str))| {
            let members: Vec<Value> = (0..3)
                .map(|n| {
                    let field = &fields[(at * 3 + n) % fields.len()];
                    json!({ "role": format!("Specialist in {field}"), "expertise": field, "lead": n == 0 })
                })
                .collect();
            json!({ "name": name, "purpose": purpose, "members": members })
        };
        json!({ "teams": named.iter().enumerate().map(team).collect::<Vec<_>>() })
    }

    fn report(&self) -> Value {
        let names: Vec<String> = self.ranked().into_iter().map(|(name, _)| name).collect();
        let known = format!("These conditions have to be told apart: {}.", names.join(", "));
        json!({ "key_knowledge": known, "total_analysis": self.thoughts() })
    }

    /// Says something once, by lot, to the first colleague.
    fn messages(&self) -> Value {
        let spoken = self.part.contains("What was said between you");
        let to = self.numbers().into_iter().next().filter(|_| !spoken && self.lot("speak") < SPEAKS);
        let message = |to: u32| json!({ "to": to, "message": self.thoughts() });
        json!({ "messages": to.into_iter().map(message).collect::<Vec<_>>() })
    }

    fn addressees(&self) -> Value {
        json!({ "experts": self.numbers().into_iter().take(1).collect::<Vec<_>>() })
    }

    /// `2. Specialist in cardiology`
    fn numbers(&self) -> Vec<u32> {
        let number = |line: &str| line.split_once(". ").and_then(|(number, _)| number.parse().ok());
        self.part.lines().filter_map(number).collect()
    }

    fn tasks(&self) -> Value {
        let task = |n: u32| format!("Task {n}: look for what speaks against the first impression.");
        json!({ "tasks": self.numbers().into_iter().map(task).collect::<Vec<_>>() })
    }

    /// The side that is also the clinician's own.
    fn tie_break(&self) -> Value {
        let own = self.ranked().into_iter().next().map(|(name, _)| name).unwrap_or_default();
        let side = self.part.lines().find_map(|line| {
            let (number, rest) = line.split_once(". ")?;
            rest.starts_with(own.as_str()).then(|| number.parse::<u32>().ok())?
        });
        json!({ "reason": self.thoughts(), "choice": side.unwrap_or(1) })
    }

    /// `Answer 2: Pulmonary embolism (0.62), …`
    fn shown(&self) -> Vec<&'a str> {
        let answer = |line: &'a str| line.strip_prefix("Answer ")?.split_once(": ").map(|(_, answer)| answer);
        self.part.lines().filter_map(answer).collect()
    }

    fn scored(&self) -> Value {
        let mut opinion = self.opinion();
        let own = self.ranked().into_iter().next().map(|(name, _)| name).unwrap_or_default();
        let score = |answer: &&str| if answer.starts_with(own.as_str()) { 5 } else { 2 };
        opinion["scores"] = self.shown().iter().map(score).collect::<Vec<_>>().into();
        opinion
    }

    /// Those that agree with the clinician first.
    fn best_two(&self) -> Value {
        let own = self.ranked().into_iter().next().map(|(name, _)| name).unwrap_or_default();
        let mut answers: Vec<(usize, &str)> = (1..).zip(self.shown()).collect();
        answers.sort_by_key(|(_, answer)| !answer.starts_with(own.as_str()));
        let best: Vec<usize> = answers.iter().take(2).map(|(number, _)| *number).collect();
        json!({ "reason": self.thoughts(), "best": best })
    }
}
