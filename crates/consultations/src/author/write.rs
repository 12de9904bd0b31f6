//! A brief → a letter, by frames.

use super::brief::Brief;
use super::dice::Dice;
use super::{Plan, Trap};
use crate::language::Language;
use crate::patient::{Complaint, Patient};
use crate::persona::{Level, Style};
use crate::words::capital;
use waterjar_core::FindingId;
use waterjar_knowledge::Place;

/// The static baseline: nothing but what is told of the patient, in a plain voice.
pub fn raw(language: &Language, patient: &Patient, dice: &Dice) -> String {
    let mut letter = Letter::new(language, patient, Style::PLAIN, dice);
    letter.open();
    for at in letter.units() {
        letter.say_plainly(at);
    }
    letter.close()
}

pub(super) fn write(language: &Language, patient: &Patient, brief: &Brief, plan: &Plan, dice: &Dice) -> String {
    let mut letter = Letter::new(language, patient, brief.style, dice);
    letter.open();
    if plan.styles {
        letter.pick("knowledge", language.frames.knowledge.of(brief.style.medical_knowledge));
    }
    let framing = plan.traps.then(|| framing(language, patient, brief, dice)).flatten();
    let early = dice.happens("framing comes early", 50);
    letter.parts.extend(framing.clone().filter(|_| early));
    let minor = brief.minor.iter().filter_map(|id| letter.place_of(id));
    let minor: Vec<usize> = minor.collect();
    let key: Vec<usize> = brief.key.iter().filter_map(|id| letter.place_of(id)).collect();
    for &at in &minor {
        let frame = letter.frame("dwell", &language.frames.trap.misplaced.dwell);
        letter.say_in(&frame, "{minor}", at);
    }
    let order: Vec<usize> = letter.units().into_iter().filter(|at| !minor.contains(at) && !key.contains(at)).collect();
    letter.story(&order);
    for (nth, &at) in key.iter().enumerate() {
        let frames = &language.frames.trap.misplaced.play_down;
        let frame = frames[(dice.index("play down", frames.len()).unwrap_or(0) + nth) % frames.len()].clone();
        letter.say_in(&frame, "{key}", at);
    }
    letter.parts.extend(framing.filter(|_| !early));
    let rumor = letter.frame("rumor", language.frames.rumor.of(brief.style.communication));
    letter.parts.push(capital(&rumor.replace("{rumor}", &brief.rumor.rumor)));
    letter.close()
}

/// The sentence of the trap, where it is one.
fn framing(language: &Language, patient: &Patient, brief: &Brief, dice: &Dice) -> Option<String> {
    let frames = &language.frames.trap;
    let frame = match brief.trap {
        Trap::SelfDiagnosis => dice.pick("self-diagnosis", frames.self_diagnosis.of(brief.style.communication))?,
        Trap::History => {
            let whose = if dice.happens("own history", 50) { &frames.history.own } else { &frames.history.family };
            dice.pick("history", whose)?
        }
        Trap::External => {
            let all = &frames.external.any;
            let fit = if patient.child { language.speech.parent.external.min(all.len()) } else { all.len() };
            dice.pick("external", &all[..fit])?
        }
        Trap::Misplaced => return None,
    };
    let name = brief.distractor.as_ref().map_or("", |it| it.name.as_str());
    let name = language.speech.names.inside.get(name).cloned().unwrap_or_else(|| small(language, name));
    Some(capital(&frame.replace("{distractor}", &name)))
}

fn who(language: &Language, patient: &Patient, frame: &str) -> Option<String> {
    let (sex, age) = patient.sex.zip(patient.age)?;
    let (who, parent) = (&language.speech.who, &language.speech.parent);
    let said = if patient.child {
        let age = who.ages.get(usize::from(age)).map_or("", String::as_str);
        frame.replace("{child}", parent.child(Some(sex))).replace("{age}", age)
    } else {
        frame.replace("{person}", who.person(sex, age)).replace("{decade}", who.decade(age))
    };
    Some(capital(&said))
}

/// Who the patient is, in one sentence; `None` where nobody says.
pub fn introduced(language: &Language, patient: &Patient) -> Option<String> {
    let frames = if patient.child { &language.speech.who.child } else { &language.speech.who.adult };
    who(language, patient, frames.first()?)
}

struct Letter<'a> {
    language: &'a Language,
    patient: &'a Patient,
    style: Style,
    dice: &'a Dice,
    parts: Vec<String>,
}

/// How often, of a hundred, a further sentence is joined to what was said before.
const fn joins(clarity: Level) -> i64 {
    match clarity {
        Level::Low => 55,
        Level::Medium => 40,
        Level::High => 30,
    }
}

impl<'a> Letter<'a> {
    fn new(language: &'a Language, patient: &'a Patient, style: Style, dice: &'a Dice) -> Self {
        Self { language, patient, style, dice, parts: Vec::new() }
    }

    fn frame(&self, purpose: &str, frames: &[String]) -> String {
        self.dice.pick(purpose, frames).cloned().unwrap_or_default()
    }

    fn pick(&mut self, purpose: &str, frames: &[String]) {
        let frame = self.frame(purpose, frames);
        self.parts.push(frame);
    }

    fn open(&mut self) {
        let (frames, speech) = (&self.language.frames, &self.language.speech);
        let child = speech.parent.child(self.patient.sex);
        let openings = if self.patient.child { &frames.opening_parent } else { &frames.opening };
        let opening = self.frame("opening", openings.of(self.style.communication));
        self.parts.push(capital(&opening.replace("{child}", child)));
        let frame = self.frame("who", if self.patient.child { &speech.who.child } else { &speech.who.adult });
        self.parts.extend(who(self.language, self.patient, &frame));
    }

    fn place_of(&self, finding: &FindingId) -> Option<usize> {
        self.patient.complaints.iter().position(|it| it.seen.finding == *finding)
    }

    /// Complaints in the order of telling: each after the one it belongs to, symptoms before the past, and what is denied last. Somebody
    /// who is not clear mixes them up.
    fn units(&self) -> Vec<usize> {
        let all = &self.patient.complaints;
        let id = |it: &Complaint| it.seen.finding.clone();
        let is_told = |finding: &FindingId| all.iter().any(|it| it.is_present() && id(it) == *finding);
        let is_head = |it: &Complaint| it.parent.as_ref().is_none_or(|parent| *parent == id(it) || !is_told(parent));
        let mut heads: Vec<usize> = (0..all.len()).filter(|&at| is_head(&all[at])).collect();
        if self.style.clarity == Level::Low {
            let order = self.dice.order("telling", all.len());
            heads.sort_by_key(|&at| (!all[at].is_present(), order[at]));
        } else {
            heads.sort_by_key(|&at| (!all[at].is_present(), all[at].place != Place::Symptoms, at));
        }
        let mut order = Vec::new();
        for head in heads {
            order.push(head);
            let belongs = |&at: &usize| {
                at != head && !is_head(&all[at]) && all[at].parent.as_ref() == Some(&all[head].seen.finding)
            };
            order.extend((0..all.len()).filter(belongs));
        }
        // Children of children.
        let rest: Vec<usize> = (0..all.len()).filter(|at| !order.contains(at)).collect();
        order.extend(rest);
        let (told, denied): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|&at| all[at].is_present());
        [told, denied].concat()
    }

    fn say_plainly(&mut self, at: usize) {
        self.parts.push(self.patient.complaints[at].sentence.clone());
    }

    fn story(&mut self, order: &[usize]) {
        let frames = &self.language.frames;
        let clarity = self.style.clarity;
        let (joining, denying) = (frames.joining.of(clarity), frames.denying.of(clarity));
        let openers = if clarity == Level::High { self.language.speech.list.first.min(joining.len()) } else { 0 };
        let (openers, joining) = joining.split_at(openers);
        let mut next_joining = self.dice.order("joining", joining.len()).into_iter().cycle();
        let mut next_denying = self.dice.order("denying", denying.len()).into_iter().cycle();
        let mut denied_before = false;
        for (nth, &at) in order.iter().enumerate() {
            let complaint = &self.patient.complaints[at];
            let purpose = format!("join {}", complaint.seen.finding);
            let joined = self.dice.happens(&purpose, joins(clarity)) && complaint.parent.is_none();
            let frame = if !complaint.is_present() {
                let first = !std::mem::replace(&mut denied_before, true);
                (first || joined).then(|| next_denying.next()).flatten().map(|it| &denying[it])
            } else if nth == 0 {
                self.dice.pick("opener", openers).filter(|_| order.len() > 2)
            } else {
                joined.then(|| next_joining.next()).flatten().map(|it| &joining[it])
            };
            match frame {
                Some(frame) => {
                    let frame = frame.clone();
                    self.say_in(&frame, "{}", at);
                }
                None => self.say_plainly(at),
            }
        }
    }

    fn say_in(&mut self, frame: &str, slot: &str, at: usize) {
        let sentence = &self.patient.complaints[at].sentence;
        let sentence = if frame.starts_with(slot) { sentence.clone() } else { small(self.language, sentence) };
        self.parts.push(frame.replace(slot, &sentence));
    }

    fn close(mut self) -> String {
        let closing = self.frame("closing", self.language.frames.closing.of(self.style.communication));
        let mut letter = String::new();
        for part in self.parts.drain(..).filter(|part| !part.is_empty()) {
            if letter.ends_with(|c: char| c.is_ascii()) {
                letter.push(' ');
            }
            letter.push_str(&part);
        }
        format!("{letter}\n{closing}")
    }
}

/// As it is written inside a sentence: small, but for names and "I".
fn small(language: &Language, text: &str) -> String {
    let first = text.split([' ', '\'', '’', ',', '.']).next().unwrap_or_default();
    let large = first == "I" || first.chars().skip(1).any(char::is_uppercase);
    if large || language.speech.names.proper.iter().any(|it| it == first) {
        return text.to_owned();
    }
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}
