-- A row is one thing a device reported about a round that is not a card: a wager, an action, a settlement, a fee.
-- Which columns mean something depends on kind; detail is the action, outcome, payer, reason, box or button's purpose.
WITH unnested AS (SELECT table_id, round_id, version, gaming_day, dealer, unnest(facts) AS fact FROM rounds)
SELECT
    table_id,
    round_id,
    version,
    gaming_day,
    dealer,
    fact.seq AS seq,
    fact_kind_name(fact.kind) AS kind,
    nullif(fact.seat, 0) AS seat,
    said(fact.bettor) AS bettor,
    said(fact.wager) AS wager,
    said(fact.choice) AS choice,
    fact.hand AS hand,
    CASE fact_kind_name(fact.kind)
        WHEN 'action' THEN action_name(fact.code)
        WHEN 'settled' THEN outcome_name(fact.code)
        WHEN 'collection' THEN payer_name(fact.code)
        ELSE said(fact.choice)
    END AS detail,
    known(fact.amount) AS amount_cents,
    fact.taken AS taken_cents,
    fact.other AS other,
    card_name(nullif(fact.card, 255)) AS card
FROM unnested
