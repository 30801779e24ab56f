"""Hold'em in California."""
