-- A row is one event that says what the table inventory holds (opened, counted, closed), what was brought to it or taken
-- from it (filled, credited), or what a drop box held (counted, with its box).
WITH said AS (
    SELECT table_id, seq, happened_at, event_type, json FROM events
    WHERE
        event_type IN (
            'muckraker.table.opened.v1',
            'muckraker.table.counted.v1',
            'muckraker.table.closed.v1',
            'muckraker.table.filled.v1',
            'muckraker.table.credited.v1'
        )
)
SELECT
    table_id,
    seq,
    happened_at,
    split_part(event_type, '.', 3) AS event,
    TRY_CAST(json_extract_string(json, '$.data.gaming_day') AS DATE) AS gaming_day,
    json_extract_string(json, '$.data.inventory_cents')::BIGINT AS inventory_cents,
    json_extract_string(json, '$.data.amount_cents')::BIGINT AS amount_cents,
    json_extract_string(json, '$.data.slip') AS slip,
    json_extract_string(json, '$.data.box') AS box,
    json_extract_string(json, '$.data.box_cents')::BIGINT AS box_cents
FROM said
