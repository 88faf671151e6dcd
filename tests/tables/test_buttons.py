"""The buttons of a table, in their rows: what each of them says, and the word it sends."""

from bot.games.screen import Choice, Row, Screen, Style
from bot.i18n import say
from bot.tables import decisions as d
from bot.tables import screens
from bot.tables.moment import Moment
from bot.tables.panels import leaving, quiet
from tests.tables.views import panel, public
from tests.ui.matches import HOST, accepted, all_ready, live, lobby, match_over, round_over, started


def rows(screen: Screen) -> list[list[str]]:
    """`label=word` of each button; one that can't be pressed is in brackets."""
    return [
        [_told(choice) for choice in block.choices]
        for block in screen.blocks
        if isinstance(block, Row)
    ]


def _told(choice: Choice) -> str:
    told = f"{say(choice.label, 'en-US')}={choice.word}"
    if choice.style is not Style.SECONDARY:
        told += f" {choice.style.name}"
    return f"({told})" if choice.off else told
