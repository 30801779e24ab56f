"""Supreme Pai Gow with ante and raise, of FLT-SPG."""
