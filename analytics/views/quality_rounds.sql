-- A row is one version of a round that rests on data that failed an expectation, with the codes it failed under.
SELECT * FROM (
    SELECT
        r.table_id,
        r.round_id,
        r.version,
        list_transform(list_filter(s.known, lambda k: k.last_seq >= r.first_seq), lambda k: k.code) AS failed_checks
    FROM (
        SELECT table_id, round_id, version, first_seq, last_seq FROM lake_rounds
        WHERE table_id IN (SELECT table_id FROM lake_quality_steps)  -- most tables have none, and cost nothing then
    ) AS r
    ASOF JOIN lake_quality_steps AS s ON s.table_id = r.table_id AND s.from_seq <= r.last_seq
) WHERE len(failed_checks) > 0
