-- Of each table and kind of value the one that comes nearest to its limit, or goes farthest beyond it.
WITH facts AS (
    SELECT table_id, round_id, filing, first_seq, last_seq, opened_us, unnest(facts) AS fact FROM segment_rounds
),
stakes AS (
    SELECT table_id, first_seq, fact.seat AS seat, fact.wager AS wager, fact.bettor AS bettor, fact.choice AS choice,
        fact.hand AS hand, max(fact.amount) AS stake
    FROM facts WHERE fact.kind IN ($WAGER_PLACED, $WAGER_CHANGED) GROUP BY ALL
),
measured AS (
    SELECT table_id, round_id, first_seq, last_seq, opened_us,
        CASE
            WHEN fact.kind IN ($WAGER_PLACED, $WAGER_CHANGED) THEN 'wager'
            WHEN fact.kind IN ($SETTLED, $ENVY, $PROGRESSIVE_OUT) THEN 'payment'
            WHEN fact.kind IN ($COLLECTION, $REFUNDED, $VIGORISH) THEN 'fee'
        END AS kind,
        fact.amount AS value,
        CASE
            WHEN fact.kind IN ($WAGER_PLACED, $WAGER_CHANGED) THEN wager_most
            WHEN fact.kind IN ($SETTLED, $ENVY, $PROGRESSIVE_OUT) THEN $PAID_MOST_CENTS
            ELSE $FEE_MOST_CENTS
        END AS ceiling
    FROM facts JOIN filings USING (filing)
    UNION ALL
    SELECT table_id, round_id, first_seq, last_seq, opened_us, 'taken', fact.taken, stake
    FROM facts JOIN stakes AS w USING (table_id, first_seq)
    WHERE fact.kind = $SETTLED AND fact.taken > 0 AND w.seat = fact.seat AND w.wager = fact.wager
        AND w.bettor = fact.bettor AND w.choice = fact.choice AND w.hand = fact.hand
    UNION ALL
    SELECT table_id, round_id, first_seq, last_seq, opened_us, 'seat', fact.seat, seat_most
    FROM facts JOIN filings USING (filing)
    WHERE fact.kind IN ($WAGER_PLACED, $WAGER_CHANGED, $SETTLED)
    UNION ALL
    SELECT table_id, round_id, first_seq, last_seq, opened_us, unnest(['rack', 'dealt']),
        unnest([len(rack), len(dealt)]),
        CASE WHEN decks > 0 THEN decks::BIGINT * (52 + greatest(jokers, 0)) ELSE $CARDS_MOST END
    FROM segment_rounds
    UNION ALL
    SELECT table_id, NULL, seq, seq, time_us, 'tray', cents, $TRAY_MOST_CENTS
    FROM (SELECT table_id, seq, time_us, unnest([inventory_cents, amount_cents, box_cents]) AS cents FROM spoken)
)
SELECT table_id, kind AS item, kind, max_by(round_id, value - ceiling) AS round_id,
    max_by(value, value - ceiling)::BIGINT AS value, max_by(ceiling, value - ceiling)::BIGINT AS ceiling,
    max_by(first_seq, value - ceiling) AS seq, max_by(opened_us, value - ceiling) AS at_us,
    table_id || coalesce(' round ' || max_by(round_id, value - ceiling), '') AS place,
    list([first_seq, last_seq] ORDER BY first_seq) FILTER (value > ceiling) AS marks
FROM measured WHERE kind IS NOT NULL AND value IS NOT NULL AND ceiling IS NOT NULL
GROUP BY table_id, kind ORDER BY table_id, kind
