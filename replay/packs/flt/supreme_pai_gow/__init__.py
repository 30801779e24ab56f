"""Massachusetts, Supreme Pai Gow (MA-SPG): a folder for every version."""
