-- What Discord has taught of the calls that a channel takes for its panels.
CREATE TABLE paces (
    channel    INTEGER PRIMARY KEY,
    guild      INTEGER NOT NULL,
    per_minute REAL    NOT NULL,
    is_limited INTEGER NOT NULL CHECK (is_limited IN (0, 1))
) STRICT;
CREATE INDEX paces_by_guild ON paces (guild);
