"""The bot in a browser: a stand-in for Discord, a page that shows it, and the real bot."""
