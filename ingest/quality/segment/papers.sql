-- The last reading of each tray with the fills and credits since, and the last count of each drop box.
SELECT * FROM (
    SELECT * FROM papers_before
    UNION ALL BY NAME
    SELECT s.table_id, s.seq, s.time_us, s.inventory_cents, s.filled_cents, s.box, s.box_cents, t.rounds
    FROM spoken AS s JOIN timeline AS t USING (table_id, seq)
    WHERE t.new AND coalesce(s.inventory_cents, s.filled_cents, s.box_cents) IS NOT NULL
)
QUALIFY seq >= max(seq) FILTER (inventory_cents IS NOT NULL) OVER (PARTITION BY table_id)
    OR seq = max(seq) FILTER (box_cents IS NOT NULL) OVER (PARTITION BY table_id, box)
ORDER BY table_id, seq
