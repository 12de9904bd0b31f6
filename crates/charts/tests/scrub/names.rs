//! Whose name goes, in which spelling, and what is no name.

use super::sample::{check, scrubbed};

#[test]
fn twenty_thousand_names_and_numbers_are_as_good_as_two() {
    let name = |number: usize| {
        let letters: String = (0..4).map(|place| char::from(b'a' + (number / 26usize.pow(place) % 26) as u8)).collect();
        format!("Q{letters}x V{letters}y")
    };
    let lines: Vec<String> = (0..20_000).map(|number| format!("Dr. {} saw MRN 70{number:06}.", name(number))).collect();
    let again: Vec<String> = (0..20_000).map(|number| format!("{} agrees, 70{number:06}.", name(number))).collect();
    let after = scrubbed("", &[&lines.join("\n"), &again.join("\n")]);
    assert!(after[0].lines().all(|line| line == "Dr. [NAME] saw MRN [NUMBER]."));
    assert!(after[1].lines().all(|line| line == "[NAME] agrees, [NUMBER]."));
}

#[test]
fn a_name_that_is_an_everyday_word_stays_in_small_letters() {
    check(
        &[
            "Patient: Walker, Rose",
            "She walks with a walker and rose early. Seen with Walker; ROSE agrees. rose walker is well.",
        ],
        &[
            "Patient: [NAME]",
            "She walks with a walker and rose early. Seen with [NAME]; [NAME] agrees. [NAME] is well.",
        ],
    );
    check(
        &["Patient: Her, Mai", "Her pain is worse and her mother knows. Mrs Her was seen with Mai."],
        &["Patient: [NAME]", "Her pain is worse and her mother knows. Mrs [NAME] was seen with [NAME]."],
    );
    check(
        &["Patient: Post, Anna", "Post surgery and post-op well. POST OP. Post was seen; told Post so. Anna Post."],
        &["Patient: [NAME]", "Post surgery and post-op well. POST OP. [NAME] was seen; told [NAME] so. [NAME]."],
    );
    check(
        &["Patient: Long, May", "Long history; may return. May return. May is comfortable. Long has no pain."],
        &["Patient: [NAME]", "Long history; may return. May return. [NAME] is comfortable. [NAME] has no pain."],
    );
    check(
        &["Patient: Sun, Li", "Sun exposure, avoid sun. Discussed with Sun."],
        &["Patient: [NAME]", "Sun exposure, avoid sun. Discussed with [NAME]."],
    );
}

#[test]
fn a_surname_stays_in_terms_and_goes_elsewhere() {
    check(
        &[
            "Patient: Gross, Peter",
            "Gross hematuria. GROSS DESCRIPTION: tan. No gross blood. Mr. Gross, and Peter Gross.",
        ],
        &["Patient: [NAME]", "Gross hematuria. GROSS DESCRIPTION: tan. No gross blood. Mr. [NAME], and [NAME]."],
    );
    check(
        &["Patient: Wilson, Carla", "Wilson disease, Wilson's disease. Wilson agrees; wilson is well."],
        &["Patient: [NAME]", "Wilson disease, Wilson's disease. [NAME] agrees; [NAME] is well."],
    );
    check(&["Dr. Wilson", "Wilson disease. Wilson agrees."], &["Dr. [NAME]", "Wilson disease. [NAME] agrees."]);
}

#[test]
fn what_a_chart_uses_as_a_word_is_one() {
    check(
        &["Patient: Zugzwang, Eva", "In a zugzwang now, a zugzwang again. Zugzwang agrees."],
        &["Patient: [NAME]", "In a zugzwang now, a zugzwang again. [NAME] agrees."],
    );
}

#[test]
fn initials_and_ages_behind_a_name_make_no_term_of_it() {
    check(&["Patient: Smith, Carol", "Carol A. Smith; Carol B"], &["Patient: [NAME]", "[NAME] A. [NAME]; [NAME] B"]);
    check(&["Patient: Young, Mary", "Young 65M, Young 65 yo"], &["Patient: [NAME]", "[NAME] 65M, [NAME] 65 yo"]);
    check(
        &["Patient: Clark, May", "Clark IV, May 12, Child B. Clark 65M"],
        &["Patient: [NAME]", "Clark IV, May 12, Child B. [NAME] 65M"],
    );
}

#[test]
fn a_surname_is_one_beside_what_makes_no_term_of_it() {
    for (patient, text, expected) in [
        ("Wilson, Carla", "Wilson's pain is better", "[NAME]'s pain is better"),
        ("Wilson, Carla", "Wilson's disease, Wilson disease", "Wilson's disease, Wilson disease"),
        ("Johnson, Carla", "Johnson lung nodule", "[NAME] lung nodule"),
        ("Nelson, Carla", "Nelson's cancer, Nelson's syndrome", "[NAME]'s cancer, Nelson's syndrome"),
        ("Smith, Rose", "Rose's pain, Rose's disease", "[NAME]'s pain, [NAME]'s disease"),
        ("Wilms, Carla", "Wilms' tumor, Wilms's pain", "Wilms' tumor, [NAME]'s pain"),
    ] {
        assert_eq!(scrubbed("", &[&format!("Patient: {patient}"), text])[1], expected);
    }
}

#[test]
fn a_known_name_goes_in_every_spelling() {
    for (patient, text, expected) in [
        ("Hargrove, Eva", "called the hargrove family; hargrove", "called the [NAME] family; [NAME]"),
        ("Jones, April", "April D. Jones, not April 12", "[NAME] D. [NAME], not April 12"),
        ("O'Brien, Eva", "O’Brien, O'BRIEN, o’brien", "[NAME], [NAME], [NAME]"),
    ] {
        assert_eq!(scrubbed("", &[&format!("Patient: {patient}"), text])[1], expected);
    }
}

#[test]
fn the_patients_name_goes_with_and_without_its_accents() {
    for (patient, text, expected) in [
        ("José García", "Jose; GARCIA; garcía agree; Jose Garcia", "[NAME]; [NAME]; [NAME] agree; [NAME]"),
        ("Jose Garcia", "José García was seen; JOSÉ", "[NAME] was seen; [NAME]"),
        ("José García", "Jose\u{301} agrees", "[NAME] agrees"),
        ("Müller, Jürgen", "Mueller; MULLER; Juergen; muller", "[NAME]; [NAME]; [NAME]; [NAME]"),
        ("Mueller, Juergen", "Müller; JÜRGEN", "[NAME]; [NAME]"),
        ("Strauß, Eva", "STRAUSS; Strauss", "[NAME]; [NAME]"),
        ("Strauss, Eva", "Strauß agrees", "[NAME] agrees"),
        ("Łukasz Sørensen", "Lukasz; Sorensen; Soerensen", "[NAME]; [NAME]; [NAME]"),
        ("O'Brien, Eva", "OBrien; O Brien; OBRIEN; o’brien", "[NAME]; [NAME]; [NAME]; [NAME]"),
        ("OBrien, Eva", "O'Brien; O’BRIEN", "[NAME]; [NAME]"),
        ("O Brien, Eva", "OBrien agrees", "[NAME] agrees"),
        // What is a word without its accent goes as such a name does.
        (
            "Bäck, Rosé",
            "back pain, rose early. Back pain. BACK PAIN; told Back",
            "back pain, rose early. Back pain. BACK PAIN; told [NAME]",
        ),
        ("Groß, Eva", "gross hematuria. GROSS DESCRIPTION", "gross hematuria. GROSS DESCRIPTION"),
        ("Größ, Eva", "gross hematuria. Gross description", "gross hematuria. Gross description"),
        ("Thé, Eva", "the lung. The lung", "the lung. The lung"),
        ("O'Day, Eva", "type O day 3; ODay", "type O day 3; [NAME]"),
        ("D'Angelo, Eva", "vitamin D, angelo", "vitamin D, angelo"),
        ("Suen, Coen", "Sun exposure, con", "Sun exposure, con"),
        (
            "Sjögren, Eva",
            "Sjögren syndrome, Sjogren's syndrome. Sjogren agrees",
            "Sjögren syndrome, Sjogren's syndrome. [NAME] agrees",
        ),
        ("Barre, Eva", "Guillain-Barré syndrome", "Guillain-Barré syndrome"),
    ] {
        assert_eq!(scrubbed("", &[&format!("Patient name: {patient}"), text])[1], expected);
    }
}
