//! ChatRequest → chat completion request

use crate::dialect::{budget, effort, portable};
use crate::schema::{plain, strict};
use crate::wire::in_words;
use crate::{Dialect, Form, MaxTokens, ReasoningStyle, SeedField, SystemRole, WireRequest};
use serde_json::{Map, Value, json};
use waterjar_core::{AnswerSchema, ChatRequest, Message, Reasoning, Role, Sampling, ToolCall};

pub fn to_wire(model: &str, request: &ChatRequest, dialect: &Dialect) -> WireRequest {
    let mut body = Map::new();
    body.insert("model".into(), model.into());
    match (&request.schema, dialect.form(request)) {
        (Some(schema), Some(form)) => structured(request, schema, form, dialect, &mut body),
        _ => _ = body.insert("messages".into(), messages(request, dialect)),
    }
    if !request.tools.is_empty() {
        body.insert("tools".into(), tools(request));
    }
    sample(&dialect.admit(&request.sampling).0, dialect, &mut body);
    WireRequest { path: "chat/completions".into(), headers: Vec::new(), body: Value::Object(body) }
}

fn structured(
    request: &ChatRequest,
    schema: &AnswerSchema,
    form: Form,
    dialect: &Dialect,
    body: &mut Map<String, Value>,
) {
    let format = match form {
        Form::Schema => {
            let strict = strict(&schema.schema);
            let named = json!({ "name": schema.name, "strict": strict.holds, "schema": strict.schema });
            Some(json!({ "type": "json_schema", "json_schema": named }))
        }
        Form::Object => Some(json!({ "type": "json_object" })),
        Form::Tool | Form::Prompt => None,
    };
    let asked =
        if form == Form::Schema { messages(request, dialect) } else { messages(&in_words(request, schema), dialect) };
    body.insert("messages".into(), asked);
    if let Some(format) = format {
        body.insert("response_format".into(), format);
    }
}

fn messages(request: &ChatRequest, dialect: &Dialect) -> Value {
    request.messages.iter().map(|turn| message(turn, dialect)).collect()
}

fn message(turn: &Message, dialect: &Dialect) -> Value {
    match turn.role {
        Role::System if dialect.system_role == SystemRole::Developer => {
            json!({ "role": "developer", "content": turn.content })
        }
        Role::System => json!({ "role": "system", "content": turn.content }),
        Role::User => json!({ "role": "user", "content": turn.content }),
        Role::Tool => json!({ "role": "tool", "tool_call_id": turn.answers_call, "content": turn.content }),
        Role::Assistant => assistant(turn),
    }
}

fn assistant(turn: &Message) -> Value {
    let mut said = Map::new();
    said.insert("role".into(), "assistant".into());
    let silent = turn.content.is_empty() && !turn.tool_calls.is_empty();
    said.insert("content".into(), if silent { Value::Null } else { turn.content.clone().into() });
    // DeepSeek and Moonshot refuse a tool turn that comes back without its reasoning.
    if let Some(Value::Object(state)) = turn.vendor_state.as_ref().and_then(|state| state.get("openai")) {
        said.extend(state.clone());
    }
    if !turn.tool_calls.is_empty() {
        said.insert("tool_calls".into(), turn.tool_calls.iter().map(call).collect());
    }
    Value::Object(said)
}

fn call(call: &ToolCall) -> Value {
    let arguments = call.arguments.to_string();
    json!({ "id": call.id, "type": "function", "function": { "name": call.name, "arguments": arguments } })
}

fn tools(request: &ChatRequest) -> Value {
    let tool = |tool: &waterjar_core::Tool| {
        let parameters = plain(&tool.parameters);
        json!({ "type": "function",
            "function": { "name": tool.name, "description": tool.description, "parameters": parameters } })
    };
    request.tools.iter().map(tool).collect()
}

fn sample(sampling: &Sampling, dialect: &Dialect, body: &mut Map<String, Value>) {
    let mut set = |key: &str, value: Value| _ = body.insert(key.into(), value);
    if let Some(temperature) = sampling.temperature {
        set("temperature", temperature.into());
    }
    if let Some(seed) = sampling.seed {
        set(if dialect.seed == SeedField::RandomSeed { "random_seed" } else { "seed" }, portable(seed).into());
    }
    if let Some(limit) = dialect.limit(sampling) {
        let completion = dialect.max_tokens == MaxTokens::MaxCompletionTokens;
        set(if completion { "max_completion_tokens" } else { "max_tokens" }, limit.into());
    }
    if !sampling.stop.is_empty() {
        set("stop", sampling.stop.clone().into());
    }
    if let Some(top) = sampling.top_logprobs {
        set("logprobs", true.into());
        if top > 0 {
            set("top_logprobs", top.into());
        }
    }
    if let Some(reasoning) = sampling.reasoning {
        reason(reasoning, dialect.reasoning, set);
    }
}

fn reason(reasoning: Reasoning, style: ReasoningStyle, mut set: impl FnMut(&str, Value)) {
    use ReasoningStyle::*;
    let on = reasoning != Reasoning::Off;
    let word = effort(reasoning);
    let switch = json!({ "type": if on { "enabled" } else { "disabled" } });
    match style {
        No | Budget | Adaptive | Level => {}
        Effort => set("reasoning_effort", word.unwrap_or("none").into()),
        Thinking => set("thinking", switch),
        ThinkingEffort => {
            set("thinking", switch);
            if let Some(word) = word {
                set("reasoning_effort", word.into());
            }
        }
        EnableThinking => {
            set("enable_thinking", on.into());
            if let Some(tokens) = budget(reasoning) {
                set("thinking_budget", tokens.into());
            }
        }
        // Qwen's templates read the first name, DeepSeek's and Granite's the second.
        TemplateKwargs => set("chat_template_kwargs", json!({ "enable_thinking": on, "thinking": on })),
        Openrouter => match reasoning {
            Reasoning::Tokens(tokens) => set("reasoning", json!({ "max_tokens": tokens })),
            _ => set("reasoning", json!({ "effort": word.unwrap_or("none") })),
        },
    }
}
