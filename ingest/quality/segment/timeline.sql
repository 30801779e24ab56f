-- `timeline`: the segment's events in the order of their tables, behind the last one of each device from the segments before
-- (`tail`), each with how far the table had come by then, and how far its clock was off. Events that come late, behind others that were in an
-- earlier segment, are left out: their place is not here.
--
-- The controller's clock rules the table. A lone jump of it is smoothed away (the middle of three), and another device's
-- event happened between the controller's before and after it, whatever its own clock says.
CREATE OR REPLACE TEMP TABLE timeline AS
WITH together AS (
    SELECT h.table_id, h.seq, h.begins, h.turns, h.time_us, h.timestamp_us, h.device, coalesce(s.about, h.device) AS about,
        coalesce(s.what = 'device.offline', FALSE) AS off, TRUE AS new,
        CASE s.what WHEN 'table.opened' THEN TRUE WHEN 'table.closed' THEN FALSE END AS opens
    FROM of_segment AS h JOIN known AS k USING (table_id) LEFT JOIN spoken AS s USING (table_id, seq)
    WHERE h.seq > k.last_seq
    UNION ALL BY NAME
    SELECT * EXCLUDE (skews, lags), FALSE AS new FROM tail
),
neighbours AS (
    SELECT t.*, k.rounds AS rounds_before, k.is_open AS open_before,
        t.device = k.controller AS by_controller,
        coalesce(lag(time_us) OVER by_device, time_us) AS last_us,
        coalesce(lead(time_us) OVER by_device, greatest(time_us, lag(time_us) OVER by_device)) AS next_us
    FROM together AS t JOIN known AS k USING (table_id)
    WINDOW by_device AS (PARTITION BY t.table_id, t.device = k.controller ORDER BY t.seq)
),
ruled AS (
    SELECT *, CASE WHEN by_controller
        THEN greatest(least(last_us, next_us), least(greatest(last_us, next_us), time_us)) END AS ruler_us
    FROM neighbours
),
ordered AS (
    SELECT * REPLACE (
            CASE WHEN new THEN rounds_before + count(*) FILTER (new AND begins) OVER so_far
                ELSE rounds END AS rounds,
            last_value(CASE WHEN NOT new THEN clock_us WHEN turns THEN time_us END
                IGNORE NULLS) OVER so_far AS clock_us
        ),
        last_value(ruler_us IGNORE NULLS) OVER earlier AS before_us,
        first_value(ruler_us IGNORE NULLS) OVER later AS after_us,
        coalesce(last_value(opens IGNORE NULLS) OVER so_far, open_before) AS is_open
    FROM ruled
    WINDOW
        so_far AS (PARTITION BY table_id ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        earlier AS (PARTITION BY table_id ORDER BY seq ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING),
        later AS (PARTITION BY table_id ORDER BY seq ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING)
),
-- Where the log and the table stood some while ago: a log that did not move on with the table says nothing of clocks.
marks AS (
    SELECT table_id, coalesce(any_value(log_mark_us), min_by(timestamp_us, seq)) AS log_mark_us,
        coalesce(any_value(clock_mark_us), min_by(clock_us, seq)) AS clock_mark_us
    FROM ordered JOIN known USING (table_id) WHERE new AND clock_us IS NOT NULL GROUP BY table_id
),
timed AS (
    SELECT o.* REPLACE (coalesce(ruler_us, table_us, greatest(least(time_us, after_us), before_us)) AS table_us),
        m.log_mark_us, m.clock_mark_us
    FROM ordered AS o LEFT JOIN marks AS m USING (table_id)
)
SELECT * EXCLUDE (begins, turns, opens, log_mark_us, clock_mark_us, rounds_before, open_before, last_us, next_us),
        CASE
            WHEN NOT new OR by_controller OR clock_us IS NULL THEN NULL
            WHEN time_us > after_us THEN time_us - after_us
            WHEN time_us < before_us THEN time_us - before_us
            WHEN before_us IS NOT NULL OR after_us IS NOT NULL THEN 0
        END AS skew_us,
        CASE
            WHEN new AND timestamp_us - log_mark_us >= $LOG_LIVE_US
                AND timestamp_us - log_mark_us >= $LOG_LIVE_SHARE * (clock_us - clock_mark_us)
            THEN time_us - timestamp_us
        END AS lag_us,
    lag(table_us) OVER in_order AS one_before_us,
    lead(table_us) OVER in_order AS one_after_us,
    lead(table_us, 2) OVER in_order AS two_after_us,
    lead(new) OVER in_order AS goes_on
FROM timed
WINDOW in_order AS (PARTITION BY table_id ORDER BY seq)
