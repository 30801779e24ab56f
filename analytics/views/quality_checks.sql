-- A row is one expectation at one border, of a segment or of a gaming day: how many rows were judged, and how many failed.
SELECT
    border,
    "check",
    code,
    k.title,
    TRY_CAST(gaming_day AS DATE) AS gaming_day,
    "partition",
    first_offset,
    last_offset,
    judged,
    failed,
    suite
FROM lake_quality
LEFT JOIN finding_kinds AS k USING (code)
