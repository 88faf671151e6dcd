"""Tests of single values of a line."""

import re
from collections.abc import Callable, Container
from typing import Any, TypeAlias

from bot.verify.log.errors import demand
from bot.verify.log.lines import MOST, Line

Test: TypeAlias = Callable[[Any], bool]
CARD = re.compile(r"[RYGB]([1-9]|10)")
DIE = re.compile(r"[RYGB][1-6]")
HEX = re.compile(r"[0-9a-f]{64}")
IDS = re.compile(r"[0-9]+/[0-9]+")
ARENA_TABLE = re.compile(r"[0-9]+/[0-9]+/[1-9][0-9]*")
DATE = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


def need(line: Line, **tests: Test) -> None:
    """Raise LogError unless each of these keys is there and passes its test."""
    for key, test in tests.items():
        demand(key in line and test(line[key]), "field", key=key)


def may(line: Line, **tests: Test) -> None:
    """Raise LogError if one of these keys is there and fails its test."""
    need(line, **{key: test for key, test in tests.items() if key in line})


def absent(line: Line, *keys: str) -> None:
    """Raise LogError if one of these keys is there."""
    for key in keys:
        demand(key not in line, "field", key=key)


def whole(least: int = 0, most: int = MOST) -> Test:
    """Test for whole numbers within these bounds. `true` is none."""
    return lambda value: (
        isinstance(value, int)
        and value is not True
        and (value is not False and least <= value <= most)
    )


def one_of(*values: object) -> Test:
    """Test for one of these values, of the same type: 1 is not `true`."""
    return lambda value: any(type(value) is type(one) and value == one for one in values)


def like(pattern: re.Pattern[str]) -> Test:
    """Test for text that is all of this form."""
    return lambda value: isinstance(value, str) and pattern.fullmatch(value) is not None


def each(test: Test, length: int | None = None) -> Test:
    """Test for a list of such values, of this length if there is one."""
    return lambda value: (
        isinstance(value, list) and length in (None, len(value)) and all(map(test, value))
    )


def either(*tests: Test) -> Test:
    """Test for a value that passes one of these tests."""
    return lambda value: any(test(value) for test in tests)


def boolean(value: object) -> bool:
    return isinstance(value, bool)


def text(value: object) -> bool:
    return isinstance(value, str)


def ascending(value: object, seats: Container[int]) -> bool:
    """Test for a list of seats, each once, in their order."""
    if not isinstance(value, list) or not all(map(whole(), value)):
        return False
    return value == sorted({*value}) and all(seat in seats for seat in value)


null = one_of(None)
card, die, hexadecimal, two_ids = like(CARD), like(DIE), like(HEX), like(IDS)
arena_table, date = like(ARENA_TABLE), like(DATE)
