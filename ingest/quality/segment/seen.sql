-- Where the recorded events of each table lie, late ones included.
SELECT table_id, min(seq) AS lowest, max(seq) AS highest FROM of_segment GROUP BY table_id ORDER BY table_id
