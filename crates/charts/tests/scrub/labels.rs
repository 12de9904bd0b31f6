//! Names behind their label, and what else stands behind one.

use super::sample::{check, each, scrubbed, stay};

#[test]
fn the_next_heading_is_no_name() {
    for heading in ["Specimen", "Specimen Type", "Unheardof", "Quite Unheardof"] {
        let form = format!("Patient: SMITH, JOHN   {heading}: blood");
        let after = format!("Patient: [NAME]   {heading}: blood");
        let words = format!("{heading} {} taken.", heading.to_lowercase());
        check(&[&form, &words], &[&after, &words]);
    }
    // A third word that may be a name is one; behind three it is a heading.
    check(&["Patient: John Smith Specimen: x", "specimen"], &["Patient: [NAME] Specimen: x", "specimen"]);
    check(&["Patient: Mary Ann Smith Unheardof: x", "unheardof"], &["Patient: [NAME] Unheardof: x", "unheardof"]);
    check(&["PATIENT: SMITH,  JOHN   MRN: 4471902"], &["PATIENT: [NAME]   MRN: [NUMBER]"]);
}

#[test]
fn a_drug_and_a_relative_are_no_names_and_the_name_in_brackets_is() {
    check(&["Name: Metformin", "Metformin 500 mg"], &["Name: Metformin", "Metformin 500 mg"]);
    check(&["Name: Keytruda", "Keytruda, keytruda"], &["Name: Keytruda", "Keytruda, keytruda"]);
    for kin in ["Daughter (Mary Jones)", "daughter (Mary Jones)", "Daughter, Mary Jones", "Daughter: Mary Jones"] {
        let line = format!("Next of kin: {kin}");
        check(
            &[&line, "Her daughter came. Daughter informed. Mary and mary jones agree."],
            &[&line.replace("Mary Jones", "[NAME]"), "Her daughter came. Daughter informed. [NAME] and [NAME] agree."],
        );
    }
    let after = scrubbed("Next of kin: Daughter (Mary Jones)", &["Daughter here, her daughter Mary; mary jones."]);
    assert_eq!(after, ["Daughter here, her daughter [NAME]; [NAME]."]);
}

#[test]
fn names_go_behind_every_label() {
    each(&[
        ("Pt Name: John Smith", "Pt Name: [NAME]"),
        ("Client name: John Smith; he, john, is well", "Client name: [NAME]; he, [NAME], is well"),
        ("Resident Name: Smith, John", "Resident Name: [NAME]"),
        ("Subscriber Name: Smith, John", "Subscriber Name: [NAME]"),
        ("Guarantor name: John Smith", "Guarantor name: [NAME]"),
        ("Physician Name: Jane Doe. Doe agrees", "Physician Name: [NAME]. [NAME] agrees"),
        ("Patient Name: Jane Roe   Physician Name: Ada Quist", "Patient Name: [NAME]   Physician Name: [NAME]"),
        ("Patient: JOHN  SMITH DOB: x", "Patient: [NAME] DOB: x"),
        ("Patient: Mary Ann Smith: 65F", "Patient: [NAME]: 65F"),
        ("Patient: Mary Ann Smith Quux: 65F", "Patient: [NAME] Quux: 65F"),
        ("Patient Name (Last, First): Smith, John", "Patient Name (Last, First): [NAME]"),
    ]);
}

#[test]
fn surnames_that_head_a_line_elsewhere_are_names_beside_a_first_name() {
    each(&[
        ("Patient: Ward, Jane", "Patient: [NAME]"),
        ("Patient name: Ward, Jane", "Patient name: [NAME]"),
        ("Patient name: Jane Ward", "Patient name: [NAME]"),
        ("Patient: See, Jane", "Patient: [NAME]"),
        ("Patient: In, Jane", "Patient: [NAME]"),
        ("Patient: Bartolone, Jane\nBartolone agrees", "Patient: [NAME]\n[NAME] agrees"),
    ]);
    each(&[
        ("Patient: Mark Stage", "Patient: [NAME]"),
        ("Patient: Jane Cancer", "Patient: [NAME]"),
        ("PATIENT: CANCER, JANE", "PATIENT: [NAME]"),
        ("Patient name: Jane Q. Cancer", "Patient name: [NAME]"),
        ("Patient: Kwame Stage, 70 y.o.", "Patient: [NAME], 70 y.o."),
        ("Patient: Jane Lymphoma   MRN: 4471902", "Patient: [NAME]   MRN: [NUMBER]"),
        // Its words elsewhere are medicine, unless a person does something.
        (
            "Patient: Jane Cancer\nBreast Cancer. Cancer was resected. Cancer agrees. Jane Cancer here",
            "Patient: [NAME]\nBreast Cancer. Cancer was resected. [NAME] agrees. [NAME] here",
        ),
    ]);
    stay(&[
        "Patient: Jane Diagnosis: x",
        "Patient: Grace Reports pain",
        "Patient: Elderly Female",
        "Patient: Obese Abdomen",
    ]);
    stay(&["Patient: Stable, Comfortable", "Patient: Alert, Oriented", "Name: Calcium, Total. Total calcium"]);
}

#[test]
fn tests_and_relatives_behind_a_label_are_no_names() {
    stay(&[
        "Name: Complete Blood Count. A complete response, Complete response",
        "Name: Albuterol 90 mcg. Albuterol, albuterol",
        "Name: Vitamin D. Vitamin D, vitamin d",
        "Next of kin: Parents. Parents, parents",
        "Next of kin: Declined. Declined, declined",
    ]);
    each(&[
        ("Next of kin: Mom (Mary Jones). Mom, her mom", "Next of kin: Mom ([NAME]). Mom, her mom"),
        (
            "Next of kin: Mother-in-law (Ann Jones). Mother-in-law here",
            "Next of kin: Mother-in-law ([NAME]). Mother-in-law here",
        ),
    ]);
    let after = scrubbed("Next of kin: Mother-in-law (Ann Jones)", &["Mother-in-law Ann Jones, mother here"]);
    assert_eq!(after, ["Mother-in-law [NAME], mother here"]);
}

#[test]
fn relatives_go_behind_their_label_and_findings_stay() {
    each(&[
        ("Sons: Tim Jones. Jones", "Sons: [NAME]. [NAME]"),
        ("Sons: Tim and Bob Jones", "Sons: [NAME] and [NAME]"),
        ("SONS: TIM JONES", "SONS: [NAME]"),
        ("Daughters: Ann Jones (45), Mary van der Berg", "Daughters: [NAME] (45), [NAME]"),
        ("Children (2): Peter 12, Anna 9", "Children (2): [NAME] 12, [NAME] 9"),
        ("Brothers: John - prostate cancer", "Brothers: [NAME] - prostate cancer"),
        ("Sisters: Rose Baker and Carla", "Sisters: [NAME] and [NAME]"),
        ("Son: Tim Ó Briain Phone: x", "Son: [NAME] Phone: x"),
        ("Daughters: Ana Ruiz. ANA 1:640", "Daughters: [NAME]. ANA 1:640"),
    ]);
    stay(&[
        "Sons: healthy",
        "Sons: Healthy, Alive",
        "Sons: Factor V Leiden",
        "Sons: Crystal Arthropathy",
        "Daughters: breast cancer at 45",
        "Daughters: Grace, Hope",
        "Sisters: Hodgkin Lymphoma. Hodgkin",
        "Brothers: Marfan Syndrome, Cystic Fibrosis",
        "Brothers: Down Syndrome",
        "Children: Two Sons",
        "Siblings: One Brother",
        "Father: Lou Gehrig's disease",
        "Father: Leon Quux Syndrome",
        "Mother: ANA Positive",
        "Mother: ALI Pneumonia",
        "Mother: Breast Cancer",
    ]);
}

#[test]
fn names_go_behind_a_dash_a_degree_and_initials() {
    each(&[
        ("PATIENT NAME - Doe, Jane\nDoe agrees", "PATIENT NAME - [NAME]\n[NAME] agrees"),
        ("Patient name – Jane Doe", "Patient name – [NAME]"),
        ("Dr. Ludwig van Beethoven", "Dr. [NAME]"),
        ("Dr. med. Schmidt. Schmidt agrees", "Dr. med. [NAME]. [NAME] agrees"),
        ("Prof. Dr. med. von Humboldt, Prof. Dr. Miller", "Prof. Dr. med. [NAME], Prof. Dr. [NAME]"),
        ("Signed by J. Smith. Attending G. Young", "Signed by J. [NAME]. Attending G. [NAME]"),
        ("Resident T. Quist agrees", "Resident T. [NAME] agrees"),
        ("Wife Mary Quist called. Quist", "Wife [NAME] called. [NAME]"),
        ("wife Mary Baker here", "wife [NAME] here"),
    ]);
    stay(&[
        "Patient name - not given",
        "Patient Name - Number: 5",
        "Dr. med. refill",
        "Attending A. Fibrillation",
        "Surgeon: A. Left breast. Pathologist: B. Lymph node",
        "Resident T. Cell lymphoma. Resident R. Hip fracture",
        "Provider E. Coli, S. Aureus",
        "Consultant: R. Hemicolectomy",
        "Sister Mary Joseph nodule. Sister Mary Joseph's nodule",
        "Mother Carla Diabetes. Father Jose Hypertension. Son Peter Healthy",
        "Wife Mary Reports pain. Mother Ana Positive. Wife Grace Hospital",
        "Mother Breast Cancer. FATHER JOHN DIABETES",
    ]);
}
