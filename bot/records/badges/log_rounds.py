"""A match as its log tells it, round by round, for whoever looks for feats in it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any

from bot.games.values import Reason
from bot.tables.state.duels import DUEL_WITHIN, READING_TIME

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class LoggedMove:
    """An accepted move: `t` in ms as in the log, what was done, and the card or die, if any."""

    t: int
    seat: int
    kind: str
    card: str | None

    @property
    def is_laid(self) -> bool:
        """True if a card or die went to where all lay theirs."""
        return self.kind in ("play", "place")


@dataclass(slots=True)
class LoggedRound:
    """A round that counts. `lasted`: ms for which it was live, None in logs of older versions.

    `duels`: first seat, late seat, ms. `refused`: refused presses by seat. `gone`: the seats that
    had left it before its end.
    """

    dealt: Sequence[bool]
    moves: list[LoggedMove] = field(default_factory=list)
    refused: Counter[int] = field(default_factory=Counter)
    duels: list[tuple[int, int, int]] = field(default_factory=list)
    reason: Reason = Reason.ABORT
    by: int | None = None
    scores: Sequence[int] = ()
    lasted: int | None = None
    gone: set[int] = field(default_factory=set)

    def stopped_by(self, seat: int) -> bool:
        return self.reason.is_stop and self.by == seat

    def of(self, seat: int) -> list[LoggedMove]:
        return [move for move in self.moves if move.seat == seat]

    def others(self, seat: int) -> list[int]:
        """Return the points of all others dealt in."""
        return [
            points
            for other, points in enumerate(self.scores)
            if other != seat and self.dealt[other]
        ]


@dataclass(frozen=True, slots=True)
class LoggedMatch:
    """A finished match. `people` tells them from robots, by seat; `level` is that of the robots."""

    game: str
    people: Sequence[bool]
    level: str | None
    is_uneven: bool
    is_cut_short: bool
    rounds: Sequence[LoggedRound]
    winners: Sequence[int]
    left: Sequence[int]

    @property
    def is_solo(self) -> bool:
        return sum(self.people) == 1

    @property
    def whole(self) -> list[LoggedRound]:
        """The rounds that two people were in from the deal to the end; alone, the one."""
        return [one for one in self.rounds if self.is_whole(one)]

    def is_whole(self, one: LoggedRound) -> bool:
        stayed = sum(
            is_person and one.dealt[seat] and seat not in one.gone
            for seat, is_person in enumerate(self.people)
        )
        return stayed >= min(2, sum(self.people))

    def won(self, seat: int) -> bool:
        """Return whether this seat alone has won, and somebody else stayed to the end.

        Among several people that is another person.
        """
        stayed = sum(
            (is_person or self.is_solo) and other not in self.left
            for other, is_person in enumerate(self.people)
        )
        return list(self.winners) == [seat] and seat not in self.left and stayed > 1

    def totals(self) -> list[tuple[int, ...]]:
        """Return all totals after each round."""
        columns = zip(*(one.scores for one in self.rounds), strict=True)
        return [*zip(*map(accumulate, columns), strict=True)]


def read(events: Sequence[Line], people: Sequence[bool]) -> LoggedMatch:
    """Read a whole log. `people` is needed for logs of older versions, which list no robots.

    A malformed log may raise any exception.
    """
    start, end = events[0], events[-1]
    return LoggedMatch(
        game=start["game"],
        people=people,
        level=start.get("level"),
        is_uneven=start.get("handicap", False),
        is_cut_short=end["aborted"],
        rounds=tuple(_rounds(events[1:-1], start["game"])),
        winners=end["winners"],
        left=end["left"],
    )


def _rounds(lines: Iterable[Line], game: str) -> list[LoggedRound]:
    found: list[LoggedRound] = []
    now = LoggedRound(())
    for line in lines:
        match line["e"]:
            case "deal":
                dealt = line["seats"] if "seats" in line else line["dice"]
                now = LoggedRound([one is not None for one in dealt])
            case "move":
                now.moves.append(LoggedMove(line["t"], line["p"], line["m"][0], line.get("card")))
            case "reject":
                now.refused[line["p"]] += 1
                now.duels += _duel(line)
            case "leave":
                now.gone.add(line["p"])
            case "end":
                now.reason, now.by = Reason(line["reason"]), line.get("by")
                now.scores, now.lasted = line["scores"], line.get("lasted")
                if now.reason is not Reason.ABORT or game != "dice":
                    found.append(now)
                now = LoggedRound(())  # whoever leaves now has gone from no round
            case _:
                pass
    return found


def _duel(line: Line) -> list[tuple[int, int, int]]:
    """Return the duel that a refusal tells of, as docs/format.md defines one; else nothing."""
    rival, margin, shown = line.get("rival"), line.get("margin"), line.get("shown")
    if rival is None or margin is None or margin > DUEL_WITHIN:
        return []
    return [(rival, line["p"], margin)] if shown is None or shown < READING_TIME else []
