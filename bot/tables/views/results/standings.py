"""The standings after a round or a match: as a picture, or as a line per player."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.art.score import ScoreRow
from bot.games.values import Seat
from bot.screen import Block, Line, Look, Picture, Sentence, Words
from bot.tables.state.session import Phase, Session
from bot.tables.views.lines import player, sentence
from bot.text import Icon, Joined, Name, Text, Value, Values, bare, change, points

MEDALS = ("gold", "silver", "bronze")
CELL = 7
"""Characters of a name in a description."""
ROUNDS = 12
"""The most rounds in a description, counted from the last."""


@dataclass(frozen=True, slots=True)
class Pictured:
    """The picture on a table's message: its file, and the seats whose name it cannot write."""

    file: str
    nameless: tuple[Seat, ...] = ()


def medal(place: int, *, is_won: bool = True) -> Value:
    """Return the sign of a place: a medal, or `#4`. There are no medals where nobody has won."""
    return Icon(MEDALS[place - 1]) if is_won and place <= len(MEDALS) else f"#{place}"


def is_scored(session: Session) -> bool:
    """Return whether the table shows a score: between two rounds, and at the end."""
    is_over = session.phase in (Phase.OVER, Phase.CLOSED)
    return session.is_between_rounds or (is_over and bool(session.history))


def ranking(session: Session) -> list[Seat]:
    """Return the seats in the order of their places."""
    found = session.places
    return sorted(map(Seat, range(len(found))), key=lambda seat: found[seat])


def score_rows(session: Session) -> tuple[ScoreRow, ...]:
    """Return one row of the picture per player."""
    return tuple(
        ScoreRow(
            seat + 1,
            session.places[seat],
            session.chairs[seat].name,
            tuple(result.ended.scores[seat] for result in session.history),
            has_left(session, seat),
            has_medal=bool(session.winners),
        )
        for seat in ranking(session)
    )


def has_left(session: Session, seat: int) -> bool:
    """Return whether a player left the match, once it is over. Until then the seat is empty."""
    return session.phase is not Phase.READY and session.chairs[seat].left


def stopper(session: Session) -> int | None:
    """Return the seat, from 1, that ended the last round; None if no seat did."""
    by = session.history[-1].ended.by
    return None if by is None else by + 1


def described(session: Session) -> Text:
    """Return the picture's description, for screen readers."""
    players = tuple(
        Text(
            "score.alt_left" if one.left else "score.alt_player",
            (
                ("n", one.place),
                ("name", Name(one.name, CELL)),
                ("points", " ".join(map(change, one.rounds[-ROUNDS:]))),
                ("total", points(sum(one.rounds))),
            ),
        )
        for one in score_rows(session)
    )
    ended = session.history[-1].ended
    by = ended.voters if ended.by is None else (ended.by,)
    names = Joined(tuple(Name(session.names[seat], CELL) for seat in by))
    name: Value = names if by else "–"
    return Text("score.alt", (("players", Joined(players)), ("name", name)))


def shown(session: Session, picture: Pictured | None) -> Block:
    """Draw the picture or, without one, a line per player."""
    if picture is not None:
        return Picture(picture.file, described(session))
    by = session.history[-1].ended.by if session.history else None
    return Words(tuple(_line(session, seat, is_stopper=seat == by) for seat in ranking(session)))


def _line(session: Session, seat: Seat, *, is_stopper: bool) -> Sentence:
    """Draw the line of a player: `🥇 **Anna** +18 → 40`, or the total alone at the end.

    A name may end in a number, which nothing may run into: `Robot 7 9`.
    """
    gone = has_left(session, seat)
    values: Values = (
        ("place", medal(session.places[seat], is_won=bool(session.winners))),
        ("name", player(session, seat)),
        ("total", points(session.totals[seat])),
        ("n", abs(session.totals[seat])),
        ("stop", Icon("flag" if gone else "stop") if gone or is_stopper else ""),
    )
    if session.phase is not Phase.READY:
        return sentence("end.line", values)
    last = change(session.history[-1].ended.scores[seat])
    return sentence("score.line", (*values, ("points", last)))


def nameless(session: Session, picture: Pictured | None) -> tuple[Line, ...]:
    """Say who is behind the numbers that stand in the picture for names."""
    seats: Sequence[Seat] = () if picture is None else picture.nameless
    parts = tuple(
        Text(
            "score.seat",
            (("seat", Icon(f"s{seat + 1}")), ("name", player(session, seat))),
        )
        for seat in seats
    )
    return in_a_line(parts)


def in_a_line(parts: Sequence[Text]) -> tuple[Line, ...]:
    """Draw several things as one small line, or none. It breaks between them only."""
    if not parts:
        return ()
    joined = Joined(tuple(parts), between=" · ", whole=True)
    return (Sentence(bare(joined), Look.SMALL),)
