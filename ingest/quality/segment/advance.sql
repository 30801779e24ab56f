-- Of each table where its events lie: by the border alone, and behind the deadline of the day it is in.
SELECT t.table_id, min(seq) AS first_seq, min_by(time_us, seq) AS first_us, max(seq) AS last_seq,
    CASE WHEN max(time_us) >= any_value(deadline_us)
        THEN coalesce(1 + max(seq) FILTER (time_us < deadline_us), min(seq)) END AS overdue_seq,
    (SELECT list({'day': day, 'lowest': lowest, 'highest': highest} ORDER BY day) FROM (
        SELECT CAST(make_timestamp((time_us - $border_us) // $DAY_US * $DAY_US) AS DATE)::VARCHAR AS day,
            min(seq) AS lowest, max(seq) AS highest
        FROM timeline AS x WHERE x.new AND x.table_id = t.table_id GROUP BY ALL
    )) AS stretches
FROM timeline AS t JOIN known USING (table_id) WHERE new GROUP BY t.table_id ORDER BY t.table_id
