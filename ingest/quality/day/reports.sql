-- Of each round what has to be reported in every round, and was not. Where it is hardly reported at all, that has been
-- said of the device (`devices_heard`).
SELECT table_id, what AS item, device, round_id, rounds, first_seq AS seq, opened_us AS at_us,
    CASE WHEN rounds >= $HEARD_ROUNDS AND heard < ceil($HEARD_SHARE * rounds) THEN 0 ELSE (NOT reported)::INT END AS missing,
    [[first_seq, last_seq]] AS marks
FROM due WHERE what IN $WITHOUT_FAIL ORDER BY table_id, what, first_seq
