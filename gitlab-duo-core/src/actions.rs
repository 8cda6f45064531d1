//! What may be done: one file per ability.
