-- A row is one expectation that data of a table did not meet; trouble that goes on over several segments is one row.
-- marks are the stretches of the table's sequence whose verdicts rest on it.
SELECT
    f.finding_id,
    any_value(f.code) AS code,
    any_value(k.title) AS title,
    any_value(f.severity) AS severity,
    any_value(f."check") AS "check",
    any_value(f.table_id) AS table_id,
    any_value(f.round_id) AS round_id,
    any_value(f.device) AS device,
    TRY_CAST(min(f.gaming_day) AS DATE) AS gaming_day,
    arg_max(f."value", abs(f."value" - coalesce(f."limit", 0))) AS "value",
    arg_max(f."limit", abs(f."value" - coalesce(f."limit", 0))) AS "limit",
    any_value(f.expected_cents) AS expected_cents,
    any_value(f.actual_cents) AS actual_cents,
    any_value(f.sentence) AS sentence,
    any_value(f.citation) AS citation,
    at_utc(min(f.at_us)) AS happened_at,
    min(f.seq) AS seq,
    flatten(list(f.marks ORDER BY f.marks)) AS marks
FROM lake_quality_failures AS f
LEFT JOIN finding_kinds AS k ON k.code = f.code
GROUP BY f.finding_id
