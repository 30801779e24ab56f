-- A row is one round of play in the version that stands, with its verdict. contested: a newer version that no signature
-- vouches for says otherwise.
SELECT * EXCLUDE (newest, stands) FROM round_versions WHERE stands
