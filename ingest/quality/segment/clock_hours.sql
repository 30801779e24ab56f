-- `clock_hours`: of each device and hour how far its clock was off, with its last few readings up to then.
CREATE OR REPLACE TEMP TABLE clock_hours AS
WITH hours AS (
    SELECT table_id, device, clock_us // $HOUR_US AS hour, any_value(by_controller) AS by_controller,
        min(seq) AS seq, max(seq) AS last_seq, min(time_us) AS at_us,
        CASE WHEN count(skew_us) >= $CLOCK_EVENTS THEN median(skew_us) END AS skew_us,
        CASE WHEN count(lag_us) >= $CLOCK_EVENTS THEN quantile_cont(lag_us, 0.9) END AS lag_us,  -- the promptest tenth
        list_reverse(list(skew_us ORDER BY seq DESC) FILTER (skew_us IS NOT NULL)[:$CLOCK_EVENTS]) AS skews,
        list_reverse(list(lag_us ORDER BY seq DESC) FILTER (lag_us IS NOT NULL)[:$CLOCK_EVENTS]) AS lags
    FROM timeline WHERE new AND clock_us IS NOT NULL GROUP BY table_id, device, clock_us // $HOUR_US
),
before AS (
    SELECT table_id, device, max_by(skews, seq) AS skews, max_by(lags, seq) AS lags FROM tail GROUP BY ALL
),
so_far AS (
    SELECT h.* REPLACE (
        list_concat(b.skews, flatten(list(h.skews) OVER earlier))[-$CLOCK_EVENTS:] AS skews,
        list_concat(b.lags, flatten(list(h.lags) OVER earlier))[-$CLOCK_EVENTS:] AS lags
    )
    FROM hours AS h LEFT JOIN before AS b USING (table_id, device)
    WINDOW earlier AS (PARTITION BY h.table_id, h.device ORDER BY h.hour)
)
SELECT * REPLACE (
    coalesce(skew_us, CASE WHEN len(skews) >= $CLOCK_EVENTS THEN list_median(skews) END) AS skew_us,
    coalesce(lag_us, CASE WHEN len(lags) >= $CLOCK_EVENTS THEN list_reverse_sort(lags)[2] END) AS lag_us  -- no lone jump
) FROM so_far
