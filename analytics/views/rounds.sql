-- A row is one round of play in its newest version, with its verdict.
SELECT * EXCLUDE (newest) FROM round_versions WHERE newest
