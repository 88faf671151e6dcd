"""The first line of a log: its game, its seats, and what was agreed. See docs/format.md."""

from bot.verify.log import fields as f
from bot.verify.log.errors import demand
from bot.verify.log.lines import Line

SEATS = {"cards": 12, "dice": 4}
"""The most players of a game (C1, D1)."""
LEVELS = ("easy", "medium", "hard", "master")
SECOND = 2
"""The scheme of chance in which each seat has streams of its own."""


def check(start: Line) -> None:
    """Raise LogError unless this is the first line of a log, and says what it has to."""
    is_first = start.get("e") == "start" and start.get("format") == "ligretto-log/1"
    demand(is_first, "no_log")
    demand(f.one_of(*SEATS)(start.get("game")), "no_game")
    f.absent(start, "t", "digest")
    f.need(start, players=f.whole(2, SEATS[start["game"]]), commit=f.hexadecimal)
    f.absent(start, "target" if "rounds" in start else "rounds")
    f.need(start, **{"rounds" if "rounds" in start else "target": f.whole(1)})
    f.may(start, started_at=f.whole(), names=f.each(f.text, start["players"]))
    _robots(start)
    _scheme(start)
    if start["game"] == "cards":
        _cards(start)
    else:
        _dice(start)


def _robots(start: Line) -> None:
    seats = range(start["players"])
    f.may(start, computers=lambda value: f.ascending(value, seats), level=f.one_of(*LEVELS))
    if not start.get("computers"):
        f.absent(start, "level")


def _scheme(start: Line) -> None:
    """Check by which scheme chance goes, and which seats at Start are those of the log."""
    f.may(start, chance=f.one_of(1, SECOND))
    if start.get("chance") != SECOND:
        f.absent(start, "started")
        return
    f.need(start, started=f.each(f.either(f.null, f.whole())))
    stayed = [seat for seat in start["started"] if seat is not None]
    fits = stayed == [*range(start["players"])] and len(start["started"]) <= SEATS[start["game"]]
    demand(fits, "field", key="started")


def _cards(start: Line) -> None:
    f.absent(start, "shares", "extra", "handicap")
    f.need(start, rules=lambda value: isinstance(value, dict) and [*value] == ["expert"])
    demand(f.boolean(start["rules"]["expert"]), "field", key="rules")
    f.may(start, refill=f.one_of("auto", "hand"))
    if start["rules"]["expert"]:
        f.absent(start, "refill")


def _dice(start: Line) -> None:
    f.absent(start, "rules", "refill")
    f.may(start, handicap=f.one_of(True))  # noqa: FBT003 the value that the key has
    if "shares" in start or "extra" in start:
        share = f.either(f.one_of("even", "child"), f.whole(1, 24))
        f.need(start, shares=f.each(share, start["players"]), extra=f.whole(0, 24))
