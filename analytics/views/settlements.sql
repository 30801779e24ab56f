-- A row is one wager or envy bonus of a round: what it should have come to beside what was reported.
-- A settlement reported for a wager nobody placed has no row here; it is in findings (SETTLE-104) and facts.
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
    line.kind AS kind,
    line.seat AS seat,
    said(line.bettor) AS bettor,
    said(line.wager) AS wager,
    said(line.choice) AS choice,
    line.hand AS hand,
    nullif(line.for_seat, 0) AS for_seat,
    line.stake_cents AS stake_cents,
    CASE WHEN line.kind = 'wager' THEN said(line.outcome) END AS outcome,
    line.paid_cents AS paid_cents,
    line.taken_cents AS taken_cents,
    line.vigorish_cents AS vigorish_cents,
    line.reports AS reports,
    CASE WHEN line.kind = 'wager' THEN said(line.reported_outcome) END AS reported_outcome,
    CASE WHEN line.reports > 0 THEN line.reported_paid_cents END AS reported_paid_cents,
    CASE WHEN line.reports > 0 THEN line.reported_taken_cents END AS reported_taken_cents,
    CASE WHEN line.reports > 0 THEN line.reported_vigorish_cents END AS reported_vigorish_cents,
    line.citation AS citation
FROM unnested
WHERE line.kind IN ('wager', 'envy')
