-- A row is one table, or one device of it, on one gaming day: how often its data was held against an expectation, and failed.
-- A table or device that is not listed on a day was not looked at.
SELECT
    TRY_CAST(gaming_day AS DATE) AS gaming_day,
    table_id,
    device,
    sum(judged)::BIGINT AS judged,
    sum(failed)::BIGINT AS failed,
    bool_or(border = 'day') AS day_checked
FROM lake_quality_places
GROUP BY ALL
