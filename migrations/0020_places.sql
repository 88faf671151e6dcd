-- Who is on a server's leaderboard of a game, with the rating shown, so that a place is counted and nothing is
-- sorted. `shown` and `margin` are NULL for somebody whom no round has rated. It follows from seats and ratings:
-- triggers keep it, since matches are written and voided, and ratings worked out anew, in several ways. It
-- goes with its player when a server is deleted.
CREATE TABLE places (
    guild   INTEGER NOT NULL,
    game    TEXT    NOT NULL,
    player  INTEGER NOT NULL REFERENCES players (id) ON DELETE CASCADE,
    matches INTEGER NOT NULL,
    shown   INTEGER,
    margin  INTEGER,
    PRIMARY KEY (player, game)
) STRICT, WITHOUT ROWID;

INSERT INTO places
SELECT s.guild, s.game, s.player, count(*), r.shown, r.margin
FROM seats s LEFT JOIN ratings r ON r.player = s.player AND r.game = s.game
WHERE s.rated = 1 AND s.player IS NOT NULL GROUP BY s.guild, s.game, s.player;

-- A place reads nothing but this.
CREATE INDEX places_by_rating ON places (guild, game, shown, margin);

CREATE TRIGGER places_seat AFTER INSERT ON seats WHEN new.rated = 1 AND new.player IS NOT NULL
BEGIN
    INSERT INTO places SELECT new.guild, new.game, new.player, 1, r.shown, r.margin
    FROM (SELECT 1) LEFT JOIN ratings r ON r.player = new.player AND r.game = new.game
    WHERE true
    ON CONFLICT DO UPDATE SET matches = matches + 1;
END;

CREATE TRIGGER places_seat_void AFTER UPDATE OF rated ON seats
WHEN old.rated = 1 AND new.rated = 0 AND old.player IS NOT NULL
BEGIN
    UPDATE places SET matches = matches - 1 WHERE player = old.player AND game = old.game;
    DELETE FROM places WHERE player = old.player AND game = old.game AND matches = 0;
END;

CREATE TRIGGER places_rating AFTER INSERT ON ratings
BEGIN
    UPDATE places SET shown = new.shown, margin = new.margin
    WHERE player = new.player AND game = new.game;
END;

CREATE TRIGGER places_rating_anew AFTER UPDATE ON ratings
BEGIN
    UPDATE places SET shown = new.shown, margin = new.margin
    WHERE player = new.player AND game = new.game;
END;

CREATE TRIGGER places_rating_gone AFTER DELETE ON ratings
BEGIN
    UPDATE places SET shown = NULL, margin = NULL WHERE player = old.player AND game = old.game;
END;
