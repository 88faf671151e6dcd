"""Lost races and duels: see "Races" in docs/format.md."""

from collections.abc import Sequence
from typing import TypeAlias

from bot.verify.log import fields as f
from bot.verify.log.errors import demand
from bot.verify.log.lines import Line

READING_TIME = 400
DUEL_WITHIN = 1_000
RACE = ("rival", "margin", "shown")
Race: TypeAlias = tuple[int, int, int]
"""The seat that was first, the one that was late, and the margin in ms."""


def contested(line: Line, taken: Sequence[tuple[str, int]], place: str | None) -> Race | None:
    """Return a refusal's race if it was contested.

    `taken`: each card in the centre with its seat, in their order; `place`: the card that is late.
    Raises LogError unless the refusal tells of a race exactly if there was one.
    """
    late = line["p"]
    takers = [seat for card, seat in taken if card == place and seat != late]
    if not takers:
        demand(not {*RACE} & {*line}, "no_rival")
        return None
    demand(f.one_of(takers[-1])(line.get("rival")), "rival", rival=takers[-1])
    f.need(line, margin=f.whole(), shown=f.either(f.null, f.whole()))
    margin, shown = line["margin"], line["shown"]
    demand(shown is None or shown <= margin, "race")
    is_contested = shown is None or shown < READING_TIME
    return (takers[-1], late, margin) if is_contested else None


def is_duel(race: Race) -> bool:
    """Tell whether a contested race is a duel."""
    _, _, margin = race
    return margin <= DUEL_WITHIN
