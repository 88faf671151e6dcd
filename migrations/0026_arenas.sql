-- An arena. Its secret is promised in its message, and told once it is `over`: until then it stands in the
-- journal alone. `put_away`: its message shows its end. `token`: that of the command that opened it, with
-- which its message is found again after a crash (a secret for 15 minutes). `message`: the first one, which
-- is in every seed; `shown`: the one that shows it now. `began` and `ended`: Unix ms.
CREATE TABLE arenas (
    id          INTEGER PRIMARY KEY,
    guild       INTEGER NOT NULL,
    channel     INTEGER NOT NULL,
    application INTEGER,
    message     INTEGER,
    shown       INTEGER,
    token       TEXT,
    game        TEXT    NOT NULL,
    began       INTEGER NOT NULL,
    ended       INTEGER,
    secret      TEXT,
    put_away    INTEGER NOT NULL DEFAULT 0 CHECK (put_away IN (0, 1))
) STRICT;

CREATE INDEX arenas_open ON arenas (id) WHERE put_away = 0;
CREATE INDEX arenas_guild ON arenas (guild);

-- One row for everything that happened in an arena, in order, until it is put away.
CREATE TABLE arena_journal (
    arena       INTEGER NOT NULL REFERENCES arenas (id),
    seq         INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    lived       INTEGER NOT NULL,
    kind        TEXT    NOT NULL,
    body        TEXT    NOT NULL CHECK (json_valid(body)),
    interaction INTEGER UNIQUE,
    PRIMARY KEY (arena, seq)
) STRICT, WITHOUT ROWID;

-- Where somebody's panel is while they sit at no table of the arena, as in `panels`.
CREATE TABLE arena_panels (
    arena   INTEGER NOT NULL REFERENCES arenas (id),
    user    INTEGER NOT NULL,
    message INTEGER NOT NULL,
    token   TEXT    NOT NULL,
    born    REAL    NOT NULL,
    locale  TEXT    NOT NULL,
    PRIMARY KEY (arena, user)
) STRICT, WITHOUT ROWID;
