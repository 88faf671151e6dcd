"""The demo without its page: a server with its people, the bot on it, and the words of both."""
