//! What was asked over a network, and what it cost.

use waterjar_core::counted;
use waterjar_engine::EngineError;
use waterjar_engine::gateway::Prices;
use waterjar_report::ModelUse;
use waterjar_store::Store;

/// A row for each model, in the order of their names.
pub async fn uses(prices: &Prices, store: &Store) -> Result<Vec<ModelUse>, EngineError> {
    let spent = store.spend().await?;
    let uses = spent.into_iter().filter(|spend| spend.calls > 0).map(|spend| ModelUse {
        usd: prices.of(&spend.model).map(|_| spend.picodollars as f64 / 1e12),
        model: spend.model.to_string(),
        calls: spend.calls,
        input_tokens: spend.input,
        output_tokens: spend.output,
    });
    Ok(uses.collect())
}

/// `openai/gpt-5: 1200 calls, 410332 + 120000 tokens, $1.71`
pub fn line(it: &ModelUse) -> String {
    let cost = it.usd.map_or_else(|| "cost unknown".to_owned(), |usd| format!("${usd:.2}"));
    let calls = counted(it.calls, "call", "calls");
    format!("{}: {calls}, {} + {} tokens, {cost}", it.model, it.input_tokens, it.output_tokens)
}
