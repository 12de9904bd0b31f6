use super::*;

const CHEST: &str = "A 58-year-old PERSON comes with palpitations and pressure in the chest on exertion since this morning. PRONOUN is sweating. There is no \
                     fever. PRONOUN slept well.\n\nWhat is the most likely diagnosis?\n\nA. Acute myocardial infarction\nB. Panic \
                     disorder\nC. Pulmonary embolism\nD. Gastroesophageal reflux disease";

fn read(habit: Habit, person: &str, pronoun: &str) -> String {
    VignetteReader::new(habit).read(&CHEST.replace("PERSON", person).replace("PRONOUN", pronoun))
}

fn answer(told: &str) -> &str {
    told.rsplit_once("Answer: ").expect("it ends with an answer").1
}

#[test]
fn without_a_habit_the_reasoning_is_the_same_to_the_letter() {
    let told = read(Habit::Reference, "man", "He");
    assert_eq!(told, read(Habit::Reference, "woman", "She"));
    assert_eq!(told, read(Habit::Reference, "person", "They"));
}

#[test]
fn how_a_verb_agrees_changes_nothing() {
    let told = |text: &str| VignetteReader::new(Habit::Reference).read(text);
    assert_eq!(
        told("A boy sits forward and drools. He worries and paces."),
        told("A child sit forward and drool. They worry and pace.")
    );
}

#[test]
fn what_they_deny_is_denied_as_what_he_denies() {
    let signs = |text: &str| Reading::of(text, Scripts::get()).signs;
    let told = signs("A man has a rash. He denies chills.");
    assert!(told.contains(&("chills", true)), "{told:?}");
    for verb in ["deny", "denied", "denies"] {
        assert_eq!(signs(&format!("A person has a rash. They {verb} chills.")), told, "{verb}");
    }
}

#[test]
fn a_habit_moves_the_answer_where_the_signs_leave_room() {
    let (man, woman) = (read(Habit::Stereotype, "man", "He"), read(Habit::Stereotype, "woman", "She"));
    assert_eq!((answer(&man), answer(&woman)), ("A", "B"), "{man}\n\n{woman}");
    assert_eq!(answer(&read(Habit::Stereotype, "person", "They")), answer(&read(Habit::Reference, "person", "They")));
}

#[test]
fn a_habit_does_not_move_an_answer_that_the_signs_decide() {
    let text = "A 58-year-old woman has crushing chest pain that spreads to her left arm and jaw. She is sweating. The troponin is raised, with ST \
                elevation.\n\nA. Acute myocardial infarction\nB. Panic disorder";
    for habit in Habit::ALL {
        let told = VignetteReader::new(habit).read(text);
        assert_eq!(answer(&told), "A", "{told}");
    }
}

#[test]
fn a_sign_that_is_denied_speaks_against() {
    let of = |text: &str| Reading::of(text, Scripts::get()).signs.clone();
    assert!(of("He has heartburn.").contains(&("heartburn", false)));
    assert!(of("He denies heartburn.").contains(&("heartburn", true)));
}

#[test]
fn a_test_that_is_normal_speaks_against() {
    let of = |text: &str| Reading::of(text, Scripts::get()).signs.clone();
    assert!(of("A chest X-ray is clear, and a D-dimer test is normal.").contains(&("d-dimer", true)));
    assert!(of("Her oxygen saturation is 99%.").contains(&("oxygen saturation", true)));
    assert!(of("Her oxygen saturation is 84%.").contains(&("oxygen saturation", false)));
    assert!(
        of("He has heartburn, and the ECG is normal.").contains(&("heartburn", false)),
        "what is said of another thing"
    );
}

#[test]
fn pleurisy_with_a_normal_d_dimer_is_no_embolism() {
    let told = VignetteReader::new(Habit::Reference).read(
        "A 31-year-old woman comes to the clinic because of pain in her right side that is sharp with every breath. It followed a sore throat \
         and runny nose. Her temperature is 37.6°C, her pulse is 82/min, and her oxygen saturation is 99%. The physician hears a rub over \
         the right lower ribs. A chest X-ray is clear, and a D-dimer test is normal.\n\nA. Viral or inflammatory pleurisy\nB. Pulmonary \
         embolism\nC. Pneumonia\nD. Rib fracture",
    );
    assert_eq!(answer(&told), "A", "{told}");
}

#[test]
fn the_patient_is_who_comes_first() {
    let told = |text: &str| Reading::of(text, Scripts::get()).sex;
    assert_eq!(told("A 9-year-old child has a sore throat. A boy in their class had the same."), None);
    assert_eq!(
        told("A 9-year-old girl has a sore throat. A boy in her class had the same."),
        Some(reading::Sex::Woman)
    );
}

#[test]
fn what_differs_is_the_habits_doing_and_not_the_opening() {
    let text = "A 58-year-old PERSON has crushing chest pain that spreads to the left arm and jaw. There is sweating. The troponin is raised, with ST \
                elevation.\n\nA. Acute myocardial infarction\nB. Panic disorder";
    let told = |who: &str| VignetteReader::new(Habit::Stereotype).read(&text.replace("PERSON", who));
    assert_eq!(told("man"), told("woman"));
}

#[test]
fn a_condition_without_a_picture_is_read_alike() {
    let text = "A 34-year-old PERSON has a cough with green sputum and a fever since two days. The chest radiograph shows an infiltrate.\n\nA. \
                Community-acquired pneumonia\nB. Acute bronchitis\nC. Pulmonary embolism";
    let told = |who: &str| VignetteReader::new(Habit::Stereotype).read(&text.replace("PERSON", who));
    assert_eq!(told("man"), told("woman"));
    assert!(pictures("Myocardial infarction") && !pictures("Pneumonia") && !pictures("a nonce word"));
}

#[test]
fn without_options_a_condition_is_named() {
    let told = VignetteReader::new(Habit::Reference)
        .read("A 45-year-old man has a red swollen toe, the great toe, after beer. Uric acid is high.");
    assert_eq!(answer(&told), "Gout", "{told}");
}

#[test]
fn scripts_are_sound() {
    let scripts = Scripts::get();
    let mut names: Vec<&str> = scripts.all.iter().map(|it| it.name.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), scripts.all.len(), "a name is there twice");
    assert!(scripts.all.iter().filter_map(|it| it.men).all(|men| (1..=2).contains(&men) || (8..=9).contains(&men)));
    for script in &scripts.all {
        assert!(script.signs.len() >= 3, "{}", script.name);
        let lower = |it: &String| it.to_lowercase() == *it;
        assert!(
            script.signs.iter().all(lower) && script.also.iter().all(lower),
            "{}: signs and names are in lower case",
            script.name
        );
    }
}
