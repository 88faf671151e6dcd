-- One row per person and match that is shown. `category`: whom a feat is compared with (bot/records/feats.py).
-- `points`: the best round. `stop` and `duel`: the fastest stop and the closest duel won, in ms. `come_back`: how far a
-- winner was once behind. Each is NULL without any. `streak`: matches of this variant won in a row, this one included.
CREATE TABLE feats (
    match_id  INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    seat      INTEGER NOT NULL,
    player    INTEGER NOT NULL REFERENCES players (id),
    guild     INTEGER NOT NULL,
    game      TEXT    NOT NULL,
    variant   TEXT    NOT NULL,
    category  TEXT    NOT NULL,
    won       INTEGER NOT NULL CHECK (won IN (0, 1)),
    points    INTEGER,
    stop      INTEGER,
    duel      INTEGER,
    come_back INTEGER,
    streak    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (match_id, seat)
) STRICT, WITHOUT ROWID;

CREATE INDEX feats_of_player ON feats (player, game, variant, category, match_id, won, points, stop, streak);

-- The records of a server: the first entry of each.
CREATE INDEX feats_by_stop ON feats (guild, game, variant, stop, match_id)
    WHERE category = 'ranked' AND stop IS NOT NULL;
CREATE INDEX feats_by_points ON feats (guild, game, variant, points DESC, match_id)
    WHERE category = 'ranked' AND points IS NOT NULL;
CREATE INDEX feats_by_duel ON feats (guild, game, variant, duel, match_id)
    WHERE category = 'ranked' AND duel IS NOT NULL;
CREATE INDEX feats_by_streak ON feats (guild, game, variant, streak DESC, match_id)
    WHERE category = 'ranked' AND streak > 1;
CREATE INDEX feats_by_come_back ON feats (guild, game, variant, come_back DESC, match_id)
    WHERE category = 'ranked' AND come_back IS NOT NULL;
