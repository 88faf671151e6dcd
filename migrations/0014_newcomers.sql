-- The table at which a person did something for the first time: 'table', sit at one of a game that
-- /learn teaches; 'alone', play it against robots alone. 0 for a table before this was kept.
CREATE TABLE firsts (
    user     INTEGER NOT NULL,
    what     TEXT    NOT NULL,
    table_id INTEGER NOT NULL,
    PRIMARY KEY (user, what)
) STRICT, WITHOUT ROWID;

-- Whoever has played a match is new to nothing.
INSERT INTO firsts (user, what, table_id)
SELECT DISTINCT p.user, w.column1, 0
FROM players AS p JOIN seats AS s ON s.player = p.id, (VALUES ('table'), ('alone')) AS w
WHERE p.user IS NOT NULL;
