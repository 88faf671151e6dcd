-- The rounds of a match that are rated, in their order: {"ranks": [1, 2, null], "idle": [1]}, by
-- seat, null for a seat that is not rated. NULL for matches from before: it is found in their log.
ALTER TABLE matches ADD COLUMN rated_rounds TEXT
    CHECK (rated_rounds IS NULL OR json_valid(rated_rounds));

-- `margin`: how far from `shown` the true rating may be. Until they are worked out anew, the old
-- ratings are shown on the new scale.
ALTER TABLE ratings ADD COLUMN margin INTEGER NOT NULL DEFAULT 0;
UPDATE ratings SET
    shown = round(1000 + (mu - 25) * CASE game WHEN 'dice' THEN 24.567 ELSE 12.284 END),
    margin = round(2 * sigma * CASE game WHEN 'dice' THEN 24.567 ELSE 12.284 END);

-- What has still to be worked out anew, which a running bot does in the background. Matches that
-- end meanwhile are rated with the others.
CREATE TABLE ratings_due (
    guild INTEGER NOT NULL,
    game  TEXT    NOT NULL,
    PRIMARY KEY (guild, game)
) STRICT, WITHOUT ROWID;
INSERT INTO ratings_due SELECT DISTINCT guild, game FROM matches;

-- A player may be rated in a match that counts for no leaderboard.
DROP INDEX seats_of_player;
CREATE INDEX seats_of_player ON seats (player, game, match_id);
DROP INDEX matches_rated;
