"""The page that says how a daily's secrets are fixed, and hands out logs."""

from collections.abc import Sequence

from bot.daily.chain import Chain
from bot.daily.dates import DayNumber, in_words
from bot.daily.screens import SUBJECT, game_name
from bot.daily.store import StoredRound
from bot.screen import ASIDE, Block, Choice, Line, Look, Pick, Row, Screen, Words
from bot.tables.views.lines import sentence
from bot.text import Text

LISTED = 24
"""The newest rounds whose logs can be picked: Discord takes 25 values."""
NO_LOG = "none"


def fair_screen(
    chains: Sequence[Chain],
    published: tuple[DayNumber, bytes] | None,
    today: DayNumber,
    logs: Sequence[StoredRound],
) -> Screen:
    """Draw the page.

    `chains`: those that the next days are dealt from. `published`: the newest date with a published
    secret in the first of them; before there is one, the first link is what it is hashed to.
    """
    lines: list[Line] = [
        sentence("daily.fair_title", look=Look.TITLE),
        sentence("daily.fair_how"),
    ]
    for one in chains:
        values = (("day", in_words(one.first)), ("link", one.first_link.hex()))
        lines.append(sentence("daily.fair_chain", values))
    newest: int = chains[0].first - 1 if chains else today
    hashed = "daily.fair_today"
    if published is not None:
        newest, secret = published
        hashed = "daily.fair_today_newest"
        values = (("day", in_words(newest)), ("link", secret.hex()))
        lines.append(sentence("daily.fair_published", values))
    if today > newest:
        lines.append(sentence(hashed, (("n", today - newest),)))
    lines.append(sentence("daily.fair_operator", look=Look.SMALL))
    blocks: list[Block] = [Words(tuple(lines))]
    if logs:
        blocks.append(Pick(f"{ASIDE}:{SUBJECT}:log", _choices(logs), NO_LOG))
    page = Choice(Text("button.daily_page"), f"{ASIDE}:{SUBJECT}:page")
    return Screen((*blocks, Row((page,))))


def _choices(logs: Sequence[StoredRound]) -> tuple[tuple[str, Text], ...]:
    none = (NO_LOG, Text("daily.pick_log"))
    return (none, *((f"{one.key.day}:{one.key.game}", _label(one)) for one in logs))


def _label(one: StoredRound) -> Text:
    values = (("day", in_words(one.key.day)), ("game", game_name(one.key.game)))
    return Text("daily.log", values)
