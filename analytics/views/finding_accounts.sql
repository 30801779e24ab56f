-- A row is one account that a finding that stands puts out, and by how much: over a finding they add up to nothing, over a
-- round to the differences of its ledger.
WITH unnested AS (
    SELECT finding_id, code, table_id, round_id, round_version, gaming_day, dealer, confidence, unnest(accounts) AS share FROM findings
)
SELECT * EXCLUDE (share), share.account AS account, share.difference_cents AS difference_cents FROM unnested
