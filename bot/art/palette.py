"""The colours of all artwork. Each card colour also has its own shape.

The four fills differ by at least 21 (CIEDE2000) for every common kind of colour blindness; see
`tests/art/test_colours.py`. Green leans towards mint for that reason.
"""

INK, PAPER = "#14161b", "#ffffff"
SLATE, NIGHT = "#6b7486", "#3d4452"
"""The back of a card, and the panel on it that holds a seat's number."""
GREY = "#8b92a1"
"""The colour of empty places, visible on dark and on white backgrounds."""
GOLD, SCREEN, LIGHT, LEAF = "#ffb81c", "#2b3140", "#7fd6ff", "#1f9d55"
"""A crown, a computer's face and its eyes, a tick."""
STOP = "#d0342c"
"""A stop sign."""

FILL = {"r": "#d71d2b", "y": "#ffdc1f", "g": "#45c293", "b": "#3f68ee"}
PEN = {"r": PAPER, "y": INK, "g": INK, "b": PAPER}
"""The colour of a number on each fill, chosen for contrast."""
SIDE = {"r": "#7d0d17", "y": "#a8860a", "g": "#1f7a58", "b": "#22398f"}
"""The side of a die."""

GROUND, TEXT, FAINT = "#1e2027", "#f2f3f5", "#4a4f5c"
"""The background, numbers and grid lines of message-wide pictures."""
GAIN, LOSS = LIGHT, GOLD
"""The colours of bars up and down. The line of a rating has the colour of a gain."""

BEFORE, FIRST_ROW, SOFT = "#4f6f8f", "#2a2d37", "#a9afbb"
"""In a score: points of earlier rounds, the ground of the first, smaller figures."""
BAND = "#2b4254"
"""In a rating: how far from the line the true one may be."""
MEDALS = (("#ffc83d", INK), ("#cfd6e0", INK), ("#d08a4e", INK))
"""Gold, silver and bronze, each with the colour of its number."""
