-- Of each device and hour how far its clock is off: from the table's, and from the log's where that is a clock.
--
-- Order is by seq, so a device's event must lie between the controller's events before and after it; what it lies
-- outside is at least how far its clock is off. Where an hour has too few events, the device's last ones are looked at.
WITH
-- Where every other device of a table differs from the controller the same way, it is the controller's clock.
blamed AS (
    SELECT *, median(skew_us) OVER table_hour AS all_us, count(skew_us) OVER table_hour >= 2
            AND (min(skew_us) OVER table_hour > $SKEW_MOST_US OR max(skew_us) OVER table_hour < -$SKEW_MOST_US)
            AND bool_or(by_controller) OVER table_hour AS controllers
    FROM clock_hours WINDOW table_hour AS (PARTITION BY table_id, hour)
),
off AS (
    SELECT * REPLACE (
        (CASE WHEN NOT controllers THEN skew_us WHEN by_controller THEN -all_us END)::BIGINT AS skew_us,
        lag_us::BIGINT AS lag_us
    ) FROM blamed
)
SELECT table_id, device, abs(skew_us) AS skew_us, CASE WHEN skew_us > 0 THEN 'ahead of' ELSE 'behind' END AS side,
    abs(lag_us) AS lag_us, CASE WHEN lag_us > 0 THEN 'early' ELSE 'late' END AS logged,
    CASE WHEN lag_us > 0 THEN $LOG_AHEAD_US ELSE $LOG_BEHIND_US END AS lag_allowed_us,
    seq, at_us, [[seq, last_seq]] AS marks
FROM off WHERE skew_us IS NOT NULL OR lag_us IS NOT NULL ORDER BY table_id, hour, device
