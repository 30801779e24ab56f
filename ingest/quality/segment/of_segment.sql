-- `of_segment`: the recorded events of the segment; `known`: what was known of their tables, and of all others, ahead of it.
CREATE OR REPLACE TEMP TABLE of_segment AS
SELECT table_id, seq, "type" = '$OPENED' AS begins, "type" IN ('$OPENED', '$CLOSED') AS turns, time_us, timestamp_us, split_part(source, '/', 5) AS device
FROM segment_events WHERE status = 'recorded';

CREATE OR REPLACE TEMP TABLE known AS
WITH controllers AS (
    SELECT table_id, max_by(device, said) AS controller FROM (
        SELECT table_id, device, count(*) AS said FROM of_segment WHERE begins GROUP BY ALL ORDER BY ALL
    ) GROUP BY table_id
)
SELECT table_id, coalesce(c.controller, b.controller, '') AS controller, coalesce(b.last_seq, -1) AS last_seq, b.last_us,
    coalesce(b.last_logged_us, 0) AS last_logged_us, coalesce(b.rounds, 0) AS rounds, coalesce(b.minute, 0) AS minute,
    coalesce(b.minute_events, 0) AS minute_events, b.log_mark_us, b.clock_mark_us,
    coalesce(d.is_open, FALSE) AS is_open, d.deadline_us
FROM tables_before AS b
FULL JOIN (SELECT DISTINCT table_id FROM of_segment) AS h USING (table_id)
LEFT JOIN controllers AS c USING (table_id)
LEFT JOIN days_before AS d USING (table_id)
ORDER BY table_id;
