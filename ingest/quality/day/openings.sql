-- Of each table that played whether it opened for the day and closed it again.
SELECT p.*, coalesce(s.opened, 0) AS opened,
    coalesce(s.opened > 0 AND coalesce(s.closed_seq, -1) < s.opened_seq AND NOT s.still_open, FALSE)::INT AS unclosed
FROM (
    SELECT table_id, count(*) AS played, min(first_seq) AS seq, min(at_us) AS at_us,
        [[min(first_seq), max(last_seq)]] AS marks
    FROM played GROUP BY ALL
) AS p LEFT JOIN (
    SELECT table_id, count(*) FILTER (what = 'table.opened') AS opened, bool_or(d.still_open) AS still_open,
        max(seq) FILTER (what = 'table.opened') AS opened_seq, max(seq) FILTER (what = 'table.closed') AS closed_seq
    FROM spoken JOIN spans AS d USING (table_id) WHERE seq BETWEEN d.from_seq AND d.to_seq GROUP BY ALL
) AS s USING (table_id) ORDER BY table_id
