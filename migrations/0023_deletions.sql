-- Servers whose data is being deleted, in small transactions.
CREATE TABLE deletions (
    guild INTEGER PRIMARY KEY
) STRICT;
