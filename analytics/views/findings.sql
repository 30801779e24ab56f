-- A row is one finding that stands: about the version of its round that stands, or about the record itself. contested: an
-- unsigned correction, or another event that no signature vouches for, says otherwise; it is a finding too (ROUND-005).
SELECT * EXCLUDE (superseded, unattested) FROM finding_versions
WHERE NOT superseded AND (NOT unattested OR code = 'ROUND-005')
