-- What is known of each table behind the segment.
SELECT k.table_id, k.controller,
    coalesce(t.last_seq, k.last_seq) AS last_seq, coalesce(t.last_us, k.last_us) AS last_us,
    greatest(k.last_logged_us, h.last_logged_us) AS last_logged_us, coalesce(t.rounds, k.rounds) AS rounds,
    CASE WHEN m.minute >= k.minute THEN m.minute ELSE k.minute END AS minute,
    CASE WHEN m.minute >= k.minute THEN m.events ELSE k.minute_events END AS minute_events,
    CASE WHEN k.log_mark_us IS NULL OR t.log_us - k.log_mark_us > $HOUR_US THEN t.log_us ELSE k.log_mark_us END
        AS log_mark_us,
    CASE WHEN k.log_mark_us IS NULL OR t.log_us - k.log_mark_us > $HOUR_US THEN t.clock_us ELSE k.clock_mark_us END
        AS clock_mark_us
FROM known AS k
LEFT JOIN (SELECT table_id, max(timestamp_us) AS last_logged_us FROM of_segment GROUP BY ALL) AS h USING (table_id)
LEFT JOIN (
    SELECT table_id, max(seq) AS last_seq, max_by(table_us, seq) AS last_us, max(rounds) AS rounds,
        min_by(timestamp_us, seq) FILTER (clock_us IS NOT NULL) AS log_us,
        min_by(clock_us, seq) FILTER (clock_us IS NOT NULL) AS clock_us
    FROM timeline WHERE new GROUP BY ALL
) AS t USING (table_id)
LEFT JOIN (
    SELECT table_id, max(minute) AS minute, max_by(events, minute) AS events FROM rates GROUP BY ALL
) AS m USING (table_id)
ORDER BY k.table_id
