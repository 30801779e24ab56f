"""The gate: what of the log is admitted to the record, what is quarantined, and why. docs/events.md."""
