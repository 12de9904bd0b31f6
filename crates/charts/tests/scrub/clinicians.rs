//! Who treats, signs and is asked; services, views and orders are nobody.

use super::sample::{check, each, stay};

#[test]
fn views_and_orders_are_no_clinicians() {
    for text in [
        "XR CHEST PA AND LATERAL. The chest is clear, CHEST.",
        "XR CHEST, PA AND LATERAL. CHEST.",
        "Left Wrist PA and lateral. Left Wrist.",
        "Code Status DO NOT RESUSCITATE. Code Status.",
        "Test Name Result. Result: x",
        "Radiologist Impression: clear. Impression",
    ] {
        stay(&[text]);
    }
    check(
        &["Olivia Davis, PA; Mark Ruiz PA-C; Jane Osler, DO; Ann Ruiz PA", "Davis, Ruiz"],
        &["[NAME], PA; [NAME] PA-C; [NAME], DO; [NAME] PA", "[NAME], [NAME]"],
    );
    check(
        &["Attending physician: Ada Quist, Dr. Jane Ward. Dr. Miller Reviewed", "Quist, Ward. Reviewed"],
        &["Attending physician: [NAME], Dr. [NAME]. Dr. [NAME] Reviewed", "[NAME], [NAME]. Reviewed"],
    );
}

#[test]
fn services_are_no_clinicians_and_people_are() {
    stay(&[
        "Case reviewed by Tumor Board. Tumor, Board",
        "Palliative Care NP consulted. Palliative, Care",
        "Wound Care RN. Wound, Care",
        "Infusion Center RN. Infusion, Center",
        "Night Shift RN. Night, Shift",
        "Attending Addendum. Addendum",
        "Reviewed by Multidisciplinary Team. Team",
        "Surgeon Case Review. Case Review",
        "Follow up on MR. BRAIN is clear",
    ]);
    each(&[
        ("Dr. Miller\nA. Breast, left", "Dr. [NAME]\nA. Breast, left"),
        ("Jane Baker RN, Jane Osler NP", "[NAME] RN, [NAME] NP"),
        ("Nurse Jane Baker RN, Reviewed Jane Baker Oncology NP", "Nurse [NAME] RN, Reviewed [NAME] Oncology NP"),
        ("Attending Jane Ward. Signed by Mark Ward", "Attending [NAME]. Signed by [NAME]"),
        ("Surgeon Mark Ruiz agrees", "Surgeon [NAME] agrees"),
        ("Dr. van den Berg. Berg agrees", "Dr. [NAME]. [NAME] agrees"),
        ("Dr. de la Cruz, Dr. Šimić", "Dr. [NAME], Dr. [NAME]"),
        ("Dr. J.R. Tolkin, Dr. J. Quist", "Dr. J.R. [NAME], Dr. J. [NAME]"),
        ("Drs. Smith and Jones. Jones agrees", "Drs. [NAME] and [NAME]. [NAME] agrees"),
        ("MR. SMITH is well, MRS. WALKER", "MR. [NAME] is well, MRS. [NAME]"),
    ]);
}

#[test]
fn temperatures_and_terms_stay_and_clinicians_of_everyday_words_go() {
    stay(&["Return for fever >101 F", "fever over 101 F", "Fever (101 F), Temp (oral) 98 F, Tmax overnight 101 F"]);
    each(&[
        ("Seen by Mark Brown MD", "Seen by [NAME] MD"),
        ("Jack White RN called", "[NAME] RN called"),
        ("Patient: Bell, Ann\nBell's palsy. Bell agrees", "Patient: [NAME]\nBell's palsy. [NAME] agrees"),
        ("at 1200 Martin Luther King Jr. Drive", "at [ADDRESS]"),
        ("at 450 S.E. Oak Street", "at [ADDRESS]"),
        ("Phone: (617) 555-0199/0200", "Phone: [PHONE]/0200"),
    ]);
}

#[test]
fn clinicians_without_a_colon_go_and_what_else_stands_behind_their_rank_stays() {
    each(&[
        ("Attending Grace Young", "Attending [NAME]"),
        ("Attending Mark Ward", "Attending [NAME]"),
        ("Provider Rose Baker", "Provider [NAME]"),
        ("Attending Jane Stage agrees", "Attending [NAME] Stage agrees"),
        ("Resident Tom Quist. Quist agrees", "Resident [NAME]. [NAME] agrees"),
        ("Fellow Tom Quist", "Fellow [NAME]"),
        ("Consultant: Tom Quist", "Consultant: [NAME]"),
        ("CONSULTANT TOM QUIST", "CONSULTANT [NAME]"),
        ("Attending MD: Grace Young", "Attending MD: [NAME]"),
        ("Consultant Oncologist Jane Doe", "Consultant Oncologist [NAME]"),
        ("Signed by Attending Grace Young", "Signed by Attending [NAME]"),
        ("Signed by Resident Tom Quist", "Signed by Resident [NAME]"),
        ("Resident Kwame Mensah agrees", "Resident [NAME] agrees"),
        ("Seen with Fellow Kwame Mensah", "Seen with Fellow [NAME]"),
    ]);
    stay(&[
        "Attending Physician",
        "Attending Service",
        "Attending Cardiology. Cardiology",
        "Attending: Cardiology. Cardiology",
        "Attending Pulmonary Critical Care. Pulmonary, Critical",
        "Attending Hospitalist Service. Hospitalist",
        "ATTENDING ATTESTATION: seen. Attestation",
        "Attending Grace Hospital",
        "Surgeon Mark Left Breast",
        "Resident Team",
        "Resident Progress Note",
        "Resident Interval History. Interval",
        "RESIDENT DISCHARGE COURSE",
        "Resident Influenza Vaccine. Influenza",
        "Resident Hoyer Lift: yes. Hoyer",
        "Resident Uses Walker",
        "Resident Bill Of Rights",
        "Fellow Note",
        "Fellow American College of Surgeons",
        "Fellow Critical Care",
        "Consultant Oncology",
        "Consultant Interventional Cardiologist. Interventional",
        "Consultant Ward Round",
        "our resident Denies Pain",
    ]);
}

#[test]
fn whoever_signs_goes_unless_it_is_a_service_or_a_relative() {
    stay(&[
        "Signed by Quality Assurance",
        "Signed by Medical Records",
        "Reviewed by Tumor Board",
        "Reviewed by Molecular Tumor Board. Molecular",
        "Signed by Attending Physician",
        "Dictated by Pathology Department",
        "Dictated by Voice Recognition. Voice",
        "Reviewed by Infection Control. Infection",
        "Reviewed by Ethics Committee. Ethics",
        "Reviewed by Blood Bank. Blood",
        "Reviewed by Bone Marrow Service. Marrow",
        "Signed by Surgical Pathology. Surgical",
        "Provider: Home Health. Home",
        "Reviewed by Breast Cancer Conference. Breast",
        "Reviewed by Social Work",
        "Reviewed by Neuroradiology",
        "Authored by Physical Therapy. Physical",
        "Surgeon: Vascular Surgery. Vascular",
        "Signed by Daughter. Daughter",
    ]);
    each(&[
        ("Signed by Daughter Mary Jones", "Signed by Daughter [NAME]"),
        ("Signed by Jane Staff, Mark Ward", "Signed by [NAME], Mark Ward"),
        ("Signed by Oncology Nurse Jane Baker", "Signed by Oncology Nurse [NAME]"),
        ("Reviewed by Radiology Resident Tom Quist", "Reviewed by Radiology Resident [NAME]"),
        ("Signed by Olu Quist Work phone", "Signed by [NAME] Work phone"),
        ("Signed by Oyelaran Bank", "Signed by [NAME]"),
        ("Signed by Jane Station, reviewed by Anna Nation", "Signed by [NAME], reviewed by [NAME]"),
        ("Signed by Brown Oncology", "Signed by [NAME] Oncology"),
        ("Signed by Doctor Young", "Signed by Doctor [NAME]"),
        ("Surgeon Fleming agrees", "Surgeon [NAME] agrees"),
    ]);
}

#[test]
fn names_of_one_letter_and_a_word_go_whole() {
    each(&[
        ("Dr. Ó Súilleabháin. Súilleabháin agrees", "Dr. [NAME]. [NAME] agrees"),
        ("Dr. O Sullivan, Dr Ní Bhriain", "Dr. [NAME], Dr [NAME]"),
        ("Dr. Seán Ó Briain, Dr. Máire Ní Bhriain", "Dr. [NAME], Dr. [NAME]"),
        ("Dr. Ana van den Berg, Dr. Ana De La Cruz", "Dr. [NAME], Dr. [NAME]"),
        ("Seán Ó Súilleabháin, MD", "[NAME], MD"),
        ("Dr J Smith, Dr. Ö. Yılmaz", "Dr J [NAME], Dr. Ö. [NAME]"),
        ("Dr. Miller O Positive", "Dr. [NAME] O Positive"),
        ("Dr. Miller T cell", "Dr. [NAME] T cell"),
    ]);
    stay(&["Dr. O Positive", "Dr. A Clinic", "HLA-DR B lymphocytes", "É́ dr. é́ ó"]);
}

#[test]
fn whom_a_note_was_discussed_with_goes_behind_every_rank() {
    for rank in [
        "Resident",
        "Fellow",
        "Intern",
        "Registrar",
        "Consultant",
        "Hospitalist",
        "Nurse",
        "RN",
        "PA",
        "NP",
        "Pharmacist",
    ] {
        each(&[
            (&format!("Discussed with {rank} Kwame Mensah"), &format!("Discussed with {rank} [NAME]")),
            (&format!("Seen by {rank} Olu Baker."), &format!("Seen by {rank} [NAME].")),
            (&format!("{rank} Mark Ruiz agrees"), &format!("{rank} [NAME] agrees")),
        ]);
    }
    each(&[
        ("discussed with resident Kwame Mensah", "discussed with resident [NAME]"),
        ("Nurse Practitioner Olivia Davis", "Nurse Practitioner [NAME]"),
        ("Nurse: Kwame Mensah", "Nurse: [NAME]"),
        ("Signed by RN Jane Baker", "Signed by RN [NAME]"),
    ]);
    stay(&[
        "RN Case Manager",
        "PA And Lateral",
        "PA Chest Film",
        "per NP Swab Negative",
        "Intern Progress Note",
        "Discussed with Hospitalist On Call",
        "Nurse: Call Light in reach. the nurse Called Family",
        "Discussed with Pharmacist Vancomycin Trough",
        "Discussed with Fellow American College",
        "with Nurse Home Visit",
    ]);
}
