"""`setup`: from a token to a bot in its first server."""
