-- A match is shown if one of its rounds was rated, even if none was finished: all but one had left it.
UPDATE matches SET standing = 'practice' WHERE standing = 'dropped' AND rated_rounds != '[]';
