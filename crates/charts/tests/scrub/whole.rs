//! A whole chart: what goes with its demographics, how much its dates move, and what is told of it.

use waterjar_charts::scrub::Identifier;
use waterjar_charts::{Chart, Entry, ScrubOptions, Scrubbed, Section, render, scrub};
use waterjar_core::Seed;

fn chart(texts: &[&str]) -> Chart {
    let mut chart = Chart::new("MRN-778812");
    let who = "Name: Mrs. Jane Q. Fairweather\nFormer name: Jane Oldham\nSex: female\nBorn: 1961-04-02\nAddress: 12 Elm Row, Springfield, MA 01101\nPhone: 555-201-7788\nE-mail: jane@example.org\nRecord number: 778812\nSocial Security Number: 999-83-4316\nRace: White";
    chart.blocks.insert(Section::Demographics, who.to_owned());
    for (number, text) in texts.iter().enumerate() {
        let date = format!("2024-0{}-10", number % 9 + 1).parse().ok();
        chart.entries.push(Entry::new(date, "Note", *text));
    }
    chart
}

fn scrubbed(texts: &[&str]) -> Scrubbed {
    scrub(&chart(texts), &ScrubOptions::new(Seed(7)))
}

fn check(text: &str, expected: &str) {
    assert_eq!(scrubbed(&[text]).chart.entries[0].text, expected, "{text}");
}

#[test]
fn the_demographics_keep_what_is_clinical() {
    let scrubbed = scrubbed(&[]);
    let block = &scrubbed.chart.blocks[&Section::Demographics];
    let lines: Vec<_> = block.lines().filter(|line| !line.starts_with("Born")).collect();
    assert_eq!(
        lines,
        [
            "Name: [NAME]",
            "Former name: [NAME]",
            "Sex: female",
            "Address: [ADDRESS]",
            "Phone: [PHONE]",
            "E-mail: [EMAIL]",
            "Record number: [NUMBER]",
            "Social Security Number: [NUMBER]",
            "Race: White",
        ]
    );
    assert!(scrubbed.chart.id.as_str().starts_with("patient-"));
}

#[test]
fn the_patients_name_goes_wherever_it_stands() {
    check(
        "Jane Fairweather was seen. FAIRWEATHER, JANE. Jane's pain is better.",
        "[NAME] was seen. [NAME]. [NAME]'s pain is better.",
    );
    check("fairweather, jane q fairweather, will return", "[NAME], [NAME], will return");
    check("née Oldham", "née [NAME]");
}

#[test]
fn titled_signed_and_credentialed_people_go_too_and_are_known_elsewhere() {
    check("Discussed with Dr. Miller. Miller agrees.", "Discussed with Dr. [NAME]. [NAME] agrees.");
    check("dr. Miller would like labs.", "dr. [NAME] would like labs.");
    check("Seen by Olivia Davis, PA today.", "Seen by [NAME], PA today.");
    check("Electronically signed by: Anna M. Lee", "Electronically signed by: [NAME]");
    check("Patient name: John Smith\nAge: 59", "Patient name: [NAME]\nAge: 59");
}

#[test]
fn scans_diseases_eponyms_and_verbs_are_no_people() {
    for text in [
        "MR Brain without contrast. MS Contin 15 mg.",
        "Gleason 4+3, Dr. and patient met.",
        "Referred to Oncology Clinic, Stage IIIA.",
        "ECOG 1, HER2 3+, PD-L1 TPS 80 %, creatinine 0.9 mg/dL, BP 120/80.",
        "Carboplatin AUC 5 on day 1, q21 days x 6.",
        "T4N3M1a (IVA); 2.7 x 2.4 cm.",
    ] {
        check(text, text);
    }
    let text = "Dr. Hodgkin saw a Hodgkin lymphoma.";
    check(text, "Dr. [NAME] saw a Hodgkin lymphoma.");
}

/// Of a patient of whom nothing is known but the notes.
fn check_notes(notes: &[&str], expected: &[&str]) {
    let mut chart = Chart::new("p1");
    chart.entries = notes.iter().map(|text| Entry::new(None, "Note", *text)).collect();
    let after = scrub(&chart, &ScrubOptions::new(Seed(7))).chart;
    let texts: Vec<&str> = after.entries.iter().map(|entry| entry.text.as_str()).collect();
    assert_eq!(texts, expected);
}

#[test]
fn a_labelled_patient_is_known_by_every_part_of_the_name_in_all_notes() {
    for label in [
        "Patient name: Hargrove, Eleanor M.",
        "Patient: Eleanor Hargrove",
        "PATIENT: HARGROVE,ELEANOR M",
        "Pt: Eleanor Hargrove",
        "Name: Mrs. Eleanor Hargrove",
        "Patient Name: HARGROVE, ELEANOR",
    ] {
        let (kept, _) = label.split_once(": ").unwrap();
        let title = if label.contains("Mrs.") { "Mrs. " } else { "" };
        check_notes(
            &[label, "Eleanor is well. eleanor is here; HARGROVE, Hargrove's son."],
            &[&format!("{kept}: {title}[NAME]"), "[NAME] is well. [NAME] is here; [NAME], [NAME]'s son."],
        );
    }
    check_notes(
        &["PATIENT: HARGROVE,ELEANOR M (MRN 4471902)", "Pt: Eleanor Hargrove, 70 y.o., Lung Cancer"],
        &["PATIENT: [NAME] (MRN [NUMBER])", "Pt: [NAME], 70 y.o., Lung Cancer"],
    );
}

#[test]
fn a_name_that_is_a_word_goes_with_a_capital_and_where_it_is_no_term() {
    check_notes(
        &["Patient: Eleanor Graves", "Graves disease. Mrs Graves, and GRAVES. Seen with graves."],
        &["Patient: [NAME]", "Graves disease. Mrs [NAME], and [NAME]. Seen with graves."],
    );
    check_notes(
        &["Patient: White, Mark", "Race: White. White blood cells 4.1. White agrees. A white spot, a mark."],
        &["Patient: [NAME]", "Race: White. White blood cells 4.1. [NAME] agrees. A white spot, a mark."],
    );
    check_notes(
        &["Patient name: Young, Mary", "A young woman. Young adult. Young is here, Mary too."],
        &["Patient name: [NAME]", "A young woman. Young adult. [NAME] is here, [NAME] too."],
    );
}

#[test]
fn a_name_is_no_answer_to_the_end_of_another_name() {
    check_notes(
        &["Patient: White, Grace", "Grace White agrees. Race: White. Ethnicity White"],
        &["Patient: [NAME]", "[NAME] agrees. Race: White. Ethnicity White"],
    );
    check_notes(
        &["Patient: White, Grace", "Grace M. White agrees, as Horace White does. RACE: WHITE"],
        &["Patient: [NAME]", "[NAME] M. [NAME] agrees, as Horace [NAME] does. RACE: WHITE"],
    );
}

#[test]
fn a_date_behind_a_name_makes_no_term_of_it() {
    let mut chart = Chart::new("p1");
    chart.entries = vec![Entry::new(None, "Note", "Patient: White, Mark\nGiven to White 03/09/2024")];
    let after = scrub(&chart, &ScrubOptions::new(Seed(7))).chart.entries[0].text.clone();
    assert!(after.starts_with("Patient: [NAME]\nGiven to [NAME] "), "{after}");
}

#[test]
fn short_names_and_letters_of_other_languages_go_as_well() {
    check_notes(&["Patient: Ng, Li", "Li Ng is well."], &["Patient: [NAME]", "[NAME] is well."]);
    check_notes(
        &["Patient: İbrahim Yılmaz", "İbrahim is well. YILMAZ, ibrahim and yılmaz too."],
        &["Patient: [NAME]", "[NAME] is well. [NAME] and [NAME] too."],
    );
}

#[test]
fn a_diagnosis_behind_the_label_is_no_name() {
    let notes = ["Patient: Metastatic Melanoma", "The melanoma is metastatic."];
    check_notes(&notes, &notes);
}

#[test]
fn what_else_stands_behind_the_label_is_no_name() {
    for text in [
        "Patient: Reports Back pain.",
        "Patient: Stable.",
        "PT: Gait Training",
        "Pt: denies pain",
        "Test Name Result",
        "Patient: No Known Drug Allergies",
    ] {
        // Every word again, as it would go if it had been learnt.
        let again = format!("{text} {} {}", text.to_lowercase(), text.to_uppercase());
        check_notes(&[text, &again], &[text, &again]);
    }
}

#[test]
fn every_labelled_number_goes_whole() {
    for (label, value) in [
        ("NHS No", "943 476 5919"),
        ("NHS number:", "943 476 5919"),
        ("Hospital No:", "H1234567"),
        ("Hosp. no.", "H1234567"),
        ("MRN", "4471902"),
        ("MRN #", "4471902"),
        ("CSN:", "20014422"),
        ("Account number", "4471902"),
        ("Acct #:", "4471902"),
        ("Account:", "4471902"),
        ("Chart no.", "55-1234"),
        ("Case no:", "C-20331"),
        ("Accession", "S24-10233"),
        ("SSN", "999 83 4316"),
        ("SSN:", "999-83-4316"),
        ("Policy number:", "XZ9912345"),
        ("Insurance ID:", "ABCD123456"),
        ("Member ID", "88123400"),
        ("Medicare number", "1EG4-TE5-MK73"),
        ("National insurance number:", "QQ 12 34 56 C"),
    ] {
        check(&format!("{label} {value}, stable."), &format!("{label} [NUMBER], stable."));
    }
    for text in ["Hospital note 2024 was read.", "Unit dose 500 mg", "Case 12 of 40", "Chart reviewed"] {
        check(text, text);
    }
}

#[test]
fn phones_mail_links_and_addresses_of_other_countries_go() {
    check("Tel: 020 7946 0958, mobile 07700 900123", "Tel: [PHONE], mobile [PHONE]");
    check("Fax no. 0113 243 2799", "Fax no. [PHONE]");
    check("E-mail: J.DOE@EXAMPLE.ORG, WWW.EXAMPLE.ORG/x", "E-mail: [EMAIL], [LINK]");
    check("Postcode: LS1 4AB", "Postcode: [ADDRESS]");
    check("from LS1 4AB today", "from [ADDRESS] today");
    check("Home address: Flat 2, 14 High Street, Leeds", "Home address: [ADDRESS]");
    check("Lives at 740 NORTH OAK STREET today", "Lives at [ADDRESS] today");
    check("Address pain and sleep. Address: smoking.", "Address pain and sleep. Address: smoking.");
}

#[test]
fn numbers_links_and_places_go() {
    check("MRN: 0001024407, medical record number 55-1234", "MRN: [NUMBER], medical record number [NUMBER]");
    check("Call (555) 201-7788 or +44 20 7946 0958; fax: 555 8821 902", "Call [PHONE] or [PHONE]; fax: [PHONE]");
    assert!(
        scrubbed(&["Unable to get: Phone (2022-05-31)"])
            .replaced
            .iter()
            .all(|it| it.kind != Identifier::Phone || it.section == Section::Demographics)
    );
    check("Lives at 740 North Oak Street, Apt 4, Boston, MA 02118.", "Lives at [ADDRESS].");
    check("See https://portal.example.org/x?id=3 or jane.doe@mail.example.org.", "See [LINK] or [EMAIL].");
    check("Accession: S24-10233. Copy to S24-10233.", "Accession: [NUMBER]. Copy to [NUMBER].");
}

#[test]
fn marks_of_a_former_deidentification_survive() {
    let text = "Mr. ___ seen at [**Hospital1 18**] on [**2151-7-16**] by Dr. [**Last Name 4**], MRN ___.";
    check(text, text);
}

#[test]
fn dates_move_together_and_intervals_stay() {
    let before = chart(&["Biopsy 2024-01-03, surgery March 1, 2024, review 4/2/2024.", "x"]);
    let options = ScrubOptions { keep_weekday: true, ..ScrubOptions::new(Seed(7)) };
    let after = scrub(&before, &options).chart;
    let days = after.entries[0].date.unwrap().number() - before.entries[0].date.unwrap().number();
    assert!(days != 0 && days % 7 == 0 && days.abs() < 366, "{days}");
    assert_eq!(after.entries[1].date.unwrap().number() - before.entries[1].date.unwrap().number(), days);
    let moved = |text: &str| text.parse::<waterjar_charts::Date>().unwrap().plus_days(days).unwrap();
    assert!(after.entries[0].text.contains(&format!("Biopsy {}", moved("2024-01-03"))), "{}", after.entries[0].text);
    assert!(after.blocks[&Section::Demographics].contains(&format!("Born: {}", moved("1961-04-02"))));
    assert!(!after.entries[0].text.contains("March 1, 2024") || days == 0);
}

#[test]
fn each_patient_moves_by_days_of_their_own_and_the_same_each_time() {
    let options = ScrubOptions::new(Seed(7));
    let offset = |id: &str, options: &ScrubOptions| {
        let mut one = chart(&["x"]);
        one.id = id.into();
        let after = scrub(&one, options);
        (after.chart.entries[0].date.unwrap().number() - one.entries[0].date.unwrap().number(), after.chart.id)
    };
    assert_eq!(offset("a", &options), offset("a", &options));
    let different: std::collections::BTreeSet<_> = (0..20).map(|n| offset(&format!("p{n}"), &options).0).collect();
    assert!(different.len() > 15);
    assert_ne!(offset("a", &options), offset("a", &ScrubOptions::new(Seed(8))));
}

#[test]
fn ages_above_eighty_nine_are_capped_and_the_birth_is_not_told() {
    let mut old = chart(&["94-year-old woman, age 94; her 62-year-old son. DOB 2/3/1930."]);
    old.blocks.insert(Section::Demographics, "Born: 1930-02-03".to_owned());
    let after = scrub(&old, &ScrubOptions::new(Seed(7)));
    assert_eq!(after.chart.entries[0].text, "90+-year-old woman, age 90+; her 62-year-old son. DOB [DATE].");
    assert_eq!(after.chart.blocks[&Section::Demographics], "Born: more than 89 years before the last entry");
}

#[test]
fn what_was_replaced_is_told_by_kind_and_place_and_never_by_its_text() {
    let after = scrubbed(&["Dr. Miller, call 555-201-7788."]);
    let told = serde_json::to_string(&after.replaced).unwrap() + &format!("{:?}", after.replaced);
    for secret in ["Miller", "555", "Fairweather", "778812", "Elm"] {
        assert!(!told.contains(secret), "{secret}");
        assert!(!render(&after.chart).text.contains(secret), "{secret}");
    }
    for replacement in &after.replaced {
        if let (waterjar_charts::Part::Entry(entry), Some(at)) = (replacement.part, replacement.at) {
            let token = if replacement.kind == Identifier::Name { "[NAME]" } else { "[PHONE]" };
            assert!(after.chart.entries[entry].text[at..].starts_with(token), "{replacement:?}");
        }
    }
}
