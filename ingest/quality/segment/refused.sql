-- Of each table how many of its records the gate refused.
SELECT table_id, count(*) FILTER (status = 'quarantined') AS refused,
    greatest($REFUSED_FEW, floor(count(*) * $REFUSED_SHARE)::BIGINT) AS allowed,
    count(*) AS records, coalesce(min(seq), 0) AS seq, min(coalesce(time_us, timestamp_us)) AS at_us,
    CASE WHEN min(seq) IS NULL THEN [] ELSE [[min(seq), max(seq)]] END AS marks
FROM segment_events GROUP BY table_id ORDER BY table_id
