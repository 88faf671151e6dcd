"""How fast the bot is, as ratios to a bare discord.py bot in the same run."""
