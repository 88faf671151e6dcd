-- What a server wants posted, and where; nothing while `posts_in` is NULL. `digest_day`: 0 for Monday,
-- NULL for no digest. `posts_since`, `digest_since`: Unix ms; what was over before is not told.
ALTER TABLE settings ADD COLUMN posts_in INTEGER;
ALTER TABLE settings ADD COLUMN post_seasons INTEGER NOT NULL DEFAULT 1
    CHECK (post_seasons IN (0, 1));
ALTER TABLE settings ADD COLUMN digest_day INTEGER CHECK (digest_day BETWEEN 0 AND 6);
ALTER TABLE settings ADD COLUMN digest_hour INTEGER NOT NULL DEFAULT 18
    CHECK (digest_hour BETWEEN 0 AND 23);
ALTER TABLE settings ADD COLUMN posts_since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE settings ADD COLUMN digest_since INTEGER NOT NULL DEFAULT 0;

-- What was posted, written before it is sent. `period`: a month, '2026-05', or when a week ended
-- (Unix ms). `at`: Unix seconds by Discord's clock, when it was first sent with its nonce. `outcome` is
-- NULL while nobody knows whether Discord took it. A refused one waits for another channel.
CREATE TABLE posts (
    guild   INTEGER NOT NULL,
    what    TEXT    NOT NULL CHECK (what IN ('season', 'week')),
    period  TEXT    NOT NULL,
    channel INTEGER NOT NULL,
    nonce   TEXT    NOT NULL,
    at      REAL    NOT NULL,
    outcome TEXT CHECK (outcome IN ('posted', 'refused')),
    PRIMARY KEY (guild, what, period)
) STRICT, WITHOUT ROWID;
