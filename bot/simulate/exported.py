"""The rated rounds of an export (`python -m bot export`), as they were played."""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bot.records.ratings import Finish
from bot.simulate.accuracy import Server

LINES = ".jsonl"


class ExportError(Exception):
    """The folder cannot be judged. The message is one line."""


def servers(folder: Path) -> dict[str, list[Server]]:
    """Read an export: the rated rounds of each server, by game.

    Raises ExportError if the folder holds no export of this version, or one made before all ratings
    had been recalculated.
    """
    try:
        return _servers(folder)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise ExportError(f"{folder}: not an export of this version: {error!r}") from None


def _servers(folder: Path) -> dict[str, list[Server]]:
    seats: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for one in _lines(folder / f"seats{LINES}"):
        if one["player"] is not None:
            seats[one["match"]][one["seat"]] = one["player"]
    found: defaultdict[str, defaultdict[str, list[Finish]]] = defaultdict(lambda: defaultdict(list))
    for one in _lines(folder / f"matches{LINES}"):
        if one["standing"] != "void":
            players, rounds = seats[one["match"]], one["rated_rounds"]
            if rounds is None:
                raise ExportError(
                    f"{folder}: exported while ratings were being recalculated; let the bot run "
                    "until its log says they are done, then export again"
                )
            for rated in rounds:
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
