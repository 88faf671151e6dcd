-- A message that mentions somebody whom a get-ready waits for: it is deleted when they are ready.
CREATE TABLE mentions (
    table_id INTEGER NOT NULL REFERENCES tables (id),
    user     INTEGER NOT NULL,
    channel  INTEGER NOT NULL,
    message  INTEGER NOT NULL,
    PRIMARY KEY (table_id, user)
) STRICT, WITHOUT ROWID;
