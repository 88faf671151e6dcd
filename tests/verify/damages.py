"""Damages to a log: anything but names is changed, left out, added, moved, cut or garbled."""

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from bot.verify.log.lines import digest

Lines = list[dict[str, Any]]
Path = tuple[Any, list[str | int]]


def text_of(lines: Lines) -> str:
    return "".join(
        json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n" for one in lines
    )


def lines_of(log: str) -> Lines:
    return [json.loads(line) for line in log.split("\n") if line]


def damaged(log: str, luck: Random) -> tuple[str, bytes]:
    """Return what was done, and the damaged log. The digest stays as it was."""
    before = plain(log.encode())
    while True:
        kind = luck.choice([*KINDS])
        found = KINDS[kind](log, luck)
        if plain(found) != before:
            return kind, found


def plain(log: bytes) -> object:
    """What a log says without its names, if it is one."""
    try:
        lines = lines_of(log.decode())
        return log[-1:], [{k: v for k, v in line.items() if k != "names"} for line in lines]
    except (ValueError, AttributeError):
        return log


def forged(log: str, luck: Random) -> tuple[str, bytes]:
    """Change one value that follows from others, and make the digest anew."""
    lines = lines_of(log)
    places = [place for line in lines for place in _places(line) if _is_bound(line, place[1])]
    _change(*luck.choice(places), luck)
    lines[-1]["digest"] = digest(lines)
    return "forged", text_of(lines).encode()


def _places(value: Any, *path: str | int) -> Iterator[Path]:
    """Every value inside a value: what holds it, and the way there."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)
    for key, one in inside:
        yield value, [*path, key]
        if isinstance(one, dict | list):
            yield from _places(one, *path, key)


BOUND = {
    "start": {"commit", "promise", "public", "chance", "players", "game"},
    "deal": {"seats", "dice", "rolls"},
    "move": {"m", "card", "p"},
    "reject": {"rival"},
    "leave": set[str](),
    "end": {"reason", "by", "scores"},
    "match": {"totals", "winners", "aborted", "seed", "secret", "left"},
}


def _is_bound(line: dict[str, Any], path: list[str | int]) -> bool:
    return path[0] in BOUND[line["e"]]


def _change(holder: Any, path: list[str | int], luck: Random) -> None:
    old = holder[path[-1]]
    others = [one for one in _others(old, luck) if json.dumps(one) != json.dumps(old)]
    holder[path[-1]] = luck.choice(others)


def _others(old: Any, luck: Random) -> list[Any]:
    match old:
        case bool():
            return [not old, None]
        case int():
            return [old + 1, old - 1, old + 100, -1, str(old), None]
        case str():
            at = luck.randrange(len(old)) if old else 0
            return [old[:at] + luck.choice("07RYx") + old[at + 1 :], old[:at], old + "0", 7, None]
        case list():
            return [old[1:] or [0], [*old, *old[-1:]] or [0], [0], {}, "x"]
        case dict():
            return [{}, [], None]
        case _:
            return [0, [], "x"]


def _value(log: str, luck: Random) -> bytes:
    lines = lines_of(log)
    line = luck.choice([lines[0], lines[-1], luck.choice(lines)])
    places = [one for one in _places(line) if one[1][0] != "names"]
    _change(*luck.choice(places), luck)
    return text_of(lines).encode()


def _without_key(log: str, luck: Random) -> bytes:
    lines = lines_of(log)
    line = luck.choice([lines[0], lines[-1], luck.choice(lines)])
    del line[luck.choice([*line])]
    return text_of(lines).encode()


def _with_key(log: str, luck: Random) -> bytes:
    lines = lines_of(log)
    luck.choice(lines)[luck.choice(["by", "rival", "note", "t", "é", "p"])] = luck.randrange(9)
    return text_of(lines).encode()


def _lines(change: Callable[[Lines, int, int], object]) -> Callable[[str, Random], bytes]:
    def damage(log: str, luck: Random) -> bytes:
        lines = lines_of(log)
        change(lines, luck.randrange(len(lines)), luck.randrange(len(lines)))
        return text_of(lines).encode()

    return damage


def _swap(lines: Lines, one: int, other: int) -> None:
    lines[one], lines[other] = lines[other], lines[one]


def _byte(log: str, luck: Random) -> bytes:
    found = bytearray(log.encode())
    found[luck.randrange(len(found))] = luck.choice([0, 10, 32, 34, 48, 57, 92, 123, 255])
    return bytes(found)


def _cut(log: str, luck: Random) -> bytes:
    return log.encode()[: luck.randrange(len(log))]


KINDS: dict[str, Callable[[str, Random], bytes]] = {
    "a value": _value,
    "a key left out": _without_key,
    "a key added": _with_key,
    "a line left out": _lines(lambda lines, one, _: lines.pop(one)),
    "a line twice": _lines(lambda lines, one, _: lines.insert(one, lines[one])),
    "a line elsewhere": _lines(lambda lines, one, other: lines.insert(one, lines.pop(other))),
    "two lines swapped": _lines(_swap),
    "a byte": _byte,
    "cut off": _cut,
    "a mark in front": lambda log, _: b"\xef\xbb\xbf" + log.encode(),
    "the same twice": lambda log, _: 2 * log.encode(),
}
