"""A player's private panel: their cards and buttons, or what they are waiting for."""

from dataclasses import replace

from bot.games.contract import Frame
from bot.games.values import Option, Refused, Seat
from bot.ids import UserId
from bot.screen import Block, Choice, Line, Look, Pick, Row, Screen, Sentence, Style, Words
from bot.tables.decisions.decide import Done
from bot.tables.state import actions as a
from bot.tables.state.notices import small
from bot.tables.state.options import all_of, assisted, chosen
from bot.tables.state.presence import Presence
from bot.tables.state.session import Chair, Phase, Session
from bot.tables.views.lines import (
    end_round,
    ending_line,
    host_line,
    option_in_words,
    sentence,
    title,
)
from bot.tables.views.news import panel_news
from bot.tables.views.own_score import is_of_the_round, own_match, own_round
from bot.tables.views.still_left import own_left
from bot.text import Icon, Joined, Name, Text


def note(decision: Done | Refused) -> Sentence:
    """Draw the one short line that says what a press led to, and whether it worked."""
    if isinstance(decision, Refused):
        return sentence("panel.refused", (("why", decision.text),))
    if decision.played is None:
        return Sentence(decision.said)
    return sentence("panel.done", (("icon", Icon("ready")), ("said", decision.said)))


def quiet() -> Sentence:
    """Draw the line for when nothing has happened. It is always there, so nothing moves."""
    return sentence("panel.quiet", look=Look.SMALL)


def panel(
    session: Session, user: UserId, presence: Presence, said: Line, half: str | None = None
) -> Screen:
    """Draw a person's panel.

    `said`: the line that says what their last press led to. `half`: the first half of a move whose
    other half is asked for.
    """
    seat = session.seat_of(user)
    shows_cards = session.phase in (Phase.COUNT, Phase.LIVE)
    if shows_cards and seat is not None and session.dealt_in(seat):
        blocks = _playing(session, seat, presence, said, half)
    else:
        blocks = _blocks(session, seat, presence, said)
    if presence.notices.stuck is not None and session.phase is not Phase.CLOSED:
        blocks = (*blocks, Words((small(presence.notices.stuck),)))
    return Screen(blocks, session.round)


def _playing(
    session: Session, seat: Seat, presence: Presence, said: Line, half: str | None
) -> tuple[Block, ...]:
    """Draw the game's own panel, with the cards face down while it counts.

    If the round hangs, or somebody wants to end it, the panel says so and offers to end it.
    """
    covered = session.phase is Phase.COUNT
    if covered:
        said = sentence("panel.count", (("n", presence.count),))
    elif said == quiet():
        said = sentence("table.live")
    frame = Frame(
        own_left(session, seat),
        said,
        None if covered else half,
        assisted(session.options),
        panel_news(session, seat, presence.lived),
        covered,
    )
    blocks = session.game.panel(session.game.view(session.in_play, seat), frame)
    if not presence.quiet and not session.end_asked:
        return blocks
    why = ending_line(session) or sentence("table.quiet", look=Look.SMALL)
    return (*blocks, Words((why,)), Row((end_round(session),)))


def _blocks(
    session: Session, seat: Seat | None, presence: Presence, said: Line
) -> tuple[Block, ...]:
    if session.phase is Phase.CLOSED:
        return (Words((sentence(session.closed or "table.closed.broken"),)), _told(said))
    if seat is None:
        return (Words((sentence("panel.out"),)),)
    match session.phase:
        case Phase.LOBBY:
            return _in_lobby(session, presence, said)
        case Phase.READY:
            return _get_ready(session, seat, said)
        case Phase.OVER:
            return _over(session, seat, said)
        case Phase.COUNT | Phase.LIVE:
            return (Words((title(session), sentence("panel.sits_out"))), _told(said))


def asleep(screen: Screen) -> Screen:
    """Add a line that says how to wake a panel to which nothing more can be pushed."""
    sleeping = Words((sentence("panel.asleep", look=Look.SMALL),))
    return Screen((sleeping, *screen.blocks), screen.round)


def in_plain_words(screen: Screen) -> Screen:
    """Return a panel for players who hear it from the top.

    What has happened comes first, their own news before the others'. What can't be pressed is left
    out, since not every client says so.
    """
    news = tuple(
        line
        for block in screen.blocks
        if isinstance(block, Words) and block.news
        for line in reversed(block.lines)
        if line != quiet()
    )
    rest = (block for one in screen.blocks if (block := _worth_hearing(one)) is not None)
    return Screen((*((Words(news),) if news else ()), *rest), screen.round)


def _worth_hearing(block: Block) -> Block | None:
    """Return the rest of a block below the news; None if nothing of it is left."""
    match block:
        case Words(lines, news):
            kept = tuple(line for line in lines if line != quiet())
            return Words(kept) if kept and not news else None
        case Row(choices):
            on = tuple(choice for choice in choices if not choice.off)
            return replace(block, choices=on) if on else None
        case _:
            return block


def leaving(session: Session) -> Screen:
    """Ask somebody in a match whether they mean to leave it."""
    choices = (
        Choice(Text("button.leave_really"), str(a.LeaveForSure())),
        Choice(Text("button.stay"), str(a.Stay()), style=Style.PRIMARY),
    )
    return Screen((Words((sentence("leave.sure"),)), Row(choices)), session.round)


def options(session: Session) -> Screen:
    """Draw the host's options, one list each."""
    picks = tuple(
        Pick(
            str(a.SetOption(option.key)),
            tuple((value, option_in_words(option.key, value)) for value in option.values),
            chosen(session.options, option),
        )
        for option in all_of(session.game)
    )
    of_seats = tuple(
        block
        for seat, chair in enumerate(session.chairs)
        for option in session.game.seat_options
        for block in _seat_choice(option, seat, chair)
    )
    head = Words(
        (
            sentence("options.title", look=Look.HEAD),
            sentence(f"{session.game.key}.hint", look=Look.SMALL),
        )
    )
    return Screen((head, *picks, *of_seats), session.round)


def _seat_choice(option: Option, seat: int, chair: Chair) -> tuple[Block, ...]:
    """Draw a list for one seat, under its name."""
    values = tuple((value, option_in_words(option.key, value)) for value in option.values)
    chosen = dict(chair.choices).get(option.key, option.default)
    named = sentence("options.seat", (("n", seat + 1), ("name", Name(chair.name))), Look.SMALL)
    return (Words((named,)), Pick(str(a.SetOption(option.key, seat=seat)), values, chosen))


def _in_lobby(session: Session, presence: Presence, said: Line) -> tuple[Block, ...]:
    """Draw the panel of a lobby, which has Ready already.

    It shows nothing that changes with each Join: not every channel takes a push to every panel for
    that.
    """
    wait = host_line(session, "panel.lobby_anyone" if presence.host_away else "panel.lobby_wait")
    return (Words((wait,)), _told(said), Row((_ready(Text("button.ready")),)))


def _told(said: Line) -> Words:
    return Words((said,), news=True)


def _get_ready(session: Session, seat: Seat, said: Line) -> tuple[Block, ...]:
    waiting = seat not in session.ready
    between = session.state is None and bool(session.history)
    lines: list[Line] = [title(session)]
    if between:
        lines = [*own_round(session, seat), title(session)]
        said = quiet() if is_of_the_round(session, said) else said
    if waiting and seat in session.awaited:
        lines.append(sentence("panel.press_ready" if session.state is None else "panel.go_on"))
    else:
        names = Joined(tuple(Name(session.chairs[other].name) for other in session.awaited))
        lines.append(sentence("panel.ready", (("names", names), ("icon", Icon("ready")))))
    button = Text("button.next_round" if between else "button.ready")
    off = seat not in session.awaited
    return (Words(tuple(lines)), _told(said), Row((_ready(button, off=off),)))


def _ready(label: Text, *, off: bool = False) -> Choice:
    return Choice(label, str(a.Ready()), style=Style.SUCCESS, off=off)


def _over(session: Session, seat: Seat, said: Line) -> tuple[Block, ...]:
    told = () if said == quiet() or is_of_the_round(session, said) else (_told(said),)
    again = Choice(Text("button.rematch"), str(a.Rematch()), style=Style.SUCCESS)
    return (Words(own_match(session, seat)), *told, Row((again,)))
