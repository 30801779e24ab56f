-- Of each table the records of every minute. The minute the last segment ended in goes on in this one.
SELECT e.table_id, coalesce(time_us, timestamp_us) // $MINUTE_US AS minute,
    count(*) + coalesce(any_value(CASE WHEN k.minute = coalesce(time_us, timestamp_us) // $MINUTE_US
        THEN k.minute_events END), 0) AS events,
    coalesce(min(seq), 0) AS seq, any_value(coalesce(time_us, timestamp_us) // $MINUTE_US * $MINUTE_US) AS at_us,
    CASE WHEN min(seq) IS NULL THEN [] ELSE [[min(seq), max(seq)]] END AS marks
FROM segment_events AS e LEFT JOIN known AS k USING (table_id)
GROUP BY ALL ORDER BY e.table_id, minute
