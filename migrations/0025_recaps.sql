-- When the recap of the daily comes, NULL for never: an hour of the server's time zone. No date that was told
-- before `recap_since` (Unix ms) is told.
ALTER TABLE settings ADD COLUMN recap_hour INTEGER CHECK (recap_hour BETWEEN 0 AND 23);
ALTER TABLE settings ADD COLUMN recap_since INTEGER NOT NULL DEFAULT 0;

-- A recap is a post as well: `what` is 'daily' then, and `period` the date, '2026-05-31'.
CREATE TABLE posts_with_daily (
    guild   INTEGER NOT NULL,
    what    TEXT    NOT NULL CHECK (what IN ('season', 'week', 'daily')),
    period  TEXT    NOT NULL,
    channel INTEGER NOT NULL,
    nonce   TEXT    NOT NULL,
    at      REAL    NOT NULL,
    outcome TEXT CHECK (outcome IN ('posted', 'refused')),
    PRIMARY KEY (guild, what, period)
) STRICT, WITHOUT ROWID;
INSERT INTO posts_with_daily SELECT guild, what, period, channel, nonce, at, outcome FROM posts;
DROP TABLE posts;
ALTER TABLE posts_with_daily RENAME TO posts;
