-- A row is one round and the table inventory: what the reports say it gained, what it should have gained (NULL where the
-- round was not judged), and the wagers of the round. told: whether the reports say all that moved.
WITH moved AS (
    SELECT table_id, round_id, sum(cents)::BIGINT AS cents, bool_and(told) AS told
    FROM tray_moves
    GROUP BY table_id, round_id
),
opened AS (
    SELECT
        table_id,
        round_id,
        version,
        gaming_day,
        verdict,
        voided,
        events_missing,
        opened_at,
        closed_at,
        first_seq,
        last_seq,
        judged,
        coalesce(bank_kind, '') AS bank_kind,
        bank_seat,
        lines,
        facts
    FROM rounds
),
due AS (
    SELECT
        table_id,
        round_id,
        sum(
            CASE
                WHEN line.kind = 'wager' AND bank_kind = 'player_dealer' THEN line.vigorish_cents
                WHEN line.kind = 'wager' THEN line.taken_cents - line.paid_cents + line.vigorish_cents
                WHEN line.kind = 'envy' AND bank_kind <> 'player_dealer' THEN -line.paid_cents
                WHEN line.kind = 'meter_payout' AND line.stake_cents > 0 THEN line.paid_cents
                ELSE 0
            END
        )::BIGINT AS cents
    FROM (SELECT table_id, round_id, bank_kind, unnest(lines) AS line FROM opened WHERE judged)
    GROUP BY table_id, round_id
),
bet AS (
    SELECT table_id, round_id, sum(amount_cents)::BIGINT AS cents FROM wagers GROUP BY table_id, round_id
)
SELECT
    opened.table_id,
    opened.round_id,
    opened.version,
    opened.gaming_day,
    opened.verdict,
    opened.voided,
    opened.events_missing,
    opened.opened_at,
    opened.closed_at,
    opened.first_seq,
    opened.last_seq,
    coalesce(moved.cents, 0) AS reported_cents,
    CASE WHEN opened.judged THEN coalesce(due.cents, 0) END AS expected_cents,
    coalesce(bet.cents, 0) AS wagered_cents,
    coalesce(moved.told, TRUE) AS told
FROM opened
LEFT JOIN moved USING (table_id, round_id)
LEFT JOIN due USING (table_id, round_id)
LEFT JOIN bet USING (table_id, round_id)
