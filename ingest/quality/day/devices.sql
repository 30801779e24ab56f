-- Of what devices announced in how many rounds, or how often in a long day, it was reported.
SELECT table_id, what AS item, 'rounds' AS kind, device, heard, ceil($HEARD_SHARE * due.rounds)::BIGINT AS least,
    due.rounds AS with_wagers, min(seq) AS seq, min(at_us) AS at_us, [[min(first_seq), max(t.last_seq)]] AS marks
FROM due JOIN tables AS t USING (table_id)
WHERE what IN $EVERY_ROUND AND due.rounds >= $HEARD_ROUNDS GROUP BY ALL
UNION ALL
SELECT d.table_id, d.what, 'day', d.device, count(e.seq), 1, d.rounds, d.seq, d.at_us, d.marks
FROM (
    SELECT d.table_id, d.what, unnest(u.devices) AS device, any_value(d.rounds) AS rounds, any_value(seq) AS seq,
        any_value(at_us) AS at_us, [[any_value(seq), any_value(t.last_seq)]] AS marks
    FROM due AS d JOIN duties AS u USING (table_id, what) JOIN tables AS t USING (table_id)
    WHERE d.rounds >= $LONG_DAY_ROUNDS AND (d.what IN $EVERY_DAY OR len(u.devices) > 1)
    GROUP BY d.table_id, d.what, u.devices
) AS d LEFT JOIN (SELECT table_id, device, seq, what FROM recorded JOIN type_names USING ("type")) AS e
    ON e.table_id = d.table_id AND e.device = d.device AND e.what = d.what
GROUP BY ALL
ORDER BY table_id, item, kind DESC, device
