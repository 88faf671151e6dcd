"""An arena as a frozen value: its events, what is decided in it, and its screens. Pure."""
