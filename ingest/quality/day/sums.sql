-- Each reading of a chip tray and each count of a drop box beside what was reported to have moved since the one before.
--
-- A tray changes by fills, credits and what the house won and lost. Where a player-dealer stands against the players, or
-- a pot is played for, it is not touched. A drop box holds the collections dropped in it, and beyond those the cash that
-- chips were sold for, which left the tray. Nothing is compared where chips of a round may be the house's or a banking
-- player's (bank and co-bank, progressive meters), where events are missing, or where what came before is not known.
WITH said AS (
    SELECT table_id, seq, time_us, inventory_cents, filled_cents, box, box_cents FROM spoken
    UNION  -- what was said before counts where nothing was played since
    SELECT p.table_id, p.seq, p.time_us, p.inventory_cents, p.filled_cents, p.box, p.box_cents
    FROM papers AS p JOIN tables_before AS t USING (table_id, rounds)
),
filled AS (
    SELECT *, sum(coalesce(filled_cents, 0)) OVER (PARTITION BY table_id ORDER BY seq) AS total FROM said
),
intervals AS (
    SELECT table_id, NULL AS box, lag(seq) OVER w AS from_seq, seq AS to_seq, time_us AS at_us,
        lag(inventory_cents) OVER w AS from_cents, inventory_cents AS to_cents, total - lag(total) OVER w AS filled, TRUE AS sure
    FROM filled WHERE inventory_cents IS NOT NULL WINDOW w AS (PARTITION BY table_id ORDER BY seq)
    UNION ALL
    SELECT f.table_id, f.box, coalesce(lag(seq) OVER w, -1), seq, time_us, 0, box_cents, 0,
        lag(seq) OVER w IS NOT NULL OR coalesce(t.rounds, 0) = 0
    FROM filled AS f LEFT JOIN tables_before AS t USING (table_id)
    WHERE box IS NOT NULL AND box_cents IS NOT NULL WINDOW w AS (PARTITION BY f.table_id, box ORDER BY seq)
),
of_day AS (
    SELECT i.*, EXISTS (
            SELECT 1 FROM holes AS h WHERE h.table_id = i.table_id AND h.lowest < i.to_seq AND h.highest > i.from_seq
        ) AS broken
    FROM intervals AS i JOIN spans AS s ON s.table_id = i.table_id AND i.to_seq BETWEEN s.from_seq AND s.to_seq
    WHERE i.from_seq IS NOT NULL
),
facts AS (
    SELECT table_id, bank_seat, bank_kind, unnest(facts) AS fact,
        len(list_filter(facts, lambda p: p.kind = $POT)) > 0 AS pots
    FROM assembled WHERE table_id IN (SELECT table_id FROM of_day)
),
chips AS (
    SELECT table_id, fact.seq AS seq, fact.choice AS box,
        CASE WHEN pots OR bank_kind = $BANK_PLAYER_DEALER THEN 0
            WHEN fact.kind = $SETTLED THEN fact.taken - fact.amount
            WHEN fact.kind = $VIGORISH THEN fact.amount
            WHEN fact.kind = $ENVY THEN -fact.amount
            ELSE 0 END AS won,
        CASE fact.kind WHEN $COLLECTION THEN fact.amount WHEN $REFUNDED THEN -fact.amount ELSE 0 END AS dropped,
        fact.kind IN ($PROGRESSIVE_IN, $PROGRESSIVE_OUT)
            OR (bank_seat <> $NO_BANK AND bank_kind <> $BANK_PLAYER_DEALER AND fact.kind = $SETTLED) AS unsure
    FROM facts
    UNION ALL  -- a round that was never put together: what was settled in it is not known
    SELECT table_id, first_seq, '', 0, 0, TRUE FROM played WHERE unassembled
),
moved AS (
    SELECT i.table_id, i.box, i.from_seq, i.to_seq, any_value(i.at_us) AS at_us, any_value(i.from_cents) AS from_cents,
        any_value(i.to_cents) AS to_cents, any_value(i.filled) + coalesce(sum(c.won), 0) AS won,
        coalesce(sum(c.dropped) FILTER (c.box = i.box), 0) AS dropped, any_value(i.sure AND NOT i.broken) AS sure,
        coalesce(bool_or(c.unsure), FALSE) AS unsure
    FROM of_day AS i
    LEFT JOIN chips AS c ON c.table_id = i.table_id AND c.seq > i.from_seq AND c.seq < i.to_seq
    GROUP BY i.table_id, i.box, i.from_seq, i.to_seq
),
cash AS (
    SELECT table_id, sum(greatest(to_cents - dropped, 0)) AS cents, bool_and(sure) AS sure
    FROM moved WHERE box IS NOT NULL GROUP BY table_id
),
trays AS (  -- when in the day chips were sold, nobody says: then only the whole day can be compared
    SELECT table_id, min(from_seq) AS from_seq, max(to_seq) AS to_seq, max_by(at_us, to_seq) AS at_us,
        max_by(to_cents, to_seq) AS reported_cents,
        min_by(from_cents, to_seq) + sum(won) - coalesce(any_value(cash.cents), 0) AS expected_cents
    FROM moved LEFT JOIN cash USING (table_id)
    WHERE box IS NULL AND coalesce(cash.sure, TRUE)
    GROUP BY table_id, CASE WHEN coalesce(cash.cents, 0) > 0 THEN 0 ELSE to_seq END
    HAVING bool_and(moved.sure AND NOT unsure)
)
SELECT table_id, 'tray' AS place, to_seq::VARCHAR AS item, reported_cents, expected_cents::BIGINT AS expected_cents,
    NULL::BIGINT AS least_cents, abs(reported_cents - expected_cents)::BIGINT AS off_cents,
    CASE WHEN reported_cents > expected_cents THEN 'over' ELSE 'short' END AS side,
    from_seq, to_seq AS seq, at_us, [[greatest(from_seq, 0), to_seq]] AS marks
FROM trays
UNION ALL
SELECT table_id, 'box ' || box, box || to_seq, to_cents, NULL, dropped::BIGINT, abs(to_cents - dropped)::BIGINT, 'short',
    from_seq, to_seq, at_us, [[greatest(from_seq, 0), to_seq]]
FROM moved WHERE box IS NOT NULL AND sure
ORDER BY table_id, seq, place
