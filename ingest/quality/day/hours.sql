-- Full hours of each table beside the middle one of its day; nothing for a table that played too few.
WITH days AS (
    SELECT table_id, min_by(time_us, seq) AS first_us, max_by(time_us, seq) AS last_us FROM recorded GROUP BY table_id
),
hours AS (
    SELECT table_id, e.time_us // $HOUR_US * $HOUR_US AS at_us, count(*) AS events, min(e.seq) AS seq, max(e.seq) AS last_seq
    FROM recorded AS e JOIN days AS d USING (table_id)
    WHERE e.time_us // $HOUR_US * $HOUR_US >= d.first_us AND (e.time_us // $HOUR_US + 1) * $HOUR_US <= d.last_us
    GROUP BY ALL
)
SELECT table_id, at_us::VARCHAR AS item, events, median(events) OVER of_table AS usual, seq, at_us, [[seq, last_seq]] AS marks,
    ceil($HOUR_FACTOR * greatest(median(events) OVER of_table, $HOUR_EVENTS))::BIGINT AS allowed
FROM hours WINDOW of_table AS (PARTITION BY table_id)
QUALIFY count(*) OVER of_table >= $HOUR_COUNT ORDER BY table_id, at_us
