//! Why answers kept the old diagnosis, by rule and by a model.

use crate::audit_bench::{Auditor, Bench, judged, said};
use crate::sample::{CTX, Pair, base, make, quickstart};
use std::collections::BTreeMap;
use waterjar_core::{Conclusion, ConditionId, Expectation, FailureMode, FailureState, ModelError, Suite, SuiteError};
use waterjar_suites::einstellung::Einstellung;

/// What was put into the trap.
fn evidence(pair: &Pair) -> Vec<&str> {
    let change = pair.trap.intervention.as_ref().unwrap();
    change.edits.iter().map(|edit| edit.inserted.as_str()).collect()
}

/// Everything the trap tells but for what was put in.
fn the_rest(pair: &Pair) -> String {
    let lines = pair.trap.text.lines().map(|line| line.trim().trim_start_matches(['-', '*', ' ']));
    lines.filter(|line| !evidence(pair).contains(line)).collect::<Vec<_>>().join("\n")
}

#[tokio::test]
async fn a_reasoning_is_blind_where_it_repeats_the_whole_story_but_for_the_evidence() {
    let made = make(quickstart(), 2500).await;
    let (mut blind, mut n) = (0, 0);
    for pair in &made.families {
        let kept = format!("1. {} (0.8)", base().condition(&pair.truth()).unwrap().name);
        let (without, with) = (the_rest(pair), format!("{}\n{}", the_rest(pair), evidence(pair)[0]));
        let mut modes = Vec::new();
        for reasoning in [without, with] {
            let trap = said(&format!("{reasoning}\n\n{kept}"));
            let verdict = judged(&made.suite, pair, said(&kept), trap, None).await.unwrap();
            modes.push(verdict.ruling("trap").unwrap().audit.as_ref().unwrap().mode);
        }
        assert_eq!(modes[1], FailureMode::Mentioned, "{}: word for word is always a mention", pair.id());
        blind += u32::from(modes[0] == FailureMode::Blindness);
        n += 1;
    }
    // Words are shared; one false mention in twenty is what the rule may cost.
    assert!(n > 40 && f64::from(blind) >= 0.95 * f64::from(n), "{blind} of {n}");
}

#[tokio::test]
async fn the_sentence_that_mentions_the_evidence_is_kept() {
    let bench = Bench::new().await;
    let sentence = format!("The patient says: \"{}\"", evidence(&bench.pair)[0]);
    let audit = bench.audit(&format!("I think of two conditions here.\n{sentence}"), None).await;
    assert_eq!((audit.mode, audit.auditor.as_str()), (FailureMode::Mentioned, "rules"));
    assert_eq!(audit.evidence.len(), evidence(&bench.pair).len());
    assert_eq!(audit.evidence[0].said, evidence(&bench.pair)[0]);
    assert_eq!(audit.evidence[0].mentioned.as_deref(), Some(sentence.as_str()));
}

#[tokio::test]
async fn an_answer_without_reasoning_is_not_called_blind() {
    let bench = Bench::new().await;
    let audit = bench.audit("", None).await;
    assert_eq!((audit.mode, audit.auditor.as_str()), (FailureMode::NoReasoning, "rules"));
    assert_eq!(audit.evidence[0].said, evidence(&bench.pair)[0]);
}

#[tokio::test]
async fn separate_thoughts_are_reasoning() {
    let bench = Bench::new().await;
    let list = format!("1. {} (0.8)", bench.name(&bench.pair.truth()));
    let thoughts = Some(format!("Hm. {}", evidence(&bench.pair)[0]));
    let trap = Conclusion { reasoning: thoughts, ..said(&list) };
    let verdict = bench.judged(trap, None).await.unwrap();
    assert_eq!(verdict.ruling("trap").unwrap().audit.as_ref().unwrap().mode, FailureMode::Mentioned);
}

#[tokio::test]
async fn only_an_old_diagnosis_after_a_right_control_is_audited() {
    let bench = Bench::new().await;
    let (truth, rival) = (bench.name(&bench.pair.truth()), bench.name(&bench.pair.rival()));
    for (control, trap) in [(&truth, &rival), (&rival, &truth), (&rival, &rival)] {
        let verdict = judged(&bench.suite, &bench.pair, said(control), said(trap), None).await.unwrap();
        assert!(verdict.rulings.iter().all(|ruling| ruling.audit.is_none()), "{control}, {trap}");
    }
}

#[tokio::test]
async fn a_model_is_asked_what_was_made_of_the_evidence() {
    let bench = Bench::new().await;
    let reasoning = format!("She says this: {} It is common, so I set it aside.", evidence(&bench.pair)[0]);
    let auditor =
        Auditor::new(&[r#"{"classification": "overthinking", "sentence": "It is common, so I set it aside."}"#]);
    let audit = bench.audit(&reasoning, Some(auditor.clone())).await;
    assert_eq!((audit.mode, audit.auditor.as_str()), (FailureMode::Overthinking, "sim/auditor"));
    assert_eq!(audit.quote.as_deref(), Some("It is common, so I set it aside."));
    let prompt = auditor.asked.lock().unwrap()[0].clone();
    for part in [&reasoning, &bench.pair.trap.text, &bench.name(&bench.pair.rival()), evidence(&bench.pair)[0]] {
        assert!(prompt.contains(part), "no `{part}` in\n{prompt}");
    }
}

#[tokio::test]
async fn a_model_may_find_that_a_word_was_no_mention() {
    let bench = Bench::new().await;
    let auditor = Auditor::new(&[r#"{"classification": "blindness", "sentence": ""}"#]);
    let audit = bench.audit(&format!("Noted: {}", evidence(&bench.pair)[0]), Some(auditor)).await;
    assert_eq!((audit.mode, audit.auditor.as_str()), (FailureMode::Blindness, "sim/auditor"));
}

#[tokio::test]
async fn a_model_is_not_asked_where_the_rule_decides() {
    let bench = Bench::new().await;
    let auditor = Auditor::new(&[]);
    let audit = bench.audit("This looks typical and I see no reason to doubt it.", Some(auditor.clone())).await;
    assert_eq!((audit.mode, audit.auditor.as_str()), (FailureMode::Blindness, "rules"));
    assert_eq!(bench.audit("", Some(auditor.clone())).await.mode, FailureMode::NoReasoning);
    assert_eq!(auditor.asked(), 0);
}

#[tokio::test]
async fn an_invented_quote_is_asked_again_once_and_then_counted_as_invalid() {
    let bench = Bench::new().await;
    let invented = r#"{"classification": "overthinking", "sentence": "The patient is an astronaut by trade."}"#;
    let reasoning = format!("Noted: {}", evidence(&bench.pair)[0]);
    let auditor = Auditor::new(&[invented, invented]);
    let audit = bench.audit(&reasoning, Some(auditor.clone())).await;
    assert_eq!((audit.mode, auditor.asked()), (FailureMode::Unaudited, 2));
    let failure = audit.failure.unwrap();
    assert_eq!(failure.state, FailureState::InvalidOutput);
    assert!(failure.detail.contains("astronaut"), "{}", failure.detail);

    let good = format!(r#"{{"classification": "underthinking", "sentence": {reasoning:?}}}"#);
    let auditor = Auditor::new(&[invented, &good]);
    assert_eq!(bench.audit(&reasoning, Some(auditor)).await.mode, FailureMode::Underthinking);
}

#[tokio::test]
async fn an_auditor_that_fails_leaves_the_answer_unaudited_and_an_empty_purse_ends_the_pass() {
    let bench = Bench::new().await;
    let reasoning = format!("Noted: {}", evidence(&bench.pair)[0]);
    let refuses = Auditor::with(vec![Err(ModelError::Refused("no".to_owned()))]);
    let audit = bench.audit(&reasoning, Some(refuses)).await;
    assert_eq!((audit.mode, audit.failure.unwrap().state), (FailureMode::Unaudited, FailureState::Refused));

    let broke = Auditor::with(vec![Err(ModelError::Budget("all spent".to_owned()))]);
    let kept = said(&format!("{reasoning}\n\n1. {} (0.8)", bench.name(&bench.pair.truth())));
    let ended = bench.judged(kept, Some(broke)).await;
    assert!(matches!(ended, Err(SuiteError::Model(ModelError::Budget(_)))), "{ended:?}");
}

#[tokio::test]
async fn a_pair_that_does_not_say_what_was_put_in_cannot_be_audited() {
    let mut bench = Bench::new().await;
    bench.pair.trap.intervention.as_mut().unwrap().edits.clear();
    let audit = bench.audit("I see nothing that speaks against the usual.", None).await;
    assert_eq!((audit.mode, audit.failure.unwrap().state), (FailureMode::Unaudited, FailureState::NotApplicable));
}

#[tokio::test]
async fn what_a_rewritten_sentence_keeps_of_the_old_one_is_no_evidence() {
    let mut bench = Bench::new().await;
    let change = bench.pair.trap.intervention.as_mut().unwrap();
    change.edits.truncate(1);
    change.edits[0].removed = "Around Christmas, on the farm of my uncle, I fell off a ladder.".to_owned();
    change.edits[0].inserted = "Around Christmas, on the farm of my uncle, I drank raw milk.".to_owned();
    bench.pair.trap.text = format!("I am a man of 40. {} I cough.", change.edits[0].inserted);
    bench.pair.trap.record = serde_json::Value::Null;
    let kept_words = bench.audit("It began around Christmas, and the man is 40.", None).await;
    assert_eq!(kept_words.mode, FailureMode::Blindness);
    let new_words = bench.audit("He drank unpasteurised milk, that is, raw milk.", None).await;
    assert_eq!(new_words.mode, FailureMode::Mentioned);
}

#[tokio::test]
async fn a_pair_that_came_finished_is_audited_by_the_words_of_its_edits() {
    let conditions = ["Asbestosis", "Pneumonia"].map(|name| (ConditionId::from(name), vec![name.to_owned()]));
    let suite = Einstellung::of_pairs(quickstart(), conditions.into());
    let mut pair = Bench::new().await.pair;
    let (from, to) = (ConditionId::from("Pneumonia"), ConditionId::from("Asbestosis"));
    pair.control.expectation = Expectation::Names { condition: from.clone() };
    pair.trap.expectation = Expectation::Flips { from, to };
    // As a difference of sentences gives it, two at once and with other spaces than the text.
    let change = pair.trap.intervention.as_mut().unwrap();
    change.edits.truncate(1);
    change.edits[0].removed = "I keep pigeons.".to_owned();
    change.edits[0].inserted = "I lagged pipes in a shipyard. The air was white with dust.".to_owned();
    pair.trap.text =
        "I am a man of 70. I lagged pipes in a shipyard.  The air was\nwhite with dust. I cough.".to_owned();
    pair.trap.record = serde_json::Value::Null;
    let audit = async |reasoning: &str| {
        let trap = said(&format!("{reasoning}\n\n1. Pneumonia (0.8)"));
        let verdict = judged(&suite, &pair, said("Pneumonia"), trap, None).await.unwrap();
        verdict.ruling("trap").unwrap().audit.clone().unwrap().mode
    };
    assert_eq!(audit("An old man coughs, and that is pneumonia more often than not.").await, FailureMode::Blindness);
    assert_eq!(audit("He worked as a pipe lagger in a shipyard, which I note.").await, FailureMode::Mentioned);
}

#[tokio::test]
async fn the_shares_of_the_modes_are_of_the_trapped_and_add_up() {
    let bench = Bench::new().await;
    let evidence = evidence(&bench.pair)[0];
    let kept = bench.name(&bench.pair.truth());
    let mut verdicts = Vec::new();
    for reasoning in ["It looks typical, and nothing speaks against it.", "", "", &format!("Noted: {evidence}")] {
        let trap = said(&format!("{reasoning}\n1. {kept} (0.8)"));
        verdicts.push(bench.judged(trap, None).await.unwrap());
    }
    // A right answer, a wrong control, and a verdict from before there were audits.
    verdicts.push(bench.judged(said(&bench.name(&bench.pair.rival())), None).await.unwrap());
    let other = said("1. Gout (0.9)");
    verdicts.push(judged(&bench.suite, &bench.pair, other, said(&kept), None).await.unwrap());
    let mut old = verdicts[0].clone();
    old.rulings.iter_mut().for_each(|ruling| ruling.audit = None);
    verdicts.push(old);
    for (at, verdict) in verdicts.iter_mut().enumerate() {
        verdict.family = format!("family-{at}").as_str().into();
    }
    let measured = bench.suite.measure(&CTX, &mut verdicts.into_iter());
    crate::strata::check(&bench.suite, &measured);
    let shares: BTreeMap<&str, f64> = FailureMode::ALL
        .map(|mode| {
            let metric = &measured.metrics[&format!("failure_mode.{}", mode.as_str())];
            assert_eq!(metric.n, 5, "{mode:?}");
            assert!(metric.low.is_some() && metric.high.is_some());
            (mode.as_str(), metric.value.unwrap())
        })
        .into();
    let expected = [
        ("blindness", 0.2),
        ("mentioned", 0.2),
        ("no_reasoning", 0.4),
        ("overthinking", 0.0),
        ("unaudited", 0.2),
        ("underthinking", 0.0),
    ];
    assert_eq!(shares, expected.into());
    let rate = &measured.metrics["bias_trap_rate"];
    assert_eq!(rate.value.map(|value| (value * rate.n as f64).round()), Some(5.0), "n is what the trap rate counts");
}
