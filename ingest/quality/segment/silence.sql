-- Of each device its longest silence while the table played: steps from one time it was heard to the next, the last of
-- which ends where the segment does. Counted in rounds and by the table's clock, never by its own. A step that begins
-- with `device.offline` is no silence: it was announced.
WITH ends AS (
    SELECT table_id, max(seq) + 1 AS seq, max(rounds) AS rounds, max_by(clock_us, seq) AS clock_us
    FROM timeline GROUP BY table_id HAVING bool_or(new)
),
stops AS (
    SELECT table_id, about AS device, seq, rounds, clock_us, off, new FROM timeline
    UNION ALL
    SELECT d.table_id, d.about, e.seq, e.rounds, e.clock_us, FALSE, TRUE
    FROM (SELECT DISTINCT table_id, about FROM timeline) AS d JOIN ends AS e USING (table_id)
),
steps AS (
    SELECT table_id, device, seq, new, lag(seq) OVER by_device AS from_seq, lag(clock_us) OVER by_device AS from_us,
        CASE WHEN lag(off) OVER by_device THEN NULL
            WHEN clock_us - lag(clock_us) OVER by_device >= $SILENT_US THEN rounds - lag(rounds) OVER by_device
            ELSE 0 END AS silent_rounds
    FROM stops WINDOW by_device AS (PARTITION BY table_id, device ORDER BY seq)
),
longest AS (
    SELECT table_id, device, max(silent_rounds) AS silent_rounds, max_by(from_seq, silent_rounds) AS seq,
        max_by(seq, silent_rounds) AS end_seq, coalesce(max_by(from_us, silent_rounds), 0) AS at_us
    FROM steps WHERE new AND from_seq IS NOT NULL GROUP BY ALL
)
SELECT table_id, device, silent_rounds, seq, at_us, [[seq + 1, greatest(end_seq - 1, seq + 1)]] AS marks,
    CASE
        WHEN heard_rounds >= $RHYTHM_ROUNDS THEN greatest($SILENT_ROUNDS,
            round($SILENT_FACTOR * (last_rounds - first_rounds + 1) / heard_rounds)::BIGINT)
        WHEN list_has_any(announced, $EVERY_ROUND) THEN $SILENT_ROUNDS
    END AS allowed_rounds
FROM longest JOIN devices_now USING (table_id, device)
WHERE silent_rounds IS NOT NULL ORDER BY table_id, device
