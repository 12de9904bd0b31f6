//! A chat that remembers what was said in it.

use crate::asking::{Asking, fitting, rendered};
use askama::Template;
use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use waterjar_core::{AgentError, ChatReply, ChatRequest, Message, Role};

pub(super) struct Chat<'a> {
    asking: Asking<'a>,
    messages: Vec<Message>,
    /// Whether the patient was told of.
    knows: bool,
}

impl<'a> Chat<'a> {
    /// The role is the system message and the first thing the user says; the reply to it stays in the chat.
    pub async fn primed(asking: Asking<'a>, role: &str) -> Result<Self, AgentError> {
        let role = role.trim_end();
        let request = ChatRequest::new(role, role, asking.repeat);
        let reply = asking.model.chat(&request).await?;
        let mut chat = Self { asking, messages: request.messages, knows: false };
        chat.keep(reply);
        Ok(chat)
    }

    pub async fn ask<T: DeserializeOwned + JsonSchema>(
        &mut self,
        part: &impl Template,
        name: &str,
        check: impl Fn(&T) -> Result<(), String>,
    ) -> Result<T, AgentError> {
        let words = if self.knows { rendered(part) } else { self.asking.question(part) };
        self.knows = true;
        self.messages.push(Message::new(Role::User, words));
        let repeat = self.asking.repeat;
        let request = ChatRequest { messages: self.messages.clone(), repeat, ..ChatRequest::default() };
        let asked = fitting(self.asking.model, request, name, check).await?;
        self.keep(asked.reply);
        Ok(asked.value)
    }

    /// Some vendors refuse a turn without words.
    fn keep(&mut self, reply: ChatReply) {
        if !reply.text.trim().is_empty() {
            let said = Message::new(Role::Assistant, reply.text);
            self.messages.push(Message { vendor_state: reply.vendor_state, ..said });
        }
    }
}
