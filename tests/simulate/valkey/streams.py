"""The commands on streams."""

from tests.simulate.valkey.commands import SYNTAX, Words
from tests.simulate.valkey.resp import NOTHING, CommandError, Reply
from tests.simulate.valkey.store import Id, Store, Stream, integer

MOST = (2**63, 2**63)


def read_id(word: bytes, default: int = 0) -> Id:
    """Return an id that is written as `ms` or `ms-number`."""
    at, _, number = word.partition(b"-")
    return integer(at), integer(number) if number else default


def written(one: Id) -> bytes:
    return b"%d-%d" % one


def _entry(found: tuple[Id, list[bytes]]) -> Reply:
    return [written(found[0]), list[Reply](found[1])]


def add(store: Store, words: Words) -> Reply:
    """XADD key [NOMKSTREAM] [MAXLEN [~|=] n] id field value …

    The real one cuts at a whole block with `~`, so it may keep more than this.
    """
    key, *rest = words
    most, has_to_be_there = None, False
    while (name := rest[0].upper()) in {b"MAXLEN", b"NOMKSTREAM"}:
        rest = rest[1:]
        if name == b"NOMKSTREAM":
            has_to_be_there = True
            continue
        rest = rest[1:] if rest[0] in {b"~", b"="} else rest
        most, rest = integer(rest[0]), rest[1:]
    if has_to_be_there and store.get(key) is None:
        return None
    wanted, *pairs = rest
    if not pairs or len(pairs) % 2:
        raise CommandError("ERR wrong number of arguments for 'xadd' command")
    stream = store.read(key, Stream)
    one = stream.next_id(store.now()) if wanted == b"*" else read_id(wanted)
    if one <= stream.last:
        raise CommandError(
            "ERR The ID specified in XADD is equal or smaller than the target stream top item"
        )
    store.change(key, Stream)
    store.put(key, stream)
    stream.entries[one], stream.last = pairs, one
    if most is not None:
        _trim(stream, most)
    return written(one)


def _trim(stream: Stream, most: int) -> int:
    over = [*stream.entries][: max(len(stream.entries) - most, 0)]
    for one in over:
        del stream.entries[one]
    return len(over)


def trim(store: Store, words: Words) -> Reply:
    """XTRIM key MAXLEN|MINID [~|=] n."""
    if words[1].upper() == b"MINID":
        entries, oldest = store.read(words[0], Stream).entries, read_id(words[-1])
        return sum(entries.pop(one, None) is not None for one in [*entries] if one < oldest)
    return _trim(store.read(words[0], Stream), integer(words[-1]))


def delete(store: Store, words: Words) -> Reply:
    entries = store.read(words[0], Stream).entries
    return sum(entries.pop(read_id(one), None) is not None for one in words[1:])


def length(store: Store, words: Words) -> Reply:
    return len(store.read(words[0], Stream).entries)


def between(store: Store, words: Words) -> Reply:
    """XRANGE key first last [COUNT n]. `(` before an id leaves that one out."""
    key, first, last, *rest = words
    low, high = _bound(first, (0, 0)), _bound(last, MOST)
    found = [
        one
        for one in store.read(key, Stream).entries.items()
        if low <= one[0] <= high
        and not (first[:1] == b"(" and one[0] == low)
        and not (last[:1] == b"(" and one[0] == high)
    ]
    return list(map(_entry, found[: _count(rest)]))


def between_reversed(store: Store, words: Words) -> Reply:
    key, last, first, *rest = words
    found = between(store, [key, first, last])
    assert isinstance(found, list)
    return found[::-1][: _count(rest)]


def _bound(word: bytes, edge: Id) -> Id:
    if word in {b"-", b"+"}:
        return (0, 0) if word == b"-" else MOST
    return read_id(word.removeprefix(b"("), 0 if edge == (0, 0) else MOST[1])


def _count(rest: Words) -> int | None:
    return integer(rest[1]) if rest and rest[0].upper() == b"COUNT" else None


def read(store: Store, words: Words) -> Reply:
    """XREAD [COUNT n] [BLOCK ms] STREAMS key … id …, without the wait."""
    upper = [one.upper() for one in words]
    if b"STREAMS" not in upper:
        raise CommandError(SYNTAX)
    at = upper.index(b"STREAMS")
    named = words[at + 1 :]
    half = len(named) // 2
    most = integer(words[upper.index(b"COUNT") + 1]) if b"COUNT" in upper[:at] else None
    found: list[Reply] = []
    for key, last in zip(named[:half], named[half:], strict=True):
        stream = store.read(key, Stream)
        after = stream.last if last == b"$" else read_id(last)
        if entries := stream.after(after)[:most]:
            found.append([key, list(map(_entry, entries))])
    return found or NOTHING


def pinned(store: Store, words: Words) -> list[bytes]:
    """Return the words of an XREAD with `$` replaced: it means the end as it was when asked."""
    at = [one.upper() for one in words].index(b"STREAMS")
    named = [*words[at + 1 :]]
    half = len(named) // 2
    for number in range(half):
        if named[half + number] == b"$":
            named[half + number] = written(store.read(named[number], Stream).last)
    return [*words[: at + 1], *named]


STREAMS = {
    "XADD": (4, add),
    "XTRIM": (3, trim),
    "XDEL": (2, delete),
    "XLEN": (1, length),
    "XRANGE": (3, between),
    "XREVRANGE": (3, between_reversed),
    "XREAD": (3, read),
}
"""By their names, with the least number of words that follow."""
