"""The group that a database is, as its file keeps it."""
