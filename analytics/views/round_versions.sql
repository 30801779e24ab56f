-- A row is one version of a round: late or corrected events re-open a round, and the old version stays. The newest one
-- that is attested stands (every event it rests on lies on an unbroken chain under a good signature); where none is, the
-- newest. contested: it stands, and a newer version that no signature vouches for says otherwise.
-- Cards are in the order read; a column the devices said nothing about is NULL. failed_checks are the QUALITY codes under
-- which data of the round failed an expectation (docs/quality.md); NULL where none did, or nothing was checked.
SELECT
    table_id,
    round_id,
    version,
    version = max(version) OVER every_version AS newest,
    version = coalesce(
        max(version) FILTER (WHERE is_attested(flags)) OVER every_version, max(version) OVER every_version
    ) AS stands,
    stands AND NOT newest AS contested,
    verdict,
    reason,
    TRY_CAST(said(gaming_day) AS DATE) AS gaming_day,
    said(dealer) AS dealer,
    json_extract_string(said(filing), '$.pack') AS pack,
    json_extract_string(said(filing), '$.version') AS pack_version,
    json_extract_string(said(filing), '$.options') AS filed_options,
    at_utc(opened_us) AS opened_at,
    at_utc(closed_us) AS closed_at,
    is_attested(flags) AS attested,
    is_voided(flags) AS voided,
    is_gap(flags) AS events_missing,
    is_corrected(flags) AS corrected,
    is_rack_read(flags) AS rack_read,
    is_deal_read(flags) AS deal_read,
    said(deck) AS deck,
    start_method_name(known(start_method)) AS start_method,
    known(start_number) AS start_number,
    known(start_place) AS start_place,
    known(bank_seat) AS bank_seat,
    bank_kind_name(known(bank_kind)) AS bank_kind,
    known(bank_posted_cents) AS bank_posted_cents,
    known(bank_turn) AS bank_turn,
    known(stub_count) AS stub_count,
    card_names(rack) AS rack,
    card_names(dealt) AS dealt,
    known(bets_closed_seq) AS bets_closed_seq,
    first_seq,
    last_seq,
    failed_checks,
    judged,
    facts,
    lines
FROM lake_rounds
LEFT JOIN quality_rounds USING (table_id, round_id, version)
WINDOW every_version AS (PARTITION BY table_id, round_id)
