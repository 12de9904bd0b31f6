//! The vendors' documented replies, strictly: a field too many or too few is an error.

pub mod openai {
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Completion {
        pub id: String,
        pub object: String,
        pub created: u64,
        pub model: String,
        pub choices: Vec<Choice>,
        pub usage: Usage,
        pub service_tier: String,
        pub system_fingerprint: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Choice {
        pub index: u32,
        pub message: Message,
        pub logprobs: Option<Logprobs>,
        pub finish_reason: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Message {
        pub role: String,
        pub content: Option<String>,
        pub refusal: Option<String>,
        #[serde(default, rename = "annotations")]
        pub _annotations: Vec<Value>,
        #[serde(default)]
        pub tool_calls: Vec<Call>,
        pub reasoning_content: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Call {
        pub id: String,
        #[serde(rename = "type")]
        pub kind: String,
        pub function: Function,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Function {
        pub name: String,
        pub arguments: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Logprobs {
        pub content: Vec<Token>,
        #[serde(rename = "refusal")]
        pub _refusal: Option<Value>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Token {
        pub token: String,
        pub logprob: f64,
        pub bytes: Vec<u8>,
        pub top_logprobs: Vec<Value>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Usage {
        pub prompt_tokens: u64,
        pub completion_tokens: u64,
        pub total_tokens: u64,
        pub prompt_tokens_details: PromptDetails,
        pub completion_tokens_details: CompletionDetails,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct PromptDetails {
        pub cached_tokens: u64,
        #[serde(rename = "audio_tokens")]
        pub _audio: u64,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct CompletionDetails {
        pub reasoning_tokens: u64,
        #[serde(rename = "audio_tokens")]
        pub _audio: u64,
        #[serde(rename = "accepted_prediction_tokens")]
        pub _accepted: u64,
        #[serde(rename = "rejected_prediction_tokens")]
        pub _rejected: u64,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Failure {
        pub error: Error,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Error {
        pub message: String,
        #[serde(rename = "type")]
        pub kind: String,
        #[serde(rename = "param")]
        pub _param: Option<String>,
        pub code: Option<String>,
    }
}

pub mod anthropic {
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Message {
        pub id: String,
        #[serde(rename = "type")]
        pub kind: String,
        pub role: String,
        pub model: String,
        pub content: Vec<Block>,
        pub stop_reason: String,
        pub stop_sequence: Option<String>,
        pub usage: Usage,
    }

    #[derive(Deserialize)]
    #[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
    pub enum Block {
        Text { text: String },
        Thinking { thinking: String, signature: String },
        ToolUse { id: String, name: String, input: Value },
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Usage {
        pub input_tokens: u64,
        pub cache_creation_input_tokens: u64,
        pub cache_read_input_tokens: u64,
        #[serde(rename = "cache_creation")]
        pub _cache_creation: Value,
        pub output_tokens: u64,
        #[serde(rename = "service_tier")]
        pub _service_tier: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Failure {
        #[serde(rename = "type")]
        pub kind: String,
        pub error: Error,
        #[serde(rename = "request_id")]
        pub _request_id: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Error {
        #[serde(rename = "type")]
        pub kind: String,
        pub message: String,
    }
}

pub mod gemini {
    use serde::Deserialize;
    use serde_json::Value;

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Generated {
        #[serde(default)]
        pub candidates: Vec<Candidate>,
        pub prompt_feedback: Option<Value>,
        pub usage_metadata: Usage,
        pub model_version: String,
        pub response_id: String,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Candidate {
        pub content: Option<Content>,
        pub finish_reason: String,
        pub index: u32,
        pub logprobs_result: Option<Value>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Content {
        pub role: String,
        #[serde(default)]
        pub parts: Vec<Part>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Part {
        pub text: Option<String>,
        #[serde(default)]
        pub thought: bool,
        pub function_call: Option<Value>,
        #[serde(rename = "thoughtSignature")]
        pub _thought_signature: Option<String>,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    pub struct Usage {
        pub prompt_token_count: u64,
        pub candidates_token_count: u64,
        pub total_token_count: u64,
        #[serde(rename = "promptTokensDetails")]
        pub _details: Vec<Value>,
        #[serde(default)]
        pub thoughts_token_count: u64,
        #[serde(default, rename = "cachedContentTokenCount")]
        pub _cached: u64,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Failure {
        pub error: Error,
    }

    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    pub struct Error {
        pub code: u16,
        pub message: String,
        pub status: String,
        #[serde(default)]
        pub details: Vec<Value>,
    }
}
