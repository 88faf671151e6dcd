"""The project's own pictures, drawn from plain values: card and die faces, signs, scores."""
