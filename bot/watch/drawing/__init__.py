"""The picture of a round: frames as parts at places, tiles of one palette, a GIF of changes."""
