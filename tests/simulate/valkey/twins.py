"""The bot's Lua scripts, written once more in Python.

`tests/groups/test_twins.py` runs both on the same keys.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from bot.groups import once, presence, turns
from bot.groups.hops import sender
from tests.simulate.valkey.resp import Reply

Run: TypeAlias = Callable[..., Any]
"""Runs a command as `redis.call` does."""
Words: TypeAlias = list[bytes]
Twin: TypeAlias = Callable[[Run, Words, Words], Reply]


def take_turn(run: Run, keys: Words, words: Words) -> Reply:
    seconds, us = map(int, run("TIME"))
    now = seconds * 1000 + us // 1000
    gap, slack, first, furthest = map(int, words)
    found = run("GET", keys[0])
    turn = now + first if found is None or int(found) > now + furthest else int(found)
    turn = max(turn, now)
    run("SET", keys[0], turn + gap)
    return max(0, turn - slack - now)


def take_once(run: Run, keys: Words, words: Words) -> Reply:
    if run("GET", keys[0]) not in {None, words[0]}:
        return 0
    run("SET", keys[0], words[0], "PX", words[1])
    return 1


def give_back(run: Run, keys: Words, words: Words) -> Reply:
    return int(run("GET", keys[0]) == words[0] and run("DEL", keys[0]))


def note_presence(run: Run, keys: Words, words: Words) -> Reply:
    seconds, us = run("TIME")
    seen = b"%b.%06d" % (seconds, int(us))
    run("HSET", keys[0], "version", words[0], "clock", words[1], "seen", seen)
    return 1


def hand_over(run: Run, keys: Words, words: Words) -> Reply:
    lease, stream = keys
    most, *fields = words
    is_held = run("EXISTS", lease)
    return bytes(run("XADD", stream, "MAXLEN", "~", most, "*", *fields)) if is_held else None


TWINS: dict[str, Twin] = {
    turns.TAKE: take_turn,
    once.TAKE: take_once,
    once.GIVE_BACK: give_back,
    sender.ADD: hand_over,
    presence.NOTE: note_presence,
}
"""By the text of the script."""
