-- The last event of each device, which the next segment goes on from.
SELECT table_id, seq, time_us, device, about, off, rounds, clock_us, table_us, skews, lags FROM told
QUALIFY row_number() OVER (PARTITION BY table_id, device ORDER BY seq DESC) = 1
    OR row_number() OVER (PARTITION BY table_id, about ORDER BY seq DESC) = 1
ORDER BY table_id, seq
