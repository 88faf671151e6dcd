"""All that the guided first hand shows."""

from bot.games.ligretto.lesson import STEPS
from bot.games.ligretto.lesson_screens import answer, hand
from bot.screen import Row, Screen


def every_screen() -> tuple[Screen, ...]:
    """Return every screen of the lesson: each step, each answer to another press, and the end."""
    hands = [hand(step) for step in range(1, len(STEPS) + 1)]
    rows = (block for screen in hands for block in screen.blocks if isinstance(block, Row))
    words = [choice.word for row in rows for choice in row.choices if not choice.off]
    return tuple(dict.fromkeys((*hands, *map(answer, words))))
