"""Try the bot without Discord: the real bot against an embedded stand-in, played in a page."""
