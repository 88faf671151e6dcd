"""Ligretto in the match log: the first line, and a round as dealt."""

from collections.abc import Mapping

from bot.games.ligretto.model import Pile, SeatCards, State
from bot.games.ligretto.rules import REFILL, is_expert
from bot.games.values import Options


def start(options: Options, _: int) -> Mapping[str, object]:
    """Return the game's part of the log's first line.

    `refill`, automatic or by hand, is there only in the standard game, where it is a choice.
    """
    expert = is_expert(options)
    refill = {} if expert else {"refill": options[REFILL.key]}
    return {"game": "cards", "rules": {"expert": expert}, **refill}


def deal(state: State) -> Mapping[str, object]:
    return {"seats": [None if own is None else _cards(own) for own in state.seats]}


def _cards(own: SeatCards) -> dict[str, list[str]]:
    return {
        "row": [face for column in own.row for face in _faces(column)],
        "ligretto": _faces(own.ligretto),
        "hand": _faces(own.hand),
    }


def _faces(pile: Pile) -> list[str]:
    return [str(card).upper() for card in pile]
