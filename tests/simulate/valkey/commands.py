"""What each command does to the keys. Whatever isn't here is an error that fails a simulation."""

from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from typing import TypeAlias

from tests.simulate.valkey.resp import NOTHING, OK, PONG, CommandError, Reply, Status
from tests.simulate.valkey.store import Hash, List, Set, Store, Stream, integer

Words: TypeAlias = Sequence[bytes]
Command: TypeAlias = Callable[[Store, Words], Reply]
SYNTAX = "ERR syntax error"
VERSION = "8.0.1"


# -- keys -----------------------------------------------------------------------------------


def _delete(store: Store, keys: Words) -> Reply:
    return sum(store.get(key) is not None and store.remove(key) for key in keys)


def _exists(store: Store, keys: Words) -> Reply:
    return sum(store.get(key) is not None for key in keys)


def _expire(unit: int) -> Command:
    def expire(store: Store, words: Words) -> Reply:
        key, after, *how = words
        if store.get(key) is None:
            return 0
        end, before = store.now() + integer(after) * unit, store.end(key)
        allowed = {
            b"NX": before is None,
            b"XX": before is not None,
            b"GT": before is not None and end > before,
            b"LT": before is None or end < before,
        }
        if not all(allowed[one.upper()] for one in how):
            return 0
        store.ends_at(key, end)
        return 1

    return expire


def _left(unit: int) -> Command:
    def left(store: Store, words: Words) -> Reply:
        (key,) = words
        if store.get(key) is None:
            return -2
        end = store.end(key)
        return -1 if end is None else (end - store.now() + unit // 2) // unit

    return left


def _persist(store: Store, words: Words) -> Reply:
    (key,) = words
    if store.get(key) is None or store.end(key) is None:
        return 0
    store.ends_at(key, None)
    return 1


def _type(store: Store, words: Words) -> Reply:
    names = {bytes: "string", Set: "set", Hash: "hash", List: "list", Stream: "stream"}
    return Status(names.get(type(store.get(words[0])), "none"))


def _keys(store: Store, words: Words) -> Reply:
    pattern = words[0].decode()
    return [key for key in store.listed() if fnmatchcase(key.decode(), pattern)]


def _scan(store: Store, words: Words) -> Reply:
    """Everything at once: a cursor of 0 says that nothing is left."""
    given = dict(zip((one.upper() for one in words[1::2]), words[2::2], strict=True))
    return [b"0", _keys(store, [given.get(b"MATCH", b"*")])]


# -- values ---------------------------------------------------------------------------------


def _get(store: Store, words: Words) -> Reply:
    (key,) = words
    return store.text(key)


def _mget(store: Store, words: Words) -> Reply:
    found = map(store.get, words)
    return [one if isinstance(one, bytes) else None for one in found]


def _set(store: Store, words: Words) -> Reply:
    key, value, *rest = words
    flags, end = set[bytes](), None
    options = iter(rest)
    for one in options:
        name = one.upper()
        if name in {b"PX", b"EX"}:
            after = integer(next(options)) * (1 if name == b"PX" else 1000)
            if after <= 0:
                raise CommandError("ERR invalid expire time in 'set' command")
            end = store.now() + after
        elif name == b"EXAT":
            end = integer(next(options)) * 1000
        elif name in {b"NX", b"XX", b"KEEPTTL", b"GET"}:
            flags.add(name)
        else:
            raise CommandError(SYNTAX)
    before = store.text(key) if b"GET" in flags else None
    is_there = store.get(key) is not None
    if (b"NX" in flags and is_there) or (b"XX" in flags and not is_there):
        return before
    store.put(key, value)
    if b"KEEPTTL" not in flags:
        store.ends_at(key, end)
    return before if b"GET" in flags else OK


def _increase(sign: int, by: int | None = None) -> Command:
    def increase(store: Store, words: Words) -> Reply:
        amount = integer(words[1]) if by is None else by
        found = store.text(words[0])
        result = integer(b"0" if found is None else found) + sign * amount
        store.put(words[0], b"%d" % result)
        return result

    return increase


# -- hashes ---------------------------------------------------------------------------------


def _hset(store: Store, words: Words) -> Reply:
    key, *pairs = words
    found = store.change(key, Hash)
    given = dict(zip(pairs[::2], pairs[1::2], strict=True))
    new = len(given.keys() - found.keys())
    found.update(given)
    return new


def _hsetnx(store: Store, words: Words) -> Reply:
    key, name, value = words
    found = store.change(key, Hash)
    if name in found:
        return 0
    found[name] = value
    return 1


def _hget(store: Store, words: Words) -> Reply:
    key, name = words
    return store.read(key, Hash).get(name)


def _hmget(store: Store, words: Words) -> Reply:
    found = store.read(words[0], Hash)
    return [found.get(name) for name in words[1:]]


def _hgetall(store: Store, words: Words) -> Reply:
    return [word for pair in store.read(words[0], Hash).items() for word in pair]


def _hdel(store: Store, words: Words) -> Reply:
    found = store.change(words[0], Hash)
    return sum(found.pop(name, None) is not None for name in words[1:])


def _hincrby(store: Store, words: Words) -> Reply:
    key, name, by = words
    amount = integer(by)
    found = store.change(key, Hash)
    result = integer(found.get(name, b"0")) + amount
    found[name] = b"%d" % result
    return result


# -- sets -----------------------------------------------------------------------------------


def _sadd(store: Store, words: Words) -> Reply:
    found = store.change(words[0], Set)
    before = len(found)
    found.update(dict.fromkeys(words[1:]))
    return len(found) - before


def _srem(store: Store, words: Words) -> Reply:
    found = store.change(words[0], Set)
    gone = found.keys() & set(words[1:])
    for one in gone:
        del found[one]
    return len(gone)


def _smembers(store: Store, words: Words) -> Reply:
    """Numbers come in their order, as from the real one, which keeps them so."""
    found: list[bytes] = [*store.read(words[0], Set)]
    return [*(sorted(found, key=int) if all(map(bytes.isdigit, found)) else found)]


# -- lists ----------------------------------------------------------------------------------


def _rpush(store: Store, words: Words) -> Reply:
    found = store.change(words[0], List)
    found.extend(words[1:])
    return len(found)


def _lpush(store: Store, words: Words) -> Reply:
    found = store.change(words[0], List)
    found[:0] = reversed(words[1:])
    return len(found)


def _pop(at: int) -> Command:
    def pop(store: Store, words: Words) -> Reply:
        found = store.change(words[0], List)
        return found.pop(at) if found else None

    return pop


def _blpop(store: Store, words: Words) -> Reply:
    """Return the first value of the first list that has one. The last word is how long to wait."""
    for key in words[:-1]:
        if found := store.change(key, List):
            return [key, found.pop(0)]
    return NOTHING


def _lrange(store: Store, words: Words) -> Reply:
    found = store.read(words[0], List)
    first, last = (integer(one) for one in words[1:])
    first, last = (one + len(found) if one < 0 else one for one in (first, last))
    return list[Reply](found[max(first, 0) : last + 1])


# -- the server -----------------------------------------------------------------------------


def _time(store: Store, _: Words) -> Reply:
    now = store.now()
    return [b"%d" % (now // 1000), b"%d" % (now % 1000 * 1000)]


def _ping(_: Store, words: Words) -> Reply:
    return words[0] if words else PONG


def _info(store: Store, words: Words) -> Reply:
    versions = f"redis_version:{VERSION}\r\nvalkey_version:{VERSION}\r\n"
    uptime = (store.now() - store.started) // 1000
    more = f"run_id:{store.starts:040x}\r\nuptime_in_seconds:{uptime}\r\n"
    return f"# Server\r\n{versions}{more}".encode()


def _config(_: Store, words: Words) -> Reply:
    known = {b"maxmemory-policy": b"noeviction", b"appendonly": b"no", b"save": b""}
    if words[0].upper() != b"GET":
        raise CommandError("ERR unknown subcommand")
    return [word for name in words[1:] if name in known for word in (name, known[name])]


def _flush(store: Store, _: Words) -> Reply:
    store.empty()
    return OK


COMMANDS: dict[str, tuple[int, Command]] = {
    "DEL": (1, _delete),
    "UNLINK": (1, _delete),
    "EXISTS": (1, _exists),
    "EXPIRE": (2, _expire(1000)),
    "PEXPIRE": (2, _expire(1)),
    "TTL": (1, _left(1000)),
    "PTTL": (1, _left(1)),
    "PERSIST": (1, _persist),
    "TYPE": (1, _type),
    "KEYS": (1, _keys),
    "SCAN": (1, _scan),
    "GET": (1, _get),
    "MGET": (1, _mget),
    "SET": (2, _set),
    "INCR": (1, _increase(1, 1)),
    "DECR": (1, _increase(-1, 1)),
    "INCRBY": (2, _increase(1)),
    "HSET": (3, _hset),
    "HSETNX": (3, _hsetnx),
    "HGET": (2, _hget),
    "HMGET": (2, _hmget),
    "HGETALL": (1, _hgetall),
    "HDEL": (2, _hdel),
    "HINCRBY": (3, _hincrby),
    "HEXISTS": (2, lambda store, words: int(_hget(store, words) is not None)),
    "HLEN": (1, lambda store, words: len(store.read(words[0], Hash))),
    "HKEYS": (1, lambda store, words: [*store.read(words[0], Hash)]),
    "HVALS": (1, lambda store, words: [*store.read(words[0], Hash).values()]),
    "SADD": (2, _sadd),
    "SREM": (2, _srem),
    "SMEMBERS": (1, _smembers),
    "SISMEMBER": (2, lambda store, words: int(words[1] in store.read(words[0], Set))),
    "SCARD": (1, lambda store, words: len(store.read(words[0], Set))),
    "RPUSH": (2, _rpush),
    "LPUSH": (2, _lpush),
    "RPOP": (1, _pop(-1)),
    "LPOP": (1, _pop(0)),
    "BLPOP": (2, _blpop),
    "LLEN": (1, lambda store, words: len(store.read(words[0], List))),
    "LRANGE": (3, _lrange),
    "PING": (0, _ping),
    "TIME": (0, _time),
    "INFO": (0, _info),
    "CONFIG": (2, _config),
    "CLIENT": (1, lambda store, words: OK),
    "SELECT": (1, lambda store, words: OK),
    "FLUSHALL": (0, _flush),
}
"""By their names, with the least number of words that follow."""
