//! Ways of using a model to answer a prompt.
