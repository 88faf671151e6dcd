-- The month that a server plays now, and when it began (Unix ms), once it has closed one. `month` is
-- '2026-05'.
CREATE TABLE open_seasons (
    guild INTEGER PRIMARY KEY,
    month TEXT    NOT NULL,
    began INTEGER NOT NULL
) STRICT;

-- The months that are over. Each begins where the one before ended, by the time zone of that day.
CREATE TABLE seasons (
    guild INTEGER NOT NULL,
    month TEXT    NOT NULL,
    began INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    PRIMARY KEY (guild, month)
) STRICT, WITHOUT ROWID;

-- Who was best in them, for ever: whoever is equal shares the title. `points`: per round.
CREATE TABLE champions (
    guild   INTEGER NOT NULL,
    month   TEXT    NOT NULL,
    game    TEXT    NOT NULL,
    player  INTEGER NOT NULL REFERENCES players (id),
    matches INTEGER NOT NULL,
    wins    INTEGER NOT NULL,
    points  REAL    NOT NULL,
    PRIMARY KEY (guild, month, game, player)
) STRICT, WITHOUT ROWID;

CREATE INDEX champions_by_player ON champions (player);

-- A month or a week is a small part of all that was played: it is read by its time.
CREATE INDEX seats_by_end ON seats (guild, ended, game, player, won, points, rounds, rated)
    WHERE rated = 1 AND player IS NOT NULL;
