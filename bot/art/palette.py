"""The colours of everything that is drawn. Each card colour also has a shape of its own.

The four fills were chosen so that they stay apart for every common kind of colour-blindness: at
least 21 (CIEDE2000, `tests/art/test_colours.py`). Green leans to mint for that.
"""

INK, PAPER = "#14161b", "#ffffff"
SLATE = "#6b7486"
"""The back of a card."""
GREY = "#8b92a1"
"""What is empty: seen on a dark ground and on a white one."""
GOLD, SCREEN, LIGHT, LEAF = "#ffb81c", "#2b3140", "#7fd6ff", "#1f9d55"
"""A crown, a computer's face and its eyes, a tick."""

FILL = {"r": "#d71d2b", "y": "#ffdc1f", "g": "#45c293", "b": "#3f68ee"}
PEN = {"r": PAPER, "y": INK, "g": INK, "b": PAPER}
"""The colour of a number on each fill: the one with the better contrast."""
SIDE = {"r": "#7d0d17", "y": "#a8860a", "g": "#1f7a58", "b": "#22398f"}
"""The side of a die."""

GROUND, TEXT, FAINT = "#1e2027", "#f2f3f5", "#4a4f5c"
"""Pictures that fill a message: their ground, numbers, and lines to measure by."""
GAIN, LOSS = LIGHT, GOLD
"""Bars up and bars down, and the line of a rating."""
