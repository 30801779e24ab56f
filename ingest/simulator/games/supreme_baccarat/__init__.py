"""Supreme Baccarat in California."""
