"""Rounds between computer players on a simulated clock: how strong the levels are."""
