-- Each statement of a progressive meter beside the one before and what came in and went out since.
--
-- A meter is said to stand at a value by a contribution or a payout (`meter_cents`, after it), by a reading and by being
-- set. What several tables name is one meter fed by all of them, whose order is not known: it is left out.
WITH steps AS (
    SELECT table_id, fact.choice AS meter, fact.seq AS seq, opened_us AS at_us, FALSE AS is_set,
        CASE WHEN fact.kind = $PROGRESSIVE_IN THEN fact.amount WHEN fact.other = 1 THEN -fact.amount ELSE 0 END AS moved,
        CASE WHEN fact.taken <> $UNSAID THEN fact.taken END AS after
    FROM (
        SELECT table_id, opened_us, unnest(list_filter(facts, lambda f: f.kind IN ($PROGRESSIVE_IN, $PROGRESSIVE_OUT)))
            AS fact
        FROM day_rounds
    )
    UNION ALL
    SELECT table_id, meter, seq, time_us, what = 'meter.reset', 0, value_cents FROM spoken WHERE meter IS NOT NULL
),
stated AS (
    SELECT *, lag(seq) OVER of_meter AS from_seq, lag(after) OVER of_meter + total - lag(total) OVER of_meter AS expected
    FROM (SELECT *, sum(moved) OVER (PARTITION BY table_id, meter ORDER BY seq) AS total FROM steps)
    WHERE after IS NOT NULL WINDOW of_meter AS (PARTITION BY table_id, meter ORDER BY seq)
)
SELECT table_id, meter, meter AS item, expected::BIGINT AS expected_cents, after::BIGINT AS reported_cents,
    abs(after - expected)::BIGINT AS off_cents, CASE WHEN after > expected THEN 'over' ELSE 'short' END AS side,
    from_seq, seq, at_us, [[from_seq, seq]] AS marks
FROM stated AS s
WHERE from_seq IS NOT NULL AND NOT is_set
    AND meter IN (SELECT meter FROM steps GROUP BY meter HAVING count(DISTINCT table_id) = 1)
    AND NOT EXISTS (
        SELECT 1 FROM holes AS h WHERE h.table_id = s.table_id AND h.lowest < s.seq AND h.highest > s.from_seq
    )
ORDER BY table_id, meter, seq
