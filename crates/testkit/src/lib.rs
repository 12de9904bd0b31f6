//! Sample cases, scripted models and temporary stores for tests.
