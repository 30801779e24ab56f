-- The last event of each device, with its last few clock readings: what the next segment goes on from.
SELECT t.table_id, t.seq, t.time_us, t.device, t.about, t.off, t.rounds, t.clock_us, t.table_us,
    coalesce(c.skews, b.skews) AS skews, coalesce(c.lags, b.lags) AS lags
FROM (
    SELECT * FROM timeline
    QUALIFY row_number() OVER (PARTITION BY table_id, device ORDER BY seq DESC) = 1
        OR row_number() OVER (PARTITION BY table_id, about ORDER BY seq DESC) = 1
) AS t LEFT JOIN (
    SELECT table_id, device, max_by(skews, hour) AS skews, max_by(lags, hour) AS lags FROM clock_hours GROUP BY ALL
) AS c USING (table_id, device) LEFT JOIN (
    SELECT table_id, device, max_by(skews, seq) AS skews, max_by(lags, seq) AS lags FROM tail GROUP BY ALL
) AS b USING (table_id, device)
ORDER BY t.table_id, t.seq
