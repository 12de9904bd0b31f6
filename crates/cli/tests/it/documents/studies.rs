//! Studies in the documents and in `studies/`, against the schema that editors are given.

use super::{fences, files, read};
use serde_json::{Value, json};

fn schema() -> Value {
    serde_json::from_str(&read("docs/reference/study.schema.json")).unwrap()
}

/// Why a text is not what the schema says.
fn problems(schema: &Value, text: &str) -> Vec<String> {
    let table: toml::Table = toml::from_str(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let table = serde_json::to_value(table).unwrap();
    let validator = jsonschema::validator_for(schema).unwrap();
    validator.iter_errors(&table).map(|error| format!("{}: {error}", error.instance_path())).collect()
}

#[test]
fn every_study_fits_the_schema() {
    let schema = schema();
    let studies = files("studies", ".toml").into_iter().chain(files("docs/examples", ".toml"));
    let mut tried = 0;
    for study in studies {
        let text = read(&study);
        if !text.contains("[study]") {
            continue; // It says what the columns of a table are.
        }
        assert_eq!(problems(&schema, &text), Vec::<String>::new(), "{study}");
        tried += 1;
    }
    assert!(tried >= 11, "{tried}");
}

/// Also of parts of studies, which need not be whole.
#[test]
fn every_study_in_the_documents_fits_the_schema() {
    let mut part = schema();
    part["required"] = json!([]);
    let keys: Vec<String> = part["properties"].as_object().unwrap().keys().cloned().collect();
    let mut tried = 0;
    for page in files("docs", ".md").into_iter().chain(["README.md".to_owned()]) {
        for fence in fences(&read(&page)) {
            let is_table = |table: &toml::Table| !table.is_empty() && table.keys().all(|key| keys.contains(key));
            let texts = if fence.language == "toml" { vec![fence.text.clone()] } else { written(&fence.text) };
            for text in texts.iter().filter(|text| toml::from_str(text).is_ok_and(|table| is_table(&table))) {
                assert_eq!(problems(&part, text), Vec::<String>::new(), "{page}, line {}", fence.line);
                tried += 1;
            }
        }
    }
    assert!(tried >= 10, "{tried}");
}

/// Files that commands write: `cat > study.toml <<'END' … END`.
fn written(commands: &str) -> Vec<String> {
    let parts = commands.split("<<'END'\n").skip(1);
    parts.filter_map(|part| part.split_once("\nEND\n").map(|(text, _)| text.to_owned())).collect()
}

#[test]
fn a_slip_does_not_fit() {
    let schema = schema();
    let whole = read("studies/quickstart.toml");
    for (right, slip) in [
        ("seed = 7", "sead = 7"),
        ("patients  = 28000", "patient  = 28000"),
        ("kind      = \"parity\"", "kind      = \"paritty\""),
        ("model = \"logit\"", "modell = \"logit\""),
        ("ablations = true", "ablations = \"yes\""),
        ("suites = [\"parity\"]", "suite = [\"parity\"]"),
    ] {
        assert!(whole.contains(right), "{right}");
        assert!(!problems(&schema, &whole.replacen(right, slip, 1)).is_empty(), "{slip}");
    }
}

/// What the program takes the schema takes too, and the reverse: the two are made from the same types.
#[test]
fn what_the_schema_lacks_the_program_refuses() {
    let schema = schema();
    let ecr = "[study]\nname = \"a\"\nseed = 1\n[[suite]]\nkind = \"einstellung\"\n[[subject]]\nagent = \"ecr\"\nmodel = \"rules\"\n";
    assert_eq!(problems(&schema, &format!("{ecr}evidence = \"starter\"\ncandidates = 4\n")), Vec::<String>::new());
    assert_eq!(problems(&schema, &format!("{ecr}evidence = [\"starter\", \"pubmed\"]\n")), Vec::<String>::new());
    assert!(!problems(&schema, &format!("{ecr}experts = 5\n")).is_empty(), "that is a key of another agent");
}
