"""What one player sees in private: his cards and buttons, or what he waits for."""

from bot.games.contract import Frame
from bot.games.screen import (
    Block,
    Choice,
    Icon,
    Joined,
    Line,
    Look,
    Name,
    Pick,
    Row,
    Screen,
    Sentence,
    Style,
    Text,
    Words,
)
from bot.games.values import Option, Refused, Seat
from bot.tables import actions as a
from bot.tables.choices import all_of, assisted, chosen
from bot.tables.decisions import Done
from bot.tables.moment import Moment
from bot.tables.notices import small
from bot.tables.phrases import (
    end_round,
    ending_line,
    host_line,
    option_in_words,
    sentence,
    title,
    won,
)
from bot.tables.scores import stop_line
from bot.tables.session import Chair, Phase, Session
from bot.tables.standing import is_recorded


def note(decision: Done | Refused) -> Sentence:
    """What a press led to, in one short line."""
    return Sentence(decision.text if isinstance(decision, Refused) else decision.said)


def quiet() -> Sentence:
    """The line of what happened while nothing has: it is always there, so nothing moves."""
    return sentence("panel.quiet", look=Look.SMALL)


def panel(
    session: Session, user: int, moment: Moment, said: Line, half: str | None = None
) -> Screen:
    """A person's panel. `said` is the line of what his last press led to, `half` the first half
    of a move whose other half is asked for.
    """
    seat = session.seat_of(user)
    if session.phase is Phase.LIVE and seat is not None and session.dealt_in(seat):
        blocks = _playing(session, seat, moment, said, half)
    else:
        blocks = _blocks(session, seat, moment, said)
    if moment.notices.stuck is not None and session.phase is not Phase.CLOSED:
        blocks = (*blocks, Words((small(moment.notices.stuck),)))
    return Screen(blocks, session.round)


def _playing(
    session: Session, seat: Seat, moment: Moment, said: Line, half: str | None
) -> tuple[Block, ...]:
    """The game's own panel; where the round hangs, or somebody wants to end it, that as well."""
    view = session.game.view(session.in_play, seat)
    frame = Frame(_head(session), said, half, assisted(session.options))
    blocks = session.game.panel(view, frame)
    if not moment.quiet and not session.end_asked:
        return blocks
    why = ending_line(session) or sentence("table.quiet", look=Look.SMALL)
    return (*blocks, Words((why,)), Row((end_round(session),)))


def _blocks(session: Session, seat: Seat | None, moment: Moment, said: Line) -> tuple[Block, ...]:
    if session.phase is Phase.CLOSED:
        return (Words((sentence(session.closed or "table.closed.broken"), said)),)
    if seat is None:
        return (Words((sentence("panel.out"),)),)
    match session.phase:
        case Phase.LOBBY:
            return _in_lobby(session, moment, said)
        case Phase.READY:
            return _get_ready(session, seat, said)
        case Phase.OVER:
            return _over(session, seat, said)
        case Phase.COUNT if session.dealt_in(seat):
            number = sentence("table.count", (("n", moment.count),), Look.HUGE)
            return (Words((title(session), number, said)),)
        case Phase.COUNT | Phase.LIVE:
            return (Words((title(session), sentence("panel.sits_out"), said)),)


def asleep(screen: Screen) -> Screen:
    """The same panel with a word on how to wake it: nothing more can be pushed to it."""
    sleeping = Words((sentence("panel.asleep", look=Look.SMALL),))
    return Screen((sleeping, *screen.blocks), screen.round)


def news_first(screen: Screen, said: Line) -> Screen:
    """The same panel for who hears it from the top: what has happened comes before the rest."""
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
    """Asks somebody in a match whether he means to leave it."""
    choices = (
        Choice(Text("button.leave_really"), str(a.LeaveForSure())),
        Choice(Text("button.stay"), str(a.Stay()), style=Style.PRIMARY),
    )
    return Screen((Words((sentence("leave.sure"),)), Row(choices)), session.round)


def options(session: Session) -> Screen:
    """The host's choices, one list an option."""
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
    """A list for one seat, under its name."""
    values = tuple((value, option_in_words(option.key, value)) for value in option.values)
    chosen = dict(chair.choices).get(option.key, option.default)
    named = sentence("options.seat", (("n", seat + 1), ("name", Name(chair.name))), Look.SMALL)
    return (Words((named,)), Pick(str(a.SetOption(option.key, seat=seat)), values, chosen))


def _in_lobby(session: Session, moment: Moment, said: Line) -> tuple[Block, ...]:
    """It has Ready already, and says nothing that changes with each Join: not every channel takes a
    push to every panel for that.
    """
    wait = host_line(session, "panel.lobby_anyone" if moment.host_away else "panel.lobby_wait")
    return (
        Words((wait, said)),
        Row((_ready(Text("button.ready")),)),
    )


def _get_ready(session: Session, seat: Seat, said: Line) -> tuple[Block, ...]:
    waiting = seat not in session.ready
    between = session.state is None and bool(session.history)
    lines: list[Line] = [title(session)]
    if between:
        lines = [stop_line(session), _points(session, seat), title(session)]
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


def _points(session: Session, seat: Seat) -> Sentence:
    points = session.history[-1].ended.scores[seat]
    values = (("points", f"{points:+d}"), ("total", session.totals[seat]))
    return sentence("panel.points", values)


def _over(session: Session, seat: Seat, said: Line) -> tuple[Block, ...]:
    told = ("end.won", won(session)) if is_recorded(session) else ("end.nothing", ())
    lines: list[Line] = [sentence(*told, Look.HEAD)]
    if session.history:
        values = (("n", session.places[seat]), ("total", session.totals[seat]))
        lines.append(sentence("panel.place", values))
    again = Choice(Text("button.rematch"), str(a.Rematch()), style=Style.SUCCESS)
    return (Words((*lines, said)), Row((again,)))


def _head(session: Session) -> Sentence:
    """`2/3 · fewest left: Anna 4`: what a player wants to know of the others."""
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
