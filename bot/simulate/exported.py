"""The rated rounds of an export (`python -m bot export`), as they were played."""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.records.ratings import Finish
from bot.simulate.judging import Server

LINES = ".jsonl"


def servers(folder: Path) -> dict[str, list[Server]]:
    """By game. Raises OSError where there is no export, KeyError where an old version made it."""
    seats: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for one in _lines(folder / f"seats{LINES}"):
        if one["player"] is not None:
            seats[one["match"]][one["seat"]] = one["player"]
    found: defaultdict[str, defaultdict[str, list[Finish]]] = defaultdict(lambda: defaultdict(list))
    for one in _lines(folder / f"matches{LINES}"):
        if one["standing"] != "void":
            players = seats[one["match"]]
            for rated in one["rated_rounds"]:
                finish = _finish(rated["ranks"], rated["idle"], players)
                found[one["game"]][one["server"]].append(finish)
    return {game: list(of_game.values()) for game, of_game in found.items()}


def _lines(file: Path) -> Iterator[dict[str, Any]]:
    with file.open(encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _finish(ranks: list[int | None], idle: list[int], players: dict[int, int]) -> Finish:
    known = [(seat, rank) for seat, rank in enumerate(ranks) if rank is not None]
    seats = [seat for seat, _ in known]
    return Finish(
        tuple(players[seat] for seat in seats),
        tuple(rank for _, rank in known),
        tuple(seats.index(seat) for seat in idle),
    )
