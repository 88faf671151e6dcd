-- The group that this file is, in a bot of several processes: at most one row, and none in a bot of one. `number`:
-- leased once, and never another file's. `start`: the count of its last start. `holder`: who held it last, by the
-- random id in `<database>.holder`; empty until somebody has. `released`: whether the last holder stopped in order.
CREATE TABLE own_group (
    number   INTEGER PRIMARY KEY CHECK (number > 0 AND number < 65536),
    start    INTEGER NOT NULL,
    holder   TEXT    NOT NULL,
    released INTEGER NOT NULL CHECK (released IN (0, 1))
) STRICT;

-- Every group number that is or was used, as far as this file has heard: none is given twice, even if Valkey loses
-- its data.
CREATE TABLE used_groups (
    number INTEGER PRIMARY KEY
) STRICT;
