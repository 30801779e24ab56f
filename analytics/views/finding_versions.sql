-- A row is one finding about any version of a round; superseded says that the round has a newer version.
-- What the gate found (GATE-…), an unusable filing (FILING-001) and data that failed an expectation (QUALITY) are
-- about the record itself and never superseded.
SELECT
    f.finding_id,
    f.code,
    k.title,
    f.severity,
    f.table_id,
    f.round_id,
    f.round_version,
    f.round_version < coalesce(r.version, 0) AND f.code NOT LIKE 'GATE-%' AND f.code <> 'FILING-001' AS superseded,
    r.gaming_day,
    r.dealer,
    f.seat,
    f.bettor,
    f.wager,
    f.expected_cents,
    f.actual_cents,
    f.difference_cents,
    f.sentence,
    f.citation,
    f.confidence,
    f.basis,
    at_utc(f.at_us) AS happened_at,
    f.evidence,
    f.seq
FROM lake_findings AS f
LEFT JOIN finding_kinds AS k ON k.code = f.code
LEFT JOIN rounds AS r ON r.table_id = f.table_id AND r.round_id = f.round_id
UNION ALL BY NAME
SELECT
    finding_id,
    code,
    title,
    severity,
    table_id,
    round_id,
    1 AS round_version,
    FALSE AS superseded,
    gaming_day,
    expected_cents,
    actual_cents,
    0 AS difference_cents,
    sentence,
    citation,
    1.0 AS confidence,
    'record' AS basis,
    happened_at,
    [seq] AS evidence,
    seq
FROM quality_failures
