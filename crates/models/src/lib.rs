//! Built-in readers: statistical models that read a narrative.
