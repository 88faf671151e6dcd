"""What a table looks like to everybody: lobby, waiting, count, play, score, end."""

from bot.games.kernel import Reason, Seat
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
    Values,
    Words,
)
from bot.tables.consequences import is_finished
from bot.tables.decisions import START_AFTER
from bot.tables.due import LOBBY_FOR
from bot.tables.session import NEWS, Chair, News, Phase, Session

BARS_UP_TO = 6
"""More players than this are shown as short cells, two in a line."""
CELL = 7


def sentence(key: str, values: Values = (), look: Look = Look.PLAIN) -> Sentence:
    return Sentence(Text(key, values), look)


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
            return (*_score(session), *_rows(session, now))
        case Phase.READY:
            return (Words((title(session), *_waiting(session))), *_rows(session, now))
        case Phase.COUNT:
            number = sentence("table.count", (("n", count),), Look.HUGE)
            return (Words((title(session), number)), *_rows(session, now))
        case Phase.LIVE:
            return _live(session, now)
        case Phase.OVER:
            return (*_end(session), Row((_rematch(off=False),)), Row((_my_panel(), _down())))
        case Phase.CLOSED:
            return _closed(session)


def title(session: Session) -> Sentence:
    """`Ligretto · round 2 of 3`; in the first round with the promise of its deals."""
    number = len(session.history) + 1
    target = session.options.get("target", "off")
    key = "table.title" if target == "off" else "table.title_target"
    limit = session.rounds if target == "off" else int(target)
    values = (("game", _game(session)), ("round", number), ("limit", limit))
    return sentence(key, values, Look.HEAD)


def options_in_words(session: Session) -> Joined:
    """The options as a line of words: `3 rounds · automatic refill`."""
    words: list[Text] = []
    for option in session.game.options:
        value = session.options.get(option.key, option.default)
        target = session.options.get("target", "off") != "off"
        if (option.key, target) in (("rounds", True), ("target", False)):
            continue
        words.append(option_in_words(option.key, value))
    return Joined(tuple(words))


def option_in_words(key: str, value: str) -> Text:
    if value.isdigit() and value != "0":
        return Text(f"option.{key}", (("n", int(value)),))
    return Text(f"option.{key}.{value}")


def crowned(session: Session) -> tuple[Value, ...]:
    return tuple(Name(session.chairs[seat].name) for seat in session.winners)


def _game(session: Session) -> Text:
    return Text(f"game.{session.opened.game}")


def _lobby(session: Session) -> tuple[Block, ...]:
    closes = (session.since + LOBBY_FOR * 1000) // 1000
    held = tuple(
        sentence("lobby.held", (("name", Name(held.name)),), Look.SMALL) for held in session.held
    )
    return (
        Words(
            (
                sentence("lobby.title", (("game", _game(session)),), Look.TITLE),
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


def _waiting(session: Session) -> tuple[Line, ...]:
    awaited = Joined(tuple(Name(session.chairs[seat].name) for seat in session.awaited))
    ready = tuple(Name(session.chairs[s].name) for s in session.seats_in if s in session.ready)
    lines: list[Line] = []
    if session.state is not None:
        lines.append(sentence("table.restarted"))
    if session.awaited:
        lines.append(sentence("table.waiting", (("names", awaited),)))
    if ready:
        values = (("ready", Icon("ready")), ("names", Joined(ready)))
        lines.append(sentence("table.are_ready", values, Look.SMALL))
    if session.round == 0:
        lines.append(sentence("table.commit", (("hash", session.commit),), Look.SMALL))
    return tuple(lines)


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


def _score(session: Session) -> tuple[Block, ...]:
    last = session.history[-1]
    ended = last.ended
    ranked = sorted(range(len(ended.scores)), key=lambda seat: -ended.scores[seat])
    head: tuple[Cell, ...] = (
        "",
        *(Text(f"score.{column}") for column in ("round", "total", "plus", "minus")),
    )
    rows: list[tuple[Cell, ...]] = [
        (
            Name(session.chairs[i].name, CELL),
            f"{ended.scores[i]:+d}",
            session.totals[i],
            ended.plus[i],
            -ended.minus[i],
        )
        for i in ranked
    ]
    values = (("n", len(session.history)), ("seconds", round(last.lasted / 1000)))
    return (
        Words(
            (
                stop_line(session),
                sentence("score.round_of", values, Look.SMALL),
                Grid((head, *rows)),
                sentence(f"{session.game.key}.legend", look=Look.SMALL),
                *_waiting(session),
            )
        ),
    )


def stop_line(session: Session) -> Sentence:
    """How the last round ended: `Anna: Ligretto stop!`, or why it was over."""
    ended = session.history[-1].ended
    values: Values = (("crown", Icon("crown")),)
    if ended.by is not None:
        values = (*values, ("name", Name(session.chairs[ended.by].name)))
    game = session.game.key
    key = f"{game}.stop" if ended.reason in (Reason.LIGRETTO, Reason.DICE) else ended.reason.value
    return sentence(key if "." in key else f"score.{key}", values, Look.TITLE)


def _end(session: Session) -> tuple[Block, ...]:
    winners = crowned(session)
    values = (("crown", Icon("crown")), ("names", Joined(winners)), ("n", len(winners)))
    lines: list[Line] = []
    if session.history:
        lines.append(sentence("end.won", values, Look.TITLE))
        lines.append(stop_line_small(session))
        if len(winners) > 1:
            lines.append(sentence("end.shared", look=Look.SMALL))
        lines.append(_places(session))
    else:
        lines.append(sentence("end.nothing", look=Look.TITLE))
    if not session.counts:
        lines.append(sentence("end.practice", look=Look.SMALL))
    if not is_finished(session):
        lines.append(sentence("end.aborted", look=Look.SMALL))
    if session.round:
        lines.append(sentence("end.seed", (("seed", session.seed.hex()),), Look.SMALL))
    return (Words(tuple(lines)),)


def stop_line_small(session: Session) -> Sentence:
    line = stop_line(session)
    return Sentence(line.text, Look.SMALL)


def _places(session: Session) -> Grid:
    """Places with ties (1, 1, 3) and totals; the rounds as well while they are few."""
    rounds = session.history if len(session.history) <= 3 else ()  # noqa: PLR2004 fits a phone
    ranked = sorted(range(len(session.chairs)), key=lambda seat: session.places[seat])
    head: tuple[Cell, ...] = ("", Text("score.total"), *(f"R{i}" for i, _ in enumerate(rounds, 1)))
    rows: list[tuple[Cell, ...]] = [
        (
            _place(session, Seat(i)),
            session.totals[i],
            *(result.ended.scores[i] for result in rounds),
        )
        for i in ranked
    ]
    return Grid((head, *rows))


def _place(session: Session, seat: Seat) -> Text:
    name = Name(session.chairs[seat].name, CELL)
    return Text("end.place", (("n", session.places[seat]), ("name", name)))


def _closed(session: Session) -> tuple[Block, ...]:
    why = sentence(session.closed or "table.closed.broken", look=Look.SMALL)
    if session.history:
        return (*_end(session), Words((why,)), Row((_rematch(off=True),)))
    return (Words((sentence("lobby.title", (("game", _game(session)),), Look.TITLE), why)),)


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
