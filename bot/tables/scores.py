"""The score of a round and the end of a match, for everybody."""

from bot.games.kernel import Reason, Seat
from bot.games.screen import (
    Block,
    Cell,
    Grid,
    Icon,
    Line,
    Look,
    Name,
    Sentence,
    Text,
    Values,
    Words,
)
from bot.tables.consequences import is_finished
from bot.tables.phrases import sentence, waiting, won
from bot.tables.session import Session

CELL = 7
"""Columns of a name in a table that a phone shows whole."""


def score(session: Session) -> tuple[Block, ...]:
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
                *waiting(session),
            )
        ),
    )


def stop_line(session: Session, look: Look = Look.TITLE) -> Sentence:
    """How the last round ended: `Anna: Ligretto stop!`, or why it was over."""
    ended = session.history[-1].ended
    values: Values = (("crown", Icon("crown")),)
    if ended.by is not None:
        values = (*values, ("name", Name(session.chairs[ended.by].name)))
    stopped = ended.reason in (Reason.LIGRETTO, Reason.DICE)
    key = f"{session.game.key}.stop" if stopped else f"score.{ended.reason.value}"
    return sentence(key, values, look)


def end(session: Session) -> tuple[Block, ...]:
    lines: list[Line] = []
    if session.history:
        lines.append(sentence("end.won", won(session), Look.TITLE))
        lines.append(stop_line(session, Look.SMALL))
        if len(session.winners) > 1:
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


def round_heading(number: int) -> Text:
    """What stands above a round's points, one letter and the number: `R12`."""
    return Text("score.round_short", (("number", number),))


def _places(session: Session) -> Grid:
    """Places with ties (1, 1, 3) and totals; the rounds as well while they are few."""
    rounds = session.history if len(session.history) <= 3 else ()  # noqa: PLR2004 fits a phone
    ranked = sorted(range(len(session.chairs)), key=lambda seat: session.places[seat])
    numbers = range(1, len(rounds) + 1)
    head: tuple[Cell, ...] = ("", Text("score.total"), *map(round_heading, numbers))
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
