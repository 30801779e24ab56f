"""Supreme Pai Gow in Massachusetts."""
