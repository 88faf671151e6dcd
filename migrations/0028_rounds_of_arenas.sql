-- A round of an arena is no match: it counts for ratings, for points per round and for records of a round, but not as a
-- match played or won.
ALTER TABLE seats ADD COLUMN of_arena INTEGER NOT NULL DEFAULT 0 CHECK (of_arena IN (0, 1));
ALTER TABLE feats ADD COLUMN of_arena INTEGER NOT NULL DEFAULT 0 CHECK (of_arena IN (0, 1));

UPDATE seats SET of_arena = 1
WHERE match_id IN (SELECT id FROM matches WHERE json_extract(options, '$.arena') IS NOT NULL);

UPDATE standings SET matches = standings.matches - arenas.n, wins = standings.wins - arenas.won
FROM (
    SELECT b.id AS leaderboard, s.player, count(*) AS n, sum(s.won) AS won
    FROM seats s JOIN leaderboards b ON b.guild = s.guild AND b.game = s.game
        AND b.start <= s.ended AND s.ended < b.until AND s.player <= b.filled
    WHERE s.of_arena = 1 AND s.rated = 1 GROUP BY b.id, s.player
) arenas
WHERE standings.leaderboard = arenas.leaderboard AND standings.player = arenas.player;

-- Their feats are worked out again in the background.
INSERT OR IGNORE INTO feats_due SELECT DISTINCT match_id FROM seats WHERE of_arena = 1;

DROP INDEX seats_on_board;
CREATE INDEX seats_on_board ON seats (guild, game, rated, player, ended, won, points, rounds, of_arena)
    WHERE player IS NOT NULL;
DROP INDEX seats_by_end;
CREATE INDEX seats_by_end ON seats (guild, ended, game, player, won, points, rounds, rated, of_arena)
    WHERE rated = 1 AND player IS NOT NULL;
DROP INDEX feats_of_player;
CREATE INDEX feats_of_player ON feats
    (player, game, variant, category, match_id, won, points, stop, streak, of_arena);

-- A seat of a match that counts, and one that counts no longer.
DROP TRIGGER standings_seat;
CREATE TRIGGER standings_seat AFTER INSERT ON seats WHEN new.rated = 1 AND new.player IS NOT NULL
BEGIN
    INSERT INTO standings (leaderboard, player, matches, wins, points, rounds, shown, margin)
    SELECT b.id, new.player, 1 - new.of_arena, new.won * (1 - new.of_arena), new.points, new.rounds,
        coalesce(r.shown, 1000), coalesce(r.margin, iif(new.game = 'dice', 409, 205))
    FROM leaderboards b LEFT JOIN ratings r ON r.player = new.player AND r.game = new.game
    WHERE b.guild = new.guild AND b.game = new.game AND b.start <= new.ended AND new.ended < b.until
        AND new.player <= b.filled
    ON CONFLICT DO UPDATE SET matches = matches + excluded.matches, wins = wins + excluded.wins,
        points = points + excluded.points, rounds = rounds + excluded.rounds;
END;

DROP TRIGGER standings_seat_void;
CREATE TRIGGER standings_seat_void AFTER UPDATE OF rated ON seats
WHEN old.rated = 1 AND new.rated = 0 AND old.player IS NOT NULL
BEGIN
    UPDATE standings SET matches = matches - (1 - old.of_arena), wins = wins - old.won * (1 - old.of_arena),
        points = points - old.points, rounds = rounds - old.rounds
    WHERE player = old.player AND leaderboard IN (
        SELECT id FROM leaderboards b
        WHERE b.guild = old.guild AND b.game = old.game AND b.start <= old.ended AND old.ended < b.until);
    DELETE FROM standings WHERE matches = 0 AND rounds = 0 AND player = old.player AND leaderboard IN (
        SELECT id FROM leaderboards b
        WHERE b.guild = old.guild AND b.game = old.game AND b.start <= old.ended AND old.ended < b.until);
END;
