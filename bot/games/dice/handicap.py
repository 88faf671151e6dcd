"""The number of dice by seat: even shares, or a handicap for play with children (D3, D15)."""

from enum import StrEnum

from bot.games.dice.model import BAG
from bot.games.values import Option, Options, Refused, Seat
from bot.text import Text

EXTRA = Option("extra", ("0", "1", "2", "3", "4"), "0", moot=lambda _: True)
"""The extra dice of a grown-up over a child. The lobby shows beside each seat what it gets."""
SHARE = Option("dice", ("even", "child", *(str(n) for n in range(1, 23))), "even")
"""The choice for one seat: a grown-up's share, a child's, or a number of dice."""


class ShareRefusal(StrEnum):
    """A reason to refuse a choice of dice. The value is the catalogue key of its words."""

    TOO_MANY = "dice.refused.too_many"
    TOO_FEW = "dice.refused.too_few"


def check(options: Options, seats: int) -> Refused | None:
    """Refuse choices that the bag does not allow: at least one die per seat, at most 24 in all."""
    counts = shares(options, (True,) * seats)
    if any(count < 1 for count in counts):
        return Refused(ShareRefusal.TOO_FEW)
    if sum(counts) > len(BAG):
        return Refused(ShareRefusal.TOO_MANY, (("n", sum(counts)), ("most", len(BAG))))
    return None


def share(options: Options, seats: int, seat: Seat) -> Text | None:
    """Tell how many dice a seat will get, or return None if all seats get the same."""
    counts = shares(options, (True,) * seats)
    return Text("option.dice", (("n", counts[seat]),)) if len(set(counts)) > 1 else None


def shares(options: Options, dealt: tuple[bool, ...]) -> tuple[int, ...]:
    """Return each seat's number of dice, 0 if it is not dealt in.

    Seats with a number of their own are served first. The others share the rest, and each grown-up
    gets `extra` more than a child. A remainder that does not divide stays in the bag.
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
