"""Odd logs, made of one with lost races: each with the fault that it has, if it is one."""

from collections.abc import Callable
from typing import Any

from bot.verify.log.lines import digest
from tests.verify.damages import Lines, lines_of, text_of


def _forge(change: Callable[[Lines], object]) -> Callable[[str], bytes]:
    """One thing is changed, and the digest made anew."""

    def forge(log: str) -> bytes:
        lines = lines_of(log)
        change(lines)
        lines[-1]["digest"] = digest(lines)
        return text_of(lines).encode()

    return forge


def _first(kind: str, key: str, value: Any, *, new: bool = False) -> Callable[[str], bytes]:
    """The first line of a kind that has this key (or doesn't, if `new`) gets this value there."""

    def change(lines: Lines) -> None:
        line = next(one for one in lines if one["e"] == kind and (key in one) is not new)
        line[key] = value(line) if callable(value) else value

    return _forge(change)


def _written(old: str, new: str) -> Callable[[str], bytes]:
    return lambda log: log.replace(old, new, 1).encode("utf-8", "surrogatepass")


def _left(lines: Lines, p: int = 0, t: int | None = None) -> dict[str, Any]:
    return {"e": "leave", "t": lines[-1]["t"] if t is None else t, "p": p}


def _without_digest(log: str) -> bytes:
    *lines, match = lines_of(log)
    del match["digest"]
    return text_of([*lines, match]).encode()


def _reposted(messages: list[str], postings: int) -> Callable[[Lines], object]:
    return lambda lines: lines[0].update(reposted=messages, postings=postings)


def _refused_again(times: int) -> Callable[[Lines], object]:
    def change(lines: Lines) -> None:
        at = next(i for i, one in enumerate(lines) if one["e"] == "reject")
        lines[at:at] = times * [lines[at]]

    return change


def _cut_after(kind: str) -> Callable[[Lines], object]:
    """The match ends after the first line of a kind."""

    def change(lines: Lines) -> None:
        at = next(i for i, one in enumerate(lines) if one["e"] == kind and not _opens(lines, i))
        lines[at + 1 : -1] = []
        if at == 0:
            lines[-1]["t"] = 0

    return change


def _opens(lines: Lines, at: int) -> bool:
    """Whether the next line belongs to the same press."""
    one, following = lines[at], lines[at + 1]
    return all(one.get(key) == following.get(key) for key in ("e", "t", "p"))


def _left_before(kind: str) -> Callable[[Lines], object]:
    """Somebody leaves before the last line of a kind that they could be in."""

    def change(lines: Lines) -> None:
        at = next(i for i, one in enumerate(lines) if one["e"] == kind and i > 1 and _own(lines, i))
        lines.insert(at, _left(lines, lines[at].get("p", 0), lines[at]["t"]))

    return change


def _own(lines: Lines, at: int) -> bool:
    return lines[at]["e"] == "deal" or not _opens(lines, at - 1)


def _alone(deal: dict[str, Any]) -> list[Any]:
    first, *others = deal["seats"]
    return [first, *(None for _ in others)]


def _again(lines: Lines) -> None:
    """The last round is played twice."""
    at = max(i for i, one in enumerate(lines) if one["e"] == "deal")
    again = [{**one, "t": lines[-1]["t"]} for one in lines[at:-1]]
    lines[-1:-1] = again


def _of_move(kind: str, change: Callable[[dict[str, Any]], object]) -> Callable[[Lines], object]:
    """Change the first move of a kind."""
    return lambda lines: change(next(one for one in lines if one.get("m", "x")[0] == kind))


def _reversed(move: dict[str, Any]) -> None:
    move["m"][1].reverse()


def _elsewhere(move: dict[str, Any]) -> None:
    move["m"][2] = 15


def _refused_first(lines: Lines) -> None:
    """The first play is refused before it is made."""
    at = next(i for i, one in enumerate(lines) if one.get("m", "x")[0] == "play")
    lines.insert(at, {**lines[at], "e": "reject", "m": lines[at]["m"][:2]})


def _all_left(lines: Lines) -> None:
    at = next(i for i, one in enumerate(lines) if one["e"] == "move")
    seats = range(lines[0]["players"])
    lines[at:-1] = [_left(lines, p, lines[at]["t"]) for p in seats]


def _taken_up_early(lines: Lines) -> None:
    at = next(i for i, one in enumerate(lines) if one.get("m") == ["flip"] and one["e"] == "move")
    lines.insert(at, {**lines[at], "m": ["recycle", ["R1"]]})


def _ended_twice(lines: Lines) -> None:
    lines.insert(-1, {key: value for key, value in lines[-1].items() if key != "digest"})


def _a_die_less(lines: Lines) -> None:
    deal = lines[1]
    deal["dice"][0] = deal["dice"][0][:-1]
    deal["rolls"][0].pop()


def _a_die_less_and_nothing_agreed(lines: Lines) -> None:
    _a_die_less(lines)
    for key in ("shares", "extra", "handicap"):
        lines[0].pop(key, None)


ODD: dict[str, tuple[Callable[[str], bytes], str | None]] = {
    "a key twice": (_written('"t":0', '"t":0,"t":0'), "not_json"),
    "a fraction": (_written('"t":0', '"t":0.0'), "not_json"),
    "an exponent": (_written('"t":0', '"t":0e0'), "not_json"),
    "a zero in front": (_written('"t":0', '"t":00'), "not_json"),
    "no number": (_written('"t":0', '"t":NaN'), "not_json"),
    "too large a number": (_written('"t":0', '"t":9007199254740992'), "not_json"),
    "minus zero": (_written('"t":0', '"t":-0'), None),
    "spaces": (_written('"t":0', '"t" : \t0\r'), None),
    "a space of another kind": (_written('"t":0', '"t":\u00a00'), "not_json"),
    "an escape": (_written('"e":"deal"', '"e":"d\\u0065al"'), None),
    "no escape": (_written('"e":"deal"', '"e":"d\\qeal"'), "not_json"),
    "half a character": (_written('"t":0', '"t":0,"x":"\\ud83d"'), "not_json"),
    "half a character in bytes": (_written('"t":0', '"t":0,"x":"\ud83d"'), "not_text"),
    "a control character": (_written('"t":0', '"t":0,"x":"\x01"'), "not_json"),
    "too deep": (_written('"t":0', '"t":0,"x":' + 50 * "[" + 50 * "]"), "not_json"),
    "a list": (_written('{"e":"deal"', '[{"e":"deal"'), "not_json"),
    "an empty line": (_written('{"e":"deal"', ' \r\n{"e":"deal"'), "blank"),
    "an empty line at the end": (lambda log: log.encode() + b"\n", "blank"),
    "no end of a line": (lambda log: log.encode()[:-1], "no_line_feed"),
    "nothing": (lambda _: b"", "empty"),
    "a picture": (lambda _: b"\x89PNG\r\n\x1a\n\0\0\0", "no_log"),
    "text": (lambda _: b"A letter.\n\nYours", "no_log"),
    "true for one": (_first("start", "computers", [True]), "field"),
    "another promise": (_first("start", "promise", "0" * 64), "promise"),
    "another secret": (_first("match", "secret", "0" * 64), "promise"),
    "another message": (_first("start", "public", "1/2"), "seed"),
    "another seed": (_first("match", "seed", "0" * 64), "commit"),
    "no promise": (_forge(lambda lines: lines[0].pop("promise")), "halves"),
    "a message twice": (_first("start", "public", lambda _: "1/1/1"), "field"),
    "another rival": (_first("reject", "rival", lambda line: line["p"]), "rival"),
    "shown before it was taken": (_first("reject", "margin", -1), "field"),
    "shown longer than it was taken": (_first("reject", "shown", 10**9), "race"),
    "somebody who leaves twice": (
        _forge(lambda lines: lines.__setitem__(slice(-1, -1), 2 * [_left(lines)])),
        "left",
    ),
    "no digest": (_without_digest, "no_digest"),
    "more messages than postings": (_forge(_reposted(["1/2"], 1)), "postings"),
    "no further messages": (_forge(_reposted([], 1)), "field"),
    "a refusal too many": (_forge(_refused_again(300)), "refusals"),
    "a round that lasted too long": (_first("end", "lasted", 10**9), "lasted"),
    "a round without an end": (_forge(_cut_after("move")), "in_round"),
    "no round": (_forge(_cut_after("start")), "event"),
    "a deal to somebody who has left": (_forge(_left_before("deal")), "seats"),
    "a move of somebody who has left": (_forge(_left_before("move")), "not_in"),
    "a deal to one": (_forge(lambda lines: lines[1].update(seats=_alone(lines[1]))), "deal"),
    "a round too many": (_forge(_again), "deal"),
    "a race that nobody ran": (_first("reject", "rival", 1, new=True), "no_rival"),
    "a pile in another order": (_forge(_of_move("recycle", _reversed)), "shuffle"),
    "another pile": (_forge(_of_move("play", _elsewhere)), "other_pile"),
    "a refusal of what was allowed": (_forge(_refused_first), "legal"),
    "a pile taken up before the hand is empty": (_forge(_taken_up_early), "no_recycle"),
    "everybody leaves, and the round goes on": (_forge(_all_left), "due_end"),
    "two ends of the match": (_forge(_ended_twice), "event"),
    "a digest in the middle": (_first("deal", "digest", 7, new=True), "field"),
    "a digest in the first line": (_first("start", "digest", "0" * 64, new=True), "field"),
    "names in the last line": (_first("match", "names", [], new=True), "field"),
    "another winner": (_first("match", "winners", [0, 1]), "value"),
    "true for one in the totals": (_first("match", "aborted", 0), "value"),
}
"""What may be odd about a log with a lost race, and the fault; None for what is no fault."""

ODD_DICE: dict[str, tuple[Callable[[str], bytes], str]] = {
    "another roll": (_forge(_of_move("reroll", _reversed)), "roll"),
    "a die less": (_forge(_a_die_less), "shares"),
    "a die less, and nothing agreed": (_forge(_a_die_less_and_nothing_agreed), "uneven"),
}
"""The same of a log of a match of dice."""
