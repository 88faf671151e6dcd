-- Who wants panels as plain text, in every server.
CREATE TABLE plain_text (
    user INTEGER PRIMARY KEY
) STRICT;
