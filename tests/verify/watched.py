"""A referee that keeps the table after each line."""

import json
from typing import Any

from bot.verify.log.lines import Line
from bot.verify.referee import Referee
from bot.verify.rounds.cards import CardRound
from bot.verify.rounds.dice import DiceRound


class Watched(Referee):
    """Keeps the table after each line, as the page has it."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.kept: list[list[Any]] = [[None, None]]
        self.latest: CardRound | DiceRound | None = None

    def _follows(self, line: Line) -> None:
        super()._follows(line)
        round_ = self.latest = self.round or self.latest
        if isinstance(round_, CardRound):
            laid = [sum(p == owner for _, owner in round_.taken) for p in range(len(round_.seats))]
            seats: list[Any] = [
                seat and {**vars(seat), "laid": laid[p]} for p, seat in enumerate(round_.seats)
            ]
            self.kept.append(json.loads(json.dumps([seats, round_.tops])))
        elif round_ is not None:
            board = {colour: round_.board[colour] for colour in "RYGB"}
            self.kept.append(json.loads(json.dumps([round_.seats, board])))
