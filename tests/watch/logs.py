"""Logs of matches to watch, and what the referee of logs finds on the table in them."""

from itertools import pairwise
from random import Random
from typing import Any, NamedTuple, TypeAlias

from bot.ids import UserId
from bot.tables.state.session import Phase
from bot.verify.log.lines import Line
from bot.verify.referee import Referee
from bot.verify.rounds.cards import CardRound
from bot.verify.rounds.dice import DiceRound
from tests.records.played import Memory, PlayedMatches
from tests.records.test_log import written

MOST = 12
Duels: TypeAlias = tuple[tuple[int, int, int], ...]
"""Who was first, who was late, and the margin in ms."""


async def random_log(seed: int) -> str:
    """A match of 2 to 12, with leavers, people who miss a round, wild presses, and closes."""
    luck = Random(f"watched {seed}")
    game = luck.choice(["ligretto", "ligretto", "dice"])
    people = luck.randint(2, MOST if game == "ligretto" else 4)
    options = {
        "ligretto": {
            "rounds": str(luck.randint(1, 2)),
            "variant": luck.choice(["standard", "expert"]),
            "refill": luck.choice(["auto", "hand"]),
        },
        "dice": {"rounds": str(luck.randint(1, 3)), "extra": luck.choice("0012")},
    }[game]
    journal = Memory()
    played = PlayedMatches(journal, seed)
    users = [UserId(number + 1) for number in range(people)]
    computers = luck.randint(0, 2) if people <= 2 else 0
    table = await played.sit(game, users, computers=computers, options=options)
    while table.session.phase is not Phase.OVER:
        without = users[1:2] if luck.random() < 0.2 and table.session.round else ()
        await played.begin(table, without=without)
        if luck.random() < 0.4:
            await played.play(table, presses=luck.randint(0, 80), wild=0.3)
            user = luck.choice(users)
            if table.session.seat_of(user) is not None:
                await played.press(table, user, "leave.yes")
        await played.play(table, wild=0.1)
    return written(journal, table)


class Seen(NamedTuple):
    """What lies on the table: piles as `r7`, rows and Ligretto piles or dice by seat."""

    piles: tuple[str, ...]
    rows: tuple[tuple[str | None, ...] | None, ...]
    left: tuple[tuple[str, ...] | None, ...]
    gone: frozenset[int]


class Ended(NamedTuple):
    """A round as the referee saw it: all that lay on the table, in order, and its duels."""

    seen: tuple[Seen, ...]
    duels: Duels
    end: dict[str, Any]


class Watching(Referee):
    """A referee that keeps what it finds on the table after each line, and the duels before it."""

    def __init__(self, log: str) -> None:
        super().__init__(log)
        self.steps: list[tuple[Line, Seen | None, Duels]] = []

    def _follows(self, line: Line) -> None:
        duels = tuple(self.duels[-1]) if self.duels else ()
        super()._follows(line)
        self.steps.append((line, _seen(self.round, self.gone), duels))


def refereed(text: str) -> list[Ended]:
    """Every round of a log. Raises LogError for a log that can't be true.

    What lies there between two moves of one press is left out, and what is like the one before.
    """
    referee = Watching(text)
    referee.check()
    found: list[Ended] = []
    seen: list[Seen] = []
    for (event, now, duels), (following, *_) in pairwise([*referee.steps, ({}, None, ())]):
        if event["e"] == "deal":
            seen = []
        if event["e"] == "end":
            found.append(Ended(tuple(seen), duels, event))
        is_shown = event["e"] in ("deal", "move", "leave") and not _goes_on(event, following)
        if is_shown and now is not None and seen[-1:] != [now]:
            seen.append(now)
    return found


def _goes_on(event: dict[str, Any], following: dict[str, Any]) -> bool:
    same = all(event.get(key) == following.get(key) for key in ("e", "t", "p"))
    return event["e"] == "move" and same


def _seen(round_: CardRound | DiceRound | None, gone: set[int]) -> Seen | None:
    if isinstance(round_, CardRound):
        return _of_cards(round_, gone)
    return _of_dice(round_, gone) if round_ is not None else None


def _of_cards(round_: CardRound, gone: set[int]) -> Seen:
    seats = round_.seats
    return Seen(
        tuple(top.lower() for top in round_.tops),
        tuple(
            None if seat is None else tuple(_top(column) for column in seat.row) for seat in seats
        ),
        tuple(None if seat is None else tuple(map(str.lower, seat.ligretto)) for seat in seats),
        frozenset(p for p in gone if seats[p] is not None),
    )


def _top(column: list[str]) -> str | None:
    return column[-1].lower() if column else None


def _of_dice(round_: DiceRound, gone: set[int]) -> Seen:
    cups = round_.seats
    return Seen(
        tuple(f"{colour.lower()}{round_.board[colour]}" for colour in "RYGB"),
        tuple(None if cup is None else () for cup in cups),
        tuple(
            None if cup is None else tuple(f"{die[0].lower()}d{die[1]}" for die in cup if die)
            for cup in cups
        ),
        frozenset(p for p in gone if cups[p] is not None),
    )
