"""All arenas that are running: opened, found by channel and person, resumed."""
