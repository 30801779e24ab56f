-- A row is one collection fee of a round: what was due beside what was reported taken.
-- A fee taken from somebody who owes none has no row here; it is in findings (FEE-903) and facts.
WITH unnested AS (
    SELECT table_id, round_id, version, gaming_day, dealer, pack, verdict, closed_at, unnest(lines) AS line FROM rounds
)
SELECT
    table_id,
    round_id,
    version,
    gaming_day,
    dealer,
    pack,
    verdict,
    closed_at,
    line.payer AS payer,
    line.seat AS seat,
    said(line.bettor) AS bettor,
    said(line.choice) AS box,
    line.stake_cents AS basis_cents,
    line.paid_cents AS due_cents,
    line.reports AS reports,
    CASE WHEN line.reports > 0 THEN line.reported_paid_cents ELSE 0 END AS taken_cents,
    line.citation AS citation
FROM unnested
WHERE line.kind = 'fee'
