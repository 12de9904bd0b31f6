//! Models that are programs: real processes, good ones and bad ones.

use std::path::Path;
use std::time::{Duration, Instant};
use waterjar_core::{ChatModel, ChatRequest, ModelError};
use waterjar_models::{ModelSpec, OpenModelError, Program};

/// Replies with the last word of what it was asked, in plain shell.
const ECHO: &str = r#"while read -r line; do
  id=${line#*\"id\":\"}; id=${id%%\"*}
  said=${line#*\"role\":\"user\",\"content\":\"}; said=${said%%\"*}
  printf '{"id":"%s","text":"%s"}\n' "$id" "$said"
done"#;

struct Desk(tempfile::TempDir);

impl Desk {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn program(&self, script: &str) -> Program {
        self.program_with(script, ModelSpec::default())
    }

    fn program_with(&self, script: &str, spec: ModelSpec) -> Program {
        std::fs::write(self.0.path().join("model.sh"), script).unwrap();
        let command = Some(vec!["sh".to_owned(), "model.sh".to_owned()]);
        Program::open("mine", &ModelSpec { command, ..spec }, self.0.path()).unwrap()
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.0.path().join(name)).unwrap_or_default()
    }

    /// Waits until the file holds something.
    async fn written(&self, name: &str) -> String {
        eventually(|| !self.read(name).is_empty()).await;
        self.read(name)
    }
}

/// A minute is long: on a machine that does nothing else it takes milliseconds.
async fn eventually(is_so: impl Fn() -> bool) {
    let waited = Instant::now();
    while !is_so() {
        assert!(waited.elapsed() < Duration::from_secs(60), "it never came to be");
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

fn is_alive(pid: &str) -> bool {
    // What was killed and not yet collected is dead.
    let status = std::fs::read_to_string(Path::new("/proc").join(pid.trim()).join("status"));
    status.is_ok_and(|status| !status.contains("State:\tZ"))
}

async fn ask(program: &Program, text: &str) -> Result<String, ModelError> {
    let request = ChatRequest::new("You are a doctor.", text, 0);
    program.chat(&request).await.map(|reply| reply.text).map_err(ModelError::uncharged)
}

/// What is told of a program that gives no usable reply.
async fn told(script: &str) -> String {
    let desk = Desk::new();
    let spec = ModelSpec { restarts: Some(0), max_line_bytes: std::num::NonZeroU64::new(5000), ..ModelSpec::default() };
    match ask(&desk.program_with(script, spec), "x").await {
        Err(ModelError::Transport(told)) => told,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_program_answers_and_is_started_once() {
    let desk = Desk::new();
    let program = desk.program(&format!("echo $$ >> pids\n{ECHO}"));
    assert_eq!(desk.read("pids"), "", "nothing is started before the first question");
    for text in ["Gout.", "Angina."] {
        assert_eq!(ask(&program, text).await, Ok(text.to_owned()));
    }
    assert_eq!(desk.read("pids").lines().count(), 1);
}

#[tokio::test]
async fn replies_come_in_any_order() {
    let desk = Desk::new();
    let program = desk.program(
        r#"read -r a; read -r b
printf '{"id":"2","text":"second"}\n\n  \n{"id":1,"text":"first"}\n'
cat > /dev/null"#,
    );
    let (first, second) = tokio::join!(ask(&program, "a"), ask(&program, "b"));
    assert_eq!((first, second), (Ok("first".to_owned()), Ok("second".to_owned())));
}

#[tokio::test]
async fn as_many_as_are_allowed_work_side_by_side() {
    let desk = Desk::new();
    let spec = ModelSpec { processes: std::num::NonZeroU32::new(2), ..ModelSpec::default() };
    // Each waits for the other before its first reply.
    let script = format!("echo x >> started\nuntil [ \"$(wc -l < started)\" -ge 2 ]; do sleep 0.01; done\n{ECHO}");
    let program = desk.program_with(&script, spec);
    let texts = ["a", "b", "c", "d"];
    let replies = futures(&program, &texts).await;
    assert_eq!(replies, texts.map(|text| Ok(text.to_owned())));
    assert_eq!(desk.read("started").lines().count(), 2);
}

async fn futures(program: &Program, texts: &[&str; 4]) -> [Result<String, ModelError>; 4] {
    let [a, b, c, d] = texts.map(|text| ask(program, text));
    let (a, b, c, d) = tokio::join!(a, b, c, d);
    [a, b, c, d]
}

#[tokio::test]
async fn an_exit_is_told_with_its_code_and_the_last_words_and_it_is_started_again() {
    let desk = Desk::new();
    let program = desk.program(&format!(
        "[ -e before ] || {{ touch before; read -r line; echo \"KeyError: 'messages'\" >&2; exit 3; }}\n{ECHO}"
    ));
    let error = ask(&program, "x").await.unwrap_err();
    let expected = "sh model.sh ended with code 3; its last words: KeyError: 'messages'";
    assert_eq!(error, ModelError::Transport(expected.to_owned()));
    assert!(error.may_pass(), "the gateway asks again");
    assert_eq!(ask(&program, "x").await, Ok("x".to_owned()));
}

#[tokio::test]
async fn a_signal_is_told() {
    assert_eq!(told("read -r line; kill -s KILL $$").await, "sh model.sh was ended by signal 9");
    assert_eq!(told("exit 0").await, "sh model.sh ended without a reply");
}

#[tokio::test]
async fn a_line_that_is_no_reply_is_told_with_its_beginning() {
    let garbage = told("read -r line; echo 'Loading checkpoint shards: 100%'; cat").await;
    assert!(garbage.contains("printed a line that is no reply: `Loading checkpoint shards: 100%`"), "{garbage}");
    assert!(garbage.contains("all else goes to standard error"), "{garbage}");
    let long = told("read -r line; printf 'x%.0s' $(seq 300); echo; cat").await;
    assert!(long.contains(&format!("`{}…`", "x".repeat(200))), "{long}");
    let unknown = told(r#"read -r line; echo '{"id":"99","text":"Gout."}'; cat"#).await;
    assert!(unknown.contains("a question that nobody asked or that it has replied to: `{\"id\":\"99\""), "{unknown}");
    let without = told(r#"read -r line; echo '{"text":"Gout."}'; cat"#).await;
    assert!(without.contains("without the `id` of its question: `{\"text\":\"Gout.\"}`"), "{without}");
}

#[tokio::test]
async fn a_flood_is_cut_off_whatever_it_is_made_of() {
    let one_line = told("read -r line; exec tr '\\0' x < /dev/zero").await;
    assert!(one_line.contains("printed a line of more than 5000 bytes and was ended; it begins: `xxx"), "{one_line}");
    let lines = told("read -r line; exec yes Gout").await;
    assert!(lines.contains("printed a line that is no reply: `Gout`"), "{lines}");
    let nothing = told("read -r line; exec yes ''").await;
    assert!(nothing.contains("printed more than 5000 bytes of empty lines"), "{nothing}");
}

#[tokio::test]
async fn talk_on_standard_error_neither_blocks_nor_fills_memory() {
    let desk = Desk::new();
    let program = desk.program(&format!("yes talk | head -c 3000000 >&2\n{ECHO}"));
    assert_eq!(ask(&program, "x").await, Ok("x".to_owned()));
}

#[tokio::test]
async fn what_hangs_is_killed_with_its_children_and_started_again() {
    let desk = Desk::new();
    let script = format!(
        "[ -e pids ] || {{ sleep 600 & echo $! > child; echo $$ > pids; read -r line; while :; do sleep 600; done; }}\n{ECHO}"
    );
    let program = desk.program(&script);
    let waited = tokio::select! {
        outcome = ask(&program, "x") => panic!("{outcome:?}"),
        pid = desk.written("pids") => pid,
    };
    let child = desk.read("child");
    eventually(|| !is_alive(&waited) && !is_alive(&child)).await;
    assert_eq!(ask(&program, "y").await, Ok("y".to_owned()));
}

#[tokio::test]
async fn who_replies_to_others_does_not_hang() {
    let desk = Desk::new();
    // The first question is replied to last of all.
    let script = r#"echo $$ >> pids; read -r a; read -r b; printf '{"id":"2","text":"b"}\n'
read -r c; printf '{"id":"1","text":"late"}\n{"id":"3","text":"c"}\n'; cat > /dev/null"#;
    let program = desk.program(script);
    {
        let slow = ask(&program, "a");
        let quick = async { ask(&program, "b").await };
        tokio::pin!(slow);
        let quick = tokio::select! {
            biased;
            outcome = &mut slow => panic!("{outcome:?}"),
            reply = quick => reply,
        };
        assert_eq!(quick, Ok("b".to_owned()));
    }
    assert_eq!(ask(&program, "c").await, Ok("c".to_owned()), "the late reply is nobody's, and no offence");
    assert_eq!(desk.read("pids").lines().count(), 1);
}

#[tokio::test]
async fn it_is_started_again_only_so_often_in_a_row() {
    let desk = Desk::new();
    let spec = ModelSpec { restarts: Some(2), ..ModelSpec::default() };
    let program = desk.program_with("echo x >> starts; read -r line; exit 1", spec);
    for _ in 0..3 {
        assert_eq!(ask(&program, "x").await, Err(ModelError::Transport("sh model.sh ended with code 1".to_owned())));
    }
    let Err(ModelError::Transport(told)) = ask(&program, "x").await else { panic!("it was started again") };
    assert_eq!(told, "sh model.sh ended with code 1; that was 3 times in a row, and it is not started again");
    assert_eq!(desk.read("starts").lines().count(), 3);
}

#[tokio::test]
async fn a_program_that_answers_one_question_and_ends_well_is_no_bad_one() {
    let desk = Desk::new();
    let spec = ModelSpec { restarts: Some(0), ..ModelSpec::default() };
    let once = ECHO.replace("while read -r line; do", "read -r line").replace("\ndone", "");
    let program = desk.program_with(&once, spec);
    for text in ["a", "b", "c"] {
        assert_eq!(ask(&program, text).await, Ok(text.to_owned()));
    }
}

#[tokio::test]
async fn it_sees_of_the_environment_what_the_study_names() {
    let desk = Desk::new();
    let script = r#"read -r line; printf '{"id":"1","text":"'; env | sed 's/=.*//' | sort | tr '\n' ' '; printf '%s"}\n' "$WARD_KEY""#;
    std::fs::write(desk.0.path().join("model.sh"), script).unwrap();
    let spec = ModelSpec {
        command: Some(vec!["sh".to_owned(), "./model.sh".to_owned()]),
        env: vec!["WARD_KEY".to_owned()],
        ..ModelSpec::default()
    };
    let variable = |name: &str| match name {
        "WARD_KEY" => Some("canary-12345678".to_owned()),
        "OTHER_KEY" => Some("canary-87654321".to_owned()),
        "PATH" => std::env::var("PATH").ok(),
        _ => None,
    };
    let program = Program::open_with("mine", &spec, desk.0.path(), &variable).unwrap();
    let said = ask(&program, "x").await.unwrap();
    assert!(said.contains("WARD_KEY") && !said.contains("OTHER_KEY"), "{said}");
    assert!(said.ends_with("[key]"), "what it was told in confidence is not kept: {said}");
    let missing = Program::open_with("mine", &spec, desk.0.path(), &|_| None);
    assert!(matches!(missing, Err(OpenModelError::NoProgram { .. })));
    let path = |name: &str| (name == "PATH").then(|| std::env::var("PATH").unwrap());
    let missing = Program::open_with("mine", &spec, desk.0.path(), &path);
    assert!(matches!(missing, Err(OpenModelError::MissingVariable { variable, .. }) if variable == "WARD_KEY"));
}

#[tokio::test]
async fn a_changed_script_is_another_model() {
    let desk = Desk::new();
    let one = desk.program(ECHO).identity().clone();
    assert_eq!(desk.program(ECHO).identity(), &one);
    assert_ne!(desk.program(&format!("{ECHO} # better")).identity(), &one);
    let warm = ModelSpec { temperature: Some(1.0), ..ModelSpec::default() };
    assert_ne!(desk.program_with(ECHO, warm).identity(), &one);
}

#[tokio::test]
async fn at_the_end_it_may_tidy_up_and_what_stays_is_killed() {
    let desk = Desk::new();
    let program = desk.program(&format!("{ECHO}\necho tidied > tidied"));
    ask(&program, "x").await.unwrap();
    drop(program);
    assert_eq!(desk.written("tidied").await, "tidied\n");

    let program =
        desk.program(&format!("echo $$ > stubborn; sleep 600 & echo $! > child\n{ECHO}\nwhile :; do sleep 600; done"));
    ask(&program, "x").await.unwrap();
    drop(program);
    let (leader, child) = (desk.read("stubborn"), desk.read("child"));
    eventually(|| !is_alive(&leader) && !is_alive(&child)).await;
}
