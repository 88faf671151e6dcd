"""Requests and replies as they go over the connection: RESP, version 2."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

END = b"\r\n"


@dataclass(frozen=True, slots=True)
class Status:
    """A reply that is one word, such as OK."""

    word: str


@dataclass(frozen=True, slots=True)
class Nothing:
    """An array that is not there, as after a wait in which nothing came. None: a missing value."""


class CommandError(Exception):
    """A command that can't be carried out. The words are the reply, with their code first."""


Reply: TypeAlias = "Status | Nothing | CommandError | int | bytes | list[Reply] | None"
OK, QUEUED, PONG = Status("OK"), Status("QUEUED"), Status("PONG")
NOTHING = Nothing()


class Requests:
    """Bytes of a connection, cut into commands: lists of words."""

    def __init__(self) -> None:
        self._left = b""

    def feed(self, data: bytes) -> Iterator[list[bytes]]:
        """Yield each command that is complete with these bytes."""
        self._left += data
        while (found := _command(self._left)) is not None:
            words, self._left = found
            yield words


def _command(data: bytes) -> tuple[list[bytes], bytes] | None:
    """Return the first command and what follows it; None if it isn't complete."""
    head, end, rest = data.partition(END)
    if not end:
        return None
    assert head[:1] == b"*", f"no array: {head!r}"
    words: list[bytes] = []
    for _ in range(int(head[1:])):
        head, end, rest = rest.partition(END)
        length = int(head[1:]) if end else 0
        if not end or len(rest) < length + len(END):
            return None
        words.append(rest[:length])
        rest = rest[length + len(END) :]
    return words, rest


def encoded(reply: Reply) -> bytes:
    """Return a reply as a client reads it."""
    match reply:
        case Status(word):
            return b"+%b\r\n" % word.encode()
        case CommandError():
            return b"-%b\r\n" % str(reply).encode()
        case Nothing():
            return b"*-1\r\n"
        case None:
            return b"$-1\r\n"
        case int():
            return b":%d\r\n" % reply
        case bytes():
            return b"$%d\r\n%b\r\n" % (len(reply), reply)
        case list():
            return b"*%d\r\n" % len(reply) + b"".join(map(encoded, reply))
