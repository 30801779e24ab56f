-- Of each round how many events it has and what became of it. A round with a hole in it is explained by the hole (the
-- sequence check), and judged by no other.
WITH usual AS (
    SELECT table_id, median(events) AS events, count(*) >= $ROUND_EVENTS_ROUNDS AS enough
    FROM played WHERE NOT voided AND NOT gap GROUP BY table_id
)
SELECT p.table_id, round_id, (unclosed AND NOT gap)::INT AS unclosed, (p.closed > 0 AND unassembled)::INT AS unassembled,
    (opened > 1)::INT AS reused, p.events, coalesce(u.events, 0) AS usual,
    CASE WHEN NOT voided AND NOT gap AND p.closed > 0 AND enough
        THEN floor(u.events / $ROUND_EVENTS_FACTOR)::BIGINT END AS fewest,
    CASE WHEN enough THEN least($ROUND_EVENTS_MOST, ceil(u.events * $ROUND_EVENTS_FACTOR)::BIGINT)
        ELSE $ROUND_EVENTS_MOST END AS most,
    first_seq AS seq, at_us, [[first_seq, last_seq]] AS marks
FROM played AS p LEFT JOIN usual AS u USING (table_id) ORDER BY p.table_id, first_seq
