-- A row is one thing said of a progressive meter: contributed, paid, read or reset. moved_cents is by how much it moved the
-- meter (a reading or a reset says nothing of that), said_cents what the meter is said to stand at afterwards.
WITH in_rounds AS (
    SELECT
        table_id,
        round_id,
        seq,
        kind,
        choice AS meter,
        seat,
        bettor,
        amount_cents,
        taken_cents,
        other,
        wager
    FROM facts
    WHERE kind IN ('progressive_in', 'progressive_out', 'meter', 'meter_reset')
),
-- What is said between rounds is a fact of the next one as well; there may be none yet, and repeated readings are none.
outside AS (
    SELECT
        table_id,
        seq,
        event_type,
        json_extract_string(json, '$.data.meter') AS meter,
        json_extract_string(json, '$.data.value_cents')::BIGINT AS cents,
        json_extract_string(json, '$.data.by') AS set_by
    FROM events
    WHERE event_type IN ('muckraker.meter.read.v1', 'muckraker.meter.reset.v1')
),
said AS (
    SELECT
        table_id,
        round_id,
        seq,
        CASE kind
            WHEN 'progressive_in' THEN 'contributed'
            WHEN 'progressive_out' THEN 'paid'
            WHEN 'meter' THEN 'read'
            ELSE 'reset'
        END AS step,
        meter,
        seat,
        bettor,
        CASE WHEN kind IN ('progressive_in', 'progressive_out') THEN amount_cents END AS amount_cents,
        CASE
            WHEN kind = 'progressive_in' THEN amount_cents
            WHEN kind = 'progressive_out' THEN CASE WHEN other = 1 THEN -amount_cents ELSE 0 END
            WHEN kind = 'meter' THEN 0
        END AS moved_cents,
        CASE WHEN kind IN ('meter', 'meter_reset') THEN amount_cents ELSE known(taken_cents) END AS said_cents,
        CASE WHEN kind = 'meter_reset' THEN wager END AS set_by
    FROM in_rounds
    UNION ALL BY NAME
    SELECT
        table_id,
        seq,
        CASE event_type WHEN 'muckraker.meter.read.v1' THEN 'read' ELSE 'reset' END AS step,
        meter,
        CASE event_type WHEN 'muckraker.meter.read.v1' THEN 0 END AS moved_cents,
        cents AS said_cents,
        set_by
    FROM outside
    ANTI JOIN in_rounds USING (table_id, seq)
)
SELECT
    said.meter,
    said.table_id,
    said.round_id,
    said.seq,
    coalesce(e.happened_at, r.closed_at) AS happened_at,
    said.step,
    said.seat,
    said.bettor,
    said.amount_cents,
    said.moved_cents,
    said.said_cents,
    said.set_by
FROM said
LEFT JOIN (SELECT table_id, seq, happened_at FROM records WHERE status = 'recorded') AS e USING (table_id, seq)
LEFT JOIN (SELECT table_id, round_id, closed_at FROM rounds) AS r USING (table_id, round_id)
