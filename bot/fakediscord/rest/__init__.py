"""REST v10 as discord.py uses it. Handlers don't wait: they change the world and answer."""
