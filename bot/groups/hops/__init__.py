"""Presses in direct messages, handed to the group that has their table."""
