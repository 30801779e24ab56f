-- A row is one table: what it plays and what became of its rounds. A table is listed once anything it said is recorded.
WITH seen AS (
    SELECT
        table_id,
        count(*) AS records,
        count(*) FILTER (status = 'quarantined') AS quarantined,
        min(happened_at) FILTER (status = 'recorded') AS first_event_at,
        max(happened_at) FILTER (status = 'recorded') AS last_event_at
    FROM records
    GROUP BY table_id
),
played AS (
    SELECT
        table_id,
        count(*) AS rounds,
        count(*) FILTER (verdict = 'verified') AS verified,
        count(*) FILTER (verdict = 'differs') AS differs,
        count(*) FILTER (verdict = 'void') AS void,
        count(*) FILTER (verdict = 'cannot_tell') AS cannot_tell,
        count(*) FILTER (verdict = 'cannot_judge') AS cannot_judge,
        arg_max(pack, opened_at) AS pack
    FROM rounds
    GROUP BY table_id
),
found AS (SELECT table_id, count(*) AS findings FROM findings GROUP BY table_id)
SELECT
    seen.table_id,
    played.pack,
    coalesce(played.rounds, 0) AS rounds,
    coalesce(played.verified, 0) AS verified,
    coalesce(played.differs, 0) AS differs,
    coalesce(played.void, 0) AS void,
    coalesce(played.cannot_tell, 0) AS cannot_tell,
    coalesce(played.cannot_judge, 0) AS cannot_judge,
    coalesce(found.findings, 0) AS findings,
    seen.records,
    seen.quarantined,
    seen.first_event_at,
    seen.last_event_at
FROM seen
LEFT JOIN played USING (table_id)
LEFT JOIN found USING (table_id)
