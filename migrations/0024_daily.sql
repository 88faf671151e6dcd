-- The deal of the day. `day`: a UTC date, in days since 1970-01-01.

-- Chains of secrets, one a day from `first_day`: each is the SHA-256 of the next day's, `final` is the last.
CREATE TABLE daily_chains (
    first_day INTEGER PRIMARY KEY,
    links     INTEGER NOT NULL,
    final     BLOB    NOT NULL
) STRICT;

-- The newest day whose secret is published, in the only row. It never goes back, whatever the clock does.
CREATE TABLE daily_published (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    day INTEGER NOT NULL
) STRICT;

-- Everybody's rounds. `moves`: the accepted presses, with a space after each, `presses` of them. `points`
-- is NULL until the round has ended. `version`: that of the rules it was dealt by.
CREATE TABLE daily_rounds (
    user    INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    game    TEXT    NOT NULL,
    version INTEGER NOT NULL,
    moves   TEXT    NOT NULL DEFAULT '',
    presses INTEGER NOT NULL DEFAULT 0,
    points  INTEGER,
    PRIMARY KEY (user, day, game)
) STRICT, WITHOUT ROWID;

-- The servers in which a round was played, with the name that its player had there. `points` and `presses`
-- are NULL until it has ended.
CREATE TABLE daily_places (
    guild   INTEGER NOT NULL,
    day     INTEGER NOT NULL,
    game    TEXT    NOT NULL,
    user    INTEGER NOT NULL,
    name    TEXT    NOT NULL,
    points  INTEGER,
    presses INTEGER,
    PRIMARY KEY (guild, day, game, user)
) STRICT, WITHOUT ROWID;

-- Standings are read in their order: nothing is sorted.
CREATE INDEX daily_places_by_points ON daily_places (guild, day, game, points DESC, presses, user, name)
    WHERE points IS NOT NULL;
CREATE INDEX daily_places_by_day ON daily_places (day);
CREATE INDEX daily_places_by_user ON daily_places (user, day, game);

-- Who asked to be forgotten after they had begun a round: the HMAC-SHA256 of their id under the random key
-- of that day, until the day's secret is published. Nobody plays twice by being forgotten.
CREATE TABLE daily_keys (
    day INTEGER PRIMARY KEY,
    key BLOB NOT NULL
) STRICT;
CREATE TABLE daily_marks (
    day  INTEGER NOT NULL,
    game TEXT    NOT NULL,
    mark BLOB    NOT NULL,
    PRIMARY KEY (day, game, mark)
) STRICT, WITHOUT ROWID;
