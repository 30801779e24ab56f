-- Of each closed round its wagers without a settlement, and its settlements without a wager.
WITH keyed AS (
    SELECT table_id, round_id, opened_us, first_seq, last_seq, list_transform(facts, lambda f: {'kind': f.kind,
        'seq': f.seq, 'key': {'seat': f.seat, 'bettor': f.bettor, 'wager': f.wager, 'choice': f.choice, 'hand': f.hand}}
    ) AS facts
    FROM day_rounds
    WHERE (flags & $FLAG_CLOSED) <> 0 AND (flags & ($FLAG_VOIDED | $FLAG_GAP)) = 0
        AND len(list_filter(facts, lambda f: f.kind = $POT)) = 0
),
reports AS (
    SELECT * EXCLUDE (facts), list_filter(facts, lambda f: f.kind IN ($WAGER_PLACED, $WAGER_CHANGED)) AS placed,
        list_filter(facts, lambda f: f.kind = $WAGER_WITHDRAWN) AS withdrawn,
        list_transform(list_filter(facts, lambda f: f.kind = $SETTLED), lambda f: f.key) AS settled
    FROM keyed
),
counted AS (
    SELECT *, list_transform(placed, lambda p: p.key) AS named, list_distinct(list_transform(list_filter(placed,
        lambda p: len(list_filter(withdrawn, lambda w: w.seq > p.seq AND w.key = p.key)) = 0), lambda p: p.key)) AS live
    FROM reports
)
SELECT table_id, round_id, len(list_filter(live, lambda w: NOT list_contains(settled, w))) AS unsettled,
    len(list_filter(settled, lambda s: NOT list_contains(named, s)
        AND NOT list_contains($SETTLED_WITHOUT_A_WAGER, s.wager))) AS unplaced,
    sum(len(live)) OVER of_table AS wagers, sum(len(settled)) OVER of_table AS settlements,
    first_seq AS seq, opened_us AS at_us, [[first_seq, last_seq]] AS marks
FROM counted WINDOW of_table AS (PARTITION BY table_id) ORDER BY table_id, first_seq
