"""Massachusetts Supreme Pai Gow, by version."""
