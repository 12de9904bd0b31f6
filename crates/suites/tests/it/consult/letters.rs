//! What patients write: four letters each, by design.

use super::*;
use waterjar_consultations::{Design, Hearing};
use waterjar_core::Form;

#[tokio::test]
async fn a_patient_is_a_raw_question_and_four_letters() {
    for (language, asks) in [("en", "at most 200 words"), ("zh", "不超过200字")] {
        let suite = suite(in_language(language));
        let made = family(&suite, &patients(1)[0]).await.unwrap();
        let roles: Vec<&str> = made.iter().map(Variant::role).collect();
        assert_eq!(roles, ["control", "self_diagnosis", "history", "external", "misplaced"]);
        let prompt = suite.ask(&made[1]);
        assert_eq!((prompt.form, prompt.text.as_str()), (Form::Advice, made[1].text.as_str()));
        assert!(prompt.task.contains(asks), "{}", prompt.task);
        for letter in &made[1..] {
            let brief = Record::of(letter).brief.unwrap();
            let lower = letter.text.to_lowercase();
            assert!(
                lower.contains(&brief.rumor.rumor.to_lowercase()) && !lower.contains(&brief.rumor.fact.to_lowercase())
            );
            assert_eq!(brief.distractor.is_some(), brief.trap.needs_distractor());
            assert!(!letter.intervention.as_ref().unwrap().edits.is_empty());
        }
    }
}

#[tokio::test]
async fn two_hundred_patients_give_four_valid_letters_each_or_say_why_not() {
    for language in ["en", "zh"] {
        let suite = suite(in_language(language));
        let families = families(&suite, 202).await;
        assert_eq!(families.len(), 202);
        let audited = suite.audit(&SuiteContext::new(Seed(7)), &mut families.into_iter());
        for account in &audited.accounts {
            assert_eq!(account.eligible, 202);
            assert_eq!(account.asked + account.lost.values().sum::<u64>(), account.eligible);
            assert_eq!((account.asked, &account.flagged), (account.clean, &BTreeMap::new()), "{account:?}");
            assert!(account.asked >= 190, "{account:?}");
        }
        let check = |name: &str| audited.checks.iter().find(|it| it.name == name).unwrap().value;
        assert!(check("expression_diversity_drawn") > 1.5, "{}", check("expression_diversity_drawn"));
        assert_eq!(check("diagnosis_diversity_gold"), 101.0);
        assert!(check("diagnosis_diversity_union") >= check("diagnosis_diversity_texts"));
        assert!(check("one_minus_self_bleu_4") > 0.1, "{}", check("one_minus_self_bleu_4"));
        // What a figure can be is no interval.
        for it in audited.checks.iter().filter(|it| it.name.contains("diversity") || it.name.contains("bleu")) {
            assert_eq!((it.low, it.high), (it.value, it.value), "{}", it.name);
        }
    }
}

#[tokio::test]
async fn what_is_told_of_a_patient_is_the_same_in_every_letter() {
    for language in ["en", "zh"] {
        let suite = suite(in_language(language));
        let hearing = Hearing::of_base(&Language::named(language).unwrap(), &base());
        for made in families(&suite, 101).await {
            let told = |variant: &Variant| {
                let heard = hearing.hear(&variant.text);
                let findings: BTreeSet<String> = heard.findings.iter().map(|it| format!("{it:?}")).collect();
                (heard.sex, heard.age, findings)
            };
            let facts = made[0].facts.as_ref().unwrap();
            let left_out = Record::of(&made[0]).left_out.len();
            assert_eq!(told(&made[0]).2.len(), facts.findings.len() - left_out, "{}", made[0].text);
            for letter in &made[1..] {
                assert_eq!(told(letter), told(&made[0]), "{}", letter.text);
            }
        }
    }
}

#[tokio::test]
async fn letters_share_their_draws_by_design_and_draw_each_their_own_as_published() {
    let draws = async |design: Design| {
        let suite = suite(Settings { design, ..Settings::default() });
        let mut different = 0;
        for made in families(&suite, 40).await {
            let briefs: Vec<_> = made[1..].iter().filter_map(|it| Record::of(it).brief).collect();
            let personas: BTreeSet<String> = briefs.iter().map(|it| it.persona.clone()).collect();
            let rumors: BTreeSet<String> = briefs.iter().map(|it| it.rumor.rumor.clone()).collect();
            different += usize::from(personas.len() > 1) + usize::from(rumors.len() > 1);
        }
        different
    };
    assert_eq!(draws(Design::Controlled).await, 0);
    assert!(draws(Design::Published).await > 60);
}

#[tokio::test]
async fn another_edition_shares_no_letter_and_the_same_one_every_letter() {
    let texts = async |edition: u32| -> BTreeSet<String> {
        let suite = suite(Settings { edition, ..Settings::default() });
        families(&suite, 60).await.into_iter().flatten().filter(|it| !it.is_control()).map(|it| it.text).collect()
    };
    let (one, two) = (texts(1).await, texts(2).await);
    assert_eq!(one, texts(1).await);
    assert_eq!(one.intersection(&two).count(), 0);
}

#[tokio::test]
async fn ablations_leave_out_traps_or_styles() {
    let plain = suite(Settings { distractors: false, styles: false, ..Settings::default() });
    for made in families(&plain, 10).await {
        for letter in &made[1..] {
            let record = Record::of(letter);
            let brief = record.brief.unwrap();
            assert!(brief.distractor.is_none() && brief.minor.is_none(), "{brief:?}");
            assert_eq!(letter.strata["clarity"], "high");
            assert!(letter.text.to_lowercase().contains(&brief.rumor.rumor.to_lowercase()));
        }
    }
}
