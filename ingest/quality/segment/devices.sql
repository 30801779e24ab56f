-- `devices_now`: each device as it was heard so far, this segment included.
CREATE OR REPLACE TEMP TABLE devices_now AS
WITH announced AS (
    SELECT table_id, about AS device, max_by(announced, seq) FILTER (what = 'device.online') AS announced,
        max(seq) FILTER (what = 'device.online') AS online_seq, max(seq) FILTER (what = 'device.offline') AS offline_seq
    FROM spoken WHERE about IS NOT NULL GROUP BY ALL
),
heard_now AS (
    SELECT t.table_id, t.about AS device, min(t.rounds) AS first_rounds, max(t.rounds) AS last_rounds,
        count(DISTINCT t.rounds) FILTER (t.rounds > coalesce(b.last_rounds, -1)) AS heard_rounds
    FROM timeline AS t LEFT JOIN devices_before AS b ON b.table_id = t.table_id AND b.device = t.about
    WHERE t.new GROUP BY ALL
)
SELECT table_id, device,
    CASE WHEN a.online_seq IS NULL THEN b.announced ELSE a.announced END AS announced,
    coalesce(a.online_seq, b.online_seq, -1) AS online_seq, coalesce(a.offline_seq, b.offline_seq, -1) AS offline_seq,
    coalesce(b.first_rounds, h.first_rounds) AS first_rounds, coalesce(h.last_rounds, b.last_rounds) AS last_rounds,
    coalesce(b.heard_rounds, 0) + coalesce(h.heard_rounds, 0) AS heard_rounds
FROM devices_before AS b
FULL JOIN announced AS a USING (table_id, device)
FULL JOIN heard_now AS h USING (table_id, device)
ORDER BY table_id, device
