"""The bot's Lua scripts, written once more in Python.

`tests/groups/test_twins.py` runs both on the same keys.
"""

import re
from collections.abc import Callable
from typing import Any, TypeAlias

from bot.groups import once, presence, turns
from bot.groups.hops import sender
from bot.groups.lease import leases
from bot.groups.people import claims, feed, switches
from bot.ui.connection.gateway import identify_turns
from tests.groups.twin_turns import take
from tests.simulate.valkey.resp import Reply

Run: TypeAlias = Callable[..., Any]
"""Runs a command as `redis.call` does."""
Words: TypeAlias = list[bytes]
Twin: TypeAlias = Callable[[Run, Words, Words], Reply]


def take_turn(run: Run, keys: Words, words: Words) -> Reply:
    seconds, us = map(int, run("TIME"))
    found, now = run("GET", keys[0]), seconds * 1000 + us // 1000
    turn, wait = take(None if found is None else int(found), now, *map(int, words))
    run("SET", keys[0], turn)
    return wait


def take_once(run: Run, keys: Words, words: Words) -> Reply:
    if run("GET", keys[0]) not in {None, words[0]}:
        return 0
    run("SET", keys[0], words[0], "PX", words[1])
    return 1


def give_back(run: Run, keys: Words, words: Words) -> Reply:
    return int(run("GET", keys[0]) == words[0] and run("DEL", keys[0]))


def take_lease(run: Run, keys: Words, words: Words) -> Reply:
    prefix, own, file, holder, start, _known, _way, count, shards, life, *used = words
    group, lease = prefix + b"group:", prefix + b"lease:"
    for other in run("SMEMBERS", prefix + b"groups"):
        if other != own and run("EXISTS", lease + other):
            its_count, its_shards = run("HMGET", group + other, "count", "shards")
            if its_count != count:
                return [b"count", other, its_count]
            if any(b",%b," % one in its_shards for one in re.findall(rb"[0-9]+", shards)):
                return [b"shards", other, its_shards]
    if (reason := _why_not(run, words)) is not None:
        return reason
    if life == b"0":
        return [b"taken"]
    run("SET", prefix + b"layout", count)
    run("SADD", prefix + b"groups", *used)
    fields = {"file": file, "holder": holder, "start": start, "released": 0}
    pairs = [word for pair in fields.items() for word in pair]
    run("HSET", group + own, *pairs, "count", count, "shards", shards)
    run("SET", lease + own, holder + b" " + start, "PX", life)
    return [b"taken", *run("SMEMBERS", prefix + b"groups")]


def _why_not(run: Run, words: Words) -> Reply:
    """Return why the last holder's record keeps this one from the lease."""
    prefix, own, file, holder, start, known, way, *_ = words
    names = ("file", "holder", "start", "released")
    its_file, last, its_start, released = run("HMGET", prefix + b"group:" + own, *names)
    if its_file not in {None, file}:
        return [b"twice"]
    if last not in {None, holder}:
        if int(its_start) >= int(start):
            return [b"newer", its_start]
        if way != b"renew" and run("EXISTS", prefix + b"lease:" + own):
            return [b"held"]
        is_older = int(its_start) > int(known)
        if (way == b"start" and (released == b"0" or is_older)) or (way == b"return" and is_older):
            return [b"unreleased"]
    elif its_start is not None and int(its_start) > int(start):
        return [b"newer", its_start]
    return None


def release_lease(run: Run, keys: Words, words: Words) -> Reply:
    if run("HMGET", keys[1], "holder", "start") != [*words]:
        return 0
    run("HSET", keys[1], "released", 1)
    return int(run("DEL", keys[0]))


def new_number(run: Run, keys: Words, words: Words) -> Reply:
    if words:
        run("SADD", keys[0], *words)
    known = run("SMEMBERS", keys[0])
    number = max((int(one) for one in known if one.isdigit()), default=0) + 1
    run("SADD", keys[0], number)
    return number


def take_identify(run: Run, keys: Words, words: Words) -> Reply:
    wait = max(0, run("PTTL", keys[0]))
    if wait <= int(words[1]):
        run("SET", keys[0], "", "PX", wait + int(words[0]))
        run("INCR", keys[1])
        run("EXPIRE", keys[1], words[2])
    return int(wait)


def note_presence(run: Run, keys: Words, words: Words) -> Reply:
    seconds, us = run("TIME")
    seen = b"%b.%06d" % (seconds, int(us))
    version, clock, connected, servers = words
    told = ("version", version, "clock", clock, "connected", connected)
    run("HSET", keys[0], *told, "seen", seen)
    if servers and run("EXISTS", keys[1]):
        run("HSET", keys[1], "servers", servers)
    return 1


def inherit_claim(run: Run, keys: Words, words: Words) -> Reply:
    gone, own, life = words
    holder: Reply = run("GET", keys[0])
    if holder != gone:
        return holder
    run("SET", keys[0], own, "EX", life)
    return own


def hand_over(run: Run, keys: Words, words: Words) -> Reply:
    lease, stream = keys
    most, kept, *fields = words
    if not run("EXISTS", lease):
        return None
    added = bytes(run("XADD", stream, "MAXLEN", "~", most, "*", *fields))
    run("EXPIRE", stream, kept)
    return added


def trim_news(run: Run, keys: Words, words: Words) -> Reply:
    oldest = (int(run("TIME")[0]) - int(words[0])) * 1000
    return int(run("XTRIM", keys[0], "MINID", oldest))


def set_switch(run: Run, keys: Words, words: Words) -> Reply:
    user, at, choice, is_now = words
    kept: bytes = run("HGET", keys[0], user) or b""
    found = re.fullmatch(rb"(\d+):[01]", kept)
    before, now = int(found[1]) if found is not None else 0, int(at)
    if before > 2**53:
        before = 0
    if is_now == b"1" and now <= before:
        now = before + 1
    if now <= before:
        return kept
    said = b"%d:%b" % (now, choice)
    run("HSET", keys[0], user, said) if choice else run("HDEL", keys[0], user)
    return said


def claim(run: Run, keys: Words, words: Words) -> Reply:
    group, generation, life, start = words
    if run("GET", keys[1]) != generation or start not in run("INFO", "server"):
        return None
    run("SET", keys[0], group, "NX", "EX", life)
    return bytes(run("GET", keys[0]))


def generation_now(run: Run, keys: Words, words: Words) -> Reply:
    found = re.search(rb"run_id:([0-9a-f]+)", run("INFO", "server"))
    start = b":" + (found[1] if found is not None else b"")
    kept = run("GET", keys[0])
    if kept is not None and kept.endswith(start):
        return bytes(kept)
    if kept is not None:
        run("DEL", keys[1] + b":" + kept, keys[2])
    run("SET", keys[0], words[0] + start)
    return words[0] + start


TWINS: dict[str, Twin] = {
    turns.TAKE: take_turn,
    once.TAKE: take_once,
    once.GIVE_BACK: give_back,
    leases.TAKE: take_lease,
    leases.RELEASE: release_lease,
    leases.NUMBER: new_number,
    sender.ADD: hand_over,
    claims.CLAIM: claim,
    claims.INHERIT: inherit_claim,
    feed.TRIM: trim_news,
    feed.GENERATION: generation_now,
    switches.SET: set_switch,
    presence.NOTE: note_presence,
    identify_turns.TAKE: take_identify,
}
"""By the text of the script."""
