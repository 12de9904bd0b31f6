//! A judge's word that cannot be had. Who is out has not said no: that is noted on the ruling, so that an outage ends the pass, the end of
//! the run tells what is lacking, and `--retry-failed` finds it.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use waterjar_core::{ChatModel, ChatRequest, Failure, JudgeId, Message, ModelError, Role, Ruling, SilentJudge};
use waterjar_structured::ask;

/// What a judge says, or why it says nothing.
pub(crate) type Word<T> = Result<T, ModelError>;

/// Puts a question to a judge. `name` is a word in snake case that says what is asked for.
pub(crate) async fn put<T: DeserializeOwned + JsonSchema>(
    judge: &dyn ChatModel,
    prompt: &str,
    name: &str,
) -> Result<Word<T>, ModelError> {
    let request = ChatRequest { messages: vec![Message::new(Role::User, prompt)], ..ChatRequest::default() };
    unless_over(ask(judge, request, name).await.map(|asked| asked.value))
}

/// A judge without a usable word is one thing, a run that is over another: the second is the error.
pub(crate) fn unless_over<T>(asked: Result<T, ModelError>) -> Result<Word<T>, ModelError> {
    match asked {
        Err(error) if error.ends_the_run() => Err(error),
        asked => Ok(asked),
    }
}

/// Notes that a judge had no usable word on an answer.
pub(crate) fn note_silence(ruling: &mut Ruling, judge: &dyn ChatModel, error: &ModelError) {
    let judge = JudgeId::new(judge.id().as_str());
    ruling.silent.push(SilentJudge { judge, failure: Failure::from(error) });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_ends_the_run_is_an_error() {
        for over in [
            ModelError::Stopped,
            ModelError::Closed("until tomorrow".to_owned()),
            ModelError::Budget("no tokens left".to_owned()),
            ModelError::Forbidden("a public host".to_owned()),
        ] {
            assert_eq!(unless_over::<()>(Err(over.clone())), Err(over));
        }
        let out = ModelError::Transport("no route".to_owned());
        assert_eq!(unless_over::<()>(Err(out.clone())), Ok(Err(out)));
        assert_eq!(unless_over(Ok(1)), Ok(Ok(1)));
    }
}
