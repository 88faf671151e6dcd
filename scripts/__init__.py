"""Scripts for those who work on the bot: pictures, import counts, newest versions."""
