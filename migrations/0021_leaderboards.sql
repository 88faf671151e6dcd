-- Leaderboards that are kept rather than sorted: any page and anybody's place are found in as many steps in a big
-- server as in a small one. All of it follows from matches, seats and ratings. Triggers keep it, since these are
-- written in several ways.

-- How many keys of a list there are in each range of 2^shift keys, for several shifts. `list` is a leaderboard, or for
-- 'match' a server, whose keys are the matches shown in its history.
CREATE TABLE counts (
    kind   TEXT    NOT NULL,
    list   INTEGER NOT NULL,
    shift  INTEGER NOT NULL,
    bucket INTEGER NOT NULL,
    n      INTEGER NOT NULL,
    PRIMARY KEY (kind, list, shift, bucket)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER counts_none AFTER UPDATE OF n ON counts WHEN new.n = 0
BEGIN
    DELETE FROM counts
    WHERE kind = new.kind AND list = new.list AND shift = new.shift AND bucket = new.bucket;
END;

CREATE TABLE count_shifts (
    kind  TEXT    NOT NULL,
    shift INTEGER NOT NULL,
    PRIMARY KEY (kind, shift)
) STRICT, WITHOUT ROWID;

INSERT INTO count_shifts SELECT k.column1, s.column1
FROM (VALUES ('rating'), ('points'), ('wins')) k, (VALUES (7), (14), (21), (28), (34), (41), (48), (55)) s;
INSERT INTO count_shifts VALUES ('match', 7), ('match', 14), ('match', 21), ('match', 28);

-- The leaderboards of a server's game. All of time is from -2^63 up to 2^63 - 1. `until`: up to but not
-- including. `filled`: it has everybody whose id is not above this; the rest is filled in the background.
-- `is_rated` is 0 for a period that is over: its order by rating is no longer kept.
CREATE TABLE leaderboards (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    guild    INTEGER NOT NULL,
    game     TEXT    NOT NULL,
    period   TEXT    NOT NULL CHECK (period IN ('all', 'year', 'month', 'week')),
    start    INTEGER NOT NULL,
    until    INTEGER NOT NULL,
    filled   INTEGER NOT NULL DEFAULT 0,
    is_rated INTEGER NOT NULL DEFAULT 1 CHECK (is_rated IN (0, 1)),
    UNIQUE (guild, game, start, until)
) STRICT;

CREATE INDEX leaderboards_unfilled ON leaderboards (id) WHERE filled < 9223372036854775807;
CREATE INDEX leaderboards_past ON leaderboards (id) WHERE is_rated = 0 AND period IN ('year', 'week');

-- Who is on a leaderboard. `shown` and `margin`: the rating now, a newcomer's for somebody whom no round has rated. The
-- keys are in the order of places, equals by their ids: a value of 35 bits, then 28 bits of the id. By wins, equals
-- are by points per round.
CREATE TABLE standings (
    leaderboard   INTEGER NOT NULL,
    player  INTEGER NOT NULL,
    matches INTEGER NOT NULL,
    wins    INTEGER NOT NULL,
    points  INTEGER NOT NULL,
    rounds  INTEGER NOT NULL,
    shown   INTEGER NOT NULL,
    margin  INTEGER NOT NULL,
    by_rating INTEGER NOT NULL GENERATED ALWAYS AS (
        (524288 - (shown - iif(margin > 50, margin, 0)) << 28) + player) STORED,
    by_points INTEGER NOT NULL GENERATED ALWAYS AS (
        (524288 - CAST(round(100 * round(1.0 * points / max(1, rounds), 2)) AS INTEGER) << 28)
        + player) STORED,
    by_wins   INTEGER NOT NULL GENERATED ALWAYS AS (
        (32767 - min(wins, 32767) << 48)
        + (524288 - CAST(round(100 * round(1.0 * points / max(1, rounds), 2)) AS INTEGER) << 28)
        + player) STORED,
    PRIMARY KEY (leaderboard, player)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX standings_by_rating ON standings (leaderboard, by_rating);
CREATE UNIQUE INDEX standings_by_points ON standings (leaderboard, by_points);
CREATE UNIQUE INDEX standings_by_wins ON standings (leaderboard, by_wins);

CREATE TRIGGER standings_more AFTER INSERT ON standings
BEGIN
    INSERT INTO counts SELECT s.kind, new.leaderboard, s.shift,
        CASE s.kind WHEN 'rating' THEN new.by_rating WHEN 'points' THEN new.by_points ELSE new.by_wins END
            >> s.shift, 1
    FROM count_shifts s WHERE s.kind != 'match' ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER standings_less AFTER DELETE ON standings
BEGIN
    UPDATE counts SET n = n - 1 WHERE (kind, list, shift, bucket) IN (
        SELECT s.kind, old.leaderboard, s.shift,
            CASE s.kind WHEN 'rating' THEN old.by_rating WHEN 'points' THEN old.by_points ELSE old.by_wins END
                >> s.shift
        FROM count_shifts s WHERE s.kind != 'match');
END;

CREATE TRIGGER standings_rating AFTER UPDATE ON standings WHEN new.by_rating != old.by_rating
BEGIN
    UPDATE counts SET n = n - 1 WHERE (kind, list, shift, bucket) IN (
        SELECT s.kind, old.leaderboard, s.shift, old.by_rating >> s.shift FROM count_shifts s
        WHERE s.kind = 'rating' AND old.by_rating >> s.shift != new.by_rating >> s.shift);
    INSERT INTO counts SELECT s.kind, new.leaderboard, s.shift, new.by_rating >> s.shift, 1 FROM count_shifts s
    WHERE s.kind = 'rating' AND old.by_rating >> s.shift != new.by_rating >> s.shift
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER standings_points AFTER UPDATE ON standings WHEN new.by_points != old.by_points
BEGIN
    UPDATE counts SET n = n - 1 WHERE (kind, list, shift, bucket) IN (
        SELECT s.kind, old.leaderboard, s.shift, old.by_points >> s.shift FROM count_shifts s
        WHERE s.kind = 'points' AND old.by_points >> s.shift != new.by_points >> s.shift);
    INSERT INTO counts SELECT s.kind, new.leaderboard, s.shift, new.by_points >> s.shift, 1 FROM count_shifts s
    WHERE s.kind = 'points' AND old.by_points >> s.shift != new.by_points >> s.shift
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER standings_wins AFTER UPDATE ON standings WHEN new.by_wins != old.by_wins
BEGIN
    UPDATE counts SET n = n - 1 WHERE (kind, list, shift, bucket) IN (
        SELECT s.kind, old.leaderboard, s.shift, old.by_wins >> s.shift FROM count_shifts s
        WHERE s.kind = 'wins' AND old.by_wins >> s.shift != new.by_wins >> s.shift);
    INSERT INTO counts SELECT s.kind, new.leaderboard, s.shift, new.by_wins >> s.shift, 1 FROM count_shifts s
    WHERE s.kind = 'wins' AND old.by_wins >> s.shift != new.by_wins >> s.shift
    ON CONFLICT DO UPDATE SET n = n + 1;
END;

-- A seat of a match that counts, and one that counts no longer.
CREATE TRIGGER standings_seat AFTER INSERT ON seats WHEN new.rated = 1 AND new.player IS NOT NULL
BEGIN
    INSERT INTO standings (leaderboard, player, matches, wins, points, rounds, shown, margin)
    SELECT b.id, new.player, 1, new.won, new.points, new.rounds, coalesce(r.shown, 1000),
        coalesce(r.margin, iif(new.game = 'dice', 409, 205))
    FROM leaderboards b LEFT JOIN ratings r ON r.player = new.player AND r.game = new.game
    WHERE b.guild = new.guild AND b.game = new.game AND b.start <= new.ended AND new.ended < b.until
        AND new.player <= b.filled
    ON CONFLICT DO UPDATE SET matches = matches + 1, wins = wins + excluded.wins,
        points = points + excluded.points, rounds = rounds + excluded.rounds;
END;

CREATE TRIGGER standings_seat_void AFTER UPDATE OF rated ON seats
WHEN old.rated = 1 AND new.rated = 0 AND old.player IS NOT NULL
BEGIN
    UPDATE standings SET matches = matches - 1, wins = wins - old.won, points = points - old.points,
        rounds = rounds - old.rounds
    WHERE player = old.player AND leaderboard IN (
        SELECT id FROM leaderboards b
        WHERE b.guild = old.guild AND b.game = old.game AND b.start <= old.ended AND old.ended < b.until);
    DELETE FROM standings WHERE matches = 0 AND player = old.player AND leaderboard IN (
        SELECT id FROM leaderboards b
        WHERE b.guild = old.guild AND b.game = old.game AND b.start <= old.ended AND old.ended < b.until);
END;

CREATE TRIGGER standings_rated AFTER INSERT ON ratings
BEGIN
    UPDATE standings SET shown = new.shown, margin = new.margin
    WHERE player = new.player AND leaderboard IN (
        SELECT b.id FROM players p JOIN leaderboards b ON b.guild = p.guild
        WHERE p.id = new.player AND b.game = new.game AND b.is_rated = 1);
END;

CREATE TRIGGER standings_rated_anew AFTER UPDATE ON ratings
WHEN old.shown != new.shown OR old.margin != new.margin
BEGIN
    UPDATE standings SET shown = new.shown, margin = new.margin
    WHERE player = new.player AND leaderboard IN (
        SELECT b.id FROM players p JOIN leaderboards b ON b.guild = p.guild
        WHERE p.id = new.player AND b.game = new.game AND b.is_rated = 1);
END;

CREATE TRIGGER standings_unrated AFTER DELETE ON ratings
BEGIN
    UPDATE standings SET shown = 1000, margin = iif(old.game = 'dice', 409, 205)
    WHERE player = old.player AND leaderboard IN (
        SELECT b.id FROM players p JOIN leaderboards b ON b.guild = p.guild
        WHERE p.id = old.player AND b.game = old.game AND b.is_rated = 1);
END;

INSERT INTO leaderboards (guild, game, period, start, until)
SELECT DISTINCT guild, game, 'all', -9223372036854775808, 9223372036854775807 FROM matches;

-- The matches of a server's history.
INSERT INTO counts SELECT s.kind, m.guild, s.shift, m.id >> s.shift, count(*)
FROM matches m, count_shifts s WHERE s.kind = 'match' AND m.standing != 'dropped' GROUP BY 1, 2, 3, 4;

CREATE TRIGGER matches_more AFTER INSERT ON matches WHEN new.standing != 'dropped'
BEGIN
    INSERT INTO counts SELECT s.kind, new.guild, s.shift, new.id >> s.shift, 1
    FROM count_shifts s WHERE s.kind = 'match' ON CONFLICT DO UPDATE SET n = n + 1;
END;

CREATE TRIGGER matches_shown AFTER UPDATE OF standing ON matches
WHEN (old.standing = 'dropped') != (new.standing = 'dropped')
BEGIN
    INSERT INTO counts SELECT s.kind, new.guild, s.shift, new.id >> s.shift, 0
    FROM count_shifts s WHERE s.kind = 'match' ON CONFLICT DO NOTHING;
    UPDATE counts SET n = n + iif(new.standing = 'dropped', -1, 1) WHERE (kind, list, shift, bucket) IN (
        SELECT s.kind, new.guild, s.shift, new.id >> s.shift FROM count_shifts s WHERE s.kind = 'match');
END;

CREATE TRIGGER matches_less AFTER DELETE ON matches WHEN old.standing != 'dropped'
BEGIN
    UPDATE counts SET n = n - 1 WHERE (kind, list, shift, bucket) IN (
        SELECT s.kind, old.guild, s.shift, old.id >> s.shift FROM count_shifts s WHERE s.kind = 'match');
END;

-- A place is counted by its leaderboard.
DROP TRIGGER places_seat;
DROP TRIGGER places_seat_void;
DROP TRIGGER places_rating;
DROP TRIGGER places_rating_anew;
DROP TRIGGER places_rating_gone;
DROP TABLE places;

-- Ratings are worked out anew from this match on, 0 for all. `version` counts the changes that make this necessary:
-- what was worked out before one of them is not written.
ALTER TABLE ratings_due ADD COLUMN since INTEGER NOT NULL DEFAULT 0;
ALTER TABLE ratings_due ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
