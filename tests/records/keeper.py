"""A keeper of records who knows only logs: the records of a server, worked out match by match.

It shares no code with the bot. Whose seat was whose is in no log, and has to be told.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from bot.verify.referee import Referee

Key = tuple[str, str, str]
"""Game, variant and what the record is of."""
Held = tuple[int, int, int | None]
"""The value, the match, and the user."""


@dataclass(frozen=True)
class Filed:
    """A match that counts for leaderboards: its number, its log, and the user of each seat."""

    number: int
    log: str
    users: Sequence[int | None]


class Keeper:
    """The records of all matches that were filed, in their order."""

    def __init__(self) -> None:
        self.records: dict[Key, Held] = {}
        self.streaks: defaultdict[tuple[str, str, int | None], int] = defaultdict(int)

    def file(self, matches: Iterable[Filed]) -> "Keeper":
        for match in matches:
            self._file(match)
        return self

    def _file(self, match: Filed) -> None:
        referee = Referee(match.log).check()
        start, end = referee.start, referee.lines[-1]
        people = [p for p in range(start["players"]) if p not in start["computers"]]
        variant = ""
        if start["game"] == "cards":
            variant = "expert" if start["rules"]["expert"] else "standard"
        kind = start["game"], variant
        rounds = list(_rounds(referee))
        for p in people:
            user = match.users[p]
            for what, value in _feats(rounds, p, people, end):
                self._claim((*kind, what), value, match.number, user)
            streak = self.streaks[*kind, user] + 1 if p in _winners(end) else 0
            self.streaks[*kind, user] = streak
            if streak > 1:
                self._claim((*kind, "streak"), streak, match.number, user)

    def _claim(self, key: Key, value: int, match: int, user: int | None) -> None:
        least = key[-1] in ("stop", "duel")
        held = self.records.get(key)
        if held is None or (value < held[0] if least else value > held[0]):
            self.records[key] = value, match, user


@dataclass(frozen=True)
class _Round:
    dealt: Sequence[bool]
    stayed: Sequence[bool]
    end: dict[str, Any]
    duels: Sequence[tuple[int, int, int]]


def _rounds(referee: Referee) -> Iterable[_Round]:
    """The rounds that count. Dice rounds that were stopped don't."""
    duels = iter(referee.duels)
    dealt: list[bool] = []
    stayed: list[bool] = []
    for event in referee.lines:
        if event["e"] == "deal":
            dealt = [seat is not None for seat in event["seats" if "seats" in event else "dice"]]
            stayed = [*dealt]
        if event["e"] == "leave" and stayed:
            stayed[event["p"]] = False
        if event["e"] == "end" and (event["reason"], referee.start["game"]) != ("abort", "dice"):
            yield _Round(dealt, [*stayed], event, next(duels))


def _feats(
    rounds: Sequence[_Round], p: int, people: Sequence[int], end: dict[str, Any]
) -> Iterable[tuple[str, int]]:
    for one in rounds:
        if not _whole(one, people):
            continue
        if one.dealt[p] and one.end["scores"][p] > 0:
            yield "points", one.end["scores"][p]
        if one.end["by"] == p:
            yield "stop", one.end["lasted"]
        yield from (("duel", ms) for first, late, ms in one.duels if first == p and late in people)
    if p in _winners(end):
        yield from _behind(rounds, p, people, end["left"])


def _winners(end: dict[str, Any]) -> set[int]:
    """Nobody wins a match that all have left."""
    return set(end["winners"]) - set(end["left"])


def _whole(one: _Round, people: Sequence[int]) -> bool:
    """Two people were in it from its deal to its end."""
    return sum(one.stayed[p] for p in people) >= 2


def _behind(
    rounds: Sequence[_Round], p: int, people: Sequence[int], left: Sequence[int]
) -> Iterable[tuple[str, int]]:
    totals = [0] * len(rounds[0].dealt) if rounds else []
    for one in rounds:
        totals = [a + b for a, b in zip(totals, one.end["scores"], strict=True)]
        behind = max(total for q, total in enumerate(totals) if q not in left) - totals[p]
        if behind and _whole(one, people):
            yield "come_back", behind
