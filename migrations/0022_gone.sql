-- Which seats had left a round before it ended, as a JSON list: only a round that two people were in from its deal to
-- its end earns feats. NULL in rounds of versions that didn't note it.
ALTER TABLE rounds ADD COLUMN gone TEXT;

-- The feats of matches that somebody left are worked out again, in the background.
INSERT OR IGNORE INTO feats_due
SELECT DISTINCT m.id FROM matches m JOIN seats s ON s.match_id = m.id
WHERE m.standing IN ('rated', 'practice') AND s.gone = 1 AND s.player IS NOT NULL;
