"""What a table looks like to everybody: lobby, waiting, count, play, score, end."""

from bot.games.kernel import Seat
from bot.games.screen import (
    Bar,
    Block,
    Cell,
    Choice,
    Grid,
    Icon,
    Joined,
    Line,
    Look,
    Name,
    Row,
    Rule,
    Screen,
    Sentence,
    Style,
    Text,
    Value,
    Words,
)
from bot.tables.decisions import START_AFTER
from bot.tables.due import LOBBY_FOR
from bot.tables.phrases import (
    game_name,
    option_in_words,
    options_in_words,
    sentence,
    title,
    waiting,
)
from bot.tables.scores import CELL, end, score
from bot.tables.session import NEWS, Chair, News, Phase, Session

BARS_UP_TO = 6
"""More players than this are shown as short cells, two in a line."""


def public(session: Session, count: int, now: int | None = None) -> Screen:
    """The message everybody sees. `count`: of the count-down; `now`: Unix ms, or that of the
    last entry.
    """
    return Screen(_blocks(session, count, session.at if now is None else now), session.round)


def _blocks(session: Session, count: int, now: int) -> tuple[Block, ...]:
    match session.phase:
        case Phase.LOBBY:
            return _lobby(session)
        case Phase.READY if session.state is None and session.history:
            return (*score(session), *_rows(session, now))
        case Phase.READY:
            return (Words((title(session), *waiting(session))), *_rows(session, now))
        case Phase.COUNT:
            number = sentence("table.count", (("n", count),), Look.HUGE)
            return (Words((title(session), number)), *_rows(session, now))
        case Phase.LIVE:
            return _live(session, now)
        case Phase.OVER:
            return (*end(session), Row((_rematch(off=False),)), Row((_my_panel(), _down())))
        case Phase.CLOSED:
            return _closed(session)


def _lobby(session: Session) -> tuple[Block, ...]:
    closes = (session.since + LOBBY_FOR * 1000) // 1000
    held = tuple(
        sentence("lobby.held", (("name", Name(held.name)),), Look.SMALL) for held in session.held
    )
    return (
        Words(
            (
                sentence("lobby.title", (("game", game_name(session)),), Look.TITLE),
                sentence("lobby.options", (("options", options_in_words(session)),), Look.SMALL),
            )
        ),
        Words((*(_lobby_seat(session, i, c) for i, c in enumerate(session.chairs)), *held)),
        Row(
            (
                Choice(Text("button.join"), "join", style=Style.SUCCESS),
                Choice(Text("button.leave"), "leave"),
                Choice(Text("button.start"), "start", style=Style.PRIMARY),
            )
        ),
        Row(
            (
                Choice(Text("button.add"), "add", "computer"),
                Choice(Text("button.remove"), "remove", "computer"),
            )
        ),
        Row((Choice(Text("button.options"), "options"),)),
        Words((sentence("lobby.closes", (("when", f"<t:{closes}:R>"),), Look.SMALL),)),
    )


def _lobby_seat(session: Session, seat: int, chair: Chair) -> Line:
    if not chair.human:
        key = "lobby.computer"
    elif chair.user == session.host:
        key = "lobby.host"
    else:
        key = "lobby.seat"
    icons = (("crown", Icon("crown")), ("computer", Icon("computer")))
    line = Text(key, (("n", seat + 1), ("name", Name(chair.name)), *icons))
    chosen = tuple(option_in_words(name, value) for name, value in chair.choices)
    share = session.game.share(session.all_options, len(session.chairs), Seat(seat))
    told = tuple(dict.fromkeys((*chosen, *(() if share is None else (share,)))))
    if not told:
        return Sentence(line)
    return sentence("lobby.chosen", (("seat", line), ("options", Joined(told))))


def _live(session: Session, now: int) -> tuple[Block, ...]:
    game = session.game
    view = game.view(session.state, None)
    news = [_news(session, item, i) for i, item in enumerate(reversed(session.news))]
    news += [sentence("table.no_news", look=Look.SMALL)] * (NEWS - len(news))
    return (
        Words((title(session), *game.centre(view))),
        Rule(),
        Words((sentence(f"{game.key}.left", look=Look.SMALL), *_left(session))),
        Rule(),
        Words(tuple(news)),
        *_rows(session, now),
    )


def _left(session: Session) -> tuple[Line, ...]:
    """Each player's cards left, in the order of the seats: nothing moves."""
    left = session.game.left(session.state)
    chairs = list(enumerate(session.chairs))
    if len(chairs) <= BARS_UP_TO:
        top = max((n for n in left if n is not None), default=0)
        return tuple(
            Bar(
                left[i],
                max(top, 10),
                Name(c.name, 9),
                session.totals[i],
                i + 1 if session.game.numbered else None,
            )
            for i, c in chairs
        )
    cells: list[Cell] = []
    for seat, chair in chairs:
        number = left[seat]
        cells += [Name(chair.name, CELL), "-" if number is None else number]
    return (Grid(tuple(tuple(cells[i : i + 4]) for i in range(0, len(cells), 4))),)


def _news(session: Session, item: News, place: int) -> Sentence:
    """The newest event stands out; who was too late for it is said with it."""
    values: list[tuple[str, Value]] = [
        ("card", Icon(item.claim)),
        ("name", Name(session.chairs[item.seat].name, 12)),
    ]
    key = "table.laid"
    if item.late:
        who, ms = item.late[-1]
        key = "table.laid_late"
        values += [("late", Name(session.chairs[who].name, 12)), ("ms", ms)]
    return sentence(key, tuple(values), Look.SMALL if place else Look.PLAIN)


def _closed(session: Session) -> tuple[Block, ...]:
    why = sentence(session.closed or "table.closed.broken", look=Look.SMALL)
    if session.history:
        return (*end(session), Words((why,)), Row((_rematch(off=True),)))
    return (Words((sentence("lobby.title", (("game", game_name(session)),), Look.TITLE), why)),)


def _rows(session: Session, now: int) -> tuple[Row, ...]:
    """The table's buttons: the same places in every phase; a get-ready has two more at the ends."""
    row, below = [_my_panel()], [Choice(Text("button.leave"), "leave"), _down()]
    if session.phase is Phase.READY:
        between = session.state is None and bool(session.history)
        label = Text("button.next_round" if between else "button.ready")
        row.append(Choice(label, "ready", style=Style.SUCCESS))
        first = session.first_ready_at
        waited = first is not None and now >= first + START_AFTER
        may_start = waited and bool(session.awaited)
        below.append(Choice(Text("button.start"), "deal", off=not may_start))
    return (Row(tuple(row)), Row(tuple(below)))


def _my_panel() -> Choice:
    return Choice(Text("button.my_panel"), "panel", style=Style.PRIMARY)


def _down() -> Choice:
    return Choice(Text("button.move_down"), "down")


def _rematch(*, off: bool) -> Choice:
    return Choice(Text("button.rematch"), "rematch", style=Style.SUCCESS, off=off)
