-- Of each device how many events of the day are dated as if they were of another.
WITH dated AS (SELECT *, abs(time_us - $middle_us) > $DATE_MOST_US AS is_outside FROM recorded)
SELECT table_id, device, '$day' AS day, count(*) AS events, count(*) FILTER (is_outside) AS outside,
    coalesce(min(seq) FILTER (is_outside), min(seq)) AS seq,
    coalesce(min_by(time_us, seq) FILTER (is_outside), min_by(time_us, seq)) AS at_us,
    list([seq, seq] ORDER BY seq) FILTER (is_outside) AS marks
FROM dated GROUP BY ALL ORDER BY table_id, device
