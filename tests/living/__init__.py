"""A living installation: what a version of the bot has left behind, and today's bot on it."""
