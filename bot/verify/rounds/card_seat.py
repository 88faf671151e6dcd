"""The cards of one seat, and the form in which a log deals them."""

from dataclasses import dataclass, field

from bot.verify.log import fields as f
from bot.verify.log.lines import Line


@dataclass
class Seat:
    """The cards of a seat, each pile in the order of docs/format.md; discards oldest first."""

    row: list[list[str]]
    ligretto: list[str]
    hand: list[str]
    discard: list[str] = field(default_factory=list)

    def sources(self) -> dict[str, list[str]]:
        """Return what lies at each place, the open card last."""
        columns = {f"row{i}": column for i, column in enumerate(self.row)}
        return {"ligretto": self.ligretto[::-1], "discard": self.discard, **columns}

    def shown(self, source: str) -> str | None:
        """Return the open card of a place, None if there is none (C9)."""
        return next(iter(self.sources().get(source, [])[-1:]), None)

    def take(self, source: str) -> str:
        if source == "ligretto":
            return self.ligretto.pop(0)
        return (self.discard if source == "discard" else self.row[int(source[3:])]).pop()


def demand_seats(line: Line, players: int) -> list[bool]:
    """Return who is dealt in. Raises LogError unless `seats` has the form of a deal."""
    f.need(line, seats=f.each(lambda seat: seat is None or _is_seat(seat), players))
    return [seat is not None for seat in line["seats"]]


def _is_seat(value: object) -> bool:
    parts = ("row", "ligretto", "hand")
    return isinstance(value, dict) and all(f.each(f.card)(value.get(part)) for part in parts)


def seated(given: Line | None) -> Seat | None:
    """Return the cards of a seat as dealt."""
    if given is None:
        return None
    return Seat([[card] for card in given["row"]], [*given["ligretto"]], [*given["hand"]])
