"""The page: its server, what it shows, and what it may ask for."""
