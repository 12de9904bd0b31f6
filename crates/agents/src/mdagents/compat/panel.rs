//! Intermediate, as released.

use super::super::answers::{self, Addressees, Expert, ExpertTeam, PanelMessage, PanelSummary, Willing, YesNo};
use super::super::panel::{check_numbers, colleagues, roles};
use super::super::templates::{
    AnswerAfterRound, AskAddressees, AskWilling, GiveOpinion, MODERATOR, Moderate, RECRUITER, RecruitExperts,
    SUMMARISER, SumUp, WriteMessage,
};
use super::chat::Chat;
use crate::asking::{Asking, Said, all, said};
use crate::opinion::{OPINION, Opinion};
use serde_json::{Value, json};
use waterjar_core::{AgentError, Conclusion};

/// In each round.
const TURNS: usize = 5;

pub(super) async fn answer(asking: Asking<'_>, experts: usize, rounds: usize) -> Result<Conclusion, AgentError> {
    let mut recruiter = Chat::primed(asking, RECRUITER).await?;
    let check = |it: &ExpertTeam| it.check(experts);
    let recruited = recruiter.ask(&RecruitExperts { experts }, answers::EXPERTS, check).await?.experts;
    let mut chats = all(roles(&recruited).iter().map(|role| Chat::primed(asking, role))).await?;
    let first = all(chats.iter_mut().map(|chat| chat.ask(&GiveOpinion, OPINION, Opinion::check))).await?;
    let first = by_role(&recruited, &first);

    // What stands here when the group falls silent is what the moderator sees: nothing, where no round was completed.
    let mut answered: Vec<Said> = Vec::new();
    let mut held: Vec<Value> = Vec::new();
    for round in 1..=rounds {
        sum_up(asking, if round == 1 { &first } else { &[] }).await?;
        let mut turns: Vec<usize> = Vec::new();
        for _ in 0..TURNS {
            let said = match round {
                1 => first_round_turn(&mut chats, &recruited, &first).await?,
                _ => later_turn(&mut chats, &recruited).await?,
            };
            turns.push(said);
            if said == 0 {
                break;
            }
        }
        let silent = turns.last() == Some(&0);
        held.push(json!({ "messages_by_turn": turns }));
        if silent {
            break;
        }
        let restated = all(chats.iter_mut().map(|chat| chat.ask(&AnswerAfterRound, OPINION, Opinion::check))).await?;
        answered = by_role(&recruited, &restated);
    }
    let mut moderator = Chat::primed(asking, MODERATOR).await?;
    let decided = moderator.ask(&Moderate { answers: &answered }, OPINION, Opinion::check).await?;
    Ok(decided.conclude(json!({
        "complexity": "intermediate",
        "compat": true,
        "experts": recruited,
        "rounds": held,
        "answers_seen_by_moderator": answered.len(),
        "decided_by": "moderator",
    })))
}

fn by_role(experts: &[Expert], opinions: &[Opinion]) -> Vec<Said> {
    experts.iter().zip(opinions).map(|(expert, it)| Said::new(expert.role.trim(), it.told())).collect()
}

/// A fresh chat each round, whose summary nobody reads; from the second round on it has no opinions to sum up.
async fn sum_up(asking: Asking<'_>, opinions: &[Said]) -> Result<(), AgentError> {
    let mut summariser = Chat::primed(asking, SUMMARISER).await?;
    summariser.ask(&SumUp { opinions }, answers::SUMMARY, PanelSummary::check).await.map(drop)
}

/// In the first round everybody is shown the first opinions, so nobody waits for anybody. How many messages were written.
async fn first_round_turn(chats: &mut [Chat<'_>], experts: &[Expert], first: &[Said]) -> Result<usize, AgentError> {
    let ask = |(at, chat)| speak(chat, experts, at, AskWilling { first_round: true, shown: first });
    let said = all(chats.iter_mut().enumerate().map(ask)).await?;
    Ok(said.iter().map(Vec::len).sum())
}

/// Later, whoever comes after sees what was said in the same turn. No message reaches its addressee otherwise.
async fn later_turn(chats: &mut [Chat<'_>], experts: &[Expert]) -> Result<usize, AgentError> {
    let mut log: Vec<Said> = Vec::new();
    for (at, chat) in chats.iter_mut().enumerate() {
        let said = speak(chat, experts, at, AskWilling { first_round: false, shown: &log }).await?;
        log.extend(said);
    }
    Ok(log.len())
}

/// Yes or no, then to whom, then a message to each.
async fn speak(
    chat: &mut Chat<'_>,
    experts: &[Expert],
    at: usize,
    willing: AskWilling<'_>,
) -> Result<Vec<Said>, AgentError> {
    let Willing { speak } = chat.ask(&willing, answers::WILLING, |_| Ok(())).await?;
    if speak == YesNo::No {
        return Ok(Vec::new());
    }
    let colleagues = colleagues(experts, at);
    let check = |it: &Addressees| match it.experts.is_empty() {
        true => Err("experts: nobody is named".to_owned()),
        false => check_numbers(&it.experts, at, experts.len()),
    };
    let chosen = chat.ask(&AskAddressees { colleagues: &colleagues }, answers::ADDRESSEES, check).await?;
    let mut said_now = Vec::new();
    for number in chosen.experts {
        let to = experts[number as usize - 1].role.trim();
        let check = |it: &PanelMessage| said("message", &it.message);
        let written = chat.ask(&WriteMessage { role: to }, answers::MESSAGE, check).await?;
        said_now.push(Said::new(format!("{} to {to}", experts[at].role.trim()), written.message.trim()));
    }
    Ok(said_now)
}
