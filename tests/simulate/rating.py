"""Ratings as docs/ratings.md has them, worked out from the journal without the bot."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from openskill.models import BradleyTerryFull

MU, SIGMA, TAU = 25.0, 25.0 / 3, 0.05
BETA = {"ligretto": 10.0, "dice": 5.0}

Skill = tuple[float, float]
Entry = tuple[str, Mapping[str, Any]]
"""The kind of a journal's line, and what it says."""


@dataclass(slots=True)
class Rounds:
    """Reads a table's lines in order. `people`: the seats that are no computer's. `agreed`: how
    many rounds, None for a target.
    """

    people: Sequence[int]
    agreed: int | None
    inside: dict[int, str] = field(default_factory=dict)
    """People dealt in, and what they did: nothing, `pressed`, or `left`."""

    def ranked(self, lines: Iterable[Entry]) -> Iterator[tuple[dict[int, int], set[int]]]:
        """Of each rated round: the rank of each seat, and the seats that pressed nothing."""
        if self.agreed is not None and self.agreed < 3:
            return
        pressed: set[int] = set()
        for kind, body in lines:
            if kind == "Dealt":
                self.inside = {seat: "" for seat in self.people if body["dealt"][seat]}
                pressed.clear()
            elif kind in ("Moved", "Rejected"):
                pressed.add(body["seat"])
            elif kind == "Left" and body["seat"] in self.inside:
                if pressed:
                    self.inside[body["seat"]] = "left"
                else:
                    del self.inside[body["seat"]]
            elif kind == "RoundEnded":
                if pressed and (found := self._ended(body)):
                    yield found, set(self.inside) - pressed
                self.inside = {}

    def _ended(self, body: Mapping[str, Any]) -> dict[int, int]:
        staying = [seat for seat, how in self.inside.items() if how != "left"]
        alone = body["reason"] == "abort" and len(staying) == 1
        played_out = body["reason"] != "abort" and staying
        if len(self.inside) < 2 or not (alone or played_out):
            return {}
        made = {seat: body["plus"][seat] - body["minus"][seat] for seat in staying}
        order = sorted(made.values(), reverse=True)
        ranks = {seat: order.index(points) + 1 for seat, points in made.items()}
        return {seat: ranks.get(seat, len(staying) + 1) for seat in self.inside}


def lines_of(text: str) -> Iterator[Entry]:
    """A log's events as the journal had them."""
    for event in map(json.loads, filter(None, text.split("\n"))):
        match event["e"]:
            case "deal":
                seats = event["seats"] if "seats" in event else event["dice"]
                yield "Dealt", {"dealt": [one is not None for one in seats]}
            case "move":
                yield "Moved", {"seat": event["p"]}
            case "reject":
                yield "Rejected", {"seat": event["p"]}
            case "leave":
                yield "Left", {"seat": event["p"]}
            case "end":
                points = event["scores"]
                body = {"reason": event["reason"], "plus": points, "minus": [0] * len(points)}
                yield "RoundEnded", body
            case _:
                pass


def agreed(options: Mapping[str, str]) -> int | None:
    """How many rounds were agreed; None where it is enough of them in any case."""
    if options.get("target", "off") != "off" or options["rounds"] == "full":
        return None
    return int(options["rounds"])


def rated(game: str, before: Sequence[Skill], ranks: Sequence[int]) -> list[Skill]:
    """Everybody after a round, whoever pressed."""
    model = BradleyTerryFull(beta=BETA[game], tau=TAU, gamma=lambda *_: 1.0)
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in before]
    after = model.rate(teams, ranks=[float(rank) for rank in ranks])
    return [(one.mu, one.sigma) for (one,) in after]


def follow(
    game: str,
    players: Mapping[int, int],
    agreed: int | None,
    lines: Iterable[Entry],
    now: dict[int, Skill],
) -> set[int]:
    """Rate a match's rounds in `now`, by player. `players`: by seat. Who was rated."""
    there: set[int] = set()
    for ranks, idle in Rounds(sorted(players), agreed).ranked(lines):
        seats = sorted(ranks)
        before = [now.get(players[seat], (MU, SIGMA)) for seat in seats]
        after = rated(game, before, [ranks[seat] for seat in seats])
        for seat, old, new in zip(seats, before, after, strict=True):
            still = (min(old[0], new[0]), old[1])
            now[players[seat]] = still if seat in idle else new
            there.add(players[seat])
    return there
