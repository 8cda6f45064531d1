//! What a caller is told: bounded, cleaned, serializable.
