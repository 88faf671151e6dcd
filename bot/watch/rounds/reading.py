"""A match log read for whoever watches it: each round as its steps."""

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from bot.tables.duel_limits import DUEL_WITHIN, READING_TIME
from bot.watch.rounds.in_play import InPlay, Laid, Line, dealt
from bot.watch.rounds.values import Face, Happening, RoundState, Step, WatchedRound


def read(text: str) -> list[Line]:
    """Parse the lines of a log. Only line feeds separate them."""
    return [json.loads(line) for line in text.split("\n") if line]


def rounds(events: Sequence[Line], *, moved: bool = True) -> tuple[WatchedRound, ...]:
    """Return every round of a log that was dealt and has ended, also those that don't count.

    Unless `moved`, all steps but moves, quickly: each shows what was dealt. Raises
    UnknownGameError. A malformed log may raise any exception.
    """
    return tuple(_round(*one, moved=moved) for one in _lines_of_rounds(events))


def one_round(events: Sequence[Line], number: int) -> WatchedRound:
    """Return one round of a log that has it, counted from 1. Raises as `rounds` does."""
    return _round(*_lines_of_rounds(events)[number - 1], moved=True)


def _lines_of_rounds(events: Sequence[Line]) -> list[tuple[int, str, list[Line]]]:
    game, found = events[0]["game"], list[tuple[int, str, list[Line]]]()
    lines: list[Line] = []
    for event in events[1:]:
        if event["e"] == "deal":
            lines = []
        lines.append(event)
        if event["e"] == "end":
            found.append((len(found) + 1, game, list(lines)))
    return found


def _round(number: int, game: str, lines: Sequence[Line], *, moved: bool) -> WatchedRound:
    first, *between, last = lines
    starts = _starts(first, between, last)
    if not moved:
        between = [line for line in between if line["e"] != "move"]
    lasted = last.get("lasted", last["t"] - starts)
    in_play = dealt(game, first)
    steps = [Step(0, in_play.state, Happening.DEAL)]
    for step in _steps(in_play, between):
        at = min(max(0, step.at - starts), lasted)
        steps.append(replace(step, at=at))
    ended = Step(lasted, steps[-1].state, Happening.END, last["by"])
    return WatchedRound(
        number,
        game,
        (*steps, ended),
        last["reason"],
        last["by"],
        tuple(last["scores"]),
        lasted,
    )


def _starts(first: Line, between: Sequence[Line], last: Line) -> int:
    """Return the log's `t` at which the round's clock began: after the count.

    A pause is not told from the count, but nothing was played in that.
    """
    waited = last["t"] - first["t"] - last.get("lasted", last["t"] - first["t"])
    played: int = next((line["t"] for line in between if line["e"] == "move"), last["t"])
    return int(min(first["t"] + max(0, waited), played))


def _steps(in_play: InPlay, lines: Iterable[Line]) -> Iterator[Step]:
    """Yield what can be seen, with the log's `t`: moves of one press are one step."""
    for _, same in groupby(lines, key=_press):
        yield from _seen(in_play, list(same))


def _press(line: Line) -> tuple[Any, ...]:
    return (line["e"], line["t"], line.get("p"), None if line["e"] == "move" else id(line))


def _seen(in_play: InPlay, lines: Sequence[Line]) -> Iterator[Step]:
    line, before = lines[-1], in_play.state
    match line["e"]:
        case "move":
            laid = [in_play.move(one["p"], one["m"]) for one in lines]
            yield from _moved(line, before, in_play.state, [one for one in laid if one])
        case "reject":
            yield from _duel(in_play, line)
        case "leave":
            in_play.leave(line["p"])
            yield Step(line["t"], in_play.state, Happening.LEFT, line["p"])
        case _:
            pass


def _moved(line: Line, before: RoundState, now: RoundState, laid: Sequence[Laid]) -> Iterator[Step]:
    """Yield a move, unless only the hand and the discard pile have changed.

    A press that plays a card and fills the gap with another is told as the play.
    """
    for one in reversed(laid):
        if one.pile is not None:
            yield Step(line["t"], now, Happening.LAID, line["p"], one.card, one.pile)
            return
    if now != before:
        card, column = (laid[-1].card, laid[-1].column) if laid else (None, None)
        yield Step(line["t"], now, Happening.MOVED, line["p"], card, column=column)


def _duel(in_play: InPlay, line: Line) -> Iterator[Step]:
    """Yield the duel that a refusal tells of, as docs/format.md defines one."""
    rival, margin, shown = line.get("rival"), line.get("margin"), line.get("shown")
    is_close = margin is not None and margin <= DUEL_WITHIN
    if rival is None or not is_close or (shown is not None and shown >= READING_TIME):
        return
    card = _face(line)
    pile = in_play.place_of(card) if card is not None else None
    yield Step(
        line["t"], in_play.state, Happening.DUEL, rival, card, pile, line["p"], int(margin or 0)
    )


def _face(line: Line) -> Face | None:
    """Return the card or die that a refusal is about, as drawings name it."""
    if (card := line.get("card")) is None:
        return None
    low: str = card.lower()
    return f"{low[0]}d{low[1:]}" if line["m"][0] == "place" else low
