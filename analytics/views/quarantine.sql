-- A row is one record the gate refused, with the reason and its bytes.
SELECT table_id, round_id, seq, reason, event_type, happened_at, log_offset, logged_at, sha256, raw
FROM records
WHERE status = 'quarantined'
