-- Nobody wins a match that everybody was away from. Only of such a match a winner had left.
UPDATE standings SET wins = standings.wins - won.n
FROM (
    SELECT b.id AS leaderboard, s.player, count(*) AS n
    FROM seats s JOIN leaderboards b ON b.guild = s.guild AND b.game = s.game
        AND b.start <= s.ended AND s.ended < b.until AND s.player <= b.filled
    WHERE s.won = 1 AND s.gone = 1 AND s.rated = 1 GROUP BY b.id, s.player
) won
WHERE standings.leaderboard = won.leaderboard AND standings.player = won.player;

-- Their feats are worked out again in the background. So are those of matches that were too short: they were filed
-- under practice, and have none.
INSERT OR IGNORE INTO feats_due
SELECT DISTINCT match_id FROM seats WHERE won = 1 AND gone = 1 AND rated = 1;

INSERT OR IGNORE INTO feats_due
SELECT id FROM matches WHERE standing = 'practice' AND (unranked IS NULL OR unranked = 'too_short');

UPDATE seats SET won = 0 WHERE won = 1 AND gone = 1;
