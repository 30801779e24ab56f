-- What the frames of a gaming day look at. `spans` are the stretches of the tables' sequences that are the day.
CREATE OR REPLACE TEMP VIEW recorded AS
SELECT e.table_id, e.round_id, e.seq, e."type", e.time_us, split_part(e.source, '/', 5) AS device, s.from_seq
FROM stored_events AS e JOIN spans AS s ON s.table_id = e.table_id AND e.seq BETWEEN s.from_seq AND s.to_seq
WHERE e.status = 'recorded';

CREATE OR REPLACE TEMP TABLE superseded AS
SELECT table_id, round_id, max(version) AS newest FROM stored_rounds GROUP BY ALL HAVING count(*) > 1;

CREATE OR REPLACE TEMP VIEW assembled AS
SELECT r.table_id, r.round_id, r.flags, r.dealer, r.opened_us, r.closed_us, r.first_seq, r.last_seq,
    r.bank_seat, r.bank_kind, r.facts
FROM stored_rounds AS r LEFT JOIN superseded AS o USING (table_id, round_id)
WHERE o.newest IS NULL OR r.version = o.newest;

CREATE OR REPLACE TEMP VIEW day_rounds AS
SELECT a.* FROM assembled AS a
JOIN spans AS s ON s.table_id = a.table_id AND a.first_seq BETWEEN s.from_seq AND s.to_seq;

CREATE OR REPLACE TEMP TABLE played AS
SELECT p.*, a.flags IS NULL AS unassembled,
    p.opened > 0 AND p.closed = 0 AND coalesce(a.flags & $FLAG_CLOSED, 0) = 0 AS unclosed,
    coalesce((a.flags & $FLAG_GAP) <> 0, FALSE) AS gap, coalesce((a.flags & $FLAG_VOIDED) <> 0, FALSE) AS voided
FROM (
    SELECT table_id, round_id, count(*) AS events, min(seq) AS first_seq, max(seq) AS last_seq, min(time_us) AS at_us,
        count(*) FILTER ("type" = '$OPENED') AS opened, count(*) FILTER ("type" = '$CLOSED') AS closed
    FROM recorded WHERE round_id IS NOT NULL GROUP BY ALL
) AS p LEFT JOIN (SELECT table_id, round_id, flags FROM assembled) AS a USING (table_id, round_id);

CREATE OR REPLACE TEMP TABLE with_wagers AS
SELECT table_id, round_id, opened_us, first_seq, last_seq FROM day_rounds
WHERE (flags & $FLAG_CLOSED) <> 0 AND (flags & ($FLAG_VOIDED | $FLAG_GAP)) = 0
    AND len(list_filter(facts, lambda f: f.kind = $WAGER_PLACED)) > 0;

-- Stretches of the sequence without a recorded event. Ahead of the first day of a table anything may have been.
CREATE OR REPLACE TEMP TABLE holes AS
SELECT * FROM (
    SELECT table_id, lag(seq) OVER in_span + 1 AS lowest, seq - 1 AS highest, lag(time_us) OVER in_span AS at_us
    FROM (
        SELECT table_id, from_seq, seq, time_us FROM recorded
        UNION ALL SELECT table_id, from_seq, from_seq - 1, NULL FROM spans WHERE NOT is_first
        UNION ALL SELECT table_id, from_seq, to_seq + 1, NULL FROM spans WHERE NOT is_last
    ) WINDOW in_span AS (PARTITION BY table_id, from_seq ORDER BY seq)
) WHERE lowest <= highest;

-- What each device has to report, with those that share the task: devices that announced it and did not go offline.
CREATE OR REPLACE TEMP TABLE duties AS
SELECT table_id, what, list(device ORDER BY device) AS devices, max(online_seq) AS since
FROM (SELECT table_id, device, online_seq, unnest(announced) AS what FROM devices WHERE offline_seq <= online_seq)
WHERE table_id IN (SELECT table_id FROM spans) GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE reported AS
SELECT w.table_id, w.first_seq, n.what, e.device FROM recorded AS e JOIN type_names AS n USING ("type")
JOIN with_wagers AS w ON e.table_id = w.table_id AND e.seq BETWEEN w.first_seq AND w.last_seq
    AND e.round_id = split_part(w.round_id, '#', 1)  -- what a round is called whose id was used before
GROUP BY ALL;

CREATE OR REPLACE TEMP TABLE due AS
SELECT d.table_id, d.what, array_to_string(d.devices, ', ') AS device, w.round_id, w.first_seq, w.last_seq, w.opened_us,
    coalesce(r.reported, FALSE) AS reported, count(*) OVER duty AS rounds,
    count(*) FILTER (r.reported) OVER duty AS heard, min(w.first_seq) OVER duty AS seq, min(w.opened_us) OVER duty AS at_us
FROM duties AS d JOIN with_wagers AS w ON w.table_id = d.table_id AND w.first_seq > d.since
LEFT JOIN (
    SELECT r.table_id, r.what, r.first_seq, TRUE AS reported FROM reported AS r JOIN duties AS d USING (table_id, what)
    WHERE list_contains(d.devices, r.device) GROUP BY ALL
) AS r ON r.table_id = d.table_id AND r.what = d.what AND r.first_seq = w.first_seq
WINDOW duty AS (PARTITION BY d.table_id, d.what);
