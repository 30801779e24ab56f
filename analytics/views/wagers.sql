-- A row is one wager of a round as it stood at the end: its last amount, or withdrawn. late says that it was placed,
-- changed or withdrawn after betting closed.
SELECT
    f.table_id,
    f.round_id,
    f.version,
    f.gaming_day,
    f.dealer,
    f.seat,
    f.bettor,
    f.wager,
    f.choice,
    f.hand,
    CASE WHEN arg_max(f.kind, f.seq) = 'wager_withdrawn' THEN 0 ELSE arg_max(f.amount_cents, f.seq) END AS amount_cents,
    arg_max(f.kind, f.seq) = 'wager_withdrawn' AS withdrawn,
    count(*) - 1 AS changes,
    coalesce(max(f.seq) > any_value(r.bets_closed_seq), FALSE) AS late,
    min(f.seq) AS placed_seq
FROM facts AS f
JOIN rounds AS r USING (table_id, round_id)
WHERE f.kind IN ('wager_placed', 'wager_changed', 'wager_withdrawn')
GROUP BY ALL
