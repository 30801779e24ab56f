-- A row is one account of a round (a seat or bettor, the player-dealer, the table inventory, a drop box, a progressive
-- meter, the house's meter funding): what it should have gained, net, and what every movement reported says it gained. Over a round each column adds up to nothing, and the
-- differences are those of finding_accounts. Where a round was not judged, nothing says what should have moved.
WITH opened AS (
    SELECT
        table_id,
        round_id,
        version,
        gaming_day,
        dealer,
        pack,
        judged,
        coalesce(bank_seat, 0) AS bank,
        CASE WHEN bank_seat > 0 THEN person(bank_seat, '', bank_seat) ELSE house() END AS played_against,
        facts,
        lines
    FROM rounds
),
expected AS (SELECT * EXCLUDE (facts, lines), unnest(lines) AS line FROM opened WHERE judged),
reported AS (SELECT * EXCLUDE (facts, lines), unnest(facts) AS fact FROM opened),
moved AS (
    SELECT
        * EXCLUDE (line),
        person(line.seat, line.bettor, bank) AS who,
        CASE line.kind
            WHEN 'fee' THEN fee_payer(line.payer, line.seat, line.bettor, bank)
            WHEN 'contribution' THEN meter_funding()
            WHEN 'meter_payout' THEN 'meter ' || line.choice
            ELSE played_against
        END AS source,
        CASE line.kind
            WHEN 'fee' THEN drop_box(line.choice)
            WHEN 'contribution' THEN 'meter ' || line.choice
            WHEN 'meter_payout' THEN meter_funding()
            ELSE who
        END AS target,
        line.paid_cents - line.taken_cents AS due,
        0 AS said
    FROM expected
    UNION ALL BY NAME
    SELECT * EXCLUDE (line), person(line.seat, line.bettor, bank) AS source, house() AS target, line.vigorish_cents AS due, 0 AS said
    FROM expected
    WHERE line.vigorish_cents <> 0
    UNION ALL BY NAME
    SELECT
        * EXCLUDE (fact),
        person(fact.seat, fact.bettor, bank) AS who,
        CASE fact_kind_name(fact.kind)
            WHEN 'collection' THEN fee_payer(payer_name(fact.code), fact.seat, fact.bettor, bank)
            WHEN 'refunded' THEN drop_box(fact.choice)
            WHEN 'vigorish' THEN who
            WHEN 'progressive_in' THEN meter_funding()
            WHEN 'progressive_out' THEN 'meter ' || fact.choice
            WHEN 'pot' THEN 'pot'
            ELSE played_against
        END AS source,
        CASE fact_kind_name(fact.kind)
            WHEN 'collection' THEN drop_box(fact.choice)
            WHEN 'refunded' THEN fee_payer(payer_name(fact.code), fact.seat, fact.bettor, bank)
            WHEN 'vigorish' THEN house()
            WHEN 'progressive_in' THEN 'meter ' || fact.choice
            WHEN 'progressive_out' THEN meter_funding()
            ELSE who
        END AS target,
        0 AS due,
        CASE fact_kind_name(fact.kind)
            WHEN 'settled' THEN fact.amount - fact.taken
            WHEN 'progressive_out' THEN CASE WHEN fact.other = 1 THEN fact.amount ELSE 0 END
            ELSE fact.amount
        END AS said
    FROM reported
    WHERE
        fact_kind_name(fact.kind) IN (
            'settled', 'vigorish', 'envy', 'collection', 'refunded', 'pot', 'progressive_in', 'progressive_out'
        )
),
sides AS (
    SELECT * REPLACE (-due AS due, -said AS said), source AS account FROM moved
    UNION ALL
    SELECT *, target AS account FROM moved
),
added AS (
    SELECT
        table_id, round_id, version, gaming_day, dealer, pack, judged, account,
        sum(due)::BIGINT AS due,
        sum(said)::BIGINT AS said
    FROM sides
    GROUP BY ALL
)
SELECT
    table_id,
    round_id,
    version,
    gaming_day,
    dealer,
    pack,
    judged,
    account,
    CASE WHEN judged THEN due END AS expected_cents,
    said AS reported_cents,
    CASE WHEN judged THEN said - due END AS difference_cents
FROM added
WHERE due <> 0 OR said <> 0
