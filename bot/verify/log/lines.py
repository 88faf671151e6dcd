"""The lines of a log as JSON values, and their canonical form. See docs/format.md."""

import json
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import Any, TypeAlias

from bot.verify.log.errors import LogError, demand

Line: TypeAlias = dict[str, Any]
MOST = 2**53 - 1
"""Whole numbers are no larger, so that every reader of JSON can tell them apart."""
UNHASHED = ("names", "digest")
SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
DEEPEST = 50
"""Lists and objects are nested no deeper."""


def read(log: bytes) -> list[Line | LogError]:
    """Return each line of a log, or why it is none. The list has at least one element."""
    *lines, rest = log.split(b"\n")
    read = [_guarded(_line, one) for one in lines]
    if log.startswith(b"\xef\xbb\xbf"):
        read[:1] = [LogError("byte_order_mark")]
    if rest:
        read.append(LogError("no_line_feed"))
    if not any(isinstance(one, dict) for one in read):
        return [LogError("no_log" if log else "empty")]
    return read


def _guarded(parse: Callable[[bytes], Line], line: bytes) -> Line | LogError:
    try:
        return parse(line)
    except LogError as error:
        return error


def _line(line: bytes) -> Line:
    demand(line.strip(b" \t\r"), "blank")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError:
        raise LogError("not_text") from None
    try:
        value = json.loads(
            text,
            object_pairs_hook=_object,
            parse_int=_whole,
            parse_float=_no_number,
            parse_constant=_no_number,
        )
    except (ValueError, RecursionError):
        raise LogError("not_json") from None
    demand(isinstance(value, dict) and _is_plain(value, DEEPEST), "not_json")
    return dict(value)


def _object(pairs: Sequence[tuple[str, Any]]) -> Line:
    found = dict(pairs)
    demand(len(found) == len(pairs), "not_json")
    return found


def _whole(digits: str) -> int:
    demand(len(digits) < len(str(-MOST)) + 1 and abs(int(digits)) <= MOST, "not_json")
    return int(digits)


def _no_number(_: str) -> None:
    raise LogError("not_json")


def _is_plain(value: object, depth: int) -> bool:
    """Tell whether all text is of whole characters, and nothing is nested too deeply."""
    match value:
        case str():
            return not any("\ud800" <= letter <= "\udfff" for letter in value)
        case list():
            return depth > 0 and all(_is_plain(one, depth - 1) for one in value)
        case dict():
            return depth > 0 and all(
                _is_plain(one, depth - 1) for kv in value.items() for one in kv
            )
        case _:
            return True


def canonical(value: object) -> str:
    """Return a JSON value in the one form in which it is hashed."""
    match value:
        case None | True | False:
            return {None: "null", True: "true", False: "false"}[value]
        case int():
            return str(value)
        case str():
            return '"' + "".join(map(_escaped, value)) + '"'
        case list():
            return "[" + ",".join(map(canonical, value)) + "]"
        case dict():
            pairs = (f"{canonical(key)}:{canonical(value[key])}" for key in sorted(value))
            return "{" + ",".join(pairs) + "}"
        case _:
            raise LogError("not_json")


def _escaped(letter: str) -> str:
    return SHORT.get(letter) or (f"\\u{ord(letter):04x}" if letter < " " else letter)


def digest(lines: Iterable[Line]) -> str:
    """Return the SHA-256 of all lines, in hex, without the names and without itself."""
    hashed = sha256()
    for line in lines:
        kept = {key: value for key, value in line.items() if key not in UNHASHED}
        hashed.update(canonical(kept).encode("utf-8") + b"\n")
    return hashed.hexdigest()
