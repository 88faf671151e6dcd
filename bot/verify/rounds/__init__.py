"""A round of each game as it stands, its races, and the turns of a daily."""
