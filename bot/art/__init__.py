"""The project's own artwork, drawn from plain values: card and die faces, signs, scores."""
