"""Discord's limits of messages, modals and commands, and its errors."""
