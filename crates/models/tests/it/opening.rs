//! Which model an id and a spec open, and what is said when they do not.

use waterjar_core::ChatModel;
use waterjar_models::{Api, EndpointPolicy, ModelSpec, OpenModelError, Vendor, open_with};

/// Every variable is set, as a developer's machine has them.
fn opened(id: &str, spec: &str) -> Result<Vendor, OpenModelError> {
    let spec: ModelSpec = toml::from_str(spec).expect("the test writes a spec");
    open_with(id, Some(&spec), EndpointPolicy::Any, &|name| match name {
        "AZURE_OPENAI_ENDPOINT" => Some("https://ward.openai.azure.com/".into()),
        _ => Some("sk-canary-7f3a9c".into()),
    })
}

fn check(id: &str, spec: &str, url: &str, model: &str, api: Api) {
    let vendor = opened(id, spec).expect("it can be opened");
    assert_eq!(vendor.id().as_str(), id);
    assert_eq!(vendor.identity()["url"], url);
    assert_eq!((vendor.model(), vendor.api()), (model, api));
}

fn check_error(id: &str, spec: &str, message: &str) {
    let error = opened(id, spec).expect_err("it cannot be opened").to_string();
    assert_eq!(error, message);
}

#[test]
fn a_vendor_and_a_name_are_enough() {
    check("openai/gpt-5", "", "https://api.openai.com/v1", "gpt-5", Api::Openai);
    check("openrouter/qwen/qwen3-32b", "", "https://openrouter.ai/api/v1", "qwen/qwen3-32b", Api::Openai);
    check("anthropic/claude-sonnet-5", "", "https://api.anthropic.com/v1", "claude-sonnet-5", Api::Anthropic);
    check("azure/ward", "", "https://ward.openai.azure.com/openai/v1", "ward", Api::Openai);
}

#[test]
fn any_address_will_do() {
    let spec = "url = 'http://127.0.0.1:8000/v1'\napi = 'openai'";
    check("local/qwen3-32b", spec, "http://127.0.0.1:8000/v1", "qwen3-32b", Api::Openai);
    check("mine", "url = 'http://10.0.0.5:9000'", "http://10.0.0.5:9000/v1", "mine", Api::Openai);
    let spec = "url = 'http://gpu:1/v1/chat/completions'\nmodel = 'a/b'";
    check("local/x", spec, "http://gpu:1/v1", "a/b", Api::Openai);
    check("local/x", "url = 'http://gpu:1'\napi = 'gemini'", "http://gpu:1/v1beta", "x", Api::Gemini);
}

#[test]
fn slips_are_explained() {
    check_error("opnai/gpt-5", "", "no vendor is called `opnai`: did you mean `openai`?");
    check_error("gpt-5", "", "`gpt-5` names no vendor: write vendor/model, as in openai/gpt-5, or give it a `url`");
    for url in ["ftp://h", "gpu", "localhost:8000/v1"] {
        let told = format!("the url of `local/x` cannot be used: `{url}` must begin with http:// or https://");
        check_error("local/x", &format!("url = '{url}'"), &told);
    }
    check_error("openai/x", "timeout_seconds = 0.0", "the timeout of `openai/x` must be a positive number of seconds");
    let error = opened("house/x", "").expect_err("no such vendor").to_string();
    assert!(error.contains("the vendors are anthropic, azure, ") && error.contains("`url`"), "{error}");
}

#[test]
fn a_missing_key_names_its_variable() {
    let open = |id: &str| open_with(id, None, EndpointPolicy::Any, &|_| None);
    assert_eq!(open("openai/gpt-5").expect_err("no key").to_string(), "`openai/gpt-5` needs a key: set OPENAI_API_KEY");
    assert!(open("ollama/qwen3").is_ok());
    let azure = open("azure/ward").expect_err("no address").to_string();
    assert_eq!(
        azure,
        "`azure/ward` needs an address: set AZURE_OPENAI_ENDPOINT, or give it a `url`; it also needs a key: set AZURE_OPENAI_API_KEY"
    );
}

#[test]
fn credentials_do_not_stand_in_studies() {
    let in_url = "the url of `local/x` cannot be used: it holds a credential, and addresses are stored; name a variable with `key_env` instead";
    check_error("local/x", "url = 'http://me:secret@gpu/v1'", in_url);
    for name in ["key", "API-Key", "access_token", "sig", "X-Amz-Signature", "password", "client_secret"] {
        check_error("local/x", &format!("url = 'http://gpu/v1?a=1&{name}=secret'"), in_url);
    }
    assert!(opened("local/x", "url = 'http://gpu/v1?api-version=2'").is_ok());
    let header = "the header `Authorization` of `local/x` cannot be sent: studies are stored; write `$NAME` and set that variable, or use `key_env`";
    check_error("local/x", "url = 'http://gpu'\nheaders = { Authorization = 'Bearer secret' }", header);
    assert!(opened("local/x", "url = 'http://gpu'\nheaders = { Authorization = '$TOKEN' }").is_ok());
    for name in ["x-ward-token", "Cookie", "X-Password", "Ocp-Apim-Subscription-Key", "Proxy-Authorization"] {
        let spec = format!("url = 'http://gpu'\nheaders = {{ {name} = 'hush' }}");
        let error = opened("local/x", &spec).expect_err("it holds a secret").to_string();
        assert!(error.contains("$NAME") && !error.contains("hush"), "{error}");
    }
}

#[test]
fn a_vendors_key_does_not_follow_to_another_host() {
    let sends_key = |id, spec| format!("{:?}", opened(id, spec).expect("it can be opened")).contains("Key(");
    assert!(sends_key("openai/gpt-5", ""));
    assert!(!sends_key("openai/gpt-5", "url = 'http://127.0.0.1:9/v1'"));
    assert!(sends_key("openai/gpt-5", "url = 'http://127.0.0.1:9/v1'\nkey_env = 'PROXY_KEY'"));
    assert!(sends_key("azure/ward", "url = 'https://other.openai.azure.com/openai/v1'"));
    assert!(!sends_key("azure/ward", "url = 'https://azure.com.example.org/v1'"));
}

#[test]
fn the_key_of_a_server_of_ones_own_stays_near() {
    let sends_key = |id, url: &str| {
        format!("{:?}", opened(id, &format!("url = '{url}'")).expect("it can be opened")).contains("Key(")
    };
    for id in ["vllm/x", "local/x"] {
        for url in ["http://127.0.0.1:8000/v1", "http://localhost:8000", "http://10.0.0.5/v1", "http://[::1]:8000/v1"] {
            assert!(sends_key(id, url), "{id} at {url}");
        }
        for url in ["http://8.8.8.8/v1", "https://api.example.org/v1", "http://localhost.example.org/v1"] {
            assert!(!sends_key(id, url), "{id} at {url}");
        }
    }
    let named = "url = 'https://api.example.org/v1'\nkey_env = 'MY_KEY'";
    assert!(format!("{:?}", opened("vllm/x", named).expect("it can be opened")).contains("Key("));
}

#[test]
fn a_name_that_does_not_resolve_is_not_taken_for_local() {
    let spec: ModelSpec = toml::from_str("url = 'http://no-such-host.invalid/v1'").expect("a spec");
    let open = |policy| open_with("local/x", Some(&spec), policy, &|_| None);
    assert!(matches!(open(EndpointPolicy::LocalOnly), Err(OpenModelError::NoAddress { .. })));
    assert!(open(EndpointPolicy::Any).is_ok());
}
