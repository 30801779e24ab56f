-- A row is one record of the log, whatever became of it: recorded, a duplicate, or quarantined (status, reason); or
-- skipped, an offset that Kafka used for itself.
SELECT
    table_id,
    round_id,
    seq,
    "type" AS event_type,
    at_utc(time_us) AS happened_at,
    status,
    reason,
    source,
    event_id,
    "offset" AS log_offset,
    at_utc(timestamp_us) AS logged_at,
    lower(hex(hash)) AS sha256,
    raw
FROM lake_events
