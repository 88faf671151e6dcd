"""A round as a moving picture: its states from a match log, and the GIF that shows them."""
