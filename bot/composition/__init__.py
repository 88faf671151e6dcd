"""The parts of the bot, and how they are built."""
