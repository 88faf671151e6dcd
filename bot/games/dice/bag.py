"""How many dice each seat gets: even shares, or a handicap for play with children (D3, D15)."""

from enum import StrEnum

from bot.games.dice.model import BAG
from bot.games.screen import Text
from bot.games.values import Option, Options, Refused, Seat


def _is_said_by_seats(options: Options) -> bool:
    """ "No handicap" is not the word where a seat has a share of its own."""
    own = any(key.startswith("dice.") and value != "even" for key, value in options.items())
    return own and options.get("extra", "0") == "0"


EXTRA = Option("extra", ("0", "1", "2", "3", "4"), "0", moot=_is_said_by_seats)
"""Dice a grown-up has more than a child."""
SHARE = Option("dice", ("even", "child", *(str(n) for n in range(1, 23))), "even")
"""A seat's own choice: a grown-up's share, a child's, or this many."""


class Why(StrEnum):
    """Why a choice of dice is not possible. Each value is the key of its words."""

    TOO_MANY = "dice.refused.too_many"
    TOO_FEW = "dice.refused.too_few"


def check(options: Options, seats: int) -> Refused | None:
    """Whether the bag allows these choices: at least one die a seat, at most 24 in all."""
    counts = shares(options, (True,) * seats)
    if any(count < 1 for count in counts):
        return Refused(Why.TOO_FEW)
    if sum(counts) > len(BAG):
        return Refused(Why.TOO_MANY, (("n", sum(counts)), ("most", len(BAG))))
    return None


def share(options: Options, seats: int, seat: Seat) -> Text | None:
    """How many dice a seat will get, when not all get the same."""
    counts = shares(options, (True,) * seats)
    return Text("option.dice", (("n", counts[seat]),)) if len(set(counts)) > 1 else None


def shares(options: Options, dealt: tuple[bool, ...]) -> tuple[int, ...]:
    """Dice for each seat, 0 where it is not dealt in. What does not divide stays in the bag.

    Seats with a number of their own are served first; the others share what is left, the
    grown-ups among them `extra` more than the children.
    """
    choices = [
        options.get(f"{SHARE.key}.{seat}", SHARE.default) if is_in else "0"
        for seat, is_in in enumerate(dealt)
    ]
    rest = len(BAG) - sum(int(choice) for choice in choices if choice.isdecimal())
    grown_ups, children = choices.count("even"), choices.count("child")
    extra = int(options[EXTRA.key])
    child = (rest - extra * grown_ups) // max(1, grown_ups + children)
    counts = {"child": child, "even": child + extra}
    return tuple(counts[choice] if choice in counts else int(choice) for choice in choices)
