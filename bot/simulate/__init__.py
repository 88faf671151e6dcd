"""Rounds between computer players on a simulated clock, to measure the levels' strength."""
