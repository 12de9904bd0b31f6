//! Conditions, findings, probabilities, the Bayesian differential and the wording of findings.
