-- Why a match is in no leaderboard: alone, handicap, short, unmet, too_short. NULL for one that is in
-- them, and for matches from before.
ALTER TABLE matches ADD COLUMN unranked TEXT;

-- A round was stopped since all people but one had left it: it is rated all the same, and said so.
-- Of matches from before it is known where no other round was finished.
ALTER TABLE matches ADD COLUMN forfeited INTEGER NOT NULL DEFAULT 0 CHECK (forfeited IN (0, 1));
