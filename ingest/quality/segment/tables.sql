-- Of each open table the longest time nothing at all was heard of it.
SELECT table_id, max_by(seq, gap_us) AS seq, max_by(table_us, gap_us) AS at_us, max(gap_us) AS silent_us,
    [[max_by(seq, gap_us), max_by(seq, gap_us) + 1]] AS marks
FROM (
    -- one event whose clock jumped, here or on either side, is no silence
    SELECT *, least(one_after_us, two_after_us) - greatest(table_us, one_before_us) AS gap_us
    FROM timeline WHERE is_open AND goes_on
) WHERE gap_us IS NOT NULL GROUP BY table_id
UNION ALL
-- By the log: a table that is open and has not been heard at all for a while, as others were; a heartbeat is overdue.
SELECT table_id, last_seq, last_us, now_us - last_logged_us, [[last_seq, last_seq]]
FROM known, (SELECT max(timestamp_us) AS now_us FROM segment_events)
WHERE is_open AND last_seq >= 0 AND now_us - last_logged_us > $TABLE_SILENT_US // 3
    AND table_id NOT IN (SELECT table_id FROM timeline WHERE new)
ORDER BY table_id
