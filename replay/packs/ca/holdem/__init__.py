"""California, Supreme Baccarat (CA): a folder for every version."""
