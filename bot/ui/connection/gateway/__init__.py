"""The gateway connection: how it begins, what breaks it, and when to give it up."""
