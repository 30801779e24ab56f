-- A row is one finding about any version of a round; superseded: the version that stands is newer; unattested: it is
-- older, and no signature vouches for this one; contested: the version stands, and an unattested newer one says otherwise.
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
    f.round_version > coalesce(r.version, f.round_version) AS unattested,
    coalesce(r.contested, FALSE) AND f.round_version = r.version AND f.code NOT LIKE 'GATE-%' AS contested,
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
    f.accounts,
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
    FALSE AS unattested,
    FALSE AS contested,
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
