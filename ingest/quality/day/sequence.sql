-- Of each table how many numbers of the day's stretch of its sequence no recorded event has.
SELECT table_id, coalesce(missing, 0) AS missing, first_seq, last_seq, stretches - 1 AS more,
    CASE WHEN highest = lowest THEN 'event ' || lowest ELSE 'events ' || lowest || ' to ' || highest END AS first_hole,
    CASE WHEN stretches = 1 THEN 'one' ELSE 'several' END AS kind, coalesce(greatest(lowest - 1, 0), first_seq) AS seq,
    coalesce(h.at_us, r.at_us) AS at_us, h.marks
FROM (
    SELECT table_id, min(seq) AS first_seq, max(seq) AS last_seq, min_by(time_us, seq) AS at_us
    FROM recorded GROUP BY ALL
) AS r LEFT JOIN (
    SELECT table_id, sum(highest - lowest + 1)::BIGINT AS missing, count(*) AS stretches, min(lowest) AS lowest,
        min_by(highest, lowest) AS highest, min_by(at_us, lowest) AS at_us,
        list([greatest(lowest - 1, 0), highest + 1] ORDER BY lowest) AS marks
    FROM holes GROUP BY ALL
) AS h USING (table_id) ORDER BY table_id
