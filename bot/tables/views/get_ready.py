"""Get ready: who is ready, who is missing, and until when the others wait for them."""

from collections.abc import Sequence
from math import ceil

from bot.games.values import Seat
from bot.screen import Block, Choice, Letters, Line, Look, Row, Sentence, Style, Words
from bot.tables.decisions.decide import START_AFTER, may_deal
from bot.tables.decisions.presence import Presence
from bot.tables.decisions.refusal_reasons import host_name
from bot.tables.decisions.timeouts import AWAY_AFTER
from bot.tables.state import actions as a
from bot.tables.state.options import by_dm
from bot.tables.state.session import Phase, Session
from bot.tables.views.lines import dropped_line, gone_line, listed, sentence, title
from bot.text import Icon, Text

DIRECT_MESSAGES = "https://discord.com/channels/@me"
"""The link to everybody's own direct messages."""
LETTERS_OF_COLOURS = Letters(("r", "y", "g", "b"))
"""Told once, before the first round, so that no panel of a round is longer for it."""
SAID_ANYWAY = frozenset({"table.ready", "table.your_panel", "table.started"})
"""The lines about a press that the rest of the panel makes needless."""


def waiting(session: Session, presence: Presence) -> tuple[Line, ...]:
    """Draw for everybody who is ready, who is missing, and when it can start without them.

    Robots are always ready, so they are no news.
    """
    lines: list[Line] = []
    if session.state is not None:
        lines.append(sentence("table.restarted"))
    if session.dropped:
        lines.append(dropped_line(session))
    there = [seat for seat in session.humans_in if _plays(session, seat)]
    ready = [seat for seat in there if seat not in session.awaited]
    groups = (
        ("table.are_ready", "ready", ready),
        ("table.are_missing", "waiting", session.awaited),
    )
    both = [
        _named(session, key, presence, Icon(icon), seats) for key, icon, seats in groups if seats
    ]
    by_message = sentence("table.by_direct_message", (("where", DIRECT_MESSAGES),), Look.SMALL)
    where = (by_message,) if by_dm(session.options) else ()
    return (*lines, *both, *gone_line(session), *_until(session, presence), *where)


def on_panel(
    session: Session,
    seat: Seat,
    presence: Presence,
    said: Line | None,
    above: tuple[Line, ...] = (),
) -> tuple[Block, ...]:
    """Draw the panel of somebody who gets ready, or waits for the others.

    `above`: what they are told of the round before.
    """
    if session.state is not None and session.opened.arena is not None:
        return _goes_on(session, said)
    if seat in session.awaited:
        key = "panel.press_ready" if session.state is None else "panel.go_on"
        lines: list[Line] = [sentence(key, (("button", _ready_label(session)),))]
    else:
        lines = [_ready(session, seat)]
    if session.dropped:
        above = (dropped_line(session, seat), *above)
    lines += (*gone_line(session), *_until(session, presence, seat))
    if not session.round:
        lines.append(LETTERS_OF_COLOURS)
    button = ready_button(session, off=seat not in session.awaited)
    return (Words((*above, title(session), *lines)), *outcome(said), Row((button,)))


def _goes_on(session: Session, said: Line | None) -> tuple[Block, ...]:
    """Draw a paused round of an arena, which goes on by itself, and until when all must be back."""
    lines = (title(session), sentence("arena.goes_on"), *not_back(session))
    return (Words(lines), *outcome(said))


def not_back(session: Session, seat: Seat | None = None) -> tuple[Line, ...]:
    """Say what becomes of an arena's round to which people have not come back after a restart.

    `seat`: the one who reads it, None while everybody waits.
    """
    if not session.unseen:
        return ()
    missing = () if seat is None else sorted(session.unseen - {seat})
    limit = (("seconds", round(AWAY_AFTER)),)
    named = _missing(session, missing) if missing else ()
    return (*named, sentence("arena.all_back", limit, Look.SMALL))


def _missing(session: Session, seats: Sequence[Seat]) -> tuple[Line, ...]:
    values = (("waiting", Icon("waiting")), ("names", listed(session, seats)))
    return (sentence("arena.not_back", values, Look.SMALL),)


def ready_button(session: Session, *, off: bool = False) -> Choice:
    """Draw Ready, which isn't green before Start: nobody waits for it yet."""
    style = Style.SECONDARY if session.phase is Phase.LOBBY else Style.SUCCESS
    return Choice(_ready_label(session), str(a.Ready()), style=style, off=off)


def _ready_label(session: Session) -> Text:
    return Text("button.next_round" if session.is_between_rounds else "button.ready")


def _plays(session: Session, seat: Seat) -> bool:
    """Return whether a seat is in what comes next: a paused round goes on with its own players."""
    return session.state is None or session.dealt_in(seat)


def _named(
    session: Session, key: str, presence: Presence, icon: Icon, seats: Sequence[Seat]
) -> Sentence:
    """Draw one sign for all of these players, so that none hangs at the end of a line."""
    names = listed(session, seats, presence.champions)
    return sentence(key, (("icon", icon), ("names", names)))


def _ready(session: Session, seat: Seat) -> Sentence:
    """Draw `You're ready · Ben, Cleo`, or that alone if nobody is missing."""
    if not _plays(session, seat):
        return sentence("panel.sits_out")
    icons = (("icon", Icon("ready")), ("waiting", Icon("waiting")))
    if not session.awaited:
        return sentence("panel.ready_all", icons)
    return sentence("panel.ready", (*icons, ("names", listed(session, session.awaited))))


def _until(session: Session, presence: Presence, seat: Seat | None = None) -> tuple[Line, ...]:
    """Say when it can start without whoever is missing; nothing before the first Ready.

    At an arena's table nobody has to start it.

    `seat`: the one who reads it, or None for everybody.
    """
    first = session.first_ready_at
    if first is None or not session.awaited or session.opened.arena is not None:
        return ()
    when: Text | str = Text("table.now")
    if not may_deal(session, presence.lived):
        when = f"<t:{ceil(presence.born + (first + START_AFTER) / 1000)}:R>"
    values = (("when", when), host_name(session))
    if presence.host_away:
        key = "table.anyone_starts"
    elif seat is not None and session.chairs[seat].user == session.host:
        key = "panel.you_start"
    else:
        key = "table.host_starts"
    return (sentence(key, values, Look.SMALL),)


def outcome(said: Line | None) -> tuple[Words, ...]:
    """Draw what a press has led to, unless it is nothing or the panel says so already."""
    if said is None or (isinstance(said, Sentence) and said.text.key in SAID_ANYWAY):
        return ()
    return (Words((said,), news=True),)
