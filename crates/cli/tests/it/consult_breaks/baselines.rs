//! Rows of specs 9.3: DyVal2 and Self-Evolving.

use super::*;

const DYVAL2: &str = "author = \"alpha/writer\"\nmethod = \"dyval2\"";
const EVOLVING: &str = "author = \"alpha/writer\"\nmethod = \"self_evolving\"";

#[test]
fn row_9_3_1_an_evaluator_without_a_plain_word_is_asked_a_bounded_number_of_times() {
    let made = vary(nonsense("same_question"), DYVAL2);
    let cases = lost_patients(&made);
    assert!(cases >= 12 && made.lost("nothing_accepted") == cases, "{}", made.summary);
    assert!(made.requests <= cases * (2 * 5 * 3), "{} requests for {cases} cases", made.requests);
    let made = vary(clinician().on("same_question", |_, _| json!({ "verdict": "Yes.", "why": "Same." })), DYVAL2);
    assert_eq!(made.letters().len(), 3, "{}", made.summary);
}

#[test]
fn row_9_3_2_what_was_refused_five_times_says_that_it_was_kept() {
    let no_context = clinician().on("same_question", |_, asked| {
        let prompt = asked.request.messages[0].content.as_str();
        let (_, letter) = prompt.rsplit_once("<letter>").unwrap();
        let original = prompt.rsplit_once("<original>\n").unwrap().1.split_once("\n</original>").unwrap().0;
        // A paraphrase of the simulated writer only opens otherwise.
        json!({ "verdict": if letter.contains(original) { "yes" } else { "no" }, "why": "It adds something." })
    });
    let letters = vary(no_context, DYVAL2).letters();
    assert_eq!(letters.len(), 3);
    for letter in letters {
        let rewritten = &letter["record"]["rewritten"];
        assert_eq!(
            (&rewritten["paraphrase"]["accepted"], &rewritten["context"]["accepted"]),
            (&true.into(), &false.into())
        );
        assert_eq!(
            (&rewritten["context"]["attempts"], rewritten["context"]["refused"].as_array().unwrap().len()),
            (&5.into(), 5)
        );
    }
}

#[test]
fn row_9_3_3_an_answer_without_its_parts_is_a_counted_loss() {
    for (stage, reason) in [
        ("paraphrased_letter", "paraphrased_letter_unusable"),
        ("verified_answer", "no_usable_opinion"),
        ("wrong_answer", "no_usable_option"),
    ] {
        let made = vary(nonsense(stage), EVOLVING);
        assert!(made.roles().iter().all(|it| it != "paraphrase"), "{stage}: {}", made.summary);
        let of_role =
            made.summary["accounts"].as_array().unwrap().iter().find(|it| it["group"] == "paraphrase").unwrap();
        let lost = of_role["lost"].as_object().unwrap();
        let all: u64 = lost.values().filter_map(Value::as_u64).sum();
        let counted = lost.get(reason).and_then(Value::as_u64);
        assert!(counted >= Some(3) && Some(all) == of_role["eligible"].as_u64(), "{stage}: {}", made.summary);
    }
    let never = clinician().on("verified_answer", |_, _| json!({ "verdict": "no", "why": "No." }));
    assert!(vary(never, EVOLVING).lost("verify_error_1") > 0);
    let ever = clinician().on("verified_answer", |_, _| json!({ "verdict": "yes", "why": "Yes." }));
    assert!(vary(ever, EVOLVING).lost("verify_error_2") > 0);
}

#[test]
fn row_9_3_4_an_invalid_request_ends_and_does_not_hang() {
    let script = Script::default().and(Rule::always(Fault::ContextLength).containing("noisy_letter"));
    let endpoint =
        Endpoint::start_apart(EndpointSettings { script, clinician: clinician(), ..EndpointSettings::default() })
            .unwrap();
    let desk = Desk::new();
    let suite = format!("items = 2\n{EVOLVING}");
    desk.write("study.toml", study(&suite, "careful", &format!("{}/v1", endpoint.url()), "openai"));
    let ended = run(&desk, "vary study.toml --out run --json");
    // Every patient is rejected for good: each is asked once and counted, and the program says so.
    assert_eq!(ended.code, Some(3), "{}", ended.stderr);
    assert!(ended.stderr.contains("101 cases were lost because a model that writes or votes gave no answer"));
    assert_eq!((&ended.json()[0]["losses"]["model_failed"], &ended.json()[0]["families"]), (&101.into(), &0.into()));
    assert_eq!(endpoint.stats().asked_again(), 0, "what cannot pass is not tried again");
}

#[test]
fn row_9_3_5_fewer_patients_than_wanted_are_all_there_are() {
    let endpoint = endpoint(clinician());
    let desk = Desk::new();
    let suite = format!("items = 500\n{DYVAL2}");
    desk.write(
        "study.toml",
        study(&suite, "careful", &format!("{}/v1", endpoint.url()), "openai").replace("patients = 101", "patients = 4"),
    );
    let made = done(&desk, "vary study.toml --out run --json").json();
    let lost: u64 = made[0]["losses"].as_object().unwrap().values().map(|it| it.as_u64().unwrap()).sum();
    let families = made[0]["families"].as_u64().unwrap();
    assert!(families > 0 && families + lost == 4 && made[0]["cases"] == 4, "{made}");
}

#[test]
fn row_9_3_6_a_text_that_was_cut_is_not_taken() {
    let script = Script::default().and(Rule::always(Fault::Length).containing("paraphrased_letter"));
    let made = vary_at(EndpointSettings { script, clinician: clinician(), ..EndpointSettings::default() }, EVOLVING);
    assert!(
        made.roles().iter().all(|it| it != "paraphrase") && made.lost("paraphrased_letter_unusable") > 0,
        "{}",
        made.summary
    );
}
