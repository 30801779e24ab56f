"""Supreme Pai Gow in New Jersey."""
