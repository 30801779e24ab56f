"""How money moves: wagers, pay tables, envy, vigorish, bank, cover, fees and the ledger, a part a module."""
