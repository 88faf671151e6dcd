"""A drawing gives the same picture every time: tests draw each face once a process."""

from collections.abc import Callable
from functools import cache

from bot.art import drawing
from bot.art.faces import faces
from bot.ui.render import emojis

kept: Callable[[drawing.Drawing], bytes] = cache(drawing.render)


def keep() -> None:
    """From now on the bot draws a face when it is wanted first."""
    assert "render" in vars(emojis)
    vars(emojis)["render"] = kept


def draw() -> None:
    """Draw all now: a process that is forked later has them."""
    keep()
    for face in faces().values():
        kept(face)
