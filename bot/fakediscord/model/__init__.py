"""The state of a world, and its payloads."""
