-- A match's number in its server, by which people name it. Those from before keep the one that people know.
ALTER TABLE matches ADD COLUMN number INTEGER NOT NULL DEFAULT 0;
UPDATE matches SET number = id;
CREATE UNIQUE INDEX matches_by_number ON matches (guild, number);

-- The history is counted by these numbers: they have no gaps, whatever the ids are. Both have the same order.
DROP TRIGGER matches_more;
CREATE TRIGGER matches_more AFTER INSERT ON matches WHEN new.standing != 'dropped'
BEGIN
    INSERT INTO counts SELECT s.kind, new.guild, s.shift, new.number >> s.shift, 1
    FROM count_shifts s WHERE s.kind = 'match' ON CONFLICT DO UPDATE SET n = n + 1;
END;

DROP TRIGGER matches_shown;
CREATE TRIGGER matches_shown AFTER UPDATE OF standing ON matches
WHEN (old.standing = 'dropped') != (new.standing = 'dropped')
BEGIN
    INSERT INTO counts SELECT s.kind, new.guild, s.shift, new.number >> s.shift, 0
    FROM count_shifts s WHERE s.kind = 'match' ON CONFLICT DO NOTHING;
    UPDATE counts SET n = n + iif(new.standing = 'dropped', -1, 1) WHERE (kind, list, shift, bucket) IN (
        SELECT s.kind, new.guild, s.shift, new.number >> s.shift FROM count_shifts s WHERE s.kind = 'match');
END;

DROP TRIGGER matches_less;
CREATE TRIGGER matches_less AFTER DELETE ON matches WHEN old.standing != 'dropped'
BEGIN
    UPDATE counts SET n = n - 1 WHERE (kind, list, shift, bucket) IN (
        SELECT s.kind, old.guild, s.shift, old.number >> s.shift FROM count_shifts s WHERE s.kind = 'match');
END;
