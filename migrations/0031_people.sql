-- A person is one person in all groups of a bot that is several processes.

-- Orders to forget somebody that were given here, until every group has carried them out. `at`: Unix ms.
CREATE TABLE orders (
    id   TEXT    PRIMARY KEY,
    user INTEGER NOT NULL,
    at   INTEGER NOT NULL,
    born INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX orders_by_user ON orders (user);

-- The groups that have to carry out an order, and which have. `shards` as in the settings: 0-3.
CREATE TABLE order_groups (
    order_id TEXT    NOT NULL,
    number   INTEGER NOT NULL,
    shards   TEXT    NOT NULL,
    servers  INTEGER,
    done     INTEGER NOT NULL DEFAULT 0 CHECK (done IN (0, 1)),
    PRIMARY KEY (order_id, number)
) STRICT, WITHOUT ROWID;

-- Orders that were carried out here, whoever gave them: each is carried out once. They name nobody.
CREATE TABLE orders_done (
    id TEXT    PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The choice may be no, if there are other groups: they have to hear of it. `at`: its Unix ms, by which
-- the newest is found. `told`: Valkey has it.
ALTER TABLE plain_text ADD COLUMN plain INTEGER NOT NULL DEFAULT 1 CHECK (plain IN (0, 1));
ALTER TABLE plain_text ADD COLUMN at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE plain_text ADD COLUMN told INTEGER NOT NULL DEFAULT 0 CHECK (told IN (0, 1));

-- Two chains may have the same first day, if two groups had one each. `since`: the first date that is
-- dealt from it here.
CREATE TABLE chains (
    first_day INTEGER NOT NULL,
    links     INTEGER NOT NULL,
    final     BLOB    NOT NULL,
    since     INTEGER NOT NULL,
    PRIMARY KEY (first_day, final)
) STRICT;
INSERT INTO chains (first_day, links, final, since) SELECT first_day, links, final, first_day FROM daily_chains;
DROP TABLE daily_chains;
ALTER TABLE chains RENAME TO daily_chains;

-- 1: the server is another group's, which has not got this result yet. 2: it has.
ALTER TABLE daily_places ADD COLUMN away INTEGER NOT NULL DEFAULT 0 CHECK (away IN (0, 1, 2));
CREATE INDEX daily_places_to_tell ON daily_places (day) WHERE away = 1 AND points IS NOT NULL;
