"""The turns of a daily, and what its robots do: see "The deal of the day" in docs/chance.md."""

from collections.abc import Iterator
from itertools import cycle
from typing import Any, TypeAlias

from bot.verify.log import fields as f
from bot.verify.log.errors import demand
from bot.verify.log.lines import Line
from bot.verify.rounds.cards import CardRound
from bot.verify.rounds.dice import DiceRound
from bot.verify.rounds.streams import Stream

PLAYER, ROBOTS = 0, (1, 2)
TURNS = (0, 1, 1, 2)
"""A robot's turns after a press, by the number drawn."""
FOREIGN = ("reject", "leave")
"""Events of a match that a daily has none of."""
Move: TypeAlias = list[Any]
"""A move, or its beginning: what follows there is the seed's."""


class Schedule:
    """The turns of a daily's round: a press of the player, then the robots' share, and so on."""

    def __init__(self, seed: bytes, round_: CardRound | DiceRound) -> None:
        self._seed, self._round = seed, round_
        self._share: list[int] = []
        self._further = cycle(ROBOTS)
        self.presses = 0

    def demand_move(self, line: Line, *, goes_on: bool) -> None:
        """Raise LogError unless this move is due. `goes_on`: it belongs to the turn before."""
        if not goes_on:
            p, move = self._due()
            demand(line["p"] == p, "turn", p=p)
            demand(line["m"][: len(move)] == move, "value", key="m", value=move)
            if p == PLAYER:
                self._press()
        demand(f.one_of(self.presses)(line.get("press")), "value", key="press", value=self.presses)

    def demand_end(self) -> None:
        """Raise LogError unless a round that isn't over can be stopped: the player is to press."""
        p, _ = self._due()
        demand(p == PLAYER, "turn", p=p)

    def _press(self) -> None:
        self.presses += 1
        draws = Stream(self._seed, 1, "robots", self.presses)
        turns = [TURNS[draws.below(len(TURNS))] for _ in ROBOTS]
        names = [str(p) for p, count in zip(ROBOTS, turns, strict=True) for _ in range(count)]
        self._share = [int(name) for name in draws.shuffled(names)]
        self._further = cycle(ROBOTS)

    def _due(self) -> tuple[int, Move]:
        """Return whose turn it is, and a robot's move. Somebody can move: the round isn't over."""
        while self._share:
            p = self._share.pop(0)
            if (move := self._first(p)) is not None:
                return p, move
        while self._first(PLAYER) is None:
            p = next(self._further)
            if (move := self._first(p)) is not None:
                return p, move
        return PLAYER, []

    def _first(self, p: int) -> Move | None:
        """Return what a robot would do on this seat; None if the seat can do nothing."""
        round_ = self._round
        can = _of_cards(round_, p) if isinstance(round_, CardRound) else _of_dice(round_, p)
        return next(can, None)


def _of_cards(round_: CardRound, p: int) -> Iterator[Move]:
    """Yield what a seat can do, in a robot's order."""
    seat = round_.seat(p)
    for source in ("ligretto", *(f"row{i}" for i in range(len(seat.row))), "discard"):
        card = seat.shown(source)
        target = None if card is None else round_.target(card)
        if target is not None:
            yield ["play", source, "new" if target == len(round_.tops) else target]
        if source == "ligretto" and [] in seat.row:
            yield ["lay", source, seat.row.index([])]
    if seat.hand:
        yield ["flip"]
    elif seat.discard:
        yield ["recycle"]


def _of_dice(round_: DiceRound, p: int) -> Iterator[Move]:
    for i, die in enumerate(round_.seat(p)):
        if die is not None and int(die[1:]) == round_.board[die[0]] + 1:
            yield ["place", i]
    yield ["reroll"]
