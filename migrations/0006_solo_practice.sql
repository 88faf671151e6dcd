-- A match of one human alone is practice, like one that is too short: it had been dropped.
UPDATE matches SET standing = 'practice'
WHERE standing = 'dropped' AND EXISTS (SELECT 1 FROM rounds WHERE match_id = matches.id);
