-- A row is one finding that stands: about the newest version of its round, or about the record itself.
SELECT * EXCLUDE (superseded) FROM finding_versions WHERE NOT superseded
