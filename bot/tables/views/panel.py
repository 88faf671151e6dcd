"""A player's private panel: their cards and buttons, or what they are waiting for."""

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
from bot.tables.views.own_score import is_of_the_round, own_match, own_round
from bot.text import Icon, Joined, Name, Text


def note(decision: Done | Refused) -> Sentence:
    """Draw the one short line that says what a press led to."""
    return Sentence(decision.text if isinstance(decision, Refused) else decision.said)


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
    if session.phase is Phase.LIVE and seat is not None and session.dealt_in(seat):
        blocks = _playing(session, seat, presence, said, half)
    else:
        blocks = _blocks(session, seat, presence, said)
    if presence.notices.stuck is not None and session.phase is not Phase.CLOSED:
        blocks = (*blocks, Words((small(presence.notices.stuck),)))
    return Screen(blocks, session.round)


def _playing(
    session: Session, seat: Seat, presence: Presence, said: Line, half: str | None
) -> tuple[Block, ...]:
    """Draw the game's own panel.

    If the round hangs, or somebody wants to end it, the panel says so and offers to end it.
    """
    view = session.game.view(session.in_play, seat)
    frame = Frame(_head(session), said, half, assisted(session.options))
    blocks = session.game.panel(view, frame)
    if not presence.quiet and not session.end_asked:
        return blocks
    why = ending_line(session) or sentence("table.quiet", look=Look.SMALL)
    return (*blocks, Words((why,)), Row((end_round(session),)))


def _blocks(
    session: Session, seat: Seat | None, presence: Presence, said: Line
) -> tuple[Block, ...]:
    if session.phase is Phase.CLOSED:
        return (Words((sentence(session.closed or "table.closed.broken"), said)),)
    if seat is None:
        return (Words((sentence("panel.out"),)),)
    match session.phase:
        case Phase.LOBBY:
            return _in_lobby(session, presence, said)
        case Phase.READY:
            return _get_ready(session, seat, said)
        case Phase.OVER:
            return _over(session, seat, said)
        case Phase.COUNT if session.dealt_in(seat):
            number = sentence("table.count", (("n", presence.count),), Look.HUGE)
            return (Words((title(session), number, said)),)
        case Phase.COUNT | Phase.LIVE:
            return (Words((title(session), sentence("panel.sits_out"), said)),)


def asleep(screen: Screen) -> Screen:
    """Add a line that says how to wake a panel to which nothing more can be pushed."""
    sleeping = Words((sentence("panel.asleep", look=Look.SMALL),))
    return Screen((sleeping, *screen.blocks), screen.round)


def news_first(screen: Screen, said: Line) -> Screen:
    """Put what has happened before the rest, for players who hear the panel from the top."""
    rest = tuple(
        Words(tuple(line for line in block.lines if line != said))
        if isinstance(block, Words)
        else block
        for block in screen.blocks
    )
    news = () if said == quiet() else (Words((said,)),)
    filled = (block for block in rest if block != Words(()))
    return Screen((*news, *filled), screen.round)


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
    return (
        Words((wait, said)),
        Row((_ready(Text("button.ready")),)),
    )


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
    return (Words((*lines, said)), Row((_ready(button, off=off),)))


def _ready(label: Text, *, off: bool = False) -> Choice:
    return Choice(label, str(a.Ready()), style=Style.SUCCESS, off=off)


def _over(session: Session, seat: Seat, said: Line) -> tuple[Block, ...]:
    told = () if said == quiet() or is_of_the_round(session, said) else (said,)
    again = Choice(Text("button.rematch"), str(a.Rematch()), style=Style.SUCCESS)
    return (Words((*own_match(session, seat), *told)), Row((again,)))


def _head(session: Session) -> Sentence:
    """Draw what a player wants to know about the others: `2/3 · fewest left: Anna 4`."""
    left = session.game.left(session.in_play)
    seat, fewest = min(
        ((i, n) for i, n in enumerate(left) if n is not None), key=lambda item: item[1]
    )
    target = session.options.get("target", "off")
    limit = session.rounds if target == "off" else int(target)
    values = (
        ("round", len(session.history) + 1),
        ("limit", limit),
        ("name", Name(session.chairs[seat].name, 9)),
        ("left", fewest),
    )
    return sentence("panel.head" if target == "off" else "panel.head_target", values, Look.SMALL)
