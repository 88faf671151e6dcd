-- Where a table's picture of its own is, in servers that take none with an edit: of the score
-- after so many rounds.
CREATE TABLE pictures (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id),
    rounds   INTEGER NOT NULL,
    channel  INTEGER NOT NULL,
    message  INTEGER NOT NULL
) STRICT;

-- What Discord has shown to work in a server, or not. `at`: Unix seconds.
CREATE TABLE learned (
    guild  INTEGER NOT NULL,
    lesson TEXT    NOT NULL,
    at     REAL    NOT NULL,
    PRIMARY KEY (guild, lesson)
) STRICT, WITHOUT ROWID;
