-- A row is one movement of chips into the table inventory (cents above nothing) or out of it, as reported: what was taken
-- and paid on a wager, vigorish, an envy bonus. A share of a meter is not paid from there, nor does money between players
-- pass through it. told: whether the reports say what moved; of a round that a player banked they do where they say what
-- the bank won or lost.
WITH opened AS (
    SELECT
        table_id,
        round_id,
        version,
        gaming_day,
        judged,
        coalesce(bank_kind, '') AS bank_kind,
        bank_seat,
        facts,
        lines,
        len(list_filter(facts, lambda f: fact_kind_name(f.kind) = 'pot')) > 0 AS pots,
        len(list_filter(facts, lambda f: fact_kind_name(f.kind) = 'settled' AND f.seat = bank_seat)) > 0 AS bank_told
    FROM rounds
),
reported AS (SELECT * EXCLUDE (facts), unnest(facts) AS fact FROM opened),
named AS (
    SELECT
        * EXCLUDE (fact, lines),
        fact,
        fact_kind_name(fact.kind) AS kind,
        len(
            list_filter(
                lines,
                lambda l: l.kind = 'meter_payout' AND l.stake_cents > 0 AND l.seat = fact.seat AND l.choice = fact.choice
                AND l.bettor = fact.bettor
            )
        ) > 0 AS is_share
    FROM reported
)
SELECT
    table_id,
    round_id,
    version,
    gaming_day,
    fact.seq AS seq,
    CASE kind WHEN 'progressive_out' THEN 'share of a meter' ELSE kind END AS what,
    nullif(fact.seat, 0) AS seat,
    said(fact.wager) AS wager,
    CASE kind
        WHEN 'settled' THEN fact.taken - fact.amount
        WHEN 'vigorish' THEN fact.amount
        WHEN 'envy' THEN -fact.amount
        WHEN 'progressive_out' THEN fact.amount
    END AS cents,
    (bank_kind NOT IN ('bank', 'co_bank') OR bank_told) AND (kind <> 'progressive_out' OR judged) AS told
FROM named
WHERE
    (kind = 'vigorish' AND fact.amount > 0)
    OR (
        NOT pots
        AND bank_kind <> 'player_dealer'
        AND (
            (kind = 'settled' AND fact.taken <> fact.amount)
            OR (kind = 'envy' AND fact.amount > 0)
            OR (kind = 'progressive_out' AND fact.amount > 0 AND fact.other = 1 AND (is_share OR NOT judged))
        )
    )
