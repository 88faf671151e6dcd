-- A table that was opened. `token` is that of the command that opened it (a secret for 15
-- minutes): with it the table's message is found again after a crash. `nonce` is set while a
-- message is being posted, so that posting it again gives the same one.
CREATE TABLE tables (
    id         INTEGER PRIMARY KEY,
    guild      INTEGER NOT NULL,
    channel    INTEGER NOT NULL,
    closed     INTEGER NOT NULL DEFAULT 0 CHECK (closed IN (0, 1)),
    message    INTEGER,
    token      TEXT,
    nonce      TEXT
) STRICT;

CREATE INDEX tables_open ON tables (id) WHERE closed = 0;

-- One row for everything that happened at a table, in order. `at`: Unix time in ms.
CREATE TABLE journal (
    table_id    INTEGER NOT NULL REFERENCES tables (id),
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    kind        TEXT    NOT NULL,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    interaction INTEGER UNIQUE,
    PRIMARY KEY (table_id, seq)
) STRICT, WITHOUT ROWID;

-- Where a player's private panel is, and the newest token that can edit it. `born`: Unix
-- seconds from which Discord counts the token's 15 minutes.
CREATE TABLE panels (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    user     INTEGER NOT NULL,
    message  INTEGER NOT NULL,
    token    TEXT    NOT NULL,
    born     REAL    NOT NULL,
    PRIMARY KEY (table_id, user)
) STRICT, WITHOUT ROWID;

-- What the bot remembers of itself, such as which commands Discord knows.
CREATE TABLE notes (
    key   TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
