"""The score of a round and the end of a match, for everybody: in words, and as a picture."""

from bot.art.score import ROUNDS, Standing
from bot.games.values import Seat
from bot.screen import Block, Cell, Grid, Line, Look, Sentence, Words
from bot.tables.decisions.consequences import is_finished
from bot.tables.decisions.rated_or_practice import Unranked, is_recorded, unranked
from bot.tables.state.session import Phase, Session
from bot.tables.views.lines import sentence, waiting, won
from bot.text import Icon, Joined, Name, Text, Values

CELL = 7
"""Characters of a name in a grid that a phone shows whole."""


def score(session: Session) -> tuple[Block, ...]:
    last = session.history[-1]
    ended = last.ended
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
        for i in ranking(session)
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
    """Say how the last round ended: `Anna: Ligretto stop!`, or why it was over."""
    ended = session.history[-1].ended
    values: Values = (("crown", Icon("crown")),)
    if ended.by is not None:
        values = (*values, ("name", Name(session.chairs[ended.by].name)))
    stopped = ended.reason.is_stop
    key = f"{session.game.key}.stop" if stopped else f"score.{ended.reason.value}"
    return sentence(key, values, look)


def end(session: Session) -> tuple[Block, ...]:
    lines: list[Line] = []
    if is_recorded(session):
        lines.append(sentence("end.won", won(session), Look.TITLE))
        if session.history:
            lines.append(stop_line(session, Look.SMALL))
        if len(session.winners) > 1:
            lines.append(sentence("end.shared", look=Look.SMALL))
        lines.append(_places(session))
        lines += mark(unranked(session), forfeited=session.forfeited)
    else:
        lines.append(sentence("end.nothing", look=Look.TITLE))
    if not is_finished(session):
        lines.append(sentence("end.aborted", look=Look.SMALL))
    return (Words(tuple(lines)),)


def mark(why: Unranked | None, *, forfeited: bool) -> tuple[Line, ...]:
    """Return the lines below the places, at the end and in the history.

    They say why a match is in no leaderboard, and that a round is rated even though it was stopped.
    """
    lines = () if why is None else (not_ranked(why),)
    if not forfeited or (why is not None and not why.rates):
        return lines
    return (*lines, sentence("end.forfeited", look=Look.SMALL))


def not_ranked(why: Unranked) -> Sentence:
    """Say why a match is in no leaderboard, in the same words from the lobby on."""
    return sentence(f"unranked.{why.value}", look=Look.SMALL)


def round_heading(number: int) -> Text:
    """Return the heading of a round's points, one letter and the number: `R12`."""
    return Text("score.round_short", (("number", number),))


def _places(session: Session) -> Grid:
    """Draw places with ties (1, 1, 3) and totals, and the rounds as well while they are few."""
    rounds = session.history if len(session.history) <= 3 else ()  # noqa: PLR2004 fits a phone
    numbers = range(1, len(rounds) + 1)
    head: tuple[Cell, ...] = ("", Text("score.total"), *map(round_heading, numbers))
    rows: list[tuple[Cell, ...]] = [
        (
            _place(session, Seat(i)),
            session.totals[i],
            *(result.ended.scores[i] for result in rounds),
        )
        for i in ranking(session)
    ]
    return Grid((head, *rows))


# -- the picture -------------------------------------------------------------------------------


def is_scored(session: Session) -> bool:
    """Return whether the table shows a score: between two rounds, and at the end."""
    if session.phase is Phase.READY:
        return session.state is None and bool(session.history)
    return session.phase in (Phase.OVER, Phase.CLOSED) and bool(session.history)


def ranking(session: Session) -> list[int]:
    """Return the seats in the order of the lists.

    That is by the last round's points between rounds, and by places at the end.
    """
    if session.phase is Phase.READY:
        scores = session.history[-1].ended.scores
        return sorted(range(len(scores)), key=lambda seat: -scores[seat])
    return sorted(range(len(session.chairs)), key=lambda seat: session.places[seat])


def standings(session: Session) -> tuple[Standing, ...]:
    """Return one row of the picture per player."""
    return tuple(
        Standing(
            seat + 1,
            session.places[seat],
            tuple(result.ended.scores[seat] for result in session.history),
            session.totals[seat],
        )
        for seat in ranking(session)
    )


def stoppers(session: Session) -> tuple[int | None, ...]:
    """Return the seat, from 1, that ended each round; None for a round that no seat ended."""
    ended = [result.ended.by for result in session.history]
    return tuple(None if seat is None else seat + 1 for seat in ended)


def described(session: Session) -> Text:
    """Return the picture's description, for screen readers."""
    players = tuple(
        Text(
            "score.alt_player",
            (
                ("n", one.place),
                ("name", Name(session.chairs[one.seat - 1].name, CELL)),
                ("points", " ".join(f"{points:+d}" for points in one.rounds[-ROUNDS:])),
                ("total", one.total),
            ),
        )
        for one in standings(session)
    )
    ended = tuple(
        Name(session.chairs[seat - 1].name, CELL) if seat is not None else "–"
        for seat in stoppers(session)[-ROUNDS:]
    )
    return Text("score.alt", (("players", Joined(players)), ("names", Joined(ended))))


def _place(session: Session, seat: Seat) -> Text:
    name = Name(session.chairs[seat].name, CELL)
    return Text("end.place", (("n", session.places[seat]), ("name", name)))
