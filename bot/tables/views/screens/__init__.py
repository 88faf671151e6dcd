"""Whole screens of a table: its message, and what a lobby and a panel show."""
