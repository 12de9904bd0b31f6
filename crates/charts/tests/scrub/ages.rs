//! Ages above 89 and the births that tell them; temperatures stay.

use super::sample::{check, each, stay};
use waterjar_charts::{Chart, Entry, ScrubOptions, scrub};
use waterjar_core::Seed;

#[test]
fn ages_above_eighty_nine_go_however_written() {
    for (text, expected) in [
        ("92 yr old", "90+ yr old"),
        ("92 yrs old", "90+ yrs old"),
        ("92-yr-old", "90+-yr-old"),
        ("91F with", "90+F with"),
        ("91 M with", "90+ M with"),
        ("101F with", "90+F with"),
        ("92 y/o, 92yo, 92 y.o. man", "90+ y/o, 90+yo, 90+ y.o. man"),
        ("is 93 years", "is 90+ years"),
        ("Age: 94; aged 95; age is 96; at the age of 97", "Age: 90+; aged 90+; age is 90+; at the age of 90+"),
        ("Temp normal, 92-year-old", "Temp normal, 90+-year-old"),
        ("90 year-old, 89-year-old", "90+ year-old, 89-year-old"),
    ] {
        check(&[text], &[expected]);
    }
}

#[test]
fn ages_go_and_temperatures_and_metres_stay() {
    each(&[
        ("F/92 yo", "F/90+ yo"),
        ("M/91 y", "M/90+ y"),
        ("T-cell lymphoma, 92F", "T-cell lymphoma, 90+F"),
        ("Fever, 91F", "Fever, 90+F"),
        ("92/F, 92 / M", "90+/F, 90+ / M"),
        ("Age/Sex: 92/F", "Age/Sex: 90+/F"),
        ("T 92 Female", "T 90+ Female"),
    ]);
    stay(&["spiked to 102F", "Tm 101F, Tc 99 F", "temp up to 101F", "T 98.6, 99F", "ambulated 100 M", "BP 118/92 y"]);
}

#[test]
fn births_that_tell_an_age_of_ninety_go() {
    let note = |text: &str| {
        let mut chart = Chart::new("p1");
        chart.entries = vec![Entry::new("2024-06-01".parse().ok(), "Note", text)];
        scrub(&chart, &ScrubOptions::new(Seed(7))).chart.entries[0].text.clone()
    };
    assert_eq!(note("DOB 3/1/1934"), "DOB [DATE]");
    assert_ne!(note("DOB 9/1/1934"), "DOB [DATE]");
}

#[test]
fn a_fever_behind_a_comma_is_no_age_and_an_age_behind_a_fever_is() {
    stay(&[
        "Fever, 101 F",
        "Fever, 101F, chills",
        "fevers, chills, 102 F at home",
        "Fever, up to 103 F with rigors",
        "febrile, 102 F; Tmax, 103 F",
        "Fever (oral), 101 F",
        "Fever – 101 F, temperature, 99 F",
        "Fever 101 F, T 101 F, temp of 99 F, afebrile 98 F",
        "Afebrile, 98 F",
        "38.3 C (101 F)",
    ]);
    each(&[
        ("Smith, 101 F", "Smith, 90+ F"),
        ("93 F", "90+ F"),
        ("101 F with cough", "90+ F with cough"),
        ("Fever, 93 F", "Fever, 90+ F"),
        ("Afebrile, 101 F", "Afebrile, 90+ F"),
        ("Denies fever, 101 F", "Denies fever, 90+ F"),
        ("no nausea, vomiting, chest pain or fever, 99 F", "no nausea, vomiting, chest pain or fever, 90+ F"),
        ("Fever, 101 F who lives alone", "Fever, 90+ F who lives alone"),
        ("Fever, 101 F with a history of CHF", "Fever, 90+ F with a history of CHF"),
        ("Smith, T, 92 F", "Smith, T, 90+ F"),
        ("Fever. Smith, 101 F", "Fever. Smith, 90+ F"),
        ("Fever in Mrs. Smith, 101 F", "Fever in Mrs. [NAME], 90+ F"),
        ("Fever\n101-year-old", "Fever\n90+-year-old"),
        ("Stage 3C (92 F)", "Stage 3C (90+ F)"),
    ]);
}

#[test]
fn ages_above_eighty_nine_go_in_words_too() {
    each(&[
        ("ninety-three-year-old woman", "90+-year-old woman"),
        ("Ninety four years old; aged ninety-two", "90+ years old; aged 90+"),
        ("one hundred and two year old", "90+ year old"),
    ]);
    stay(&[
        "ninety-day course, ninety percent",
        "aged ninety minutes",
        "one hundred mg",
        "eighty-nine-year-old",
        "ninety year history",
    ]);
}
