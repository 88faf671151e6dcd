-- The language a panel is written in: its player's. NULL for panels from before: the table's.
ALTER TABLE panels ADD COLUMN locale TEXT;
ALTER TABLE direct_panels ADD COLUMN locale TEXT;

-- The application under which a table was opened. Another one can neither edit its message nor go
-- on with it. NULL for tables from before that nothing is known of.
ALTER TABLE tables ADD COLUMN application INTEGER;
UPDATE tables SET application = (
    SELECT application FROM guilds WHERE guilds.guild = tables.guild
) WHERE closed = 0;
