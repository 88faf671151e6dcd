-- Feats, badges and rivals all follow from matches, rounds, seats and logs. They are worked out again from these
-- by deleting them and listing their matches in feats_due.

-- One row per match in which a person earned a badge.
CREATE TABLE badges (
    player   INTEGER NOT NULL REFERENCES players (id),
    badge    TEXT    NOT NULL,
    match_id INTEGER NOT NULL REFERENCES matches (id) ON DELETE CASCADE,
    PRIMARY KEY (player, badge, match_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX badges_of_match ON badges (match_id);

-- What a person did against another of the same server, in all matches that count for leaderboards.
CREATE TABLE rivals (
    player    INTEGER NOT NULL REFERENCES players (id),
    game      TEXT    NOT NULL,
    other     INTEGER NOT NULL,
    matches   INTEGER NOT NULL,
    ahead     INTEGER NOT NULL,
    points    INTEGER NOT NULL,
    firsts    INTEGER NOT NULL,
    firsts_ms INTEGER NOT NULL,
    PRIMARY KEY (player, game, other)
) STRICT, WITHOUT ROWID;

CREATE INDEX rivals_by_matches ON rivals (player, game, matches DESC);

-- Matches whose feats are still to be worked out, in the background.
CREATE TABLE feats_due (
    match_id INTEGER PRIMARY KEY REFERENCES matches (id) ON DELETE CASCADE
) STRICT;

INSERT INTO feats_due SELECT id FROM matches WHERE standing IN ('rated', 'practice');
