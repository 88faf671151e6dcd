-- How many ms its table had lived when this was written, by which all that takes time is measured.
-- `at` is for dates alone. Of older entries it follows from their times, and never decreases.
ALTER TABLE journal ADD COLUMN lived INTEGER NOT NULL DEFAULT 0;

UPDATE journal SET lived = told.lived
FROM (
    SELECT table_id, seq,
        max(at) OVER (PARTITION BY table_id ORDER BY seq)
            - first_value(at) OVER (PARTITION BY table_id ORDER BY seq) AS lived
    FROM journal
) AS told
WHERE journal.table_id = told.table_id AND journal.seq = told.seq;
