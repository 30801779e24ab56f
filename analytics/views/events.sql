-- A row is one event that was admitted to the record; json is what the device said, raw its exact bytes.
SELECT table_id, round_id, seq, event_type, happened_at, source, event_id, log_offset, logged_at, sha256, decode(raw) AS json, raw
FROM records
WHERE status = 'recorded'
