"""Arenas in Discord: the command, the one message, and panels between two tables."""
