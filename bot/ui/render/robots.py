"""The names of robots, in the language of their table."""

from bot.i18n import say
from bot.text import Text


def robot(locale: str, number: int) -> str:
    """Return the name of a robot: `Roboter 1`."""
    return say(Text("robot.name", (("number", number),)), locale)
