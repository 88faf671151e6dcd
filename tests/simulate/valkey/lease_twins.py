"""The scripts of leases and of turns to identify, written once more in Python."""

from collections.abc import Callable
from typing import Any, TypeAlias

from bot.groups.lease import leases
from bot.ui.connection.gateway import identify_turns

Run: TypeAlias = Callable[..., Any]


def _take(run: Run, _: list[bytes], words: list[bytes]) -> Any:
    prefix, own, file, holder, start = words[:5]
    count, shards, life, *used = words[7:]
    for other in _members(run, prefix + b"groups"):
        if other == own or not run("EXISTS", prefix + b"lease:" + other):
            continue
        their_count, theirs = run("HMGET", prefix + b"group:" + other, "count", "shards")
        if their_count != count:
            return [b"count", other, their_count]
        if {*_split(shards)} & {*_split(theirs)}:
            return [b"shards", other, theirs]
    record, lease = prefix + b"group:" + own, prefix + b"lease:" + own
    last = run("HMGET", record, "file", "holder", "start", "released")
    if (refused := _refused(last, words, run("EXISTS", lease))) is not None:
        return refused
    run("SET", prefix + b"layout", count)
    run("SADD", prefix + b"groups", *used)
    fields = {"file": file, "holder": holder, "start": start, "released": 0}
    fields |= {"count": count, "shards": shards}
    run("HSET", record, *(word for pair in fields.items() for word in pair))
    run("SET", lease, holder + b" " + start, "PX", life)
    return [b"taken", *_members(run, prefix + b"groups")]


def _refused(last: list[Any], words: list[bytes], is_held: int) -> list[bytes] | None:
    _, _, file, holder, start, known, way, *_ = words
    if last[0] is None:
        return None
    their_file, their_holder, their_start, released = last
    if their_file != file:
        return [b"twice"]
    if their_holder == holder:
        return [b"newer", their_start] if int(their_start) > int(start) else None
    if int(their_start) >= int(start):
        return [b"newer", their_start]
    if way != b"renew" and is_held:
        return [b"held"]
    if way == b"start" and (released == b"0" or int(their_start) > int(known)):
        return [b"unreleased"]
    return None


def _release(run: Run, keys: list[bytes], words: list[bytes]) -> Any:
    if run("GET", keys[0]) != words[0]:
        return 0
    run("HSET", keys[1], "released", 1)
    return run("DEL", keys[0])


def _number(run: Run, keys: list[bytes], words: list[bytes]) -> Any:
    for used in words:
        run("SADD", keys[0], used)
    number = max(map(int, run("SMEMBERS", keys[0])), default=0) + 1
    run("SADD", keys[0], number)
    return number


def _turn(run: Run, keys: list[bytes], words: list[bytes]) -> Any:
    wait = max(0, run("PTTL", keys[0]))
    if wait <= int(words[1]):
        run("SET", keys[0], "", "PX", wait + int(words[0]))
    return wait


def _members(run: Run, key: bytes) -> list[bytes]:
    """A set of numbers, as a server tells it while there are few: in order."""
    return sorted(run("SMEMBERS", key), key=int)


def _split(shards: bytes) -> list[bytes]:
    return [one for one in shards.split(b",") if one]


LEASE_TWINS = {
    leases.TAKE: _take,
    leases.RELEASE: _release,
    leases.NUMBER: _number,
    identify_turns.TAKE: _turn,
}
"""By the text of the script."""
