-- Of each round whose beginning and end are known whether its dealer also dealt at another table meanwhile. Rounds are
-- put side by side a quarter of an hour at a time, for their first day at most.
WITH dealt AS (
    SELECT table_id, dealer, round_id, opened_us, closed_us, first_seq, last_seq FROM day_rounds
    WHERE dealer <> '' AND opened_us >= 0 AND closed_us >= opened_us
),
slots AS (
    SELECT *, unnest(range(opened_us // $SLOT_US, least(closed_us, opened_us + $DAY_US) // $SLOT_US + 1)) AS slot FROM dealt
    WHERE dealer IN (SELECT dealer FROM dealt GROUP BY dealer HAVING count(DISTINCT table_id) > 1)
),
twice AS (
    SELECT a.table_id, a.first_seq, min(b.table_id || '/' || b.round_id) AS there, list(DISTINCT b.table_id) AS others
    FROM slots AS a JOIN slots AS b ON b.dealer = a.dealer AND b.slot = a.slot AND b.table_id <> a.table_id
        AND least(a.closed_us, b.closed_us) - greatest(a.opened_us, b.opened_us) > $DEALER_OVERLAP_US
    GROUP BY ALL
)
SELECT d.table_id, dealer, dealer AS item, round_id, (t.there IS NOT NULL)::INT AS elsewhere, there,
    array_to_string(list_sort(list_distinct(flatten(list(others) OVER of_dealer))), ' and ') AS others,
    max(closed_us) FILTER (t.there IS NOT NULL) OVER of_dealer AS until_us, first_seq AS seq, opened_us AS at_us,
    [[first_seq, last_seq]] AS marks
FROM dealt AS d LEFT JOIN twice AS t USING (table_id, first_seq)
WINDOW of_dealer AS (PARTITION BY d.table_id, dealer) ORDER BY d.table_id, dealer, first_seq
