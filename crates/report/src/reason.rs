//! Why cases are lost and answers missing, in plain words: the one table that the report, the terminal and the glossary show.

/// Codes as they stand in `vary --json` and `responses.jsonl`, and what they mean. A code with particulars (`sex_bound: prostate`) stands
/// without them.
pub const REASONS: [(&str, &str); 72] = [
    // Answers.
    ("invalid_output", "the model answered, and nothing in it could be used"),
    ("refused", "the model declined to answer"),
    ("timeout", "no answer came in time"),
    ("transport_error", "the model could not be reached, or its server did not take the question"),
    ("not_applicable", "the question does not apply to this case"),
    ("dependency_failed", "something it needs first had failed"),
    // Any suite.
    ("not_needed", "enough cases had been found before it"),
    ("not_tried", "left alone, because nothing came of many cases before it"),
    ("model_failed", "a model that writes or votes gave no answer"),
    ("author_failed", "a model that writes or votes gave no answer"),
    ("author_refused", "the model that writes declined to"),
    ("rewrite_changed_more", "the model that writes changed more than it was asked to"),
    // einstellung
    ("no_facts", "the case has no structured findings"),
    ("unknown_condition", "the knowledge base does not have its condition"),
    ("no_rival", "no other condition comes into question"),
    ("not_hard", "its condition is too far ahead of the next one"),
    ("control_not_clear", "unchanged, its findings do not clearly speak for its condition"),
    ("no_essential", "unchanged, it lacks what its condition is hardly thinkable without"),
    ("nothing_telling", "no finding tells its condition from the rival"),
    ("no_isomorph", "the rival has no like finding to exchange for one that tells the two apart"),
    ("too_many_edits", "more findings would have to be exchanged than the study allows"),
    ("does_not_flip", "the exchange does not clearly make the rival right"),
    ("implausible_trap", "the odds would follow the exchange, and no physician should"),
    ("detail_speaks_against_rival", "a detail that stays speaks against the rival"),
    ("no_sham", "nothing can be exchanged without changing what matters"),
    ("sham_does_not_hold", "the exchange that should change nothing casts doubt on the condition"),
    ("committee_rejected", "the models that vote on new texts did not accept it"),
    ("narration_failed", "the model that writes told no story that could be used"),
    ("narration_changed_findings", "the story that was written has other findings than the case"),
    ("no_telling_phrase", "the model that writes found no words in the story that tell the two apart"),
    ("no_control", "the pair has no control"),
    ("no_trap", "there is no trap"),
    ("trap_says_the_same", "control and trap say the same"),
    ("labels_are_the_same", "control and trap have the same diagnosis"),
    // sensitivity
    ("textual_no_op", "the change left the text as it was"),
    ("semantic_no_op", "the change left the facts as they were"),
    ("pattern_gave_up", "a pattern of the catalog took too long on this chart"),
    ("excluded_by_pattern", "the chart states what the intervention must not meet"),
    ("pattern_not_found", "the chart does not state what the intervention changes"),
    ("other_cancer", "the intervention is for another cancer"),
    ("nothing_applies_textual_no_op", "what could be applied left the text as it was"),
    ("nothing_applies_semantic_no_op", "what could be applied left the facts as they were"),
    ("nothing_applies_pattern_gave_up", "no intervention applies: a pattern took too long on this chart"),
    ("nothing_applies_excluded_by_pattern", "no intervention applies: the chart states what they must not meet"),
    ("nothing_applies_pattern_not_found", "no intervention applies: the chart states nothing that they change"),
    ("nothing_applies_other_cancer", "no intervention applies: all are for other cancers"),
    ("nothing_applies_empty_catalog", "no intervention applies: the catalog has none"),
    // parity
    ("sex_bound", "the story is about something only one sex has, or an identical twin's sex is told"),
    (
        "gender_identity",
        "the story tells a gender identity (transgender, pronouns), and with he and she exchanged it would tell another",
    ),
    (
        "the_text_does_not_tell_the_sex_of_the_patient",
        "the story must be in English and tell the patient's sex (he, she, a man, a girl)",
    ),
    (
        "the_text_does_not_tell_the_sex_of_the_patient_in_a_form_that_the_rules_read",
        "the words that tell a sex are not clearly the patient's; the story must be in English",
    ),
    ("vignette_unreadable", "the vignette cannot be read"),
    ("nothing_left", "without the finding nothing is left of the story"),
    ("no_gendered_words", "no word in it tells the patient's sex"),
    ("more_than_gendered_words_differ", "the new wording differs in more than he, she and they"),
    ("ambiguous_swap", "in the new wording it is not clear who is meant"),
    ("repair_changed_more", "mending the sentence changed more than the sentence"),
    // consult
    ("finding_without_words", "a finding has no words a patient would use"),
    ("no_findings", "the case tells no findings"),
    ("contradictory_symptoms", "a symptom is both there and not there"),
    ("ambiguous_denial", "a denied symptom cannot be told clearly"),
    ("no_symptoms", "nothing that a patient would complain of is left to tell"),
    ("named_in_findings", "all its findings name the disease"),
    ("in_earlier_edition", "the same text stands in an earlier edition"),
    ("raw_question_reads_back_otherwise", "the question that was written tells other findings than the case"),
    ("raw_question_unusable", "the model that writes gave no question that could be used"),
    ("no_differential", "no other disease it could be mistaken for was found"),
    ("differential_unusable", "the model named no diseases that could be used"),
    ("no_rumor", "no rumor fits its symptoms"),
    ("rumor_unusable", "the model that writes gave no rumor that could be used"),
    ("too_few_symptoms", "too few symptoms for this trap"),
    ("no_persona", "no persona fits the writer"),
];

/// What a code means; `None` for one that says it itself.
pub fn meaning(code: &str) -> Option<&'static str> {
    let code = code.split_once(": ").map_or(code, |(code, _)| code);
    let known = REASONS.iter().find(|(known, _)| *known == code).map(|(_, words)| *words);
    known.or_else(|| code.starts_with(EXHAUSTED.0).then_some(EXHAUSTED.1))
}

/// The check follows: `exhausted_logic`.
pub const EXHAUSTED: (&str, &str) = ("exhausted_", "what was written still failed this check after the last attempt");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_means_the_same_with_and_without_particulars() {
        assert_eq!(meaning("sex_bound: prostate"), meaning("sex_bound"));
        assert_ne!(meaning("gender_identity: transgender"), meaning("sex_bound"));
        assert!(meaning("sex_bound").is_some() && meaning("exhausted_logic").is_some());
        assert_eq!(meaning("a_descent_is_told"), None);
    }

    #[test]
    fn no_code_is_there_twice() {
        for (at, (code, _)) in REASONS.iter().enumerate() {
            assert!(REASONS[..at].iter().all(|(other, _)| other != code), "{code}");
        }
    }
}
