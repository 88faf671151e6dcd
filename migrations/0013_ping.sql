-- Whether the bot mentions whoever a get-ready waits for. It is off unless somebody turns it on.
ALTER TABLE settings ADD COLUMN ping INTEGER NOT NULL DEFAULT 0 CHECK (ping IN (0, 1));
