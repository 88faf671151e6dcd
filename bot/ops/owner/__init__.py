"""Messages to the bot's owner about problems that nobody else can solve."""
