"""The limits that all channels share: one pace of pushes, and turns of the bot's own calls."""
