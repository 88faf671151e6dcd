"""Presses in direct messages and dailies, handed to the group that answers them."""
