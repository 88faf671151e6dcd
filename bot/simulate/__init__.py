"""Rounds between robots on a simulated clock, to measure the levels' strength."""
