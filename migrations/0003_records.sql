-- Who has played in a server. `user` is NULL for somebody who asked to be forgotten: the results
-- stay, nameless. Who plays again after that is somebody new. `name` is the last one known.
CREATE TABLE players (
    id    INTEGER PRIMARY KEY,
    guild INTEGER NOT NULL,
    user  INTEGER,
    name  TEXT,
    CHECK ((user IS NULL) = (name IS NULL)),
    UNIQUE (user, guild)
) STRICT;

CREATE INDEX players_of_guild ON players (guild);

-- A match that has ended. Ids count up in the order in which results were written, which is the
-- order of ratings. `began` and `ended`: Unix ms. A table has one match at most.
CREATE TABLE matches (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    table_id INTEGER NOT NULL UNIQUE,
    guild    INTEGER NOT NULL,
    game     TEXT    NOT NULL,
    began    INTEGER NOT NULL,
    ended    INTEGER NOT NULL,
    options  TEXT    NOT NULL CHECK (json_valid(options)),
    standing TEXT    NOT NULL CHECK (standing IN ('rated', 'practice', 'dropped', 'void'))
) STRICT;

CREATE INDEX matches_of_guild ON matches (guild, id, standing);
CREATE INDEX matches_by_end ON matches (guild, ended);
CREATE INDEX matches_rated ON matches (guild, game, id) WHERE standing = 'rated';

-- Its rounds. `lasted`: ms. `plus`, `minus` and `laid` are lists by seat, with null for a seat
-- that was not dealt in; `duels` are the contested presses: [who was first, who was late, ms].
CREATE TABLE rounds (
    match_id INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    round    INTEGER NOT NULL,
    reason   TEXT    NOT NULL,
    by_seat  INTEGER,
    lasted   INTEGER NOT NULL,
    plus     TEXT    NOT NULL CHECK (json_valid(plus)),
    minus    TEXT    NOT NULL CHECK (json_valid(minus)),
    laid     TEXT    NOT NULL CHECK (json_valid(laid)),
    duels    TEXT    NOT NULL CHECK (json_valid(duels)),
    PRIMARY KEY (match_id, round)
) STRICT, WITHOUT ROWID;

-- Its seats. A computer player has a name and no player. What a leaderboard reads (`guild`,
-- `game`, `ended`, `rated`) is repeated from the match. `mu` and `sigma`: the player's rating
-- after this match, for rated ones.
CREATE TABLE seats (
    match_id  INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat      INTEGER NOT NULL,
    player    INTEGER REFERENCES players (id),
    name      TEXT,
    guild     INTEGER NOT NULL,
    game      TEXT    NOT NULL,
    ended     INTEGER NOT NULL,
    rated     INTEGER NOT NULL CHECK (rated IN (0, 1)),
    place     INTEGER NOT NULL,
    rank      INTEGER,
    won       INTEGER NOT NULL CHECK (won IN (0, 1)),
    gone      INTEGER NOT NULL CHECK (gone IN (0, 1)),
    points    INTEGER NOT NULL,
    rounds    INTEGER NOT NULL,
    lasted    INTEGER NOT NULL,
    laid      INTEGER NOT NULL,
    best      INTEGER,
    worst     INTEGER,
    firsts    INTEGER NOT NULL,
    firsts_ms INTEGER NOT NULL,
    lates     INTEGER NOT NULL,
    lates_ms  INTEGER NOT NULL,
    mu        REAL,
    sigma     REAL,
    CHECK ((player IS NULL) = (rank IS NULL)),
    CHECK (player IS NULL OR name IS NULL),
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX seats_of_player ON seats (player, game, rated, match_id);
-- A leaderboard reads nothing but this: by player, so that sums need no sorting.
CREATE INDEX seats_on_board ON seats (guild, game, rated, player, ended, won, points, rounds)
    WHERE player IS NOT NULL;

-- Everybody's rating now. It can be worked out anew from the rated matches (`bot ratings`).
-- `shown` is the number people see.
CREATE TABLE ratings (
    player INTEGER NOT NULL REFERENCES players (id),
    game   TEXT    NOT NULL,
    mu     REAL    NOT NULL,
    sigma  REAL    NOT NULL,
    shown  INTEGER NOT NULL,
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;

-- The log of a match, zlib, without names: they are put in when somebody asks for it.
CREATE TABLE logs (
    match_id INTEGER PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE,
    log      BLOB NOT NULL
) STRICT;

-- What a server has set. NULL stands for the bot's own default. `defaults` holds, by game, the
-- options a table opens with; `keep_logs` is in days.
CREATE TABLE settings (
    guild     INTEGER PRIMARY KEY,
    language  TEXT,
    time_zone TEXT,
    keep_logs INTEGER CHECK (keep_logs >= 0),
    defaults  TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(defaults))
) STRICT;

-- The servers an application is or was in. `left_at`: Unix ms since when it is not.
CREATE TABLE guilds (
    guild       INTEGER PRIMARY KEY,
    application INTEGER NOT NULL,
    left_at     INTEGER
) STRICT;

-- What moderators did. `moderator` is NULL when he asked to be forgotten.
CREATE TABLE moderation (
    id        INTEGER PRIMARY KEY,
    guild     INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    moderator INTEGER,
    action    TEXT    NOT NULL CHECK (action IN ('void', 'close')),
    subject   INTEGER NOT NULL
) STRICT;

CREATE INDEX moderation_of_guild ON moderation (guild, id);
CREATE INDEX moderation_by ON moderation (moderator);

CREATE INDEX tables_of_guild ON tables (guild);
