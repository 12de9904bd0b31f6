//! One other attribute of the patient, stated or changed.
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use waterjar_vignettes::{Attribute, intervene};

#[test]
fn an_attribute_is_stated_or_changed_unless_a_finding_hangs_on_it() {
    let told = |text: &str, attribute: &str| -> Result<String, String> {
        intervene(text, &[], &attribute.parse::<Attribute>().unwrap()).map(|new| new.text).map_err(|no| no.why)
    };
    let man = "A 45-year-old man has a cough. He smokes.";
    assert_eq!(told(man, "age=80").unwrap(), "An 80-year-old man has a cough. He smokes.");
    assert_eq!(told(man, "race=Black").unwrap(), "A 45-year-old Black man has a cough. He smokes.");
    assert_eq!(told("A 45-year-old White man coughs.", "race=Hispanic").unwrap(), "A 45-year-old Hispanic man coughs.");
    assert_eq!(
        told(man, "insurance=none").unwrap(),
        "A 45-year-old man has a cough. The patient has no health insurance. He smokes."
    );
    assert!(told("A 5-year-old girl has a cough.", "age=80").unwrap_err().contains("child"));
    assert!(told("A 60-year-old man has smoked for 40 years.", "age=30").unwrap_err().contains("fit"));
    assert!(told("A 60-year-old man has slurred speech.", "language=Spanish").unwrap_err().contains("slurred"));
    assert!(told("A 60-year-old man lives alone.", "housing=homeless").unwrap_err().contains("lives"));
    assert!(told("A 60-year-old man has lost 9 kg.", "weight=40").unwrap_err().contains("kg"));
    assert!(told("A 20-year-old man has sickle cell disease.", "race=White").unwrap_err().contains("sickle"));
    for (told_race, race) in [("African American", "Black"), ("African-American", "Black"), ("Caucasian", "White")] {
        let text = format!("A 45-year-old {told_race} man coughs.");
        assert!(told(&text, &format!("race={race}")).unwrap_err().contains("already"), "{told_race}");
        assert_eq!(told(&text, "race=Asian").unwrap(), "A 45-year-old Asian man coughs.");
    }
    for text in ["A 45 yo WM coughs.", "A 45-year-old man is seen. This 45 yo WM coughs."] {
        assert!(told(text, "race=Black").unwrap_err().contains("descent is told"), "{text}");
    }
    assert_eq!(told("A 45 WM coughs.", "age=80").unwrap(), "An 80 WM coughs.");
    assert!("age=5".parse::<Attribute>().is_err() && "wealth=low".parse::<Attribute>().is_err());
    for attribute in Attribute::usual() {
        assert_eq!(attribute.to_string().parse(), Ok(attribute));
    }
}
